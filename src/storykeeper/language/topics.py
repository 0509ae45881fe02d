"""What words are about: what follows *about*, or else what they name."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.language.acts import Referred, Sorts
from storykeeper.language.lexicon import verb_classes
from storykeeper.language.phrases import Phrase, located
from storykeeper.language.reading import MentionKind
from storykeeper.language.verbs import is_verb

ABOUT = frozenset({"about", "concerning", "regarding", "of", "for"})
_INSIDE = frozenset({"in", "on", "under", "behind", "inside", "beside"})
_VERBAL = 4


def about_what(phrases: Sequence[Phrase], sorts: Sorts) -> Referred | None:
    """What follows *about*, with where it is; or else what the rest of the clause names."""
    at = next((i for i, p in enumerate(phrases) if p.before in ABOUT), None)
    if at is None:
        return topic_of(phrases, sorts)
    what = phrases[at].what
    after = phrases[at + 1] if at + 1 < len(phrases) else None
    placed = after is not None and after.before in _INSIDE
    return located(what, after.what, after.before) if after is not None and placed else what


def topic_of(phrases: Sequence[Phrase], sorts: Sorts) -> Referred | None:
    """What words are about: a name if there is one, then what is pointed at, then any noun."""
    others = [
        p for p in phrases
        if p.what.mention.person == 3 and p.what.entity not in sorts.players
    ]  # fmt: skip
    best = min(others, key=_vagueness, default=None)
    return best.what if best is not None and _vagueness(best) < _VERBAL else None


def _vagueness(phrase: Phrase) -> int:
    what, mention = phrase.what, phrase.what.mention
    if what.entity is not None:
        return 0
    if mention.kind is MentionKind.PRONOUN:
        return 3
    if mention.definite or phrase.before:
        return 1
    verbal = is_verb(mention.head, frozenset()) or bool(verb_classes(mention.head))
    return _VERBAL if verbal or mention.head.endswith("ed") else 2
