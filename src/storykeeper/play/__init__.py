"""The turn: from a player's words to what happened, and to prose."""
