"""Verbs of what nobody else perceives, nor does whom they are about."""

from __future__ import annotations

from storykeeper.language.lexicon import VerbClass, verb_classes

_SENSED = frozenset({
    "see", "notice", "spot", "hear", "recognise", "recognize", "feel", "sense", "smell",
})  # fmt: skip
_FELT = frozenset({
    "realise", "realize", "remember", "recall", "know", "understand", "wonder", "wish", "hope",
    "want", "believe", "love", "like", "hate", "dislike", "fear", "dread", "miss", "envy", "adore",
    "despise", "loathe", "resent", "pity", "regret", "long", "yearn", "desire", "abhor", "crave",
})  # fmt: skip


def is_thought(verb: str) -> bool:
    """Whether it is in somebody's mind alone: thinking, wanting, loving."""
    return verb in _FELT or VerbClass.THINK in verb_classes(verb)


def is_inward(verb: str) -> bool:
    """Whether nobody else perceives that it is done: also seeing, of what others may see too."""
    return verb in _SENSED or is_thought(verb)
