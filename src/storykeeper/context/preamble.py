"""Tier 1: what always stands (I1), and the soft material in its order (I2).

The narrator gets the author's preamble, the manner of the scene, soft material and whom players
play. A character gets who it is, its own rules and taboos, then its own card, and where it is.

It changes at scene boundaries only, so that a model's prefix cache holds, and says nothing that may
cease to be so within a scene: who is here and where stands in tier 3 (`sources.presence`).
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.words import name_of, person
from storykeeper.scoring.composite import Terms
from storykeeper.story.people import Character
from storykeeper.story.preamble import STAGE, STAGE_PART, hard_parts
from storykeeper.units import EntityId

HARD, SOFT = "hard", "soft"


def settings_now(boundary: Boundary) -> tuple[EntityId, ...]:
    """Where this audience is at the moment."""
    places = (boundary.world.places.get(mind) for mind in boundary.minds)
    found = dict.fromkeys(place for place in places if place is not None)
    return tuple(place for place in found if place in boundary.plan.settings)


def hard_material(boundary: Boundary) -> Iterator[Candidate]:
    """I1."""
    if boundary.narrator:
        for part, text in hard_parts(boundary.plan.story):
            yield _item(f"hard:{part}", text, origin=HARD)
        if boundary.inline:
            yield _item(f"hard:{STAGE_PART}", STAGE, origin=HARD)
    else:
        me = boundary.plan.cast[boundary.audience]
        yield _item(f"card:{me.id}", _who_i_am(me, _who_you_is(boundary)), origin=HARD)


def soft_material(boundary: Boundary) -> Iterator[Candidate]:
    """I2, in the order in which it gives way: the last first."""
    found = list(_pieces(boundary))
    return (c for c in found if c.full.strip())


def _pieces(boundary: Boundary) -> Iterator[Candidate]:
    """What is now stands before the lore: it is short, and nothing can be told without it."""
    if boundary.narrator:
        yield from _manner(boundary)
        yield from _authored(boundary)
        yield from _played(boundary)
    else:
        yield from _own(boundary.plan.cast[boundary.audience])
        yield from _here(boundary)


def _item(item_id: str, text: str, *, origin: str, sources: tuple[str, ...] = ()) -> Candidate:
    return Candidate(
        id=item_id, origin=origin, tier=Tier.PREAMBLE, klass=Class.MANDATORY,
        sources=sources or (item_id,), full=text, terms=Terms(),
    )  # fmt: skip


def _who_you_is(boundary: Boundary) -> str:
    """Whom the prose calls "you", where it is quoted to somebody else."""
    players = boundary.plan.players
    if len(players) != 1 or boundary.audience in players:
        return ""
    played = boundary.plan.cast[players[0]]
    known = boundary.has_met(played.id)
    return f" In what is quoted, “you” is {played.name.strip() if known else 'somebody else'}."


def _who_i_am(me: Character, you: str) -> str:
    lines = [f"# You\nYou are {person(me)}. You know only what stands here.{you}"]
    lines += [f"- {rule.strip()}" for rule in me.rules if rule.strip()]
    lines += [f"- {taboo.strip()}" for taboo in me.taboos if taboo.strip()]
    return "\n".join(lines)


def _authored(boundary: Boundary) -> Iterator[Candidate]:
    for i, soft in enumerate(boundary.plan.story.soft):
        heading = f"# {soft.heading.strip()}\n" if soft.heading.strip() else ""
        text = f"{heading}{soft.text.strip()}" if soft.text.strip() else ""
        yield _item(f"soft:{i}", text, origin=SOFT)


def _own(me: Character) -> Iterator[Candidate]:
    yield _own_part(me, "line", me.line.strip())
    yield _own_part(me, "beliefs", _listed("You hold", [b.text for b in me.beliefs]))
    yield _own_part(me, "goals", _listed("You want", [g.text for g in me.goals]))
    yield _own_part(me, "skills", _listed("You can", list(me.capabilities)))


def _own_part(me: Character, part: str, text: str) -> Candidate:
    return _item(f"card:{me.id}/{part}", text, origin=SOFT, sources=(f"card:{me.id}",))


def _listed(head: str, texts: list[str]) -> str:
    said = [text.strip() for text in texts if text.strip()]
    return f"{head}: {' / '.join(said)}" if said else ""


def _here(boundary: Boundary) -> Iterator[Candidate]:
    """Where a character is."""
    places = settings_now(boundary)
    text = "\n".join(filter(None, (place_told(boundary, place) for place in places)))
    if places:
        sources = tuple(f"setting:{place}" for place in places)
        yield _item("here", text and f"# Here\n{text}", origin=SOFT, sources=sources)


def _played(boundary: Boundary) -> Iterator[Candidate]:
    """The author's line about each whom a player plays."""
    for who in boundary.plan.cast:
        line = boundary.plan.cast[who].line.strip()
        if who in boundary.minds and line:
            yield _item(f"line:{who}", f"- {name_of(boundary.plan, who)} (played): {line}",
                        origin=SOFT)  # fmt: skip


def _manner(boundary: Boundary) -> Iterator[Candidate]:
    """How what happens now is to be told, and what is at stake in it."""
    if boundary.world.scene is not None:
        scene = boundary.plan.scenes[boundary.world.scene]
        said = (("Manner", scene.tone), ("At stake", scene.stakes))
        text = "\n".join(f"{name}: {value.strip()}" for name, value in said if value.strip())
        yield _item(f"scene:{scene.id}", text and f"# Now\n{text}", origin=SOFT)


def place_told(boundary: Boundary, place: str) -> str:
    """A place by its name, and what the author says of it."""
    setting = boundary.plan.settings[place]
    return ": ".join(filter(None, (setting.name.strip(), setting.description.strip())))
