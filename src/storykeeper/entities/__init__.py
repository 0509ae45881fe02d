"""From mentions to things the story keeps: who is meant, what weighs how much, what is tracked."""
