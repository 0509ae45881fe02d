"""Laws of windows, over generated stories, histories, inputs, audiences and budgets.

Canaries are planted in everything somebody must not see; what each audience may see is worked out
here a second time, from the world alone.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from math import isclose
from random import Random
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from immutables import Map
from msgspec import structs

from storykeeper.context import boundary as boundary_module
from storykeeper.context import gathering
from storykeeper.context.boundary import Boundary
from storykeeper.context.counting import cost
from storykeeper.context.gate import gate
from storykeeper.context.history import PastTurn, PresentTurn, Recalled
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.leaning import felt
from storykeeper.context.preamble import SOFT, soft_material
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.sources import RECALLED
from storykeeper.context.tail import RECENT
from storykeeper.context.window import Window, assemble
from storykeeper.errors import WindowRefused
from storykeeper.events.atoms import (
    Atom,
    Confidence,
    Participant,
    PieceTold,
    Priority,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.gravity.landscape import landscape
from storykeeper.language.tokens import counter
from storykeeper.story.adopt import adoption
from storykeeper.story.model import NARRATOR, Story
from storykeeper.story.people import Goal, Relation
from storykeeper.story.preamble import hard_text
from storykeeper.units import AtomId, EntityId
from storykeeper.world.earshot import place_to
from storykeeper.world.layers import psi
from storykeeper.world.plan import plan
from storykeeper.world.state import World
from strategies.long_runs import LongRun, heard, long_run, long_runs, recalled
from strategies.sizes import times
from strategies.stories import stories
from strategies.windows import Played, lines, small_stories
from strategies.worlds import READER, house

# A whole story takes minutes to shrink; the blob that is printed brings it back as it was.
WHOLE = settings(
    max_examples=times(3, settings().max_examples),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
BUDGETS = st.one_of(
    st.integers(50, 400), st.integers(300, 4_000), st.sampled_from([50, 3_300, 100_000])
)
OF_THE_PAST = ("turn:", "piece:", "atom:")
ENCODINGS = st.sampled_from(["o200k", "estimate"])


@pytest.fixture(autouse=True, scope="module")
def parser():
    """Loaded before anything is drawn: loading it draws random numbers, as no strategy may."""
    READER.read("It rains.")


def planted(story: Story) -> Story:
    """The same story with a mark of its own in every text that is not everybody's."""
    cast = tuple(
        structs.replace(
            c,
            rules=(f"xrulex {c.id}x",),
            taboos=(f"xtaboox {c.id}x",),
            doctrine=(f"xdoctrinex {c.id}x",),
            line=f"xlinex {c.id}x",
            goals=(Goal(text=f"xgoalx {c.id}x"),),
            relations=tuple(
                Relation(to=r.to, affection=0.9, history=f"xhistoryx {c.id}x") for r in c.relations
            ),
        )
        for c in story.cast
    )
    facts = tuple(
        structs.replace(f, full=f"xfactx {f.id}x. More of it.", hint=f"xhintx {f.id}x")
        for f in story.facts
    )
    scenes = tuple(
        structs.replace(s, tone=f"xtonex {s.id}x", stakes=f"xstakesx {s.id}x") for s in story.scenes
    )
    return structs.replace(story, cast=cast, facts=facts, scenes=scenes)


@st.composite
def moments(draw: st.DrawFn, kind: st.SearchStrategy[Story] | None = None) -> tuple[Played, str]:
    """A run some turns in, and what the player types next."""
    played = Played.of(planted(draw(small_stories() if kind is None else kind)))
    story = played.world.plan.story
    played.play("", "xprosex opening. It begins.")
    for i in range(draw(st.integers(0, 14))):
        size = draw(st.sampled_from([0, 3, 40]))
        prose = f"xprosex {i}. " + "It rains on the roof. " * size
        played.play(draw(lines(story)), prose)
        played.history[-1] = draw(overheard(played, i))
    return played, draw(lines(story))


