"""The boundary taken away, one place at a time: each time something gets out, or gets lost.

Every call of the gate and of an audience filter in the product is listed here, or in
strategies.guarded, guarded_ahead and guarded_past, and for each there is a removal that does
without it. With it what somebody gets is sound; without it, it is not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from msgspec import structs

import storykeeper
from storykeeper import Memory
from storykeeper.bench.leaks.usual import Everything
from storykeeper.context import pieces, tail
from storykeeper.context.boundary import Boundary, Ruling
from storykeeper.context.field.assembly import brief_of
from storykeeper.context.field.fog import Fog
from storykeeper.context.history import PastTurn
from storykeeper.context.sources import revelation
from storykeeper.context.whereabouts import NO_ROOM
from storykeeper.errors import UnknownAudience
from storykeeper.events import atoms as a
from storykeeper.language.tokens import counter
from storykeeper.memory import assembly
from storykeeper.memory import opened as memories
from storykeeper.memory import search as searching
from storykeeper.memory.asker import OWNER
from storykeeper.memory.items import Item
from storykeeper.memory.search import Asked
from storykeeper.memory.searched import Searched
from storykeeper.memory.view import View
from storykeeper.play import (
    acquainted,
    intents,
    mind,
    misfits,
    recalling,
    remembering,
    reminding,
    replies,
)
from storykeeper.play.commit import before_acting
from storykeeper.play.own_names import Names
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import NARRATOR
from storykeeper.story.people import Character
from storykeeper.story.places import Thing
from storykeeper.story.tuning import Encoding
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from storykeeper.world.state import Pending
from strategies import minds
from strategies.fields import NAMES as ACTORS
from strategies.fields import STABLE, card_of, flipped, world_of
from strategies.guarded import PLACES, Moment, Place, Removal, all_seeing, atom, past, who, wide
from strategies.guarded_ahead import PLACES_AHEAD, Ahead
from strategies.guarded_past import PLACES_PAST, found, in_the_dark
from strategies.parlour import engine, parlour, tell
from strategies.worlds import example

SRC = Path(storykeeper.__file__).parent
WINDOWS = (*PLACES, *PLACES_AHEAD, *PLACES_PAST)


@pytest.mark.parametrize("place", WINDOWS, ids=lambda place: place.calls[0])
def test_without_it_a_window_is_not_sound(place: Place):
    assert place.is_sound()
    assert not place.is_sound(place.without)


# ── what is recalled ─────────────────────────────────────────────────────────────────────────


def low(*watching: str) -> PastTurn:
    """Something said low, before some; and the cup moved, where nobody was."""
    said = atom(a.SpeechUttered("A ruby.", True), turn=1, number=1, actor=who("ann"),
                target=who("tom"), witness=who(*watching))  # fmt: skip
    moved = replace_source(atom(a.ActionTaken("fall"), turn=1, number=2, subject=who("cup")))
    return replace(past(1, said, moved), player=EntityId("ann"), text="I wait.", prose="It rains.")


def replace_source(each: a.Atom) -> a.Atom:
    return structs.replace(each, source=a.Source.RULE)


def remembered(audience: str) -> str:
    """What somebody has of a turn."""
    minds = remembering.Minds(engine().world())
    items = remembering.items_of(minds, [low("mara")])
    return repr(list(remembering.open_to(items, audience)))


def recalled(audience: str) -> str:
    """What somebody recalls of a whisper."""
    keeper = engine()
    tell(keeper, "“It rains,” says Tom.")
    tell(keeper, "He nods.", 'I whisper to Tom: "the ruby is fake"')
    keeper.end_scene()
    return repr(keeper.recall("the ruby", audience, k=50))


def counted(audience: str) -> str:
    """What Mara recalls of a turn in which she was not told everything."""
    keeper = engine()
    tell(keeper, "“It rains,” says Tom.")
    tell(keeper, "Tom whispers to you, “A ruby.” “The well is dry,” says Tom.")
    keeper.end_scene()
    return repr(keeper.recall("the well", audience, k=50))


def of_the_other(audience: str) -> str:
    """What is recalled for Mara, who is played too, of what Ann whispered."""
    keeper = engine(structs.replace(parlour(), players=("ann", "mara")))
    tell(keeper, "“It rains,” says Tom.")
    tell(keeper, "He nods.", 'I whisper to Tom: "the ruby is fake"')
    keeper.begin("I wait.", player="mara")
    return repr(keeper.recall("the ruby", audience, k=50))


def brought_to_mind(audience: str) -> str:
    """What comes to somebody's mind as Ann whispers of what they all heard of, long ago."""
    keeper = engine()
    tell(keeper, "“A ruby,” says Tom.")
    for _ in range(reminding.LEAST_TURNS):
        tell(keeper, "It rains.")
    return repr(keeper.window(audience, text='I whisper to Tom: "the ruby is fake"').recalled)


