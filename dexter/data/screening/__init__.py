"""Companies by criteria: over EDGAR's frames, a vendor, or the bundled sample."""
