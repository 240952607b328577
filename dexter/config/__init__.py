"""Settings: the numbers, where each value came from, where files live."""
