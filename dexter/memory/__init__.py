"""Long-term memory: Markdown notes in the user's data folder, and the search over them."""
