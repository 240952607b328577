"""Long-term memory: Markdown notes in the user's data folder."""
