"""The laws that an action is held to, one function each, in the order of what they cost.

    resources    it spends what it costs, and its actor has that
    state        it can be done now: the verb, the target, the place, the channel
    information  target, words and reasons are in its actor's brief
    rules        no rule of the world forbids it
    canon        what it cites is in force and in the brief; it contradicts no doctrine

A law repairs what has one obvious repair, and else refuses; it says by which rule and on what
evidence. An action is only ever held to what its actor was told, and to the world where that says
what can be done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite

from msgspec import structs

from storykeeper.canon.action import MOST_REASONS, MOST_SAID, CharacterAction
from storykeeper.canon.brief import Available, Snippet, TurnBrief
from storykeeper.canon.registry import SourceKind
from storykeeper.canon.situation import EntityState, Verb, WorldState
from storykeeper.memory.compaction.terms import terms
from storykeeper.models.entailment import Entailment
from storykeeper.play.contradiction import contradictions

LEANS = 0.75  # share of the content words of a text that say it was used
LEAST_LEANT = 4  # words: below, a text is too short to know whether it was used
SURE = 0.9  # from which on a model's contradiction counts
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a law makes of an action: refused, or as it is repaired."""

    rule: str
    why: str
    evidence: tuple[str, ...] = ()
    repaired: CharacterAction | None = None


@dataclass
class Case:
    """An action before its judge: what its actor was told, and the world it acts in."""

    action: CharacterAction
    brief: TurnBrief
    world: WorldState
    in_force: frozenset[str]  # `source_id@version`
    entailment: Entailment | None = None
    words: frozenset[str] = field(init=False)  # content words of the brief

    def __post_init__(self) -> None:
        """What is asked more than once is found once."""
        self.words = terms(self.brief.text)

    @property
    def verb(self) -> Verb | None:
        """What it does, if there is such a verb."""
        return next((each for each in self.world.verbs if each.id == self.action.verb), None)

    @property
    def offered(self) -> Available | None:
        """The verb as its actor was offered it."""
        return next((e for e in self.brief.actions if e.verb == self.action.verb), None)

    @property
    def entities(self) -> Mapping[str, EntityState]:
        """Everybody and everything."""
        return {each.id: each for each in self.world.entities}

    @cached_property
    def said(self) -> tuple[str, ...]:
        """The sentences that it is held to doctrine for: the deed, the words, the reasons."""
        texts = (self._deed(), self.action.words, self.action.justification)
        return tuple(s for text in texts for s in _SENTENCE.split(text.strip()) if s)

    def _deed(self) -> str:
        """What it does in words, and to what kind of target."""
        verb, actor = self.verb, self.entities.get(self.action.who)
        target = self.entities.get(self.action.target or "")
        if verb is None or actor is None:
            return ""
        told = verb.done or f"{{who}}: {verb.text}"
        told = told.replace("{who}", actor.name)
        kind = "" if target is None else f"{target.name}, a {target.kind}"
        return told.replace("{target}", kind or "nobody").rstrip(".") + "."

    @cached_property
    def speaker(self) -> frozenset[str]:
        """What its actor is called."""
        actor = self.entities.get(self.action.who)
        if actor is None:
            return frozenset()
        faction = self.world.factions.get(actor.faction or "", "")
        return terms(f"{actor.name} {faction} {actor.looks}")


# ── resources ────────────────────────────────────────────────────────────────────────────────


def resources(case: Case) -> Iterator[Ruling]:
    """It spends what it costs, and its actor has that."""
    verb, action = case.verb, case.action
    actor = case.entities.get(action.who)
    if verb is None or actor is None:
        return
    for name, cost in sorted(verb.costs.items()):
        there = actor.resources.get(name, 0.0)
        if there < cost:
            why = f"{verb.id} costs {cost:g} {name}, there is {there:g}"
            yield Ruling(f"resources: {name}", why, (f"verb:{verb.id}", f"resource:{name}"))
            return
    if action.spends != verb.costs:
        yield Ruling("resources: cost", f"{verb.id} costs what it costs",
                     (f"verb:{verb.id}",), structs.replace(action, spends=verb.costs))  # fmt: skip


# ── state ────────────────────────────────────────────────────────────────────────────────────


def state(case: Case) -> Iterator[Ruling]:
    """It can be done now."""
    action, brief, offered, verb = case.action, case.brief, case.offered, case.verb
    if action.who != brief.who or action.turn != brief.turn:
        yield Ruling("state: turn", f"{action.who} acts in turn {action.turn}; this is the brief of"
                     f" {brief.who} in turn {brief.turn}", (f"brief:{brief.digest}",))  # fmt: skip
    elif len(action.words) > MOST_SAID or len(action.justification) > MOST_REASONS:
        why = f"at most {MOST_SAID:,} characters can be said, and {MOST_REASONS:,} be the reason"
        yield Ruling("state: words", why, (f"brief:{brief.digest}",))
    elif verb is None:
        known = ", ".join(each.verb for each in brief.actions)
        yield Ruling("state: verb", f"there is no {action.verb} here; there are {known}")
    elif offered is None:
        why = next((f"{s}" for s in brief.status if s in verb.unless), "it was not offered")
        yield Ruling("state: verb", f"{action.who} cannot {verb.id} now: {why}",
                     (f"verb:{verb.id}",))  # fmt: skip
    else:
        yield from _aimed(case, offered, verb)