def seen_by_some() -> str:
    """What the narrator recalls of a turn, in which something fell where nobody was."""
    minds, names, turn = remembering.Minds(engine().world()), Names(NARRATOR), fallen()
    names.add(minds, [turn])
    return repr(list(map(names.item, remembering.items_of(minds, [turn]))))


def fallen() -> PastTurn:
    unseen = replace_source(atom(a.ActionTaken("fall"), turn=1, number=1, subject=who("cup")))
    new = a.Unresolved("a well", SceneId("first"), TurnNo(1), head="well")
    said = atom(a.StateAsserted("A well."), turn=1, number=2, subject=(new,))
    return replace(past(1, unseen, said), player=EntityId("ann"))


def called_by_the_narrator() -> str:
    """What the narrator calls the events of that turn."""
    return repr(Names(NARRATOR).events(remembering.Minds(engine().world()), [fallen()]))


def scenes_counted() -> str:
    """Which scene it is to Mara, who was not in the one before."""
    turns = [replace(low(), scene=SceneId("before")), replace(low("mara"), scene=SceneId("after"))]
    seen = [atom(a.SpeechUttered("So."), turn=2, number=1, actor=who("tom"), witness=who("mara"))]
    turns[1] = replace(turns[1], turn=TurnNo(2), atoms=tuple(seen))
    minds, names = remembering.Minds(engine().world()), Names("mara")
    names.add(minds, turns)
    mine = remembering.open_to(remembering.items_of(minds, turns[1:]), "mara")
    return repr(list(map(names.item, mine)))


def named_long_ago() -> str:
    """What the narrator, telling Mara, calls a thing of which Ann was told in a turn of her own."""
    keeper = engine(structs.replace(parlour(), players=("ann", "mara")))
    tell(keeper, "“It rains,” says Tom.")
    keeper.begin("I wait.", player="mara")
    minds, before = remembering.Minds(keeper.world()), Names(NARRATOR)
    well = a.Unresolved("a well", SceneId("first"), TurnNo(1), head="well")
    first = replace(past(1, atom(a.StateAsserted("A well."), turn=1, number=1, subject=(well,))),
                    player=EntityId("ann"), text="I wait.")  # fmt: skip
    again = structs.replace(well, joins=Key("t1.1#0"))
    later = replace(past(2, atom(a.StateAsserted("So."), turn=2, number=1, subject=(again,))),
                    player=EntityId("mara"), text="I wait.")  # fmt: skip
    before.add(minds, [replace(first, atoms=())])
    names = Names(NARRATOR, kept=before.kept(), look={1: first}.get)
    names.add(minds, [later])
    return repr(list(map(names.item, remembering.items_of(minds, [later]))))


def everything(items: Iterable[Item], audience: str, *, first: int = 1) -> Iterator[Item]:
    for order, item in enumerate(items, start=first):
        yield replace(item, order=order, audience=frozenset({audience}))


