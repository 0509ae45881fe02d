"""Whole stories that are valid by construction, with everything an author can say in them.

Every scene is reached by an unconditional chain, so that whatever else is drawn (gates, more
transitions, beats, paths) may ask for anything that the chain makes possible.
"""

from dataclasses import dataclass

from hypothesis import strategies as st
from msgspec import structs

from storykeeper.events.vocabulary import WAYS, Awareness, Dimension, Tier
from storykeeper.story import conditions as c
from storykeeper.story import knowledge as k
from storykeeper.story import layers as la
from storykeeper.story import model, people, places, scenes, tuning
from storykeeper.story.checks.shapes import contradicts
from storykeeper.story.scenefile import trimmed

IDS = st.from_regex(r"[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,4}){0,2}", fullmatch=True).filter(
    lambda name: name not in model.RESERVED
)
_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc", "Cn"), include_characters="\n\t")
_ODD = st.sampled_from([
    "", " ", "no", "true", "12:30", "1.0", "1e3", "0x1f", "~", "null", "- a", "a: b", "a #b", "#",
    "---", "'", '"', "\\", "{x}", "[x]", "&a", "*a", "!t", "%", "@", "`", "|", ">", "a\n\n\nb\n",
    " a\n b", "a\n\tb", "\u202eabc\u2066", "שלום", "مرحبا", "👩‍👩‍👧", "e\u0301", "\ufeffx",
    "x\u2028y", "0o17", "+1", ".5", "a,b", "-", "?", "? a", ":", "a:", "<<", "=", "\u00a0",
    "x\u00a0", "\u3000",
])  # fmt: skip
TEXTS = st.one_of(st.text(_CHARACTERS, max_size=40), _ODD)
NAMED = TEXTS.filter(bool)
_LINES = st.one_of(
    st.text(_CHARACTERS, max_size=30).map(lambda text: text.replace("\n", " ")),
    st.sampled_from([
        "## x", "##", "## ", "###", "\\## x", "\\\\## x", "```", "~~~", "````", "```py", "\\```",
        "   ```", "---", "# A", "  ## y", "", "    code", "## x ##", "\t", "`` ` ``", "``` a`b",
    ]),
)  # fmt: skip
PROSE = (
    st.lists(_LINES, min_size=1, max_size=6)
    .map(lambda lines: trimmed("\n".join(lines).split("\n"))[0])
    .filter(bool)
)
_UNIT = st.floats(0, 1)
_SIGNED = st.floats(-1, 1)
_AMOUNT = st.floats(0, 1e6)
_TWO_TEXTS = st.lists(TEXTS, max_size=2).map(tuple)
_BELIEFS = st.lists(st.builds(people.Belief, text=TEXTS, weight=_UNIT), max_size=1).map(tuple)
_GOALS = st.lists(st.builds(people.Goal, text=TEXTS, open=st.booleans()), max_size=1).map(tuple)
_THEMES = st.lists(NAMED, max_size=2, unique=True).map(tuple)


@dataclass(frozen=True)
class Cast:
    """The ids that everything else is drawn from; what is here can all come about."""

    people: tuple[str, ...]
    settings: tuple[str, ...]
    things: tuple[str, ...]
    scenes: tuple[str, ...]
    inner: tuple[str, ...]  # scenes of the layer
    layers: tuple[str, ...]
    facts: tuple[str, ...]
    events: tuple[str, ...]
    gates: tuple[str, ...]
    prophecies: tuple[str, ...]
    canon: tuple[str, ...]
    first_beats: tuple[str, ...]

    @property
    def player(self):
        return self.people[0]

    @property
    def every_scene(self):
        return (*self.scenes, *self.inner)


def who(cast):
    return st.sampled_from((*cast.people, model.PLAYER))


def subset(of, **sizes):
    return st.lists(st.sampled_from(of), unique=True, max_size=3, **sizes).map(tuple)


def hows(cast):
    return st.sampled_from(WAYS) | st.sampled_from(cast.people).map("told by {}".format)


