"""How much of a prompt is the prompt of the turn before."""
