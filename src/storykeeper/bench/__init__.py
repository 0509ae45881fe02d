"""Benchmarks and evaluations, by name."""