def ranges(cast):
    return st.builds(
        lambda ends, **rest: c.RelationRange(at_least=min(ends), at_most=max(ends), **rest),
        ends=st.tuples(_SIGNED, _SIGNED),
        from_=who(cast),
        to=who(cast),
        dimension=st.sampled_from(Dimension),
    )


def questions(cast, gates, completed):
    """Conditions that ask one thing, each of which can come about."""
    moods = st.builds(c.MoodNear, who=who(cast), valence=_SIGNED, arousal=st.none() | _UNIT)
    acts = st.sampled_from(["ask", "look at", "give"])
    whom = st.none() | st.sampled_from((*cast.people, *cast.things, *cast.settings))
    kinds = {
        "knows": st.builds(c.Knows, who=st.sampled_from((cast.player, model.PLAYER)),
                           fact=st.sampled_from(cast.facts), suspects=st.booleans()),
        "holds": st.sampled_from(cast.facts),
        "relation": ranges(cast),
        "mood": moods,
        "at": st.builds(c.At, who=who(cast), place=st.sampled_from(cast.settings)),
        "present": who(cast),
        "has": st.builds(c.Has, who=who(cast), thing=st.sampled_from(cast.things)),
        "did": st.builds(c.Did, who=who(cast), act=acts, to=whom, about=whom),
        "happened": st.sampled_from(cast.events),
        "told": st.sampled_from(cast.first_beats),
        "visited": st.sampled_from((*cast.every_scene, *cast.layers)),
        "completed": st.sampled_from(cast.every_scene),
    }  # fmt: skip
    if not completed:
        del kinds["completed"]
    if gates:
        kinds["opened"] = st.sampled_from(gates)
    return st.sampled_from(sorted(kinds)).flatmap(
        lambda kind: kinds[kind].map(lambda value: c.Condition(**{kind: value}))
    )


def conditions(cast, gates=(), *, completed=True):
    """Conditions of every kind that can come to hold."""

    def combined(inner):
        few = st.lists(inner, min_size=1, max_size=2).map(tuple)
        turns = st.integers(1, 50)
        thresholds = few.flatmap(
            lambda of: st.integers(1, len(of)).map(lambda n: c.Threshold(at_least=n, of=of))
        )
        one = {
            "all_": together(inner), "any_": few, "sequence": few, "not_": inner,
            "threshold": thresholds, "since": st.builds(c.Since, turns=turns, of=inner),
            "within": st.builds(c.Within, turns=turns, of=inner),
        }  # fmt: skip
        return st.sampled_from(sorted(one)).flatmap(
            lambda kind: one[kind].map(lambda value: c.Condition(**{kind: value}))
        )

    return st.recursive(questions(cast, gates, completed), combined, max_leaves=3)


def together(inner):
    """One or two that do not contradict each other."""
    few = st.lists(inner, min_size=1, max_size=2).map(tuple)
    return few.filter(lambda of: not contradicts(c.Condition(all_=of)))


@st.composite
def casts(draw):
    names = draw(st.lists(IDS, min_size=30, max_size=30, unique=True))

    def take(low, high):
        count = draw(st.integers(low, high))
        return tuple(names.pop() for _ in range(count))

    main, inner = tuple(sorted(take(2, 4))), take(1, 2)
    return Cast(
        people=take(2, 3), settings=take(2, 3), things=take(1, 2), scenes=main, inner=inner,
        layers=take(1, 1), facts=take(2, 3), events=take(2, 3), gates=take(1, 3),
        prophecies=take(1, 1), canon=take(0, 1),
        first_beats=tuple(f"{scene}/opening" for scene in (*main, *inner)),
    )  # fmt: skip