@st.composite
def overheard(draw: st.DrawFn, played: Played, i: int):
    """The last turn, with something said in it that only some perceived."""
    turn = played.history[-1]
    people = list(played.world.plan.cast)
    hearing = draw(st.lists(st.sampled_from(people), max_size=2, unique=True))
    roles = [Role.ACTOR, Role.WITNESS]
    atom = Atom(
        turn=turn.turn, id=AtomId(f"t{turn.turn}.99"), scene=turn.scene,
        what=SpeechUttered(f"xsaidx {i}x", draw(st.booleans())),
        participants=tuple(
            Participant(role, Resolved(EntityId(who)))
            for role, who in zip(roles, hearing, strict=False)
        ),
        source=Source.NARRATOR, confidence=Confidence(1.0), priority=Priority.NORMAL,
    )  # fmt: skip
    return replace(turn, atoms=(*turn.atoms, atom))


def audiences(played: Played) -> list[str]:
    return [NARRATOR, *played.world.plan.cast]


def windows(moment: tuple[Played, str], budgets: list[int], encoding: str) -> list[Window]:
    """The windows of every audience at every budget; refusals are legal and leave none."""
    played, text = moment
    made = []
    for audience in audiences(played):
        for tokens in budgets:
            try:
                window = played.window(text, audience=audience, tokens=tokens, encoding=encoding)
            except WindowRefused:
                continue
            made.append(window)
    return made


@WHOLE
@given(moments(stories()), st.lists(BUDGETS, min_size=2, max_size=3), ENCODINGS)
def test_every_law_holds_in_whole_stories(moment, budgets, encoding):
    assert_laws(moment, budgets, encoding)
    assert_closed(moment, encoding)
    assert_flipped(moment, budgets[0])


@given(moments(), st.lists(BUDGETS, min_size=2, max_size=3), ENCODINGS)
def test_the_laws_hold(moment, budgets, encoding):
    assert_laws(moment, budgets, encoding)


def assert_laws(moment: tuple[Played, str], budgets: list[int], encoding: str) -> None:
    count = counter(encoding)
    played, text = moment
    for window in windows(moment, budgets, encoding):
        spent = window.receipt.spent
        assert count(window.text) <= spent.budget
        assert sum(count(m["content"]) for m in window.messages) <= spent.budget
        assert window.tokens == spent.window <= spent.budget
        parts = sum(window.tokens_by_tier.values()) + spent.headings
        assert parts <= spent.budget
        assert_hard_whole(window, played)
        assert_soft_prefix(window, played, text)
        assert_recent(window)
        assert len(set(window.shown)) == len(window.shown)
        told = [s for e in window.receipt.shown for s in e.sources if s.startswith(OF_THE_PAST)]
        assert len(set(told)) == len(told)
        assert_explained(window, encoding)


def assert_hard_whole(window: Window, played: Played) -> None:
    if window.audience == NARRATOR:
        assert window.text.startswith(hard_text(played.world.plan.story))
    else:
        assert f"xrulex {window.audience}x" in window.text
        assert f"xtaboox {window.audience}x" in window.text


def assert_soft_prefix(window: Window, played: Played, text: str) -> None:
    world, present = played.under_way(text)
    boundary = Boundary(world, played.history, present, audience=window.audience)
    soft = [c.id for c in gate(soft_material(boundary), boundary)[0]]
    shown = [e.id for e in window.receipt.shown if e.origin == SOFT]
    assert shown == soft[: len(shown)]


def assert_recent(window: Window) -> None:
    """The last turns are there, whole and without a gap; the story so far ends before them, and
    what is recalled is older too.
    """
    recent = [e for e in window.receipt.shown if e.origin == RECENT]
    older = [e for e in window.receipt.shown if e.origin == SO_FAR]
    earlier = [e for e in window.receipt.shown if e.origin == RECALLED]
    boundary = window._boundary
    if window.audience == NARRATOR:
        told = [t for t in boundary.recent if t.text.strip() or t.prose.strip()]
        base = told[-window.receipt.recent_turns :]
        assert all(turn.prose in window.text for turn in base)
        assert [f"turn:{t.turn}" for t in base] == [e.id for e in recent][-len(base) :]
    turns = [turn_of(s) for e in (*older, *recent) for s in e.sources]
    assert turns == sorted(turns)
    first = min((turn_of(s) for e in recent for s in e.sources), default=boundary.present.turn)
    brought = [turn_of(s) for e in earlier for s in e.sources]
    assert brought == sorted(brought)
    assert all(turn <= first for turn in brought)
    if window.audience == NARRATOR:
        assert {s.partition(":")[0] for e in older for s in e.sources} <= {"piece", "atom"}


