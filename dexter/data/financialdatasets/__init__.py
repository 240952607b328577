"""Statements, news and screens from Financial Datasets, a vendor that wants a key."""