NOT_PERMITTED: Removal = lambda: patch.object(  # noqa: E731
    recalling, "permitted", lambda hits, *_, **__: tuple(hits)
)
NOT_OPEN_TO: Removal = lambda: patch.object(mind, "open_to", everything)  # noqa: E731
PERCEIVED: Removal = lambda: patch.object(  # noqa: E731
    remembering.Minds, "perceived", lambda minds, _: frozenset(minds.world.plan.cast)
)
HAD_BY: Removal = lambda: patch.object(  # noqa: E731
    remembering.Minds, "had_by", lambda *_: True
)
TOLD_OF: Removal = lambda: patch.object(  # noqa: E731
    remembering.Minds, "told_of", lambda *_: True
)
SHARED: Removal = lambda: patch.object(  # noqa: E731
    remembering.Minds, "shared", lambda *_: True
)
RECALLING, REMEMBERING = "play/recalling.py", "play/remembering.py"
REMINDING = "play/reminding.py"
MIND, NAMES = "play/mind.py", "play/own_names.py"
RECALLED = (
    f"{RECALLING} _found permitted(found.hits, turns, world, present, audience=query.audience)"
)
HELD = f"{MIND} add open_to(items, self.audience, first=self.held.rows + 1)"
LINES = f"{RECALLING} permitted Boundary(world, told, present, audience=audience)"


@dataclass(frozen=True)
class Recall:
    """Calls of the boundary around what is remembered, and what somebody recalls without them."""

    calls: tuple[str, ...]
    without: Removal
    ask: Callable[[str], str]
    audience: str = "mara"
    hidden: str = "ruby"
    both: tuple[Removal, ...] = ()

    def is_sound(self, *removals: Removal) -> bool:
        with ExitStack() as stack:
            for removal in (*self.both, *removals):
                stack.enter_context(removal())
            return self.hidden not in self.ask(self.audience)


RECALLS = (
    Recall((RECALLED,), NOT_PERMITTED, recalled, both=(NOT_OPEN_TO,)),
    Recall((HELD,), NOT_OPEN_TO, recalled, both=(NOT_PERMITTED,)),
    Recall((LINES, f"{RECALLING} permitted line.open(source)"),
           lambda: patch.object(recalling, "Boundary", Everything), recalled, both=(NOT_OPEN_TO,)),
    Recall((f"{REMEMBERING} _events minds.perceived(atom)",), PERCEIVED, remembered),
    Recall((f"{REMEMBERING} _line Boundary(self.world, (), self._present, audience=who)",
            f"{REMEMBERING} perceived self._line(who).witnessed(atom)"),
           lambda: patch.object(remembering, "Boundary", Everything), remembered),
    Recall((f"{REMEMBERING} _whole minds.told_of(atom)",
            f"{REMEMBERING} told_of self._line(NARRATOR).witnessed(atom)"), TOLD_OF, remembered,
           NARRATOR, "'cup'"),
    Recall((f"{NAMES} events minds.had_by(self._audience, atom)",), HAD_BY, counted,
           hidden="'atom:t1.5'"),
    Recall((f"{NAMES} add minds.had_by(self._audience, atom)",), HAD_BY,
           lambda _: scenes_counted(), hidden="scene:2"),
    Recall((f"{REMEMBERING} had_by self._line(audience).witnessed(atom)",),
           lambda: patch.object(Boundary, "witnessed", lambda *_: True), counted,
           hidden="'atom:t1.5'", both=(NOT_OPEN_TO,)),
    Recall((f"{REMEMBERING} had_by self.told_of(atom)",), TOLD_OF,
           lambda _: called_by_the_narrator(), NARRATOR, "'t1.2': 't1.2'"),
    Recall((f"{NAMES} _name_things minds.told_of(atom)",), TOLD_OF, lambda _: seen_by_some(),
           NARRATOR, "'t1.2#0'"),
    Recall((f"{MIND} add minds.remembers(turn)", f"{REMEMBERING} remembers self.shared(turn)",
            f"{REMEMBERING} shared self._line(NARRATOR).shared(turn)"), SHARED, of_the_other,
           NARRATOR, both=(NOT_PERMITTED,)),
    Recall((f"{NAMES} _found_again minds.remembers(turn)",), SHARED, lambda _: named_long_ago(),
           NARRATOR, "'t1.1#0'"),
    Recall((f"{REMINDING} asked Boundary(world, (), present, audience=audience)",
            f"{REMINDING} asked line.witnessed(atom)"),
           lambda: patch.object(reminding, "Boundary", Everything), brought_to_mind),
)  # fmt: skip


