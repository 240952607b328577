"""Tools: what the model can call. One file a tool; the registry lists them."""
