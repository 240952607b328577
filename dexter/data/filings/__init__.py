"""Filings as text: documents to items, exhibits, ownership, holdings, segments, full-text search."""
