"""A memory beside what a developer would take instead, in one run on one machine."""
