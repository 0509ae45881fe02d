"""Texts as vectors: one port, a model that comes with us, a fast one, and any endpoint."""