def _aimed(case: Case, offered: Available, verb: Verb) -> Iterator[Ruling]:
    action = case.action
    if verb.target and action.target not in offered.targets and _is_known(case):
        if action.target is None and len(offered.targets) == 1:
            mended = structs.replace(action, target=offered.targets[0])
            yield Ruling("state: target", "there is one that it can be done to",
                         (f"verb:{verb.id}",), mended)  # fmt: skip
        else:
            reach = ", ".join(offered.targets) or "nobody"
            yield Ruling("state: target", f"{action.target or 'nobody'} cannot be reached; {reach}"
                         " can", (f"verb:{verb.id}", f"target:{action.target}"))  # fmt: skip
            return
    if not verb.target and action.target is not None and _is_known(case):
        yield Ruling("state: target", f"{verb.id} is done to nobody", (f"verb:{verb.id}",),
                     structs.replace(action, target=None))  # fmt: skip
    if verb.moves and not (action.to and isfinite(action.to.x) and isfinite(action.to.y)):
        yield Ruling("state: place", f"{verb.id} goes to a point, and none is named",
                     (f"verb:{verb.id}",))  # fmt: skip
        return
    yield from _spoken(case, offered, verb)


def _is_known(case: Case) -> bool:
    """Whether its actor is aware of the target; if not, that is a law of its own."""
    return case.action.target is None or case.action.target in case.brief.handles


def _spoken(case: Case, offered: Available, verb: Verb) -> Iterator[Ruling]:
    action, evidence = case.action, (f"verb:{verb.id}",)  # as it was mended so far
    if not verb.speaks and (action.words or action.channel):
        yield Ruling("state: words", f"{verb.id} says nothing", evidence,
                     structs.replace(action, words="", channel=None))  # fmt: skip
    elif verb.speaks and not action.words.strip():
        yield Ruling("state: words", f"{verb.id} says something, and no words are given", evidence)
    elif action.channel is not None and action.channel not in offered.channels:
        if len(offered.channels) == 1:
            yield Ruling("state: channel", f"{offered.channels[0]} is the one there is", evidence,
                         structs.replace(action, channel=offered.channels[0]))  # fmt: skip
        else:
            yield Ruling("state: channel", f"{action.channel} cannot be used now", evidence)


# ── information ──────────────────────────────────────────────────────────────────────────────


def information(case: Case) -> Iterator[Ruling]:
    """Target, words and reasons are in the brief."""
    action, brief = case.action, case.brief
    if action.target is not None and action.target not in brief.handles:
        yield Ruling("information: target", f"{action.target} is not in the brief of {brief.who}",
                     (f"target:{action.target}", f"brief:{brief.digest}"))  # fmt: skip
        return
    unknown = [each for each in action.rests_on if each not in _ids(brief)]
    if unknown:
        why = f"{', '.join(unknown)}: nothing in the brief is called so"
        evidence = (*(f"rests-on:{each}" for each in unknown), f"brief:{brief.digest}")
        yield Ruling("information: reason", why, evidence)
        return
    for name, text in _hidden(case):
        if _leans_on(case, text):
            yield Ruling("information: knows", f"it says what {brief.who} was not told: {text}",
                         (name, f"brief:{brief.digest}"))  # fmt: skip
            return


def _ids(brief: TurnBrief) -> frozenset[str]:
    """All that an action may rest on."""
    parts: Sequence[Sequence[object]] = (brief.snippets, brief.beliefs, brief.past)
    named = {each.id for part in parts for each in part}  # type: ignore[attr-defined]
    return frozenset(named | brief.handles | {each.verb for each in brief.actions})


def _hidden(case: Case) -> Iterator[tuple[str, str]]:
    """What is so and its actor was not told: who is out of sight, and what others know."""
    who, told = case.brief.who, case.brief.text.casefold()
    for entity in case.world.entities:
        if entity.id != who and entity.name.casefold() not in told:
            yield f"entity:{entity.id}", entity.name
    for learned in case.world.learned:
        if learned.who != who:
            yield f"learned:{learned.id}", learned.text
    faction = case.brief.faction
    for report in case.world.reports:
        if report.faction != faction:
            yield f"report:{report.id}", report.text
    for happening in case.world.happenings:
        if who not in happening.perceived:
            yield f"happening:{happening.id}", happening.words or happening.text


