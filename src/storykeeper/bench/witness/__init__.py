"""Who perceived what, measured."""