def turn_of(source: str) -> int:
    """The turn of `turn:12`, `piece:12/3` or `atom:t12.3`."""
    name = source.partition(":")[2].removeprefix("t")
    return int(name.partition(".")[0].partition("/")[0])


def assert_explained(window: Window, encoding: str) -> None:
    """What the receipt says is what is there: forms, prices, and terms that multiply out."""
    assert [item.candidate.id for item in window.items] == list(window.shown)
    for item, entry in zip(window.items, window.receipt.shown, strict=True):
        t = entry.terms
        product = t.relevance * t.gravity * t.boundary * t.trust * t.recency * t.temperature
        assert isclose(entry.score, product)
        assert entry.score > 0
        assert entry.form == item.form
        assert entry.tokens == cost(item.text, counter(encoding))
        assert item.text in window.text
    out = {e.id for e in window.receipt.left_out} | {e.id for e in window.receipt.refused}
    assert not out & set(window.shown)
    assert all(e.rule for e in window.receipt.refused)
    assert all(e.reason for e in window.receipt.left_out)


# ── the boundary ─────────────────────────────────────────────────────────────────────────────


def minds(world: World, audience: str) -> list[str]:
    return list(world.plan.players) if audience == NARRATOR else [audience]


def crosses(world: World, fact) -> str:
    if fact.layer is None or fact.layer in [i.layer for i in world.inside]:
        return "known"
    value = psi(world, fact.layer)
    return "closed" if value < 0.5 else "suspected" if value <= 0.7 else "known"


def may_state(world: World, audience: str, fact) -> bool:
    knows = any(
        (k := world.known.get(EntityId(m), {}).get(fact.id)) is not None and not k.suspected
        for m in minds(world, audience)
    )
    believes = any(
        b.fact == fact.id and b.who in minds(world, audience) and not b.superseded
        for b in world.beliefs.values()
    )
    return (knows or believes) and crosses(world, fact) == "known"


def may_hint(world: World, audience: str, fact) -> bool:
    some = any(fact.id in world.known.get(EntityId(m), {}) for m in minds(world, audience))
    return some and crosses(world, fact) != "closed"


@given(moments(), ENCODINGS)
def test_no_window_holds_what_its_audience_may_not_know(moment, encoding):
    assert_closed(moment, encoding)


def assert_closed(moment: tuple[Played, str], encoding: str) -> None:
    played, text = moment
    world, _ = played.under_way(text)
    for window in windows(moment, [1_500, 100_000], encoding):
        who, seen = window.audience, window.text
        told = msgspec.json.encode(window.receipt_for(who)).decode()
        for fact in world.plan.story.facts:
            if not may_state(world, who, fact):
                assert f"xfactx {fact.id}x" not in seen
                assert f"fact:{fact.id}" not in [s for e in window.receipt.shown for s in e.sources]
            if not may_hint(world, who, fact):
                assert f"xhintx {fact.id}x" not in seen
                assert f'"fact:{fact.id}"' not in told or may_state(world, who, fact)
        for other in world.plan.cast:
            if other != who:
                for kind in ("rule", "taboo", "doctrine", "goal"):
                    assert f"x{kind}x {other}x" not in seen
                if who != NARRATOR:
                    assert f"xlinex {other}x" not in seen
                if other not in minds(world, who):
                    assert f"xhistoryx {other}x" not in seen
        if who != NARRATOR:
            assert_unseen(played, window)


def assert_unseen(played: Played, window: Window) -> None:
    """No manner of a scene, and nothing that was told or said where this character was not."""
    who, seen = window.audience, window.text
    assert "xtonex" not in seen
    assert "xstakesx" not in seen
    for turn in played.history:
        for atom in turn.atoms:
            if isinstance(atom.what, PieceTold) and who not in _watching(atom):
                assert atom.what.text not in seen or "xprosex" not in atom.what.text
            if isinstance(atom.what, SpeechUttered) and atom.what.words.startswith("xsaidx"):
                heard = [p.role for p in atom.participants if p.entity.entity == who]
                if not heard or (atom.what.whispered and heard == [Role.WITNESS]):
                    assert atom.what.words not in seen


