"""A receipt in words, and two of them compared."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.receipt import AuthorReceipt, ClassSpent, InWindow, OutOfWindow
from storykeeper.context.window import Window
from storykeeper.scoring.composite import Terms

FACTORS = ("relevance", "gravity", "boundary", "trust", "recency", "temperature")
PULLS = ("scene", "theme", "layer", "prophecy")


def explained(window: Window, *, item: str | None = None) -> str:
    """Why each item was in or out, or one of them (any that has the word in its id)."""
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
    return "\n".join(lines) or f"nothing called {item} was considered"


def compared(one: Window, other: Window) -> str:
    """What came, what went, what changed its form between two windows."""
    a = {entry.id: entry for entry in one.receipt.shown}
    b = {entry.id: entry for entry in other.receipt.shown}
    lines = [f"turn {one.turn} against turn {other.turn}"]
    lines += [f"+ {name} ({b[name].form}, {b[name].tokens} tokens)" for name in b if name not in a]
    lines += [f"- {name} ({a[name].form}, {a[name].tokens} tokens)" for name in a if name not in b]
    for name in a:
        if name in b and (a[name].form, a[name].score) != (b[name].form, b[name].score):
            lines.append(
                f"~ {name}: {a[name].form} {a[name].score:.3f} → {b[name].form} {b[name].score:.3f}"
                f"{_moved(a[name].terms, b[name].terms)}"
            )
    if one.receipt.landscape != other.receipt.landscape:
        lines.append("the landscape is another")
    if one.receipt.prefix != other.receipt.prefix:
        lines.append("what comes first in the prompt is another: nothing of it is reused")
    return "\n".join(lines) if len(lines) > 1 else f"{lines[0]}: the same items"


def _moved(one: Terms, other: Terms) -> str:
    """Which factors are others."""
    moved = [n for n in FACTORS if getattr(one, n) != getattr(other, n)]
    said = ", ".join(f"{n} {getattr(one, n):.2f} → {getattr(other, n):.2f}" for n in moved)
    return f" ({said})" if said else ""


def _head(receipt: AuthorReceipt) -> str:
    spent = receipt.spent
    return (
        f"turn {receipt.turn}, for {receipt.audience}: {spent.window} of {spent.budget} tokens"
        f" (preamble {spent.preamble}, journal {spent.journal}, retrieved {spent.retrieved},"
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
    yield f"    {_product(entry.terms, entry.score)}  from {', '.join(entry.sources)}"


def _out(entry: OutOfWindow) -> Iterator[str]:
    yield f"- {entry.id}: tier {int(entry.tier)}, {entry.klass}, left out: {entry.reason}"
    lacking = f", {entry.lacking} tokens short" if entry.lacking else ""
    yield f"    {_product(entry.terms, entry.score)}{lacking}"


def _product(terms: Terms, score: float) -> str:
    factors = " · ".join(f"{name} {getattr(terms, name):.2f}" for name in FACTORS)
    return f"{factors} = {score:.3f}{_pulled(terms)}"


def _pulled(terms: Terms) -> str:
    """What gravity is made of, if it is more than 1."""
    felt = [(name, float(getattr(terms.pulls, name))) for name in PULLS]
    said = ", ".join(f"{name} {value:.2f}" for name, value in felt if value)
    return f"  (gravity: 1 + the most of {said})" if said else ""
