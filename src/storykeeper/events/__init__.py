"""The event grammar: what can happen, in records whose bytes never change."""
