"""Language models behind one small protocol; adapters are imported only when used."""