@st.composite
def characters(draw, cast, name):
    feelings = st.builds(
        people.Feeling, name=TEXTS, strength=_UNIT, awareness=st.sampled_from(Awareness),
        toward=st.none() | who(cast), shown_as=TEXTS,
    )  # fmt: skip
    relation = st.builds(people.Relation, to=st.sampled_from(cast.people), debt=_SIGNED)
    return draw(
        st.builds(
            people.Character,
            id=st.just(name), name=TEXTS, line=TEXTS, aliases=_TWO_TEXTS,
            tier=st.sampled_from(Tier), at=st.sampled_from(cast.settings),
            rules=_TWO_TEXTS,
            beliefs=_BELIEFS,
            traits=st.dictionaries(NAMED, _SIGNED, max_size=2),
            goals=_GOALS,
            scope=st.builds(people.Scope, entities=subset(cast.people)),
            relations=st.lists(relation, max_size=1).map(tuple),
            mood=st.builds(people.Mood, valence=_SIGNED, arousal=_UNIT,
                           feelings=st.lists(feelings, max_size=1).map(tuple)),
        )
    )  # fmt: skip


@st.composite
def all_settings(draw, cast):
    """Settings in a row of paths both ways, so that everybody can come everywhere."""
    made = []
    for i, name in enumerate(cast.settings):
        ways = []
        if i + 1 < len(cast.settings):
            cost = draw(st.floats(0.1, 10))
            ways.append(places.Path(to=cast.settings[i + 1], cost=cost))
        if i:
            when = draw(st.none() | conditions(cast))
            ways.append(places.Path(to=cast.settings[i - 1], one_way=True, when=when))
        within = cast.settings[0] if i and draw(st.booleans()) else None
        hears = draw(subset(cast.settings))
        made.append(
            places.Setting(id=name, name=draw(TEXTS), description=draw(TEXTS), within=within,
                           paths=tuple(ways), hears=hears)
        )  # fmt: skip
    return tuple(made)


@st.composite
def things(draw, cast, name):
    held = draw(st.booleans())
    forms = st.dictionaries(
        st.sampled_from(cast.layers), st.builds(places.Form, name=TEXTS, description=TEXTS)
    )
    return places.Thing(
        id=name, name=draw(TEXTS), description=draw(TEXTS), symbolism=draw(TEXTS),
        held_by=draw(st.sampled_from(cast.people)) if held else None,
        at=None if held else draw(st.sampled_from(cast.settings)),
        tier=draw(st.sampled_from(Tier)), themes=draw(_THEMES), forms=draw(forms),
    )  # fmt: skip


@st.composite
def facts(draw, cast, name):
    minds = draw(st.permutations((*cast.people, model.PLAYER)))
    told = k.Reveal(when=c.Condition(told=draw(st.sampled_from(cast.first_beats))))
    more = st.builds(
        k.Reveal, when=conditions(cast), how=hows(cast), suspects=st.booleans(),
        to=subset((*cast.people, model.PLAYER, model.PRESENT), min_size=1),
    )  # fmt: skip
    bearing = st.builds(k.Bearing, from_=who(cast), to=who(cast), note=TEXTS)
    first = next(mind for mind in minds if mind != model.PLAYER)
    told_by = (f"told by {first}",) if first == minds[0] else ()  # nobody tells in a circle
    from_first = st.sampled_from((*WAYS, *told_by))
    return k.Fact(
        id=name, full=draw(TEXTS), hint=draw(TEXTS), secret=draw(st.booleans()),
        confidence=draw(st.floats(0.5, 1)), weight=draw(_UNIT), themes=draw(_THEMES),
        about=draw(subset(cast.people)), layer=draw(st.none() | st.sampled_from(cast.layers)),
        known_by={minds[0]: draw(st.sampled_from(WAYS))}, suspected_by={minds[1]: draw(from_first)},
        believed_by={minds[2]: draw(from_first)} if draw(st.booleans()) else {},
        revealed_by=(told, *draw(st.lists(more, max_size=1))),
        bears_on=tuple(draw(st.lists(bearing, max_size=1))),
    )  # fmt: skip