def _leans_on(case: Case, hidden: str) -> bool:
    """Whether its words or reasons say what is hidden, in words that its brief does not have."""
    if len(hidden.split()) < LEAST_LEANT:  # a name
        said = f"{case.action.words} {case.action.justification}"
        return re.search(rf"\b{re.escape(hidden)}\b", said, re.IGNORECASE) is not None
    wanted = terms(hidden)
    fresh = wanted - case.words
    if len(wanted) < LEAST_LEANT or not fresh:
        return False
    used = terms(f"{case.action.words} {case.action.justification}")
    return bool(fresh & used) and len(wanted & used) >= LEANS * len(wanted)


# ── rules of the world ───────────────────────────────────────────────────────────────────────


def rules(case: Case) -> Iterator[Ruling]:
    """No rule of the world forbids it."""
    action, turn = case.action, case.world.turn
    actor = case.entities.get(action.who)
    for rule in case.world.rules:
        if rule.until is not None and turn >= rule.until:
            continue
        if rule.factions and (actor is None or actor.faction not in rule.factions):
            continue
        if action.verb in rule.verbs and (not rule.to or action.target in rule.to):
            yield Ruling(f"rules: {rule.id}", rule.text, (f"rule:{rule.id}", f"verb:{action.verb}"))
            return
        against = _against(case, rule.text)
        if against is not None and not rule.verbs:
            yield Ruling(f"rules: {rule.id}", against, (f"rule:{rule.id}",))
            return


# ── canon ────────────────────────────────────────────────────────────────────────────────────


def canon(case: Case) -> Iterator[Ruling]:
    """What it cites is in force and in the brief, and it contradicts no doctrine."""
    yield from _cited(case)
    yield from _uncited(case)
    for name, text in _doctrine(case.brief):
        against = _against(case, text)
        if against is not None:
            yield Ruling("canon: contradiction", against, (name,))
            return


def _cited(case: Case) -> Iterator[Ruling]:
    action, brief = case.action, case.brief
    in_force = case.in_force
    known = {each.partition("@")[0]: each for each in in_force}
    kept: list[str] = []
    for cite in action.cites:
        current = known.get(cite.partition("@")[0])
        if cite in in_force and cite in brief.cites:
            kept.append(cite)
        elif cite in in_force:
            yield Ruling("canon: not told", f"{cite} is not in the brief of {brief.who}",
                         (f"cite:{cite}", f"brief:{brief.digest}"))  # fmt: skip
            return
        elif current is None:
            yield Ruling("canon: unknown source", f"there is no source {cite} in force",
                         (f"cite:{cite}",))  # fmt: skip
            return
        elif current in brief.cites:
            kept.append(current)
        else:
            yield Ruling("canon: outdated source", f"{cite} is not in force; {current} is",
                         (f"cite:{cite}", f"cite:{current}"))  # fmt: skip
            return
    if tuple(kept) != action.cites:
        yield Ruling("canon: outdated source", f"{', '.join(kept)} is what it rests on now",
                     tuple(f"cite:{each}" for each in kept),
                     structs.replace(action, cites=tuple(dict.fromkeys(kept))))  # fmt: skip


def _uncited(case: Case) -> Iterator[Ruling]:
    """Whoever uses a passage cites it; if they forgot to, that is mended."""
    action = case.action
    said = terms(f"{action.words} {action.justification}")
    used = [s for s in case.brief.snippets if _is_used(s, said, action)]
    missing = [each.cite for each in used if not {each.cite, *each.also} & {*action.cites}]
    if missing:
        cites = tuple(dict.fromkeys((*action.cites, *missing)))
        yield Ruling("canon: uncited", f"it uses {', '.join(dict.fromkeys(missing))}",
                     tuple(f"snippet:{each.id}" for each in used),
                     structs.replace(action, cites=cites))  # fmt: skip


def _is_used(snippet: Snippet, said: frozenset[str], action: CharacterAction) -> bool:
    wanted = terms(snippet.text)
    is_said = len(wanted) >= LEAST_LEANT and len(wanted & said) >= LEANS * len(wanted)
    return snippet.id in action.rests_on or is_said


def _doctrine(brief: TurnBrief) -> Iterator[tuple[str, str]]:
    """What binds its actor, as far as they were told: doctrine, their own rules and taboos."""
    for each in brief.snippets:
        if each.kind is SourceKind.DOCTRINE and not each.conflicts:
            yield f"snippet:{each.id}", each.text
    yield from ((f"doctrine:{n}", text) for n, text in enumerate(brief.doctrine))
    yield from ((f"rule:{n}", text) for n, text in enumerate(brief.rules))


def _against(case: Case, doctrine: str) -> str | None:
    """How it contradicts a text, if it does."""
    for said in case.said:
        for found in contradictions(said, doctrine, case.speaker):
            by = f"{found.kind}: {', '.join(found.words)}"
            return f"“{found.said}” against “{found.doctrine}” ({by})"
        if case.entailment is not None and terms(said) & terms(doctrine):
            sure = case.entailment.contradiction(premise=doctrine, claim=said)
            if sure >= SURE:
                return f"“{said}” against “{doctrine}” (by a model, {sure:.2f})"
    return None
