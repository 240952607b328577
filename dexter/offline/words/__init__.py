"""The words that the rule-based model knows, as data."""
