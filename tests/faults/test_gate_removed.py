"""The boundary taken away, one place at a time: each time something gets out, or gets lost.

Every call of the gate and of an audience filter in the product is listed here or in
strategies.guarded, and for each there is a removal that does without it. With it what somebody gets
is sound; without it, it is not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import structs

import storykeeper
from storykeeper import Memory
from storykeeper.bench.leaks.usual import Everything
from storykeeper.context.history import PastTurn
from storykeeper.events import atoms as a
from storykeeper.memory import assembly
from storykeeper.memory import memory as memories
from storykeeper.memory import search as searching
from storykeeper.memory.items import Item
from storykeeper.memory.search import Asked
from storykeeper.memory.searched import Searched
from storykeeper.memory.view import View
from storykeeper.play import recalling, remembering
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId
from strategies.guarded import PLACES, Place, Removal, atom, past, who
from strategies.parlour import engine, tell

SRC = Path(storykeeper.__file__).parent


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.calls[0])
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


def everything(items: Iterable[Item], audience: str, *, first: int = 1) -> Iterator[Item]:
    for order, item in enumerate(items, start=first):
        yield replace(item, order=order, audience=frozenset({audience}))


NOT_PERMITTED: Removal = lambda: patch.object(  # noqa: E731
    recalling, "permitted", lambda hits, *_, **__: tuple(hits)
)
NOT_OPEN_TO: Removal = lambda: patch.object(recalling, "open_to", everything)  # noqa: E731
PERCEIVED: Removal = lambda: patch.object(  # noqa: E731
    remembering.Minds, "perceived", lambda minds, _: frozenset(minds.world.plan.cast)
)
TOLD_OF: Removal = lambda: patch.object(  # noqa: E731
    remembering.Minds, "told_of", lambda *_: True
)
RECALLING, REMEMBERING = "play/recalling.py", "play/remembering.py"
RECALLED = (
    f"{RECALLING} recall permitted(found.hits, turns, world, present, audience=query.audience)"
)
LINES = (
    f"{RECALLING} permitted Boundary(world, told[start:start + REACH_TURNS], present,"
    " audience=audience)"
)


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
    Recall((f"{RECALLING} _held open_to(new, audience, first=mind.held.rows + 1)",), NOT_OPEN_TO,
           recalled, both=(NOT_PERMITTED,)),
    Recall((LINES, f"{RECALLING} permitted line.open(source)"),
           lambda: patch.object(recalling, "Boundary", Everything), recalled, both=(NOT_OPEN_TO,)),
    Recall((f"{REMEMBERING} _events minds.perceived(atom)",), PERCEIVED, remembered),
    Recall((f"{REMEMBERING} __init__ Boundary(world, (), present, audience=who)",
            f"{REMEMBERING} perceived self._lines[who].witnessed(atom)"),
           lambda: patch.object(remembering, "Boundary", Everything), remembered),
    Recall((f"{REMEMBERING} _whole minds.told_of(atom)",
            f"{REMEMBERING} told_of self._lines[NARRATOR].witnessed(atom)"), TOLD_OF, remembered,
           NARRATOR, "'cup'"),
)  # fmt: skip


@pytest.mark.parametrize("place", RECALLS, ids=lambda place: place.calls[0])
def test_without_it_too_much_is_recalled(place: Recall):
    assert place.is_sound()
    assert not place.is_sound(place.without)


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


COUNTED = f"{ASSEMBLY} _filled view_of(store, asked)"


def test_without_it_a_prompt_counts_what_is_hidden(memory):
    def places() -> list[int]:
        return [item.order for item in memory.context("x", audience="mara", tokens=900).recent]

    assert places()[-1] == 30
    with patch.object(assembly, "view_of", side_effect=[view_of_mara(memory), everybodys(memory)]):
        assert places()[-1] == 60


NOTED = "memory/memory.py _notes view_of(self.store, asked)"


def test_without_it_a_note_counts_what_is_hidden(memory):
    def notes() -> str:
        return " ".join(memory.search("x", audience="mara").notes)

    with patch.object(memory.store, "refused", lambda: range(60)):
        assert "30 items" in notes()
        with patch.object(memories, "view_of", open_to_all):
            assert "60 items" in notes()


def view_of_mara(memory: Memory) -> View:
    return searching.view_of(memory.store, Asked("mara"))


def everybodys(memory: Memory) -> View:
    return open_to_all(memory.store, Asked("mara"))


# ── all of them ──────────────────────────────────────────────────────────────────────────────

# What is asked of the boundary, or asks it. The boundary and the gate themselves, and benchmarks,
# which do without on purpose, are not looked at.
ASKED = frozenset({
    "gate", "_gated", "rule_on", "Boundary", "ruling", "witnessed", "is_unknown", "permitted",
    "open_to", "view_of", "told_of", "event_names",
})  # fmt: skip
OF_BOUNDARIES = {"open": {"boundary", "line"}, "seen_by": {"self._boundary"},
                 "perceived": {"minds"}}  # fmt: skip
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
    listed = {call for place in (*PLACES, *RECALLS) for call in place.calls}
    listed |= {call for calls in MEMORIES for call in calls} | {COUNTED, NOTED}
    assert found == listed, "a call of the boundary without a test of what happens without it"
