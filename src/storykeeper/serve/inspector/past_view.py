"""The past as a page shows it: the journal, things through time, the ledger and its branches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from storykeeper.errors import NoSuchItem
from storykeeper.events.atoms import Atom
from storykeeper.events.changes import EntityDemoted, EntityPromoted
from storykeeper.events.turns import (
    Corrected,
    Rejected,
    Rendered,
    RunForked,
    StageCorrected,
    StorySummed,
    Swiped,
    TextErased,
    TurnEdited,
    TurnRetracted,
    WindowAssembled,
)
from storykeeper.ledger.port import RunInfo
from storykeeper.play.entity_views import EntityView, entity_views
from storykeeper.play.moments import Moments
from storykeeper.units import TurnNo
from storykeeper.world.state import World

MOST_TURNS = 200  # of one page
SHORT = 400  # characters of a telling that did not stand
_BESIDE = (TurnEdited, TurnRetracted, TextErased, Corrected, StageCorrected, StorySummed, RunForked)


def journal(moments: Moments, *, first: int, last: int) -> dict[str, Any]:
    """What was typed and told in some turns, oldest first."""
    stood = [s for s in moments.line.stood if first <= s.turn <= last][-MOST_TURNS:]
    return {"turns": [_turn(moments, each.turn) for each in stood]}


def _turn(moments: Moments, turn: TurnNo) -> dict[str, Any]:
    told = moments.line.turns.get(turn)
    found: dict[str, Any] = {"turn": turn, "gone": turn in moments.gone,
                             "edited": turn in moments.edited}  # fmt: skip
    if told is not None:
        found |= {"scene": told.scene, "player": told.player, "text": told.text,
                  "prose": moments.edited.get(turn, told.prose), "weight": told.weight}  # fmt: skip
    return found


# ── things ───────────────────────────────────────────────────────────────────────────────────


def entities(moments: Moments, world: World) -> dict[str, Any]:
    """Everybody and everything referred to, without the mentions: tiers, weights, and why."""
    kinds = EntityPromoted | EntityDemoted
    changes = [r for r in moments.line.records if isinstance(r, kinds) and r.turn <= world.now]
    views = entity_views(world, changes)
    return {"turn": world.now, "entities": [_entity(world, each) for each in views]}


def _entity(world: World, each: EntityView) -> dict[str, Any]:
    known = world.register[each.key]
    return {
        "key": each.key, "id": each.id, "words": each.words, "sort": each.sort, "tier": each.tier,
        "authored": each.authored, "weight": each.weight, "by_player": each.by_player,
        "events": each.events, "why": each.why, "descriptors": each.descriptors,
        "possessor": each.possessor, "place": each.place, "promoted": each.promoted,
        "mentions": known.mentions, "first": known.first, "last": known.last,
        "scenes": each.scenes,
    }  # fmt: skip


def entity(moments: Moments, key: str) -> dict[str, Any]:
    """One of them: its weight through time, and its latest mentions."""
    last = moments.last
    world = None if last is None else moments.world(last)
    if world is None or key not in world.register:
        raise NoSuchItem(f"nothing called {key!r:.80} was referred to in this run")
    atoms = [r for r in moments.line.records if isinstance(r, Atom)]
    view = next(v for v in entity_views(world, atoms) if v.key == key)
    worlds = [*moments.line.kept(), world]
    step = max(1, len(worlds) // MOST_TURNS)
    weights = [(w.now, w.register[view.key].total) for w in worlds[::step] if key in w.register]
    return {
        "key": key, "words": view.words, "count": len(view.mentions),
        "mentions": [{"turn": m.turn, "words": m.words, "how": m.how}
                     for m in view.mentions[-MOST_TURNS:]],
        "weights": [{"turn": turn, "weight": weight} for turn, weight in weights],
    }  # fmt: skip


# ── the ledger ───────────────────────────────────────────────────────────────────────────────


def takes(moments: Moments, *, before: int) -> dict[str, Any]:
    """The latest turns before one: how often each was told, what stood, and what was set right."""
    found: dict[int, dict[str, Any]] = {}
    for record in moments.records:
        if record.turn >= before or record.turn < before - MOST_TURNS:
            continue
        turn = found.setdefault(record.turn, {"turn": record.turn, "takes": [], "beside": []})
        match record:
            case Rendered(take=take, prose=prose, narrator=narrator):
                turn["takes"].append({"take": take, "narrator": narrator, "prose": prose[:SHORT]})
            case Swiped() | Rejected():
                turn["beside"].append(_beside(record))
            case WindowAssembled(tokens=tokens, window=digest):
                turn |= {"tokens": tokens, "window": digest[:12]}
            case _ if isinstance(record, _BESIDE):
                turn["beside"].append(_beside(record))
    listed = [found[n] for n in sorted(found)]
    return {"turns": listed, "records": len(moments.records)}


def _beside(record: Any) -> dict[str, Any]:
    kind = str(record.__struct_config__.tag)
    of = getattr(record, "of", None)
    return {"kind": kind, "of": list(of) if isinstance(of, tuple) else of,
            "why": getattr(record, "why", "") or getattr(record, "note", "")}  # fmt: skip


def branches(runs: tuple[RunInfo, ...], turn_at: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    """Runs of one file: whose records each shares, and up to which turn."""
    for each in runs:
        yield {"run": each.run, "parent": each.parent, "forked_at": each.forked_at,
               "turn": turn_at.get(int(each.forked_at)), "last": each.head.turn,
               "version": each.head.version}  # fmt: skip
