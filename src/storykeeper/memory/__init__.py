"""Memory: what was said and written, kept whole, found again, and never shown to the wrong eyes."""
