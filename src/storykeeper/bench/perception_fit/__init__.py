"""Fitting what reads prose on labelled passages: the same bytes from the same files."""
