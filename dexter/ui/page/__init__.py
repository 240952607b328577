"""A run as one HTML page of its own: readable offline, safe whatever tools and models have written."""
