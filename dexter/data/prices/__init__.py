"""Prices from vendors: one adapter, and a description of each vendor."""
