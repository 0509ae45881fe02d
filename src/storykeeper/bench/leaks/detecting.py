"""What counts as a leak: a canary, a source, or a sentence that says the secret in other words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from storykeeper.bench.leaks.secrets import Moment, Secret
from storykeeper.story.overlap import sentences, tells

Items = tuple[tuple[str, tuple[str, ...]], ...]  # ids and their sources
CANARY, SOURCE, WORDS = "canary", "source", "words"


@dataclass(frozen=True)
class Shown:
    """Everything that somebody got to see at a moment: its texts, and the items it lists."""

    where: str  # window, receipt, recall, memory, error
    audience: str
    moment: Moment
    texts: tuple[str, ...]
    items: Items = ()

    @cached_property
    def whole(self) -> str:
        """All texts, for canaries."""
        return "\n".join(self.texts).lower()

    @cached_property
    def sentences(self) -> list[frozenset[str]]:
        """All sentences, for paraphrases."""
        return [sentence for sentence in sentences(self.whole) if len(sentence) > 2]

    @cached_property
    def sources(self) -> dict[str, str]:
        """Every source that something listed derives from, and what that is."""
        return {_plain(source): item for item, named in self.items for source in (item, *named)}


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret that somebody got to see and may not have."""

    seed: int
    carrier: str
    audience: str
    turn: int
    where: str
    how: str
    item: str = ""

    def __str__(self) -> str:
        item = f", item {self.item}" if self.item else ""
        return (
            f"LEAK seed {self.seed}: {self.carrier} to {self.audience} in turn {self.turn},"
            f" {self.where}, by {self.how}{item}"
        )


def forbidden(shown: Shown, secrets: Iterable[Secret]) -> list[Secret]:
    """The secrets that whoever looks may not have."""
    return [s for s in secrets if not s.may_have(shown.audience, shown.moment)]


def leaks(shown: Shown, secrets: Iterable[Secret], *, seed: int) -> Iterator[Leak]:
    """Every secret among these that is in what was shown; each once."""
    for secret in secrets:
        found = _found(shown, secret)
        if found is not None:
            how, item = found
            yield Leak(
                seed, secret.carrier, shown.audience, shown.moment.turn, shown.where, how, item
            )


def is_told(shown: Shown, secret: Secret, *, seed: int) -> bool:
    """Whether a secret is in what was shown, by the kind of item that it is to come by."""
    by_kind = not secret.through or any(
        item.startswith(secret.through) and not secret.sources.isdisjoint(map(_plain, sources))
        for item, sources in shown.items
    )
    return by_kind and any(leaks(shown, (secret,), seed=seed))


def _found(shown: Shown, secret: Secret) -> tuple[str, str] | None:
    if secret.canary and secret.canary in shown.whole:
        return CANARY, ""
    for source in sorted(secret.sources):
        if source in shown.sources:
            return SOURCE, shown.sources[source]
    if any(tells(sentence, secret.content) for sentence in shown.sentences):
        return WORDS, ""
    return None


def _plain(source: str) -> str:
    """A source; of a mention, the event that it stands in; of a piece, the turn."""
    kind, _, name = source.partition(":")
    if kind == "piece":
        return f"turn:{name.partition('/')[0]}"
    return f"atom:{name.partition('#')[0]}" if kind == "mention" else source
