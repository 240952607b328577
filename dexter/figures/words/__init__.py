"""The words for figures, companies and what is said of them, as data."""
