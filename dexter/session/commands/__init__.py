"""The slash commands: one table, one function each."""