@pytest.mark.parametrize("place", RECALLS, ids=lambda place: place.calls[0])
def test_without_it_too_much_is_recalled(place: Recall):
    assert place.is_sound()
    assert not place.is_sound(place.without)


# ── receipts ─────────────────────────────────────────────────────────────────────────────────

A_READER = "context/window.py receipt_for self._boundary.seen_by(audience)"


def test_without_it_anybody_is_told_of_a_window():
    made = Moment().make()
    with pytest.raises(UnknownAudience, match="nobody called 'ghost'"):
        made.receipt_for("ghost")
    with patch.object(Boundary, "seen_by"):
        assert made.receipt_for("ghost").audience == "ghost"


THE_AUTHORS = "context/window.py rulings self._boundary.ruling(name)"


def test_without_it_the_author_is_told_that_all_is_open():
    made = Moment().make()
    assert {each.boundary for each in made.rulings("fact:of-zuidx").values()} == {0.0}
    with patch.object(Boundary, "ruling", Everything.ruling):
        assert {each.boundary for each in made.rulings("fact:of-zuidx").values()} == {1.0}


WHY_NOT = "context/whereabouts.py _why boundary.ruling(unit.candidate.id)"


def test_without_it_the_author_is_told_that_there_was_no_room():
    """Of words that were whispered past Eve, and could not have stood there in any window."""
    made = Moment().make()

    def reasons() -> list[str]:
        return [each.reason for each in made.whereabouts("It is zuwhisperx") if each.shown is None]

    rule = made.rulings("atom:t1.1")["atom:t1.1"].rule
    assert reasons() == [f"withheld by the rule «{rule}»"]
    with patch.object(Boundary, "ruling", Everything.ruling):
        assert reasons() == [NO_ROOM]


MISSED = "context/tail.py _perceived boundary.witnessed(a)"


def test_without_it_the_author_is_not_told_what_somebody_missed():
    """What is not offered is not refused: the whisper is on the author's receipt by this alone."""

    def refused() -> set[str]:
        return {each.id for each in Moment().make().receipt.refused}

    offered, seen_once = tail._perceived, tail._seen_once

    def all_seen(line: Boundary) -> Iterator[list[tail.Unit]]:
        with patch.object(tail, "_seen_once", lambda _, turn: seen_once(line, turn)):
            yield from offered(wide(line))

    assert "atom:t1.1" in refused()
    with patch.object(tail, "_perceived", all_seen):
        assert "atom:t1.1" not in refused()


# Whoever is here has been met (Boundary.has_met), so that this call never says no: there is nothing
# to be shown without it, but that.
IMPLIED = "context/sources/recalled.py favoured boundary.open(f'cast:{who}')"


@pytest.mark.parametrize("moment", [Moment("eve"), Moment("cy"), Moment("narrator"), Ahead()])
def test_whoever_is_here_is_known_of(moment):
    line = moment.make()._boundary
    assert line.here
    assert all(line.open(f"cast:{who}") for who in line.here)


NAMING = (
    "staging/acquaintance.py _read audience.open(source, hint=True)",
    "play/acquainted.py acquaintance Boundary(world, (), present, audience=NARRATOR)",
)


@pytest.mark.parametrize("call", NAMING)
def test_without_it_a_name_nobody_heard_of_means_somebody(call):
    """The fact that names Greta is Mara's alone: so Ann's words cannot mean her."""
    fact = Fact(id="she-did", full="Greta did it.", suspected_by={"ann": "heard"})
    greta = Character(id="greta", name="Greta", line="Hides.", at="attic")
    story = structs.replace(parlour(), cast=(*parlour().cast, greta), facts=(fact,))

    def meant() -> str | None:
        keeper = engine(story)
        tell(keeper, "Mara sits by the fire.")
        acts = keeper.begin("I ask Mara about Greta.").present.decided
        return next(r.what.about for r in acts if isinstance(r, a.Atom))

    removal = patch.object(acquainted, "Boundary", Everything)
    if call == NAMING[0]:
        removal = patch.object(Boundary, "ruling", lambda *_: Ruling(1.0, "open"))
    assert meant() is None
    with removal:
        assert meant() == "greta"


