"""Numbers in text and cells: found, normalised, bound to company, line and period, compared."""
