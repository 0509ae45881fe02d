"""`bench continuity`: of what a narrator needs in a late turn, how much is in its window."""
