"""Web search by several vendors, all through one adapter and a table."""
