"""Who perceives what on a field: sight, sound, channels, and what a side is told."""
