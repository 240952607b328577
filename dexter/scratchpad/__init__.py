"""The record of a run: an append-only JSONL file, the single source of truth."""
