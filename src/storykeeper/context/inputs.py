"""Tier 4: what the player typed, and what came of it.

The player's words are kept whole in the ledger. In a window they may take their share and no more:
a longer text enters as its head, its tail and a marked cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from storykeeper.context.boundary import Boundary
from storykeeper.context.foreign import safe
from storykeeper.context.items import BRIEF, FULL, Candidate, Class, Missed, Shown, Tier
from storykeeper.context.naming import told_to
from storykeeper.context.words import name_of, quoted
from storykeeper.events.atoms import Atom
from storykeeper.events.changes import IntentResolved
from storykeeper.scoring.composite import Terms
from storykeeper.scoring.pack import NO_ROOM
from storykeeper.story.preamble import ASK, ASK_PART, ASK_STAGE
from storykeeper.world.finding import is_finding

CUT = "\n[… cut: {chars:,} characters …]\n"
CHARS_PER_TOKEN = 12  # more than any text has on the average: a bound for the search
ACTS_SHARE = 3  # acts in words take at most a third of the room

ASKS = f"hard:{ASK_PART}"
INTENT = "intent"

Price = Callable[[str], int]
Written = Callable[[str], str]


def happenings(boundary: Boundary) -> list[Candidate]:
    """What shows of intents, and this turn's events in words."""
    found = [*_outcomes(boundary), *_acts(boundary)]
    return [c for c in found if c.full.strip()]


def words(boundary: Boundary) -> list[Candidate]:
    """What the player typed."""
    text = quoted(safe(boundary.present.text))
    if not boundary.present.text.strip():
        return []
    return [_item("input", text, ("input",))]


def asked(boundary: Boundary) -> list[Candidate]:
    """What the narrator is asked to do: the last words of its window."""
    text = f"{ASK} {ASK_STAGE}" if boundary.inline else ASK
    return [_item(ASKS, text, (ASKS,), origin=ASKS)] if boundary.narrator else []


def _item(item_id: str, text: str, sources: tuple[str, ...], *, origin: str = "input") -> Candidate:
    return Candidate(
        id=item_id, origin=origin, tier=Tier.INPUT, klass=Class.MANDATORY, sources=sources,
        full=text, terms=Terms(),
    )  # fmt: skip


def _acts(boundary: Boundary) -> Iterator[Candidate]:
    for record in boundary.present.decided:
        if isinstance(record, Atom) and _worth_saying(boundary, record):
            text = told_to(boundary, record)
            yield _item(f"atom:{record.id}", f"- {text}" if text else "", (f"atom:{record.id}",))


def _worth_saying(boundary: Boundary, atom: Atom) -> bool:
    """Whoever has the player's words has the acts in them, but not what is found by them; others
    have what they perceive.
    """
    return is_finding(atom) or not boundary.open("input")


def _outcomes(boundary: Boundary) -> Iterator[Candidate]:
    resolved = [r for r in boundary.present.decided if isinstance(r, IntentResolved)]
    for i, record in enumerate(resolved):  # by their own number: the rest of a turn may be hidden
        shows = record.outcome.strip()
        text = f"- {name_of(boundary.plan, record.who)}: {shows}" if shows else ""
        source = f"{INTENT}:{record.who}"
        yield _item(f"{source}/{i}", text, (source,), origin=INTENT)


def laid_out(
    acts: Sequence[Candidate],
    typed: Candidate | None,
    words: str,
    *,
    room: int,
    price: Price,
    asks: Sequence[Candidate] = (),
) -> tuple[list[Shown], list[Missed]]:
    """The acts in words, at most a third; then the player's words, whole or with a cut; then what
    the narrator is asked, which takes nothing of their room; and what of it is not in.
    """
    shown: list[Shown] = []
    missed: list[Missed] = []
    most = max(room // ACTS_SHARE, room - price(quoted(words))) if words else room
    for act in acts:
        cost = price(act.full)
        if cost <= most:
            most, room = most - cost, room - cost
            shown.append(Shown(act, FULL, cost))
        else:
            missed.append(Missed(act, NO_ROOM, cost - most))
    if typed is not None:
        text = fitted(words, room=room, price=price)
        form = FULL if text == typed.full else BRIEF
        said = typed if form == FULL else replace(typed, brief=text)
        if text:
            shown.append(Shown(said, form, price(text)))
        else:
            missed.append(Missed(typed, NO_ROOM, price(typed.full) - room))
    return [*shown, *(Shown(each, FULL, price(each.full)) for each in asks)], missed


def fitted(text: str, *, room: int, price: Price, written: Written = quoted) -> str:
    """A text in at most `room` tokens: whole, or head and tail with the cut marked.

    `written` is how it stands in a window: a player's words as a quotation.
    """
    if price(written(text)) <= room:
        return written(text)
    low, high = 0, min(len(text) // 2, room * CHARS_PER_TOKEN)
    while low < high:  # the longest head and tail that fit
        middle = (low + high + 1) // 2
        if price(written(_shortened(text, middle))) <= room:
            low = middle
        else:
            high = middle - 1
    shortened = written(_shortened(text, low))
    return shortened if low and price(shortened) <= room else ""


def _shortened(text: str, chars: int) -> str:
    head, tail = _to_space(text[:chars]), _from_space(text[len(text) - chars :])
    cut = CUT.format(chars=len(text) - len(head) - len(tail))
    return head + cut + safe(tail)  # it begins a line now


def _to_space(head: str) -> str:
    """Up to the last space, so that no word is halved; as it is where there are no spaces."""
    end = max(head.rfind(" "), head.rfind("\n"))
    return head[:end] if end > len(head) // 2 else head


def _from_space(tail: str) -> str:
    starts = [i for i in (tail.find(" "), tail.find("\n")) if 0 <= i < len(tail) // 2]
    return tail[min(starts) + 1 :] if starts else tail
