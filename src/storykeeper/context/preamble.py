"""Tier 1: what always stands (I1), and the soft material in its order (I2).

The narrator gets the author's preamble and soft material, then where the story is and who is there.
A character gets who it is, its own rules and taboos, then its own card, and what it sees around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.words import feelings, name_of, person, standing
from storykeeper.scoring.composite import Terms
from storykeeper.story.people import Character
from storykeeper.story.preamble import hard_parts
from storykeeper.units import EntityId
from storykeeper.world.state import Standing

HARD, SOFT = "hard", "soft"


def hard_material(boundary: Boundary) -> Iterator[Candidate]:
    """I1."""
    if boundary.narrator:
        for part, text in hard_parts(boundary.plan.story):
            yield _item(f"hard:{part}", text, origin=HARD)
    else:
        me = boundary.plan.cast[boundary.audience]
        yield _item(f"card:{me.id}", _who_i_am(me), origin=HARD)


def soft_material(boundary: Boundary) -> Iterator[Candidate]:
    """I2, in the order in which it gives way: the last first."""
    found = list(_pieces(boundary))
    return (c for c in found if c.full.strip())


def _pieces(boundary: Boundary) -> Iterator[Candidate]:
    """What is now stands before the lore: it is short, and nothing can be told without it."""
    if boundary.narrator:
        yield from _manner(boundary)
        yield from _here(boundary)
        yield from _authored(boundary)
    else:
        yield from _own(boundary, boundary.plan.cast[boundary.audience])
        yield from _here(boundary)
    yield from _company(boundary)


def _item(item_id: str, text: str, *, origin: str, sources: tuple[str, ...] = ()) -> Candidate:
    return Candidate(
        id=item_id, origin=origin, tier=Tier.PREAMBLE, klass=Class.MANDATORY,
        sources=sources or (item_id,), full=text, terms=Terms(),
    )  # fmt: skip


def _who_i_am(me: Character) -> str:
    lines = [f"# You\nYou are {person(me)}. You know only what stands here."]
    lines += [f"- {rule.strip()}" for rule in me.rules if rule.strip()]
    lines += [f"- {taboo.strip()}" for taboo in me.taboos if taboo.strip()]
    return "\n".join(lines)


def _authored(boundary: Boundary) -> Iterator[Candidate]:
    for i, soft in enumerate(boundary.plan.story.soft):
        heading = f"# {soft.heading.strip()}\n" if soft.heading.strip() else ""
        text = f"{heading}{soft.text.strip()}" if soft.text.strip() else ""
        yield _item(f"soft:{i}", text, origin=SOFT)


def _own(boundary: Boundary, me: Character) -> Iterator[Candidate]:
    yield _own_part(me, "line", me.line.strip())
    yield _own_part(me, "beliefs", _listed("You hold", [b.text for b in me.beliefs]))
    yield _own_part(me, "goals", _listed("You want", [g.text for g in me.goals]))
    yield _own_part(me, "skills", _listed("You can", list(me.capabilities)))
    mood = boundary.world.moods.get(EntityId(me.id))
    felt = list(feelings(mood)) if mood is not None else []
    text = _listed("In you, or in what you do", felt)
    yield _item(f"mood:{me.id}", text, origin=SOFT)


def _own_part(me: Character, part: str, text: str) -> Candidate:
    return _item(f"card:{me.id}/{part}", text, origin=SOFT, sources=(f"card:{me.id}",))


def _listed(head: str, texts: list[str]) -> str:
    said = [text.strip() for text in texts if text.strip()]
    return f"{head}: {' / '.join(said)}" if said else ""


def _here(boundary: Boundary) -> Iterator[Candidate]:
    """Where they are and who is there."""
    others = _others(boundary)
    present = ", ".join(person(boundary.plan.cast[who]) for who in others)
    places = _settings(boundary)
    told = [_place(boundary, place) for place in places]
    lines = [*filter(None, told), f"Present: {present}." if present else ""]
    text = "\n".join(filter(None, lines))
    sources = (*(f"setting:{p}" for p in places), *(f"cast:{who}" for who in others))
    if sources:
        yield _item("here", text and f"# Here\n{text}", origin=SOFT, sources=sources)


def _company(boundary: Boundary) -> Iterator[Candidate]:
    """More about each who is there."""
    return (_presence(boundary, who) for who in _others(boundary))


def _others(boundary: Boundary) -> list[str]:
    return [w for w in boundary.plan.cast if w in boundary.here and w != boundary.audience]


def _manner(boundary: Boundary) -> Iterator[Candidate]:
    """How what happens now is to be told, and what is at stake in it."""
    if boundary.world.scene is not None:
        scene = boundary.plan.scenes[boundary.world.scene]
        said = (("Manner", scene.tone), ("At stake", scene.stakes))
        text = "\n".join(f"{name}: {value.strip()}" for name, value in said if value.strip())
        yield _item(f"scene:{scene.id}", text and f"# Now\n{text}", origin=SOFT)


def _place(boundary: Boundary, place: str) -> str:
    setting = boundary.plan.settings[place]
    return ": ".join(filter(None, (setting.name.strip(), setting.description.strip())))


def _settings(boundary: Boundary) -> list[str]:
    places = (boundary.world.places.get(mind) for mind in boundary.minds)
    return [p for p in dict.fromkeys(places) if p is not None and p in boundary.plan.settings]


def _presence(boundary: Boundary, who: str) -> Candidate:
    """The author's line, to the narrator; to a character, how it stands toward them itself."""
    character = boundary.plan.cast[who]
    name = name_of(boundary.plan, who)
    if boundary.narrator:
        played = " (played)" if who in boundary.minds else ""
        line = character.line.strip()
        return _item(f"line:{who}", f"- {name}{played}: {line}" if line else "", origin=SOFT)
    me = EntityId(boundary.audience)
    stance = standing(boundary.world.standings.get((me, EntityId(who)), Standing()))
    text = f"- You toward {name}: {stance}" if stance else ""
    return _item(f"relation:{me}/{who}", text, origin=SOFT)
