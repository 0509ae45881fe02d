"""What could ever come about: one optimistic fixpoint over everything the author wrote.

The question is not what will happen but what could, if player and narrator were as obliging as
can be. So `not` always may hold, moods and relations can be brought anywhere, time passes, people
walk every path there is, things change hands, and whoever can be met can be told what is no
secret. A secret travels only by what the author wrote: `revealed_by`, or the `reveals` of a beat,
a gate or an event, and what a character `tells`. What cannot come about even so, never will.

Everything is a rule, `atoms and a condition → atoms`; an atom once true stays true. Each rule is
looked at again only when an atom it asks for has come true, so the work grows with the story.

    entered scene · told scene/beat · completed scene · happened event · opened gate
    met who · stood who place · at who place · knows who fact · suspects who fact
    shown fact · hinted fact        (whoever can be met may know it, or suspect it)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from storykeeper.story.conditions import Condition, Knows
from storykeeper.story.knowledge import CERTAIN, Reveal
from storykeeper.story.minds import Tell
from storykeeper.story.model import PLAYER, PRESENT, Story
from storykeeper.story.wants import Atom, Rule, Wants, all_of, unmet


class Reach(Struct, frozen=True):
    """All that could ever be true."""

    true: frozenset[Atom]
    wants: Wants

    def __contains__(self, atom: Atom) -> bool:
        return atom in self.true

    def why_not(self, condition: object) -> str | None:
        """What keeps a condition from ever holding, in words; None if it could hold."""
        missing = unmet(self.wants.of(condition), self.true)
        return None if missing is None else missing.says


def reach(story: Story) -> Reach:
    """Everything that could come about from the start of the story."""
    wants = Wants(story)
    rules = [*_scenes(story, wants), *_layers(story, wants), *_events(story, wants)]
    rules += _facts(story, wants)
    rules += _meetings(story, wants)
    for thing in story.things:
        if thing.hidden and thing.at:  # where it may be searched for
            for player in story.players:
                wants.at(player, thing.at)
    for shows in (*(who.shows for who in story.cast), *(fact.shows for fact in story.facts)):
        for show in shows:
            if show.when is not None:
                wants.of(show.when)  # or nobody could be where it asks them to be
    start = [*_first(story)]
    rules += wants.places()  # last: asking for a place makes its rule
    return Reach(_closed(rules, start), wants)


def _closed(rules: list[Rule], start: Iterable[Atom]) -> frozenset[Atom]:
    """The least set of atoms that holds the start and is closed under the rules."""
    watching: dict[Atom, list[int]] = {}
    for i, rule in enumerate(rules):
        for atom in rule.want.atoms():
            watching.setdefault(atom, []).append(i)
    true = set(start)
    fired = [False] * len(rules)
    waiting = list(range(len(rules)))
    while waiting:
        i = waiting.pop()
        if fired[i] or unmet(rules[i].want, true) is not None:
            continue
        fired[i] = True
        for atom in rules[i].gives:
            if atom not in true:
                true.add(atom)
                waiting += watching.get(atom, ())
    return frozenset(true)


def _first(story: Story) -> Iterator[Atom]:
    yield ("entered", story.start)
    for player in story.players:
        yield ("met", player)
    seen = {who for scene in story.scenes for who in (*scene.cast.required, *scene.cast.contingent)}
    for character in story.cast:
        if character.at:
            yield ("stood", character.id, character.at)
        elif character.id not in seen:
            yield ("met", character.id)  # nothing says where they are: they may be anywhere
    for fact in story.facts:
        for who in fact.known_by:
            for person in _people(who, story):
                yield ("knows", person, fact.id)
        for who in fact.suspected_by:
            for person in _people(who, story):
                yield ("suspects", person, fact.id)


def _people(who: str, story: Story) -> tuple[str, ...]:
    return story.players if who == PLAYER else (who,)


def _scenes(story: Story, wants: Wants) -> Iterator[Rule]:
    for scene in story.scenes:
        here: Atom = ("entered", scene.id)
        cast = (*scene.cast.required, *scene.cast.contingent)
        there: list[Atom] = [("met", who) for who in cast]
        if scene.setting:
            there += [("stood", who, scene.setting) for who in (*cast, *story.players)]
        yield Rule(wants.after((here,)), tuple(there))
        yield Rule(wants.after((here,), scene.done_when), (("completed", scene.id),))
        for way in scene.leads_to:
            yield Rule(wants.after((here,), way.when), (("entered", way.to),))
        for beat in scene.beats:
            told: tuple[Atom, ...] = (("told", f"{scene.id}/{beat.id}"),)
            told += tuple(("happened", event) for event in beat.happens)
            told += tuple(("shown", fact) for fact in beat.reveals)
            yield Rule(wants.after((here,), beat.when), told)
        for gate in scene.gates:
            opened: tuple[Atom, ...] = (("opened", gate.id),)
            opened += tuple(("shown", fact) for fact in gate.reveals)
            yield Rule(all_of([wants.of(c) for c in gate.conditions]), opened)


def _layers(story: Story, wants: Wants) -> Iterator[Rule]:
    for layer in story.layers:
        for way in (*layer.portals, *layer.exits):
            yield Rule(wants.after((("entered", way.from_),), way.when), (("entered", way.to),))


def _events(story: Story, wants: Wants) -> Iterator[Rule]:
    for person in story.cast:
        for each in person.does:
            ends = (each.happens, each.partly, each.opens, each.fails)
            came: tuple[Atom, ...] = tuple(("happened", e) for e in ends if e is not None)
            yield Rule(wants.after((("met", person.id),), each.when), came)
    for event in story.events:
        happened: Atom = ("happened", event.id)
        if event.when is not None:
            yield Rule(wants.of(event.when), (happened,))
        then: list[Atom] = [("shown", fact) for fact in event.reveals]
        for who, place in event.moves.items():
            then += [("stood", person, place) for person in _people(who, story)]
        yield Rule(wants.after((happened,)), tuple(then))


def _facts(story: Story, wants: Wants) -> Iterator[Rule]:
    told = _told(story)
    for fact in story.facts:
        knowers = {person for who in fact.known_by for person in _people(who, story)}
        for reveal in (*fact.revealed_by, *told.get(fact.id, ())):
            learn = _learning(fact.id, reveal, story)
            knowers |= {atom[1] for atom in learn if atom[0] == "knows"}
            yield Rule(wants.of(reveal.when), tuple(learn))
        if not fact.secret:
            for who in sorted(knowers):
                yield Rule(wants.after((("knows", who, fact.id), ("met", who))),
                           (("shown", fact.id),))  # fmt: skip


def _told(story: Story) -> dict[str, list[Tell]]:
    """What characters decide to tell, if they can be met and have it, or make it up."""
    sure = {fact.id for fact in story.facts if fact.confidence >= CERTAIN}
    found: dict[str, list[Tell]] = {}
    for person in story.cast:
        for tell in person.tells:
            needs = [tell.when, Condition(present=person.id)]
            if tell.fact in sure:
                holds = Knows(who=person.id, fact=tell.fact, suspects=tell.suspects)
                needs.append(Condition(knows=holds))
            ready = structs.replace(tell, when=Condition(all_=tuple(needs)))
            found.setdefault(tell.fact, []).append(ready)
    return found


def _learning(fact: str, reveal: Reveal | Tell, story: Story) -> list[Atom]:
    to_all, to_one = ("hinted", "suspects") if reveal.suspects else ("shown", "knows")
    learn: list[Atom] = []
    for who in reveal.to:
        if who == PRESENT:
            learn.append((to_all, fact))
        else:
            learn += [(to_one, person, fact) for person in _people(who, story)]
    return learn


def _meetings(story: Story, wants: Wants) -> Iterator[Rule]:
    """Whoever stands where a player can come can be met."""
    standing = {(c.id, c.at) for c in story.cast if c.at}
    standing |= {(who, place) for event in story.events for who, place in event.moves.items()}
    for who, place in sorted(standing):
        if who == PLAYER or who in story.players:
            continue
        for player in story.players:
            needs: tuple[Atom, ...] = (("stood", who, place), wants.at(player, place))
            yield Rule(wants.after(needs), (("met", who),))
