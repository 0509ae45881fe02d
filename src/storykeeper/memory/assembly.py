"""A whole prompt from a memory: rules, settings, the recent turns, and what answers the query.

    C_total(q) = I1 ∪ I2* ∪ T_recent ∪ Proj(V_rest, q)                                   (L §7.8)

All of it per audience. The rules must fit into their share before anything is asked; the last
turns are never dropped without saying so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from storykeeper.errors import WindowRefused
from storykeeper.memory.found import Results, heading, line, packed
from storykeeper.memory.items import Item, Part
from storykeeper.memory.search import Asked, as_seen, project, view_of
from storykeeper.memory.store import Store
from storykeeper.scoring.reserve import BASE_TURNS, Laid, Reserve, laid, overload
from storykeeper.story.tuning import Policy

RECENT_MOST = 200  # turns looked at for the tail
_RULES, _SETTINGS, _FOUND, _RECENT = "# Rules", "# Background", "# Remembered", "# Just now"
_UNDATED = "[no date]"  # after lines that have one
_HEADINGS = (_RULES, _SETTINGS, _FOUND, _RECENT)


@dataclass(frozen=True, slots=True)
class Assembled:
    """A prompt, and what is in it."""

    rules: tuple[Item, ...]  # I1, whole
    settings: tuple[Item, ...]  # I2*, a prefix
    recent: tuple[Item, ...]  # T_recent, a suffix
    found: Results  # Proj
    budget: int
    tokens: int
    notes: tuple[str, ...] = ()  # what could not be done as it should, in plain words

    @property
    def text(self) -> str:
        """All of it, what is stable first."""
        parts = (
            (_RULES, [line(item, item.text) for item in self.rules]),
            (_SETTINGS, [line(item, item.text) for item in self.settings]),
            (_FOUND, [self.found.text] if len(self.found) else []),
            (_RECENT, _dated(self.recent)),
        )
        return "\n\n".join("\n".join((head, *lines)) for head, lines in parts if lines)


def assembled(
    store: Store, query: str, asked: Asked, *, tokens: int, reserve: Reserve, policy: Policy
) -> Assembled:
    """The prompt of an audience for a query, in so many tokens."""
    view = view_of(store, asked)
    rules, settings, turns = (
        view.part(Part.HARD), view.part(Part.SOFT), view.recent(RECENT_MOST, session=asked.session),
    )  # fmt: skip
    price = _priced(store.count)
    hard = sum(map(price, rules))
    _refuse_rules(hard, tokens, reserve)
    room = tokens - sum(store.count(f"\n\n{head}\n") for head in _HEADINGS)
    slack = 0
    while True:
        shares = laid(
            hard=hard, soft=[price(i) for i in settings], turns=[price(i) for i in turns],
            budget=room - slack, reserve=reserve,
        )  # fmt: skip
        if isinstance(shares, int):
            raise WindowRefused(
                f"{tokens:,} tokens are {shares:,} too few for the rules and the last turn; ask for"
                " more, or shorten the rules",
                shortfall=shares,
            )
        made = _filled(store, query, asked, shares, rules, settings, turns, policy, tokens)
        if made.tokens <= tokens:
            return made
        slack += made.tokens - tokens  # joined, texts count for more than their parts


def _filled(
    store: Store, query: str, asked: Asked, shares: Laid, rules: Sequence[Item],
    settings: Sequence[Item], turns: Sequence[Item], policy: Policy, tokens: int,
) -> Assembled:  # fmt: skip
    recent = tuple(turns[len(turns) - shares.recent :])
    leave = frozenset(item.order - 1 for item in recent)
    found = project(store, query, replace(asked, leave=leave))
    found = packed(found, budget=shares.left, count=store.count, policy=policy)
    view = view_of(store, asked)
    first, then, last = (
        tuple(as_seen(view, part)) for part in (rules, settings[: shares.soft], recent)
    )
    made = Assembled(
        first, then, last, found, tokens, 0, (*found.notes, *_notes(shares, tokens))
    )  # fmt: skip
    return replace(made, tokens=store.count(made.text))


def _refuse_rules(hard: int, tokens: int, reserve: Reserve) -> None:
    over = overload(hard, budget=tokens, reserve=reserve)
    if over > 0:
        raise WindowRefused(
            f"the rules take {hard:,} tokens, {over:,} more than their share of {tokens:,}"
            f" ({reserve.hard:.0%}); shorten them, keep some to be searched, or ask for more",
            shortfall=over,
        )


def _notes(shares: Laid, tokens: int) -> tuple[str, ...]:
    if not shares.degraded:
        return ()
    kept = "turn" if shares.base == 1 else f"{shares.base} turns"
    note = (
        f"Only the last {kept} could be kept word for word, where {BASE_TURNS} should be:"
        f" {tokens:,} tokens are too few beside the rules."
    )
    return (note,)


def _priced(count: Callable[[str], int]) -> Callable[[Item], int]:
    """What an item costs at most: its line, and a date it may be the first of."""
    return lambda item: (
        count(line(item, item.text) + "\n") + (count(heading(item) + "\n") if heading(item) else 0)
    )


def _dated(items: Sequence[Item]) -> list[str]:
    lines: list[str] = []
    day = ""
    for item in items:
        if heading(item) != day:
            day = heading(item)
            lines.append(day or _UNDATED)
        lines.append(line(item, item.text))
    return lines