def _watching(atom: Atom) -> set[str]:
    return {p.entity.entity for p in atom.participants if p.role is Role.WITNESS}


@given(moments(), st.sampled_from([700, 3_300, 100_000]))
def test_changing_what_is_hidden_changes_nothing(moment, tokens):
    assert_flipped(moment, tokens)


def assert_flipped(moment: tuple[Played, str], tokens: int) -> None:
    played, text = moment
    assert_same_bytes(LongRun(played, text), tokens)


@WHOLE
@given(long_runs(most_turns=60), st.sampled_from([400, 1_200, 3_300]))
def test_changing_what_is_hidden_changes_nothing_of_a_long_run(run, tokens):
    assert_same_bytes(run, tokens)


def test_a_long_run_whose_bytes_are_compared_has_all_parts():
    run = long_run(planted(house()), Random(5), turns=80)
    for audience, tokens in ((NARRATOR, 2_000), ("bob", 500)):
        found = {item.candidate.origin for item in run.look(audience, tokens).window.items}
        assert {RECENT, SO_FAR, RECALLED} <= found
        assert_same_bytes(run, tokens)


def assert_same_bytes(run: LongRun, tokens: int) -> None:
    played = run.played
    world, present = run.moment()
    ahead = landscape(world)
    for audience in audiences(played):
        recollections = recalled(played.history, run.found, audience)
        made = bytes_for(audience, world, played.history, present, tokens, recollections)
        # The landscape counts as open to the narrator: it stays as it is.
        other, now = flip(world, audience), otherwise(present, audience)
        unheard = (with_other_words, without_it)[len(played.history) % 2]
        mine = [str(present.player)] if audience == NARRATOR else [audience]
        history = [unheard(turn, audience, mine) for turn in played.history]
        recollections = recalled(history, run.found, audience)
        with ExitStack() as as_it_is:
            as_it_is.enter_context(patch.object(gathering, "landscape", lambda _: ahead))
            as_it_is.enter_context(
                patch.object(boundary_module, "felt", lambda _, *named: felt(world, *named))
            )
            assert bytes_for(audience, other, history, now, tokens, recollections) == made


def bytes_for(
    audience: str, world: World, history: list[PastTurn], present: PresentTurn, tokens: int,
    recollections: list[Recalled],
) -> bytes:  # fmt: skip
    """All that an audience gets: the window and what it is told of it, or the refusal."""
    count = counter("o200k")
    try:
        window = assemble(
            world, history, present, audience=audience, tokens=tokens, count=count,
            recalled=recollections,
        )  # fmt: skip
    except WindowRefused as refused:
        return str(refused).encode()
    return msgspec.json.encode((window.text, window.messages, window.receipt_for(audience)))


def flip(world: World, audience: str) -> World:
    """Another world that this audience cannot tell from this one."""
    story = world.plan.story
    facts = tuple(
        fact
        if may_state(world, audience, fact) or may_hint(world, audience, fact)
        else structs.replace(
            fact, full="Quite another thing. And longer, by far.", hint="", secret=not fact.secret,
            weight=1.0 - fact.weight, about=tuple(world.plan.cast), themes=("other",), bears_on=(),
        )
        for fact in story.facts
    )  # fmt: skip
    cast = tuple(
        c
        if c.id == audience
        else structs.replace(
            c, rules=c.rules if c.id in minds(world, audience) else ("Another.",), taboos=(),
            doctrine=("Other doctrine.",), goals=(), beliefs=(),
            line=c.line if audience == NARRATOR else "Somebody else altogether.",
            relations=c.relations if c.id in minds(world, audience) else (),
        )
        for c in story.cast
    )  # fmt: skip
    scenes = story.scenes
    if audience != NARRATOR:
        scenes = tuple(structs.replace(s, tone="Other.", stakes="") for s in scenes)
    changed = structs.replace(story, facts=facts, cast=cast, scenes=scenes)
    return structs.replace(elsewhere(world, audience), plan=plan(adoption(changed)))


