"""Understanding of text; for now, how many tokens it is."""
