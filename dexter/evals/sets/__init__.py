"""Question sets that come with Dexter."""
