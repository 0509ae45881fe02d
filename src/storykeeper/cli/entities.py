"""What a run keeps track of, as a listing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storykeeper.entities.tiers import at_least
from storykeeper.events.vocabulary import Tier
from storykeeper.play.entity_views import Density, EntityView, densities
from storykeeper.world.state import World

Turns = tuple[int, int]
MAX_MENTIONS = 8  # on one line


def as_data(
    world: World, views: Sequence[EntityView], *, promoted: Turns | None
) -> dict[str, object]:
    """The listing for programs; everything is in it."""
    return {
        "entities": [view for view in views if _within(view, promoted)],
        "density": [
            {"scene": d.scene, "turns": d.turns, "promoted": d.promoted, "per_turn": d.per_turn}
            for d in densities(world, views)
        ],
    }


def listed(
    world: World, views: Sequence[EntityView], *, promoted: Turns | None, texture: bool
) -> str:
    """One entity after another, and how densely scenes brought them forth."""
    wanted = [view for view in views if _within(view, promoted)]
    shown = [view for view in wanted if texture or _took_part(view)]
    shown.sort(key=lambda view: view.authored)  # what play brought forth first
    lines = [line for view in shown for line in _entity(view)]
    rest = len(wanted) - len(shown)
    if rest:
        lines.append(
            f"and {rest} only mentioned, or the author’s and not in play yet (--all lists them)"
        )
    dense = [_density(d) for d in densities(world, views) if d.turns]
    if dense:
        lines += ["", "things that earned their place, by scene:", *dense]
    return "\n".join(lines) if lines else "nothing yet"


def _took_part(view: EntityView) -> bool:
    return at_least(view.tier, Tier.TRACKED) and (view.events > 0 or not view.authored)


def _within(view: EntityView, promoted: Turns | None) -> bool:
    if promoted is None:
        return True
    return view.promoted is not None and promoted[0] <= view.promoted <= promoted[1]


def _entity(view: EntityView) -> Iterator[str]:
    name = f"{view.words} [{view.id}]" if view.id else view.words
    yield f"{view.tier.value:<11}{name}"
    by_player = f", {view.by_player:.2f} by the player" if view.by_player else ""
    when = f", turn {view.promoted}" if view.promoted is not None else ""
    yield f"{'':<11}{view.why}{when}"
    yield (
        f"{'':<11}weight {view.weight:.2f}{by_player}, {view.events} events,"
        f" {view.relationships} relations, {len(view.scenes)} scenes"
    )
    about = [*view.descriptors, *([f"{view.possessor}’s"] if view.possessor else []), view.place]
    if any(about):
        yield f"{'':<11}{', '.join(filter(None, about))}"
    if view.mentions:
        said = [f"{m.turn}: {m.words}" for m in view.mentions[:MAX_MENTIONS]]
        more = len(view.mentions) - len(said)
        yield f"{'':<11}mentioned in turn {'; '.join(said)}{f'; {more} more' if more else ''}"


def _density(density: Density) -> str:
    return (
        f"{'':<11}{density.scene}: {density.promoted} in {density.turns} turns"
        f" ({density.per_turn:.2f} a turn)"
    )
