"""Statements from Financial Datasets, a vendor that wants a key."""
