"""The bundled sample: filed figures and month-end closes of twelve companies, readable without a key or a network."""
