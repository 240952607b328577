"""What summarising models are told, as files."""