# ── memories without a story ─────────────────────────────────────────────────────────────────


def open_to_all(store: Searched, _: Asked) -> View:
    return store.view(frozenset(store.tables.eyes.values()))


@pytest.fixture
def memory(tmp_path):
    with closing(Memory.open(tmp_path / "talk.db", embedder="none")) as opened:
        for i in range(30):
            opened.add(f"The ruby is fake, {i}.", speaker="Tom", audience={"tom"}, session="one")
            opened.add(f"It rains, {i}.", speaker="Tom", audience={"mara"}, session="one")
        yield opened


SEARCH, ASSEMBLY = "memory/search.py", "memory/assembly.py"
MEMORIES = {
    (f"{SEARCH} view_of store.tables.open_to(asked.audience, namespace=asked.namespace)",
     f"{SEARCH} search view_of(store, asked)"):
        (searching, lambda m: m.search("the ruby", audience="mara", k=50).text),
    (f"{SEARCH} project view_of(store, asked)",):
        (searching, lambda m: m.context("the ruby", audience="mara", tokens=900).text),
    (f"{ASSEMBLY} assembled view_of(store, asked)",):
        (assembly, lambda m: m.context("rain", audience="mara", tokens=900).text),
}  # fmt: skip


@pytest.mark.parametrize("calls", MEMORIES, ids=lambda calls: calls[0])
def test_without_it_a_memory_tells(memory, calls):
    module, ask = MEMORIES[calls]
    assert "ruby" not in ask(memory)
    with patch.object(module, "view_of", open_to_all):
        assert "ruby" in ask(memory)


# Which facts a declaration may name by handle: what else it names must stand in the prose
# (tests/unit/staging/test_cues.py, test_hostile.py).
OFFERED = "play/commit.py _offered Boundary(world, (), present, audience=NARRATOR)"
# What the narrator is asked is the same words in every story (tests/unit/play/test_narrator.py).
ASKED_TO_WRITE = "context/gathering.py _gather self._gated(asked(boundary))"
MISFITS = (
    "play/misfits.py _withheld"
    " Boundary(world, (), PresentTurn(turn.turn, turn.player, turn.text), audience=NARRATOR)"
)


def test_without_it_no_secret_is_missed_in_prose():
    hidden = Fact(id="ring", secret=True, full="Mara buried the silver ring under the flagstone.")
    keeper = engine(structs.replace(parlour(), facts=(hidden,)))
    tell(keeper, "It is evening.")
    turn = keeper.begin("I wait.")
    keeper.render(turn, "She buried a silver ring under that flagstone.")
    assert [each.about for each in keeper.misfits()] == ["ring"]
    with patch.object(misfits, "Boundary", Everything):
        assert keeper.misfits() == ()


COUNTED = f"{ASSEMBLY} _filled view_of(store, asked)"


def test_without_it_a_prompt_counts_what_is_hidden(memory):
    def places() -> list[int]:
        return [item.order for item in memory.context("x", audience="mara", tokens=900).recent]

    assert places()[-1] == 30
    with patch.object(assembly, "view_of", side_effect=[view_of_mara(memory), everybodys(memory)]):
        assert places()[-1] == 60


NOTED = "memory/opened.py embedder_notes view_of(opened.store, asked)"


def test_without_it_a_note_counts_what_is_hidden(memory):
    def notes() -> str:
        return " ".join(memory.search("x", audience="mara").notes)

    with patch.object(memory.store, "refused", lambda: range(60)):
        assert "30 items" in notes()
        with patch.object(memories, "view_of", open_to_all):
            assert "60 items" in notes()


