"""A window as a page shows it: its text in pieces that know where they are from, and why."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from storykeeper.context.boundary import CLOSED
from storykeeper.context.receipt import InWindow, OutOfWindow
from storykeeper.context.window import Window
from storykeeper.language.tokens import counter
from storykeeper.play.moments import Moments
from storykeeper.scoring.composite import Terms
from storykeeper.world.state import World

MOST_RULINGS = 60
FACTORS = ("relevance", "gravity", "boundary", "trust", "recency", "temperature")


def window_data(window: Window, *, author: bool) -> dict[str, Any]:
    """All of it for the author; for its audience what that may be told."""
    receipt = window.receipt_for(window.audience)
    shown = window.receipt.shown if author else receipt.shown
    left_out = window.receipt.left_out if author else receipt.left_out
    found: dict[str, Any] = {
        "audience": window.audience, "turn": window.turn, "text": window.text,
        "tokens": window.tokens, "notes": receipt.notes,
        "items": _items(window, shown),
        "left_out": [_out(each) for each in left_out],
    }  # fmt: skip
    if not author:
        return found
    for said, each in zip(found["left_out"], window.missed, strict=True):
        forms = each.candidate.forms
        said["text"] = forms[0][1] if forms else ""
    return found | _authors(window)


def _authors(window: Window) -> dict[str, Any]:
    receipt = window.receipt
    return {
        "spent": receipt.spent, "recent_turns": receipt.recent_turns,
        "refused": [structs.asdict(each) for each in receipt.refused],
        "classes": receipt.classes, "heat": receipt.heat, "prefix": receipt.prefix,
        "landscape": receipt.landscape, "mended": receipt.mended,
    }  # fmt: skip


def _items(window: Window, shown: tuple[InWindow, ...]) -> list[dict[str, Any]]:
    """What is in it, in order, each with the place of its words in the text."""
    text, at, found = window.text, 0, []
    for item, entry in zip(window.items, shown, strict=True):
        start = text.find(item.text, at) if item.text else -1
        end = start + len(item.text) if start >= 0 else -1
        at = end if start >= 0 else at
        found.append(
            {"id": entry.id, "origin": entry.origin, "tier": int(entry.tier),
             "class": entry.klass, "form": entry.form, "tokens": entry.tokens,
             "score": entry.score, "terms": _terms(entry.terms), "sources": entry.sources,
             "text": item.text, "start": _units(text, start), "end": _units(text, end)}
        )  # fmt: skip
    return found


def _units(text: str, place: int) -> int:
    """A place in the text as a browser counts it: in UTF-16."""
    return place if place < 0 else len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


def _out(entry: OutOfWindow) -> dict[str, Any]:
    return {
        "id": entry.id, "origin": entry.origin, "tier": int(entry.tier), "class": entry.klass,
        "reason": entry.reason, "lacking": entry.lacking, "score": entry.score,
        "terms": _terms(entry.terms), "sources": entry.sources,
    }  # fmt: skip


def _terms(terms: Terms) -> dict[str, Any]:
    pulls = {name: getattr(terms.pulls, name) for name in ("scene", "theme", "layer", "prophecy")}
    return {name: getattr(terms, name) for name in FACTORS} | {"pulls": pulls}


def asked_after(window: Window, words: str) -> dict[str, Any]:
    """Where a thing or a sentence stands in a window, or by which rule it does not."""
    found = {name: {"rule": ruling.rule, "open": ruling.boundary > CLOSED}
             for name, ruling in sorted(window.rulings(words).items())[:MOST_RULINGS]}  # fmt: skip
    places = window.whereabouts(words) if " " in words.strip() else []
    return {
        "words": words, "rulings": found,
        "told": [
            {"turn": each.piece.turn, "source": each.piece.source, "text": each.piece.text,
             "item": None if each.shown is None else each.shown.candidate.id,
             "reason": each.reason}
            for each in places[:MOST_RULINGS]
        ],
    }  # fmt: skip


def plain_history(moments: Moments, world: World, turn: int, tokens: int) -> dict[str, Any]:
    """What a narrator would have had from the newest turns alone, at as many tokens."""
    count = counter(world.plan.story.budget.encoding)
    told = [each for number, each in sorted(moments.line.turns.items()) if number < turn]
    kept: list[dict[str, Any]] = []
    left = tokens
    for each in reversed(told):
        prose = moments.edited.get(each.turn, each.prose)
        words = "\n\n".join(part for part in (f"> {each.text}" if each.text else "", prose) if part)
        size = count(words)
        if size > left:
            break
        left -= size
        kept.append({"turn": each.turn, "text": words, "tokens": size})
    kept.reverse()
    return {"turns": kept, "tokens": tokens - left, "budget": tokens, "told": len(told),
            "from": kept[0]["turn"] if kept else None}  # fmt: skip