def elsewhere(world: World, audience: str) -> World:
    """The world with other minds in others, and other goings-on where this audience is not."""
    mine = [EntityId(mind) for mind in minds(world, audience)]
    places = {world.places.get(m) for m in mine}
    shown = {
        who for who in map(EntityId, world.plan.cast)
        if audience == NARRATOR and any(place_to(world, who, mind=m) in places for m in mine)
    }  # fmt: skip
    others = [place for place in (*world.plan.settings, None) if place not in places]

    def moved(where: EntityId) -> EntityId:
        return where if where in places else others[0] or where

    return structs.replace(
        world,
        known=Map({who: facts for who, facts in world.known.items() if who in mine}),
        beliefs=Map({name: b for name, b in world.beliefs.items() if b.who in mine}),
        moods=Map({who: mood for who, mood in world.moods.items() if who in {*mine, *shown}}),
        standings=Map({
            (of, to): standing for (of, to), standing in world.standings.items()
            if of in mine or {of, to} <= shown
        }),
        places=Map({who: moved(where) for who, where in world.places.items()}),
        holders=Map({what: who for what, who in world.holders.items() if who in mine}),
    )  # fmt: skip


def with_other_words(turn: PastTurn, audience: str, mine: list[str]) -> PastTurn:
    """The turn with other words where this audience did not hear them."""
    if audience == NARRATOR and is_told(turn, mine):
        return turn
    kept = tuple(
        a
        if any(heard(a, mind) for mind in mine)
        else structs.replace(a, what=SpeechUttered("Something else.", True))
        for a in turn.atoms
    )
    return replace(turn, atoms=kept, text="Other words.", prose="Other prose.")


def without_it(turn: PastTurn, audience: str, mine: list[str]) -> PastTurn:
    """The turn without what this audience did not hear; a turn is told to its player, or not."""
    if audience == NARRATOR:
        return with_other_words(turn, audience, mine)
    kept = tuple(atom for atom in turn.atoms if heard(atom, audience))
    return replace(turn, atoms=kept, text="", prose="")


def is_told(turn: PastTurn, mine: list[str]) -> bool:
    """Whether a turn is this player's, or nothing in it was without them."""
    acted = not turn.text or any(a.source is Source.PLAYER for a in turn.atoms)
    all_heard = all(any(heard(a, mind) for mind in mine) for a in turn.atoms)
    return turn.player in mine or (acted and all_heard)


def otherwise(present: PresentTurn, audience: str) -> PresentTurn:
    """The turn under way, as it might as well be to this audience."""
    if audience == NARRATOR:
        return present
    decided = tuple(r for r in present.decided if not isinstance(r, Atom) or heard(r, audience))
    text = present.text if present.player == audience else "Other words."
    return replace(present, decided=decided, beats=(), text=text)


@given(moments(), st.data())
def test_the_gate_is_closed_to_whatever_it_does_not_know(moment, data):
    played, text = moment
    world, present = played.under_way(text)
    audience = data.draw(st.sampled_from(audiences(played)))
    boundary = Boundary(world, played.history, present, audience=audience)
    kind = data.draw(st.sampled_from(["summary", "echo", "canon", "prophecy", "", "Fact", "facts"]))
    name = data.draw(st.sampled_from(["", "x", "12", *world.plan.facts, *world.plan.cast]))
    candidate = Candidate(
        id="made:up", origin="test", tier=Tier.RETRIEVED, klass=Class.MANDATORY,
        sources=(f"{kind}:{name}",), full="Anything",
    )  # fmt: skip
    permitted, refused = gate([candidate], boundary)
    assert permitted == []
    assert [r.candidate for r in refused] == [candidate]


@given(moments(), st.integers(50, 4_000), st.integers(1, 4_000))
def test_a_larger_window_keeps_what_was_mandatory(moment, tokens, more):
    """Or what it said: a card of where they are gives way where tier 1 has room to say so."""
    played, text = moment
    for audience in audiences(played):
        kept, above = [], set()
        for size in (tokens, tokens + more):
            try:
                window = played.window(text, audience=audience, tokens=size)
            except WindowRefused:
                kept.append(set())
                continue
            above = {s for e in window.receipt.shown if e.id == "here" for s in e.sources}
            kept.append({
                e.id for e in window.receipt.shown
                if e.klass is Class.MANDATORY and e.tier in (Tier.PREAMBLE, Tier.RETRIEVED)
                and e.origin != SOFT
            })  # fmt: skip
        told = {s.replace("setting:", "entity:") for s in above if s.startswith("setting:")}
        assert kept[0] - told <= kept[1]
