"""A run read back from its file: what happened, what the model saw, and what another policy would have made of it."""
