"""Mentions and coreference, measured."""
