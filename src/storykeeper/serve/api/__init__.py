"""The HTTP API: stories, runs, turns, views and memories as resources."""