@st.composite
def events(draw, cast, name):
    shift = st.builds(
        k.RelationShift, from_=who(cast), to=who(cast), dimension=st.sampled_from(Dimension),
        by=_SIGNED,
    )  # fmt: skip
    moods = st.builds(k.MoodShift, who=who(cast), valence=_SIGNED)
    return draw(
        st.builds(
            k.StoryEvent,
            id=st.just(name), summary=TEXTS, when=st.none() | conditions(cast), intensity=_UNIT,
            about=subset(cast.things), reveals=subset(cast.facts),
            mass=st.dictionaries(st.sampled_from(cast.scenes), _SIGNED, max_size=1),
            permeability=st.dictionaries(st.sampled_from(cast.layers), _SIGNED, max_size=1),
            relations=st.lists(shift, max_size=1).map(tuple),
            moods=st.lists(moods, max_size=1).map(tuple),
            moves=st.dictionaries(who(cast), st.sampled_from(cast.settings), max_size=1),
            gives=st.dictionaries(st.sampled_from(cast.things), who(cast), max_size=1),
        )
    )  # fmt: skip


@st.composite
def beats(draw, cast, scene):
    """The first is unconditional and lets every event happen; the others ask for anything."""
    first = scenes.Beat(
        id="opening", prose=draw(PROSE), happens=cast.events, reveals=draw(subset(cast.facts))
    )
    ids = draw(st.lists(IDS.filter(lambda name: name != "opening"), max_size=2, unique=True))
    return (
        first,
        *(scenes.Beat(id=name, prose=draw(PROSE), when=draw(st.none() | conditions(cast)))
          for name in ids),
    )  # fmt: skip


@st.composite
def all_scenes(draw, cast):
    made = []
    gates = list(cast.gates)
    for row in (cast.scenes, cast.inner):
        for i, name in enumerate(row):
            ways = [scenes.Transition(to=row[i + 1])] if i + 1 < len(row) else []
            more = st.builds(scenes.Transition, to=st.sampled_from(row), label=TEXTS,
                             when=st.none() | conditions(cast, cast.gates))  # fmt: skip
            ways += draw(st.lists(more, max_size=1))
            mine = (gates.pop(0),) if gates else ()
            made.append(draw(one_scene(cast, name, tuple(ways), mine)))
    return tuple(sorted(made, key=lambda scene: scene.id))


@st.composite
def one_scene(draw, cast, name, ways, gates):
    before = cast.gates[: cast.gates.index(gates[0])] if gates else ()
    made = tuple(
        scenes.Gate(id=gate, means=draw(TEXTS), changes=draw(TEXTS), reveals=draw(
            subset(cast.facts)), conditions=draw(together(conditions(cast, before))))
        for gate in gates
    )  # fmt: skip
    weighed = st.builds(c.Weighed, when=conditions(cast, cast.gates), weight=_AMOUNT)
    approach = st.builds(
        scenes.Approach, predicates=st.lists(weighed, max_size=2).map(tuple),
        mood=st.none() | st.builds(scenes.MoodTarget, valence=_SIGNED),
    )  # fmt: skip
    return draw(
        st.builds(
            scenes.Scene,
            id=st.just(name), title=TEXTS, type=st.sampled_from(scenes.SceneType),
            setting=st.sampled_from(cast.settings), mass=_UNIT, required=st.booleans(),
            hinge=st.booleans(), ending=st.booleans(), temperature=_UNIT, themes=_THEMES,
            tone=TEXTS, stakes=TEXTS, withheld=subset(tuple(scenes.Withheld)),
            cast=st.builds(scenes.SceneCast, required=st.just(cast.people),
                           contingent=subset(cast.people)),
            approach=st.lists(approach, max_size=1).map(tuple),
            relations=st.lists(ranges(cast), max_size=1).map(tuple),
            leads_to=st.just(ways), gates=st.just(made), beats=beats(cast, name),
            done_when=st.none() | conditions(cast, completed=False),
        )
    )  # fmt: skip


