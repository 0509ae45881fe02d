"""The window: what the narrator, or one character, gets to see."""
