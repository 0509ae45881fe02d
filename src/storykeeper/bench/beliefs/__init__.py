"""Who believes what: stories told sentence by sentence, and what is asked about them."""

from storykeeper.bench.beliefs.tales import perceived

__all__ = ["perceived"]