@st.composite
def all_layers(draw, cast):
    points = sorted(draw(st.lists(_UNIT, max_size=3, unique=True)))
    if points or draw(st.booleans()):
        values = tuple(la.Waypoint(progress=p, value=draw(_UNIT)) for p in points)
        curve = la.Permeability(waypoints=values)
    else:
        low, high = sorted((draw(_UNIT), draw(_UNIT)))
        curve = la.Permeability(sigmoid=la.Sigmoid(low=low, high=high, k=draw(_AMOUNT)))
    way_in = la.Portal(from_=cast.scenes[0], to=cast.inner[0])
    way_out = la.Portal(
        from_=cast.inner[-1], to=cast.scenes[-1], when=draw(st.none() | conditions(cast))
    )
    mapped = la.EntityMap(
        shared=(cast.people[0],), projected={cast.people[1]: cast.people[0]}, discrete=cast.things
    )
    return (
        la.Layer(
            id=cast.layers[0], name=draw(TEXTS), kind=draw(st.sampled_from(la.LayerKind)),
            scenes=cast.inner, base_mass=draw(_UNIT), permeability=curve, portals=(way_in,),
            exits=(way_out,), themes=draw(_THEMES), residue=draw(_UNIT), entity_map=mapped,
            player_role=draw(TEXTS), hidden=draw(st.booleans()),
            revealed_by=draw(st.none() | conditions(cast)), reinterprets=draw(TEXTS),
        ),
    )  # fmt: skip


@st.composite
def stories(draw):
    """A valid story."""
    cast = draw(casts())
    reinforced = st.builds(la.Reinforcement, event=st.sampled_from(cast.events), amount=_UNIT)
    prophecy = st.builds(
        la.Prophecy, id=st.just(cast.prophecies[0]), source=st.sampled_from(cast.events),
        target=st.sampled_from(cast.scenes), base=_UNIT, imagery=_TWO_TEXTS,
        reinforced_by=st.lists(reinforced, max_size=1).map(tuple),
        fulfilled_by=st.none() | conditions(cast),
    )  # fmt: skip
    themes = draw(
        st.dictionaries(NAMED, st.lists(NAMED, max_size=2, unique=True).map(tuple), max_size=2)
    )
    themes = {name: tuple(t for t in others if t != name) for name, others in themes.items()}
    canon = tuple(model.Canon(id=name, version="1.0", path="canon") for name in cast.canon)
    overrides = tuning.Overrides(
        scenes={cast.scenes[0]: tuning.SceneOverride(mass=draw(_AMOUNT))},
        layers={cast.layers[0]: tuning.LayerOverride(permeability=draw(_UNIT))},
        prophecies={cast.prophecies[0]: draw(_AMOUNT)},
    )
    scenes = draw(all_scenes(cast))
    opening = next(scene for scene in scenes if scene.id == cast.scenes[0])
    people = (draw(characters(cast, name)) for name in cast.people)  # all are in the first scene
    return model.Story(
        id=draw(IDS), title=draw(TEXTS), author=draw(TEXTS), version=draw(TEXTS),
        language=draw(st.sampled_from(["en", "de", "zh-Hans"])),
        players=(cast.player,), start=cast.scenes[0], voice=draw(TEXTS),
        rules=tuple(draw(st.lists(TEXTS, max_size=2))),
        anti_patterns=tuple(draw(st.lists(TEXTS, max_size=2))),
        soft=tuple(draw(st.lists(st.builds(model.Soft, heading=TEXTS, text=TEXTS), max_size=1))),
        tuning=tuning.Tuning(gravity=tuning.GravityTuning(softening=draw(st.floats(0.01, 1)))),
        budget=tuning.Budget(tokens=100_000, encoding=draw(st.sampled_from(tuning.Encoding))),
        overrides=overrides, themes=themes, canon=canon,
        cast=tuple(structs.replace(each, at=opening.setting) for each in people),
        settings=draw(all_settings(cast)),
        things=tuple(draw(things(cast, name)) for name in cast.things),
        facts=tuple(draw(facts(cast, name)) for name in cast.facts),
        events=tuple(draw(events(cast, name)) for name in cast.events),
        layers=draw(all_layers(cast)),
        prophecies=(draw(prophecy),),
        scenes=scenes,
    )  # fmt: skip