# The classes that an audience may know, asked for where items are searched, listed and changed.
CLASSES = {
    "memory/search.py view_of store.tables.open_to(each, namespace=asked.namespace)":
        lambda memory: [hit.item.text for hit in memory.search("ruby", audience="mara", k=100)],
    "memory/reach.py _classes tables.open_to(audience, namespace=self.namespace)":
        lambda memory: [item.text for item in memory.list(audience="mara", limit=1_000)],
    "memory/reach.py own self.store.tables.open_to(audience, namespace=self.namespace, alone=True)":
        lambda memory: memory.reach().own("mara", None),
}  # fmt: skip


@pytest.mark.parametrize("call", CLASSES)
def test_without_it_the_items_of_others_are_open(memory, call):
    tables, ask = type(memory.store.tables), CLASSES[call]
    asked = tables.open_to
    mine = len(ask(memory))
    with patch.object(tables, "open_to", lambda self, *_, **__: asked(self, OWNER, namespace="")):
        assert len(ask(memory)) > mine


# What an actor on a field may be told is ruled on by one fog, wherever it is asked.
COUNT = counter(Encoding.O200K)
ON_A_FIELD = frozenset({
    "context/field/assembly.py _check rule_on(each.candidate, fog, derived)",
    "context/field/assembly.py _proposed gate((each.candidate for each in around), fog)",
    "context/field/assembly.py brief_of gate((each.candidate for each in proposals), fog)",
    "context/field/proposals.py you fog.ruling(f'rule:{each.id}')",
})  # fmt: skip


def test_without_it_the_hidden_part_of_a_field_shapes_a_brief():
    def differ(seed: int, who: str) -> bool:
        chance = Random(seed)
        world, card = world_of(chance), card_of(who, chance)
        other = flipped(world, card, chance)
        one, two = (brief_of(Fog(each, card, STABLE), count=COUNT) for each in (world, other))
        return one.brief.text != two.brief.text

    tries = [(seed, who) for seed in range(4) for who in ACTORS[:3]]
    assert not any(differ(*each) for each in tries)
    with patch.object(Fog, "ruling", lambda *_: Ruling(1.0, "")):
        assert any(differ(*each) for each in tries)


# A speaker is named only where the paragraph, as this audience has it, names them: so that this
# call never says no to anybody whom it shows. Without it too Eve, whom Ann never met, is nobody.
SPEAKERS = "context/pieces.py __missing__ self.boundary.open(f'cast:{who}')"


def test_a_speaker_whom_nobody_met_is_named_by_nothing():
    moment = Ahead(recalled=found(in_the_dark))
    for removed in (nullcontext, all_seeing(pieces, "Speakers")):
        with removed():
            text = moment.make().text.casefold()
        assert "“the tide comes at nine.”" in text
        assert "eve:" not in text


WHAT_IS_SO = frozenset({
    (
        "play/replies.py _boundary"
        " Boundary(world, (), PresentTurn(world.now, player, ''), audience=NARRATOR)"
    ),
    "play/replies.py _facts line.open(f'hint:{fact.id}', hint=True)",
})  # fmt: skip


def test_without_it_a_question_of_what_is_so_tells_a_secret():
    world, real = engine(example()).world(), replies._boundary

    def known() -> set[str]:
        return {said for who in world.plan.cast for said in replies._facts(world, EntityId(who))}

    before = known()
    with patch.object(replies, "_boundary", lambda world: wide(real(world))):
        assert len(known()) > len(before)


# Without it people show what only they know: tests/unit/play/test_signs.py.
SIGNS = "play/options.py of Boundary(unfolding.world, (), turn, audience=NARRATOR)"
SAID_LAST = "context/sources/revelation.py _was_said boundary.shared(last)"


@pytest.mark.parametrize("shared", [True, False])
def test_without_it_a_turn_that_another_played_is_said_to_have_told_it(shared):
    line = SimpleNamespace(recent=(SimpleNamespace(prose="The boat is gone."),),
                           shared=lambda _: shared)  # fmt: skip
    assert revelation._was_said(line, Fact(id="boat", full="The boat is gone.")) is shared


