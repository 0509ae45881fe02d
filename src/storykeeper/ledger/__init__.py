"""What happened, in order, and never lost."""
