"""What one audience may know: a ruling for every source, closed by default.

A source is permitted (1), permitted as a hint only (.5), or closed (0), each by a rule with a name.
An audience is the narrator, who may know what the character of the player whose turn it is knows
and what the scene shows them, or one character, who knows its own card, what it learned, witnessed
and has read. A kind of source that has no rule here is closed.

What is hidden shapes nothing: no rule looks at what the audience does not know to rule on another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

from immutables import Map
from msgspec import Struct

from storykeeper.context.around import CANON, READ, Around
from storykeeper.context.facts import fact_places, superseding
from storykeeper.context.history import PastTurn, PresentTurn, Recalled, Summed
from storykeeper.context.leaning import KINDS, felt
from storykeeper.context.outward import all_outward
from storykeeper.errors import UnknownAudience
from storykeeper.events.atoms import Atom, Source
from storykeeper.events.changes import SecretRevealed
from storykeeper.story.model import NARRATOR
from storykeeper.story.preamble import ASK_PART, STAGE_PART, hard_parts
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.finding import appears
from storykeeper.world.knowledge.sightings import perceives
from storykeeper.world.layers import KNOWN_FROM, SUSPECTED_FROM, psi
from storykeeper.world.met import has_come_across
from storykeeper.world.state import Known, World, in_scene
from storykeeper.world.ways import ways_on

KNOWN, SUSPECTED, CLOSED = 1.0, 0.5, 0.0


class Ruling(Struct, frozen=True, gc=False):  # made by the thousand: quicker than a dataclass
    """How far a source is open, and why."""

    boundary: float
    rule: str


NOT_KNOWN = Ruling(CLOSED, "not known")
FEELINGS = "what somebody feels is theirs; the narrator acts those whom nobody plays"


def _is(so: bool, rule: str) -> Ruling:  # noqa: FBT001 - reads as one sentence
    return Ruling(KNOWN if so else CLOSED, rule)


class Boundary(Around):
    """The line around one audience, at one moment of a run."""

    def __init__(
        self, world: World, history: Sequence[PastTurn], present: PresentTurn, *, audience: str,
        recalled: Sequence[Recalled] = (), summaries: Sequence[Summed] = (),
        inline: bool = False,
    ) -> None:  # fmt: skip
        if audience != NARRATOR and audience not in world.plan.cast:
            raise UnknownAudience(
                f"nobody called {audience!r} is in this story; a window is for the narrator, for"
                f" {', '.join(world.plan.players)}, or for another of the cast by their id"
            )
        narrator = audience == NARRATOR
        super().__init__(
            world, present.player if narrator else EntityId(audience), narrator=narrator
        )
        self.present = present
        self.audience = audience
        self.recalled = tuple(recalled)
        self._levels: dict[str, tuple[float, str]] = {}
        self.recent = tuple(history)
        self.summaries = tuple(summaries)
        self.inline = inline and narrator  # it is asked to declare what it tells
        self._rules: dict[str, Callable[[str], Ruling]] = {
            "hard": self._hard, "soft": self._soft, "scene": self._scene, "card": self._card,
            "line": self._line, "manner": self._line, "aim": self._aim, "cast": self._cast,
            "relation": self._relation, "history": self._history, "mood": self._mood,
            "setting": self._setting, "way": self._way, "thing": self._thing,
            "where": self._where, "fact": self._fact, "hint": self._hint, "belief": self._belief,
            "learned": self._learned, "turn": self._turn, "moment": self._turn,
            "piece": lambda name: self._turn(name.partition("/")[0]), "summary": self._summary,
            "atom": self._atom,
            "mention": lambda name: self._atom(name.partition("#")[0]), "beat": self._beat,
            "input": self._input, "intent": self._intent, "bridge": self._bridge,
            "shift": self._mood, "moved": self._relation, "seen": self._seen,
            "taught": self._taught, CANON: lambda name: _is(self.has_read(name), READ),
            **{kind: partial(self._leaning, kind) for kind in KINDS},
        }  # fmt: skip

    def ruling(self, source: str) -> Ruling:
        """Whether this audience may see what comes from this source."""
        kind, _, name = source.partition(":")
        rule = self._rules.get(kind)
        return Ruling(CLOSED, f"no rule opens {kind!r}") if rule is None else rule(name)

    def seen_by(self, audience: str) -> Boundary:
        """The line around somebody else, at the same moment."""
        return Boundary(
            self.world, self.recent, self.present, audience=audience, recalled=self.recalled,
            summaries=self.summaries, inline=self.inline,
        )  # fmt: skip

    def open(self, source: str, *, hint: bool = False) -> bool:
        """Whether it may be stated outright; or at least as a hint."""
        return self.ruling(source).boundary >= (SUSPECTED if hint else KNOWN)

    # ── what the author wrote ────────────────────────────────────────────────────────────────

    def _hard(self, part: str) -> Ruling:
        return _is(self.narrator and part in self._hard_names, "the preamble is the narrator’s")

    def _soft(self, index: str) -> Ruling:
        there = index.isdecimal() and int(index) < len(self.plan.story.soft)
        return _is(self.narrator and there, "soft material is the narrator’s")

    def _scene(self, scene: str) -> Ruling:
        here = scene == self.world.scene and in_scene(self.world, self.minds[0])
        return _is(self.narrator and here, "what the author says of a scene is the narrator’s")

    def _beat(self, name: str) -> Ruling:
        due = name in {beat for beat, _ in self.present.beats}
        return _is(self.narrator and due, "a beat is the narrator’s, when it is due")

    # ── people, places, things ───────────────────────────────────────────────────────────────

    def _card(self, who: str) -> Ruling:
        return _is(who == self.audience and who in self.plan.cast, "a card is its owner’s")

    def _line(self, who: str) -> Ruling:
        if not self.narrator:
            return _is(who == self.audience, "the author’s line is for its owner and the narrator")
        return _is(self.has_met(who), "a player’s character has met them")

    def _aim(self, who: str) -> Ruling:
        shown = who in self.plan.cast and any(goal.open for goal in self.plan.cast[who].goals)
        return self._line(who) if shown else _is(shown, "what somebody wants is theirs")

    def _cast(self, who: str) -> Ruling:
        return _is(who in self.plan.cast and self.has_met(who), "somebody met, or spoken of before")

    def _relation(self, edge: str) -> Ruling:
        of, _, toward = edge.partition("/")
        mine = of in self.minds and self.has_met(toward)
        shown = of in self.acted and toward in self.in_sight
        return _is(mine or shown, FEELINGS)

    def _history(self, edge: str) -> Ruling:
        return _is(edge.partition("/")[0] in self.minds, "what somebody remembers is theirs")

    def _mood(self, who: str) -> Ruling:
        return _is(who in self.minds or who in self.acted, FEELINGS)

    def _setting(self, place: str) -> Ruling:
        return _is(place in self.plan.settings and self.has_met(place), "a place they have been to")

    def _way(self, place: str) -> Ruling:
        return _is(self.narrator and place in ways_on(self.world, self.minds), "an open way on")

    def _thing(self, thing: str) -> Ruling:
        return _is(thing in self.plan.things and self.has_met(thing), "a thing come across")

    def _where(self, entity: str) -> Ruling:
        if entity in self.plan.cast:
            return _is(entity in self.here, "somebody who is here")
        return _is(self.held(entity), "a thing they hold themselves")

    def _seen(self, thing: str) -> Ruling:
        return _is(self.in_hands(thing) is not None, "who was seen with it, by one of them")

    def _taught(self, name: str) -> Ruling:
        who, _, fact = name.partition("/")
        return _is(self.saw_learn(who, fact), "that somebody knows is theirs who perceived it")

    # ── what is so ───────────────────────────────────────────────────────────────────────────

    def _fact(self, fact: str) -> Ruling:
        if fact not in self._heard_of:
            return NOT_KNOWN  # as most are, to most
        level, rule = self._level(fact)
        return Ruling(KNOWN if level == KNOWN else CLOSED, rule)

    def _hint(self, fact: str) -> Ruling:
        level, rule = self._level(fact)
        return Ruling(min(level, SUSPECTED), rule)

    def _belief(self, belief: str) -> Ruling:
        held = self.world.beliefs.get(belief)
        holds = held is not None and held.who in self.minds and not held.superseded
        if not holds or held is None or held.fact is None or held.guessed:  # or it tells of a hit
            return Ruling(CLOSED, "a belief is its holder’s")
        return Ruling(self._crossing(held.fact), "a belief is its holder’s")

    def _learned(self, name: str) -> Ruling:
        who, _, fact = name.partition("/")
        mine = who in self.minds
        told = self.narrator and any(
            isinstance(r, SecretRevealed)
            and r.fact == fact
            and who in r.to
            and r.how.partition(" by ")[2] in self.minds
            for r in self.present.decided
        )
        return _is(mine or told, "that somebody learned something is theirs, and whoever told them")

    def known(self, fact: str) -> tuple[EntityId, Known] | None:
        """Who of this audience knows a fact best, and how."""
        found = [(mind, known[fact]) for mind, known in self._minds_know if fact in known]
        return min(found, key=lambda each: each[1].suspected) if found else None

    @cached_property
    def facts_held(self) -> frozenset[str]:
        """Facts that they know, or hold true without knowing; not what is only suspected."""
        known = {f for f in self._heard_of if self._level(f)[0] == KNOWN}
        return frozenset(known | {f for f in self.beliefs if f not in self._heard_of})

    @cached_property
    def suspected(self) -> tuple[str, ...]:
        """Facts that they have heard of and may only be given a hint of, in the author's order."""
        place = fact_places(self.plan)
        heard = sorted(self._heard_of & place.keys(), key=place.__getitem__)
        return tuple(f for f in heard if self._level(f)[0] == SUSPECTED)

    def is_unknown(self, fact: str) -> bool:
        """Whether they neither know nor suspect it, nor believe it."""
        return fact not in self._heard_of and fact not in self.beliefs

    def is_superseded(self, fact: str) -> bool:
        """Whether they know another that the author says takes its place."""
        return any(self._level(each)[0] == KNOWN for each in superseding(self.plan).get(fact, ()))

    def _level(self, fact: str) -> tuple[float, str]:
        """How far a fact is open, and why; asked by the sources, by the gate and by the check."""
        level = self._levels.get(fact)
        if level is None:
            level = self._levels[fact] = self._found_level(fact)
        return level

    def _found_level(self, fact: str) -> tuple[float, str]:
        best = self.known(fact)
        if best is None or fact not in self.plan.facts:
            return CLOSED, NOT_KNOWN.rule
        crossing = self._crossing(fact)
        if crossing < KNOWN and not best[1].suspected:
            return crossing, "the boundary of its layer"
        level = SUSPECTED if best[1].suspected else KNOWN
        return min(level, crossing), "suspected" if best[1].suspected else "known"

    def _crossing(self, fact: str) -> float:
        """F4.6: facts of a layer, seen from outside it: ψ < .5 withheld, ≤ .7 suspected, known."""
        layer = self.plan.facts[fact].layer if fact in self.plan.facts else None
        if layer is None or any(inside.layer == layer for inside in self.world.inside):
            return KNOWN
        if layer not in self.plan.layers:
            return CLOSED
        permeability = psi(self.world, layer)
        if permeability < SUSPECTED_FROM:
            return CLOSED
        return SUSPECTED if permeability <= KNOWN_FROM else KNOWN

    # ── what leans on the story ──────────────────────────────────────────────────────────────

    def _leaning(self, kind: str, name: str) -> Ruling:
        mine = self.narrator and felt(self.world, kind, name)
        return _is(mine, "what leans on the story is the narrator’s to feel")

    def _bridge(self, name: str) -> Ruling:
        thing, _, layer = name.partition("/")
        both = self.open(f"thing:{thing}") and self.open(f"layer:{layer}")
        known = thing in self.plan.things and layer in self.plan.things[thing].forms
        return _is(both and known, "a thing of two worlds, both come across")

    # ── what happened ────────────────────────────────────────────────────────────────────────

    def _turn(self, number: str) -> Ruling:
        told = number.isdecimal() and int(number) in self._turns
        return _is(self.narrator and told, "a whole turn is for the player it was told to")

    def _summary(self, name: str) -> Ruling:
        """As open as all turns that it sums up; one player was told those not at hand as well."""
        turns = next((each.of for each in self.summaries if each.name == name), ())
        near = {each.turn for each in self.recent}
        alone = len(self.plan.players) == 1
        told = [turn in self._turns if turn in near else alone for turn in turns]
        return _is(self.narrator and bool(told) and all(told), "not all of it was told to them")

    def _atom(self, name: str) -> Ruling:
        atom = self.atoms.get(name) or self._recalled_atoms.get(name)
        if atom is None:
            return Ruling(CLOSED, "no such event in reach")
        now = self.narrator and atom.turn == self.present.turn and not appears(atom)
        return _is(now or self.witnessed(atom), "an event is for those who perceived it")

    def _input(self, _: str) -> Ruling:
        mine = self.narrator or self.present.player == self.audience
        return _is(mine, "the player’s own words are the narrator’s and that character’s")

    def _intent(self, who: str) -> Ruling:
        """Of those in sight, and only what is outward: authored, or of the closed set."""
        seen = who in self.in_sight and all_outward(self.plan, who, self.present.decided)
        return _is(self.narrator and seen, "what shows of an intent is the narrator’s")

    def witnessed(self, atom: Atom) -> bool:
        """Whether one of this audience had a part in it, or was there to perceive it."""
        return perceives(atom, self.minds)

    def is_read_for(self, turn: TurnNo) -> bool:
        """Whether the words of a turn were read as this audience heard them: it is their own."""
        mine = self.minds[0] in self.plan.players
        return mine and (len(self.plan.players) == 1 or self._players.get(turn) in self.minds)

    @cached_property
    def _players(self) -> dict[TurnNo, EntityId]:
        past = (*(each.turn for each in self.recalled), *self.recent)
        return {t.turn: t.player for t in past} | {self.present.turn: self.present.player}

    # ── what these rest on ───────────────────────────────────────────────────────────────────

    def has_met(self, entity: str) -> bool:
        """Whether they ever came across it (F8.11), or hold a fact about it, and not a hint."""
        if entity in self._met or entity in self._told_of:
            return True
        return has_come_across(self.world, self.minds[0], entity)

    @cached_property
    def _told_of(self) -> frozenset[str]:
        held = {f for f in self.beliefs if self._crossing(f) == KNOWN}
        held.update(f for f in self._heard_of if self._level(f)[0] == KNOWN)
        return frozenset(e for f in held & self.plan.facts.keys() for e in self.plan.facts[f].about)

    @cached_property
    def _met(self) -> frozenset[str]:
        found = (self._met_by(mind) for mind in self.minds)
        things = (t for t in map(EntityId, self.plan.things) if self.held(t) or self.sees(t))
        return frozenset(self.here.union(self.places, things, *found))

    def _met_by(self, mind: EntityId) -> Iterator[str]:
        card, played = self.plan.cast[mind], mind in self.plan.players
        yield mind
        yield from card.scope.entities
        yield from (relation.to for relation in card.relations)
        for name, state in self.world.scenes.items():
            scene = self.plan.scenes.get(name)
            if scene is not None and state.visits and (played or mind in scene.cast.required):
                yield from scene.cast.required
                yield from () if scene.setting is None else (scene.setting,)

    @cached_property
    def _minds_know(self) -> tuple[tuple[EntityId, Map[str, Known]], ...]:
        known = ((mind, self.world.known.get(mind)) for mind in self.minds)
        return tuple((mind, facts) for mind, facts in known if facts is not None)

    @cached_property
    def _heard_of(self) -> frozenset[str]:
        """Facts that one of this audience knows or suspects."""
        return frozenset(fact for _, facts in self._minds_know for fact in facts)

    @cached_property
    def _hard_names(self) -> frozenset[str]:
        asked = (ASK_PART, STAGE_PART) if self.inline else (ASK_PART,)
        return frozenset((*(name for name, _ in hard_parts(self.plan.story)), *asked))

    @cached_property
    def offered(self) -> tuple[str, ...]:
        """The facts that may be told now, by their handles F1, F2 …: those fully open to it, in the
        order in which they came to be known, so that a handle goes on meaning what it meant.
        """
        known = {f: self.known(f) for f in self.plan.facts if f in self._heard_of}
        since = {f: each[1].since for f, each in known.items() if each and self.open(f"fact:{f}")}
        return tuple(sorted(since, key=since.__getitem__))

    @cached_property
    def _turns(self) -> frozenset[int]:
        near = (*self.recent, *(each.turn for each in self.recalled))
        return frozenset(turn.turn for turn in near if self.shared(turn))

    def shared(self, turn: PastTurn) -> bool:
        """Whether this audience may know all of a turn: it was theirs, or they perceived it all.

        Words of another player's of which nothing came may be anything: they are not shared.
        """
        if turn.player in self.minds:
            return True
        played = not turn.text or any(atom.source is Source.PLAYER for atom in turn.atoms)
        return played and all(self.witnessed(atom) for atom in turn.atoms)

    @cached_property
    def _recalled_atoms(self) -> dict[str, Atom]:
        return {atom.id: atom for each in self.recalled for atom in each.turn.atoms}

    @cached_property
    def atoms(self) -> dict[str, Atom]:
        """Events in reach, by id; those of the present turn too."""
        now = (r for r in self.present.decided if isinstance(r, Atom))
        past = (atom for turn in self.recent for atom in turn.atoms)
        return {atom.id: atom for atom in (*past, *now)}
