"""Hypothesis strategies that more than one test uses."""
