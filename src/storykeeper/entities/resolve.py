"""Which one is meant: possessive, then spatial, then anaphoric, then descriptive.

Late rather than wrong: where two would fit and nothing tells them apart, the reference stays
unresolved. Within a scene a mention finds what was mentioned there; across scenes only by name,
by its owner, or by a description that nothing else has (F7.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from storykeeper.entities.fitting import ends_in, fits, owners, pronoun_fits
from storykeeper.entities.reference import FRESH, Found, Outcome, Reference, Strategy, Tied
from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.events.wording import ANYBODY, ANYTHING, GENDERED, HE, OTHER, SHE
from storykeeper.units import Key, SceneId
from storykeeper.world.register import key_of
from storykeeper.world.state import Entity, World, whose_turn

ANAPHORA_TURNS = 2  # of its scene: a pronoun looks back this far
SALIENT_MENTIONS = 8  # so many mentions later one of two is no longer thought of
_Row = tuple[Key, Entity]


def resolve(world: World, ref: Reference, *, scene: SceneId) -> Outcome:
    """Who or what a reference means, as far as can be told."""
    if ref.entity is not None:
        return Found(key_of(world, ref.entity), Strategy.NAME)
    if ref.part_of is not None:
        return Found(ref.part_of, Strategy.POSSESSIVE)
    if ref.pronoun:
        return _anaphoric(world, ref, scene)
    if ref.head in ANYTHING and ref.definite and not ref.descriptors and not ref.plural:
        return _anaphoric(world, replace(ref, gender=Gender.IT), scene)
    if not ref.head:
        return FRESH
    if ref.named or _may_be_a_name(ref):
        outcome = _by_name(world, ref)
        if ref.named or outcome != FRESH:
            return outcome
    here = [row for row in _rows(world, ref) if _is_here(world, row[1], scene)]
    for strategy in (_possessive, _spatial, _descriptive):
        outcome = strategy(world, ref, here)
        if outcome != FRESH:
            return outcome
    if ref.definite and ref.sort is Sort.PART:
        return _part_of_something(ref, here)
    return _somebody(world, ref, scene)


def _rows(world: World, ref: Reference) -> list[_Row]:
    """What any of its words could find, in the order of last mention."""
    keys = {key for word in ref.head.casefold().split() for key in world.index.get(word, ())}
    # "the bag" for a handbag; only of those lately spoken of
    keys |= {k for k in world.recent if k in world.register and ends_in(world.register[k], ref)}
    return _in_order(world, keys)


def _in_order(world: World, keys: Iterable[Key]) -> list[_Row]:
    rows = [(key, known) for key in keys if (known := world.register.get(key)) is not None]
    return sorted(rows, key=lambda row: (row[1].seen, row[0]))


def _is_here(world: World, known: Entity, scene: SceneId) -> bool:
    """Mentioned in this scene; or a thing that lies where the player is, or is held there."""
    if scene == known.scene or scene in known.scenes:
        return True
    if known.sort is not Sort.THING:
        return False
    here = world.places.get(whose_turn(world))
    holder = world.holders.get(known.id)
    return here is not None and here == world.places.get(known.id if holder is None else holder)


def _titled(descriptors: tuple[str, ...]) -> str:
    """Whether a title says that it is a woman or a man."""
    return next((GENDERED[d.strip(".")] for d in descriptors if d.strip(".") in GENDERED), "")


def _may_be_a_name(ref: Reference) -> bool:
    """Who types leaves capitals out: a word alone that is no noun of the language."""
    return ref.sort is Sort.UNKNOWN and ref.words.casefold() == ref.head.casefold()


def _by_name(world: World, ref: Reference) -> Outcome:
    """A name is one and the same wherever it stands, also where only a player has said it."""
    rows = [row for row in _rows(world, ref) if _same_name(ref, row[1])]
    named = [key for key, known in rows if known.named]
    typed = [key for key, known in rows if ref.named and not (known.named or known.told)]
    return _one(named or typed, Strategy.NAME)


def _same_name(ref: Reference, known: Entity) -> bool:
    titles = {_titled(ref.descriptors), _titled(known.descriptors)}
    if titles == {SHE, HE}:
        return False  # Mr. and Mrs. Pett
    mine, theirs = ref.head.casefold().split(), known.head.casefold().split()
    if mine == theirs:
        return True
    people = ref.sort is Sort.PERSON and known.sort is Sort.PERSON
    return people and (mine == theirs[:1] or theirs == mine[:1] or mine == theirs[-1:] != theirs)


def _possessive(world: World, ref: Reference, here: list[_Row]) -> Outcome:
    """Whose it is says most; also across scenes."""
    if ref.possessor is None:
        return FRESH
    mine = [
        key
        for key, known in _rows(world, ref)
        if fits(world, ref, known) and ref.possessor in owners(world, known)
    ]
    if mine:
        return _one(mine, Strategy.POSSESSIVE)
    unowned = [k for k, known in here if fits(world, ref, known) and not owners(world, known)]
    return Found(unowned[0], Strategy.POSSESSIVE) if len(unowned) == 1 else FRESH


def _spatial(world: World, ref: Reference, here: list[_Row]) -> Outcome:
    """Where it is: among those that fit, the ones at that place."""
    if not ref.place or not ref.definite:
        return FRESH
    there = [k for k, known in here if fits(world, ref, known) and known.place == ref.place]
    return _one(there, Strategy.SPATIAL)


def _descriptive(world: World, ref: Reference, here: list[_Row]) -> Outcome:
    """What it is and is like: those that share most of the description."""
    if not ref.definite or ref.possessor is not None:
        return FRESH
    fitting = [(k, known) for k, known in here if fits(world, ref, known) and _placed(ref, known)]
    if not fitting:
        return _elsewhere(world, ref)
    if OTHER.intersection(ref.descriptors):
        fitting = _others(fitting)
    if not fitting:
        return FRESH
    if ref.descriptors:
        said = set(ref.descriptors)
        best = _best(fitting, lambda known: len(said & set(known.descriptors)))
        if len(best) > 1 and not said & set(best[0][1].descriptors) and said - OTHER:
            return FRESH  # the chipped cup, beside a blue and a white one, is a third
    else:
        best = _salient(_lately(fitting))
    return _one([key for key, _ in best], Strategy.DESCRIPTIVE)


def _others(rows: list[_Row]) -> list[_Row]:
    """The other one: called so before, or else not the one that was spoken of last."""
    before = [row for row in rows if OTHER.intersection(row[1].descriptors)]
    return before or sorted(rows, key=lambda row: row[1].seen)[:-1]


def _placed(ref: Reference, known: Entity) -> bool:
    """The cup on the shelf is not the one on the table."""
    return not ref.place or not known.place or ref.place == known.place


def _elsewhere(world: World, ref: Reference) -> Outcome:
    """Across scenes a description must be one that nothing else has."""
    if not ref.descriptors:
        return FRESH
    wanted = set(ref.descriptors)
    fitting = [
        key
        for key, known in _rows(world, ref)
        if fits(world, ref, known) and wanted & set(known.descriptors)
    ]
    return Found(fitting[0], Strategy.DESCRIPTIVE) if len(fitting) == 1 else FRESH


def _lately(rows: list[_Row]) -> list[_Row]:
    """Of several that fit, the only one that the last turns spoke of."""
    last = max(known.last for _, known in rows)
    return [row for row in rows if row[1].last == last]


def _salient(rows: list[_Row]) -> list[_Row]:
    """Of several, the one spoken of last, if the others were spoken of well before it."""
    ordered = sorted(rows, key=lambda row: -row[1].seen)
    if len(ordered) > 1 and ordered[0][1].seen - ordered[1][1].seen >= SALIENT_MENTIONS:
        return ordered[:1]
    return rows


def _part_of_something(ref: Reference, here: list[_Row]) -> Outcome:
    """The chip, where one thing is known to have a chip: that thing."""
    wholes = [key for key, known in here if ref.head in known.descriptors]
    return Found(wholes[0], Strategy.DESCRIPTIVE) if len(wholes) == 1 else FRESH


def _anaphoric(world: World, ref: Reference, scene: SceneId) -> Outcome:
    """A pronoun means what was spoken of last and could be meant; a tie stays a tie."""
    fitting = [
        (key, known)
        for key, known in _in_order(world, world.recent)
        if known.last_scene == scene
        and known.clock >= world.clocks.get(scene, 0) - ANAPHORA_TURNS
        and known.events
        and pronoun_fits(ref, known)
        and str(known.id) not in world.plan.players
    ]
    if not fitting:
        return FRESH
    # "I go to the garden. I take it.": not the garden, if there is anything else
    best = _lately([row for row in fitting if row[1].sort is not Sort.PLACE] or fitting)
    if len(best) > 1:
        weight = _best(best, lambda known: known.total)
        best = weight if len(weight) == 1 else best
    return _one([key for key, _ in best], Strategy.ANAPHORIC)


def _somebody(world: World, ref: Reference, scene: SceneId) -> Outcome:
    """The woman: a long "she", where only one of those spoken of lately can be meant."""
    bare = ref.definite and not (ref.plural or ref.descriptors or ref.place or ref.possessor)
    if ref.head not in ANYBODY or not bare:
        return FRESH
    since = world.clocks.get(scene, 0) - ANAPHORA_TURNS
    rows = [
        (key, known)
        for key, known in _in_order(world, world.recent)
        if known.last_scene == scene and known.clock >= since and known.sort is Sort.PERSON
        and known.gender in (ref.gender, Gender.UNKNOWN) and not known.plural
        and str(known.id) not in world.plan.players
    ]  # fmt: skip
    # One of the author's own is never taken for a stranger, nor a stranger for them.
    sure = [key for key, known in rows if known.gender is ref.gender and known.floor is None]
    return Found(sure[0], Strategy.DESCRIPTIVE) if len(rows) == len(sure) == 1 else FRESH


def _best(rows: list[_Row], score: Callable[[Entity], float]) -> list[_Row]:
    most = max(score(known) for _, known in rows)
    return [row for row in rows if score(row[1]) == most]


def _one(keys: list[Key], by: Strategy) -> Outcome:
    if not keys:
        return FRESH
    return Found(keys[0], by) if len(keys) == 1 else Tied(tuple(keys))
