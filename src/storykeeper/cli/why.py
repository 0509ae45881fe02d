"""A receipt in words, and two of them compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from storykeeper.context.boundary import CLOSED
from storykeeper.context.receipt import AuthorReceipt, ClassSpent, InWindow, OutOfWindow
from storykeeper.context.window import Window
from storykeeper.scoring.composite import Terms

FACTORS = ("relevance", "gravity", "boundary", "trust", "recency", "temperature")
PULLS = ("scene", "theme", "layer", "prophecy")
LEAST_DIGITS, MOST_DIGITS = 2, 6  # behind the point, of a factor
HALF_A_DIGIT = 0.0005 + 1e-9  # of a score, which has three


def explained(window: Window, *, item: str | None = None) -> str:
    """Why each item was in or out, or one of them (any that has the word in its id).

    Several words are a sentence of the past: where it stands in the window, or why it does not.
    """
    if item and " " in item.strip():
        return "\n".join(_sentence(window, item)) or f"nothing told says «{item.strip()}»"
    receipt = window.receipt
    lines = [] if item else [_head(receipt)]
    lines += [line for entry in receipt.shown if _asked(entry.id, item) for line in _in(entry)]
    lines += [line for entry in receipt.left_out if _asked(entry.id, item) for line in _out(entry)]
    lines += [
        f"- {refused.id}: withheld by the rule «{refused.rule}»"
        for refused in receipt.refused
        if _asked(refused.id, item)
    ]
    lines += [] if item else [f"note: {note}" for note in receipt.notes]
    return "\n".join(lines or _ruled(window, item or "")) or f"nothing called {item} was considered"


def _sentence(window: Window, words: str) -> Iterator[str]:
    for found in window.whereabouts(words):
        told = f"turn {found.piece.turn} ({found.piece.source}): {found.piece.text}"
        if found.shown is None:
            yield f"- {told}\n    not in it: {found.reason}"
        else:
            item = found.shown.candidate
            size = f"{found.shown.form}, {found.shown.tokens} tokens"
            yield f"+ {told}\n    stands in {item.id}: tier {int(item.tier)}, {item.origin}, {size}"


def _ruled(window: Window, item: str) -> Iterator[str]:
    """What no source proposed: the rule that keeps it from this audience, or that none does."""
    for name, ruling in window.rulings(item).items():
        if ruling.boundary == CLOSED:
            yield f"- {name}: not proposed; withheld by the rule «{name}: {ruling.rule}»"
        else:
            yield f"- {name}: open to {window.audience} («{ruling.rule}»), and not asked for"


@dataclass(frozen=True, slots=True)
class _Stood:
    """How an item stood in a window."""

    said: str
    shown: bool = False
    terms: Terms | None = None
    score: float = 0.0


_ABSENT = _Stood("not considered")


def compared(one: Window, other: Window, *, item: str | None = None) -> str:
    """What came, what went and what changed between two windows, factor by factor."""
    a, b = _standing(one), _standing(other)
    names = [name for name in dict.fromkeys((*b, *a)) if _asked(name, item)]
    pairs = [(name, a.get(name, _ABSENT), b.get(name, _ABSENT)) for name in names]
    lines = [f"turn {one.turn} against turn {other.turn}"]
    for mark, was_in, is_in in (("+", 0, 1), ("-", 1, 0), ("~", 1, 1), ("·", 0, 0)):
        lines += [
            f"{mark} {name}: {was.said} → {now.said}{_moved(was, now)}"
            for name, was, now in pairs
            if (was.shown, now.shown) == (was_in, is_in) and was != now
        ]
    if one.receipt.landscape != other.receipt.landscape:
        lines.append("the landscape is another")
    if one.receipt.prefix != other.receipt.prefix:
        lines.append("what comes first in the prompt is another: nothing of it is reused")
    return "\n".join(lines) if len(lines) > 1 else f"{lines[0]}: the same items"


def _standing(window: Window) -> dict[str, _Stood]:
    """Every item that was considered; one that is in says so, whatever else is said of it."""
    receipt = window.receipt
    found = {each.id: _Stood(f"withheld by the rule «{each.rule}»") for each in receipt.refused}
    for out in receipt.left_out:
        lacking = f", {out.lacking} tokens short" if out.lacking else ""
        said = f"left out ({out.reason}{lacking}) {out.score:.3f}"
        found[out.id] = _Stood(said, terms=out.terms, score=out.score)
    for entry in receipt.shown:
        said = f"{entry.form} ({entry.tokens} tokens) {entry.score:.3f}"
        found[entry.id] = _Stood(said, shown=True, terms=entry.terms, score=entry.score)
    return found


def _moved(was: _Stood, now: _Stood) -> str:
    """Which factors are others; what each was multiplied by is what the score was."""
    if was.terms is None or now.terms is None:
        known = now.terms or was.terms
        return f"  ({_product(known, now.score or was.score)})" if known else ""
    moved = [n for n in FACTORS if getattr(was.terms, n) != getattr(now.terms, n)]
    digits = max(_digits(was.terms, was.score), _digits(now.terms, now.score))
    said = [_other(n, getattr(was.terms, n), getattr(now.terms, n), digits) for n in moved]
    if "gravity" in moved:
        said.append(_pulled(now.terms, digits).strip(" ()"))
    return f"  ({', '.join(filter(None, said))})" if said else ""


def _head(receipt: AuthorReceipt) -> str:
    spent = receipt.spent
    return (
        f"turn {receipt.turn}, for {receipt.audience}: {spent.window} of {spent.budget} tokens"
        f" (preamble {spent.preamble}, past {spent.journal}, retrieved {spent.retrieved},"
        f" input {spent.input}, headings {spent.headings})"
        f"{''.join(map(_class, receipt.classes))}"
    )


def _class(spent: ClassSpent) -> str:
    return f"\n  {spent.klass}: {spent.tokens} tokens, of about {spent.target}"


def _asked(name: str, item: str | None) -> bool:
    return item is None or item in name


def _in(entry: InWindow) -> Iterator[str]:
    size = f"{entry.form}, {entry.tokens} tokens"
    yield f"+ {entry.id}: tier {int(entry.tier)}, {entry.klass}, {size}"
    sources = ", ".join(dict.fromkeys(entry.sources))
    yield f"    {_product(entry.terms, entry.score)}  from {sources}"


def _out(entry: OutOfWindow) -> Iterator[str]:
    yield f"- {entry.id}: tier {int(entry.tier)}, {entry.klass}, left out: {entry.reason}"
    lacking = f", {entry.lacking} tokens short" if entry.lacking else ""
    yield f"    {_product(entry.terms, entry.score)}{lacking}"


def _product(terms: Terms, score: float) -> str:
    """What the score is the product of; a factor of 1 says nothing."""
    digits = _digits(terms, score)
    known = [(name, float(getattr(terms, name))) for name in FACTORS]
    factors = [
        f"{name} {value:.{digits}f}" for name, value in known if value != 1 or name == FACTORS[0]
    ]
    return f"{' · '.join(factors)} = {score:.3f}{_pulled(terms, digits)}"


def _digits(terms: Terms, score: float) -> int:
    """How many digits of each factor: as few as make the product of what is shown what is shown."""
    values = [float(getattr(terms, name)) for name in FACTORS]
    for digits in range(LEAST_DIGITS, MOST_DIGITS):
        shown = prod(round(each, digits) for each in values)
        if abs(shown - round(score, 3)) < HALF_A_DIGIT:
            return digits
    return MOST_DIGITS


def _other(name: str, was: float, now: float, digits: int) -> str:
    """A factor that is another, with digits enough to see that."""
    while digits < MOST_DIGITS and f"{was:.{digits}f}" == f"{now:.{digits}f}":
        digits += 1
    return f"{name} {was:.{digits}f} → {now:.{digits}f}"


def _pulled(terms: Terms, digits: int) -> str:
    """What gravity is made of, if it is more than 1."""
    felt = [(name, float(getattr(terms.pulls, name))) for name in PULLS]
    said = ", ".join(f"{name} {value:.{digits}f}" for name, value in felt if value)
    return f"  (gravity: 1 + the most of {said})" if said else ""