# A character acts on its own brief, made behind its own boundary.
OF_A_MIND = frozenset({
    "play/intents.py cases Boundary(world, (), present, audience=who)",
    "play/story_brief.py _held boundary.open(f'fact:{fact.id}')",
    "play/story_brief.py _held boundary.open(f'hint:{fact.id}', hint=True)",
    "play/story_brief.py _visible boundary.at_hand(EntityId(thing))",
})  # fmt: skip


def test_without_it_a_character_acts_on_what_it_does_not_know_or_see():
    kitchen = minds.kitchen()
    story = structs.replace(kitchen, things=(*kitchen.things, Thing("oar", "the oar", at="yard")))

    def brief() -> str:
        turn = Pending(TurnNo(1), EntityId("coyle"), "I open the lamp.")
        before = before_acting(minds.engine(story).world(), turn)
        return next(e.brief.text for e in intents.cases(before, turn) if e.who == "mara")

    sound = brief()
    assert minds.SECRET in sound
    assert minds.COAT not in sound
    with patch.object(Boundary, "open", lambda *_, **__: True):
        assert minds.COAT in brief()
    with patch.object(Boundary, "at_hand", lambda *_: True):
        assert brief() != sound
    with patch.object(intents, "Boundary", lambda *args, **_: Boundary(*args, audience="pell")):
        assert minds.COAT in brief()


def view_of_mara(memory: Memory) -> View:
    return searching.view_of(memory.store, Asked("mara"))


def everybodys(memory: Memory) -> View:
    return open_to_all(memory.store, Asked("mara"))


# ── all of them ──────────────────────────────────────────────────────────────────────────────

# What is asked of the boundary, or asks it. The boundary and the gate themselves, and benchmarks,
# which do without on purpose, are not looked at.
ASKED = frozenset({
    "gate", "_gated", "rule_on", "Boundary", "ruling", "witnessed", "is_unknown", "permitted",
    "open_to", "view_of", "told_of", "had_by", "remembers",
    "event_names", "hint_names",
})  # fmt: skip
OF_BOUNDARIES = {
    "open": {"audience", "boundary", "line", "self.boundary"}, "at_hand": {"boundary"},
    "seen_by": {"self._boundary"}, "perceived": {"minds"},
    "shared": {"boundary", "minds", "self", "self._line(NARRATOR)"},
}  # fmt: skip
THEMSELVES = ("context/boundary.py", "context/gate.py", "bench/")


def calls_in(path: Path) -> Iterator[str]:
    name = str(path.relative_to(SRC))

    def walk(node: ast.AST, inside: str) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            here = child.name if isinstance(child, ast.FunctionDef) else inside
            if isinstance(child, ast.Call) and asks(child.func):
                yield f"{name} {here} {ast.unparse(child)}"
            yield from walk(child, here)

    yield from walk(ast.parse(path.read_text("utf-8")), "")


def asks(func: ast.expr) -> bool:
    if isinstance(func, ast.Name):
        return func.id in ASKED
    if not isinstance(func, ast.Attribute):
        return False
    return func.attr in ASKED or ast.unparse(func.value) in OF_BOUNDARIES.get(func.attr, ())


def test_every_call_of_the_boundary_is_listed_here():
    found = {
        call
        for path in SRC.rglob("*.py")
        if not str(path.relative_to(SRC)).startswith(THEMSELVES)
        for call in calls_in(path)
    }
    listed = {call for place in (*WINDOWS, *RECALLS) for call in place.calls}
    listed |= {call for calls in MEMORIES for call in calls} | {
        ASKED_TO_WRITE,
        COUNTED,
        MISFITS,
        OFFERED,
        NOTED,
        A_READER,
        THE_AUTHORS,
        WHY_NOT,
        MISSED,
        IMPLIED,
        SPEAKERS,
        SIGNS,
        SAID_LAST,
        *WHAT_IS_SO,
        *NAMING,
        *CLASSES,
        *ON_A_FIELD,
        *OF_A_MIND,
    }
    assert found == listed, "a call of the boundary without a test of what happens without it"
