"""Compaction: many turns become one summary, which never says more than they did and leads back."""
