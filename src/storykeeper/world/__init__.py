"""What is so at a moment of a run: folded from story and ledger, small, never stored as truth."""
