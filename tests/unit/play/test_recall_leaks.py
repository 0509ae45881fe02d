"""What somebody could not perceive is not recalled by them, and shapes nothing that is.

Two runs that differ only in what is hidden from somebody give them the same results to the last
byte: items, order, scores, and what the scores are made of.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.events import atoms as a
from storykeeper.memory.found import Hit
from storykeeper.memory.held import Held
from storykeeper.memory.items import Item
from storykeeper.memory.search import Asked, search
from storykeeper.play.recalling import permitted
from storykeeper.play.remembering import Minds, items_of, open_to
from strategies.parlour import engine, tell
from strategies.runs import go, kept
from strategies.worlds import atom, begun

EVERYBODY = ("narrator", "ann", "mara", "tom", "eve")
ASKED = "the ruby, the cup, the rain and what Tom said"


def played(*turns: tuple[str | None, str]):
    keeper = engine()
    for line, prose in (*turns, ("I look at the cup", "The rain stops. “Well,” says Mara.")):
        tell(keeper, prose, line)
    keeper.end_scene()
    return keeper


START = (None, "A cup stands on the table. “It rains,” says Tom.")


def texts(keeper, who: str) -> str:
    every = (ASKED, "ruby", "What happened in turn 1?", "What happened in the first scene?")
    return " ".join(hit.text for query in every for hit in keeper.recall(query, who, k=100))


@pytest.mark.parametrize(
    ("line", "prose", "knowing"),
    [
        ('I whisper to Tom: "the ruby is fake"', "He nods.", {"narrator", "ann", "tom"}),
        ("I wait.", "Tom whispers to you, “The ruby is fake.”", {"narrator", "ann", "tom"}),
        ("I wait.", "Mara is asleep. She snores. “I have the ruby,” says Tom.",
         {"narrator", "ann", "tom"}),
        ("I wait.", "In the garden, alone, Eve says to herself, “The ruby is mine.”",
         {"narrator", "ann", "eve"}),  # it is told to the player
        ("I suspect that Tom has the ruby", "Rain falls.", {"narrator", "ann"}),
        ('I say: "the ruby is fake"', "Nobody answers.", {"narrator", "ann", "mara", "tom"}),
    ],
)  # fmt: skip
def test_a_secret_is_recalled_by_those_who_perceived_it(line, prose, knowing):
    keeper = played(START, (line, prose))
    recalling = {who for who in EVERYBODY if "ruby" in texts(keeper, who)}
    assert recalling <= knowing
    assert recalling >= knowing - {"ann", "eve"}  # a thought is no event


@pytest.mark.parametrize(
    ("one", "other", "blind"),
    [
        (('I whisper to Tom: "the ruby is fake"', "He nods."),
         ('I whisper to Tom: "the rain, the cup, Tom said"', "He nods."), {"mara", "eve"}),
        (("I wait.", "Tom whispers to you, “The ruby is fake.”"),
         ("I wait.", "Tom whispers to you, “The rain is fake.”"), {"mara", "eve"}),
        (("I wait.", "In the garden, alone, Eve says to herself, “The ruby is mine.”"),
         ("I wait.", "In the garden, alone, Eve says to herself, “Tom said it rains.”"),
         {"mara", "tom"}),
        (("I wait.", "Mara is asleep. She snores. “I have the ruby,” says Tom."),
         ("I wait.", "Mara is asleep. She snores. “I have the cup,” says Tom."), {"mara", "eve"}),
    ],
)  # fmt: skip
def test_what_is_hidden_shapes_nothing(one, other, blind):
    two = [played(START, START, turn) for turn in (one, other)]
    for who in sorted(blind):
        for query in (ASKED, "What did Tom say about the cup?", "What happened in turn 2?"):
            first, second = (repr(keeper.recall(query, who, k=50)) for keeper in two)
            assert first == second, who
    assert repr(two[0].recall(ASKED)) != repr(two[1].recall(ASKED))


def test_a_retracted_turn_is_recalled_by_nobody():
    keeper = played(START, ('I say: "the ruby is fake"', "“A ruby!” says Tom."), START)
    assert all("ruby" in texts(keeper, who) for who in ("narrator", "ann", "mara", "tom"))
    keeper.retract(1)
    assert not [who for who in EVERYBODY if "ruby" in texts(keeper, who)]


def test_another_branch_is_not_recalled(tmp_path):
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        go(keeper, "I go on to Harrow.", "I wait.")
        keeper.fork(at=1, name="other")
        go(keeper, 'I say: "the ruby is fake"', "I wait.")
        assert keeper.recall("ruby")[0].item.id == "turn:3"
        with kept(f"{path}@other") as other:
            go(other, 'I say: "the opal is fake"', "I wait.")
            for who in ("narrator", "coyle", "mara"):
                assert "opal" in other.recall("ruby opal", who).text
                assert "ruby" not in other.recall("ruby opal", who).text
        assert "opal" not in keeper.recall("ruby opal").text


def test_a_swiped_or_rejected_rendering_is_not_recalled():
    keeper = engine()
    turn = tell(keeper, "A ruby gleams.")
    keeper.render(turn, "A cup gleams.")
    keeper.render(keeper.begin("I wait."), "A ruby rolls.")
    keeper.reject()
    keeper.begin("I look at the cup")
    assert keeper.recall("gleams").hits
    assert "ruby" not in texts(keeper, "narrator")


# ── the gate ─────────────────────────────────────────────────────────────────────────────────


def found(*sources: str, turn: int = 1) -> Hit:
    return Hit(Item("planted", "A ruby.", 1, turn=turn, sources=sources), 1.0, None)


def test_what_gets_past_the_index_does_not_get_past_the_boundary():
    world = begun()
    low = atom(a.SpeechUttered("ruby", True), actor="ann", target="bob", witness="eve")
    turns = [PastTurn(1, "hall-scene", "ann", "words", "prose", (low,))]
    present = PresentTurn(2, "ann", "")

    def lets(hit: Hit, who: str) -> bool:
        return permitted([hit], turns, world, present, audience=who) == (hit,)

    assert [w for w in ("narrator", "ann", "bob", "eve", "fox") if lets(found("atom:t1.1"), w)] == [
        "narrator", "ann", "bob"
    ]  # fmt: skip
    assert [w for w in ("narrator", "ann", "bob") if lets(found("turn:1"), w)] == ["narrator"]
    for closed in ((), ("turn:9",), ("atom:t9.1",), ("note:1",), ("turn:1", "atom:t9.9")):
        assert not lets(found(*closed), "narrator")
    assert not lets(found("turn:1", turn=7), "narrator")  # of a turn that is not the one it says


# ── flipping what is hidden, at random ───────────────────────────────────────────────────────

PEOPLE = ("ann", "bob", "eve")
WORDS = st.lists(
    st.sampled_from(["ruby", "cup", "rain", "tower", "said", "lost", "灯", "red"]),
    min_size=1, max_size=5,
).map(" ".join)  # fmt: skip
SOURCES = st.sampled_from(a.Source)
PART = st.tuples(st.sampled_from(["actor", "target", "witness", "subject"]),
                 st.sampled_from([*PEOPLE, "key", "stranger"]))  # fmt: skip


@st.composite
def events(draw: st.DrawFn, turn: int, number: int) -> a.Atom:
    what = draw(
        st.one_of(
            st.builds(a.SpeechUttered, WORDS, st.booleans()),
            st.builds(a.ActionTaken, st.sampled_from(["look", "take"])),
            st.builds(a.StateAsserted, WORDS),
        )
    )
    roles: dict[str, list[str]] = {}
    for role, who in draw(st.lists(PART, max_size=4)):
        roles.setdefault(role, []).append(who)
    return atom(what, turn=turn, number=number, source=draw(SOURCES), **roles)


@st.composite
def pasts(draw: st.DrawFn) -> list[PastTurn]:
    made = []
    for turn in range(draw(st.integers(1, 6))):
        some = [draw(events(turn, n)) for n in range(draw(st.integers(0, 3)))]
        scene = draw(st.sampled_from(["hall-scene", "attic-scene"]))
        made.append(PastTurn(turn, scene, "ann", draw(WORDS), draw(WORDS), tuple(some)))
    return made


def hidden(minds: Minds, atom_: a.Atom, who: str) -> bool:
    """Worked out here a second time, from the atom alone."""
    if who == "narrator":
        read = atom_.source in (a.Source.PLAYER, a.Source.NARRATOR)
        return not read and hidden(minds, atom_, "ann")
    whispered = isinstance(atom_.what, a.SpeechUttered) and atom_.what.whispered
    seeing = {a.Role.ACTOR, a.Role.TARGET} | (set() if whispered else {a.Role.WITNESS})
    return not any(p.role in seeing and p.entity.entity == who for p in atom_.participants)


@st.composite
def flipped(draw: st.DrawFn, minds: Minds, turns: list[PastTurn], who: str) -> list[PastTurn]:
    """The same past with whatever is hidden from somebody changed, taken away, or more of it."""
    made = []
    for turn in turns:
        kept_: list[a.Atom] = []
        for each in turn.atoms:
            if not hidden(minds, each, who):
                kept_.append(each)
        for number in range(draw(st.integers(0, 2))):
            new = draw(events(turn.turn, 50 + number))
            if hidden(minds, new, who):
                kept_.insert(draw(st.integers(0, len(kept_))), new)
        words = {} if who == "narrator" else {"text": draw(WORDS), "prose": draw(WORDS)}
        made.append(replace(turn, atoms=tuple(kept_), **words))
    return made


def answers(minds: Minds, turns: list[PastTurn], who: str, queries: list[str]) -> str:
    held = Held()
    held.add(open_to(items_of(minds, turns), who))
    asked = Asked(who, session="hall-scene", turn=7)
    return repr([search(held, query, asked, most=50) for query in queries])


@given(st.data())
def test_flipping_what_is_hidden_changes_no_byte(data):
    minds = Minds(begun())
    turns = data.draw(pasts())
    who = data.draw(st.sampled_from(["narrator", *PEOPLE]))
    queries = [data.draw(WORDS), "What did Ann say about the ruby?", "What happened in turn 1?"]
    other = data.draw(flipped(minds, turns, who))
    assert answers(minds, turns, who, queries) == answers(minds, other, who, queries)
    mine = list(open_to(items_of(minds, turns), who))
    seen = {each.id for turn in turns for each in turn.atoms if not hidden(minds, each, who)}
    if who != "narrator":
        assert {item.id.removeprefix("atom:") for item in mine} <= seen
