"""Compaction in pure parts: what the summariser reads, what it is told, what is taken from its answer, the new view."""
