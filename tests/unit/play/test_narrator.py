"""A turn told by a model: shown as it comes, kept whole or not at all, and checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from msgspec import structs

from storykeeper.errors import ModelUnavailable, StreamCut
from storykeeper.models.port import Usage
from storykeeper.play.misfits import Fault
from storykeeper.play.narrator import MOST_CHARS, Narrator
from storykeeper.story.knowledge import Fact
from storykeeper.story.preamble import ASK, ASK_STAGE
from strategies.parlour import engine, parlour, tell

BLOCK = '\n\n```stage\n{"moves": [{"who": ["mara"], "kind": "departs", "to": "garden"}]}\n```'
SECRET = Fact(
    id="ring", secret=True, known_by={"mara": "lived"}, hint="Mara looks at the stove.",
    full="Mara buried the silver ring under the flagstone behind the stove.",
)  # fmt: skip


@dataclass
class Answer:
    parts: list[str]
    broken: bool = False
    finish: str = ""
    usage: Usage | None = None

    def __iter__(self) -> Iterator[str]:
        yield from self.parts
        if self.broken:
            raise StreamCut("cut; /retry")
        self.finish, self.usage = "stop", Usage(9, 2)


@dataclass
class Model:
    """Answers as it is told to, and keeps what it was asked."""

    answers: list[Answer]
    asked: list[dict] = field(default_factory=list)

    def stream(self, messages, **how):
        self.asked.append({"messages": list(messages), **how})
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


def narrated(keeper, *answers: Answer, line: str = "I wait.", **how):
    model, shown = Model(list(answers)), []
    turn = keeper.begin(line)
    told = keeper.narrate(turn, Narrator(model, name="tiny", **how), show=shown.append)
    return told, shown, model


@pytest.fixture
def keeper():
    made = engine(structs.replace(parlour(), facts=(SECRET,)))
    made.inline = True
    tell(made, "It is evening.")
    return made


def test_a_turn_is_told_and_its_block_is_not_shown(keeper):
    told, shown, model = narrated(keeper, Answer(["Mara ", "goes out.", *BLOCK]))
    assert "".join(shown) == told.prose == "Mara goes out."
    assert shown[0] == "Mara"  # at once
    pending = keeper.world().pending
    assert (pending.prose, pending.take) == ("Mara goes out.", 1)
    assert pending.stage.moves[0].who == ("mara",)
    assert pending.stage.inline
    assert (told.finish, told.usage, told.dropped) == ("stop", Usage(9, 2), ())
    assert keeper.takes()[0].narrator == "tiny"
    (asked,) = model.asked
    assert asked["messages"] == keeper.turn().window.messages
    keeper.begin("I wait.")
    assert keeper.world().places["mara"] == "garden"


def test_the_window_ends_with_what_is_asked(keeper):
    window = keeper.begin("I look round.").window
    assert window.messages[-1]["content"].endswith(f"# Write\n{ASK} {ASK_STAGE}")
    assert window.receipt.shown[-1].id == "hard:ask"
    assert window.receipt.shown[-1].tokens > 20
    assert ASK not in keeper.window("mara").text
    keeper.inline = False
    assert keeper.window().text.endswith(ASK)
    parts = "".join(p["text"] for m in window.cached_messages for p in m["content"])
    assert parts == window.text


def test_a_stream_that_breaks_leaves_a_turn_that_can_be_told(keeper):
    before = keeper.world()
    for parts in (["Mara ", "goes"], ["Mara goes out.", *BLOCK[:-9]], []):
        with pytest.raises(StreamCut):
            narrated(keeper, Answer(parts, broken=True))
        pending = keeper.world().pending
        assert (pending.take, pending.prose, pending.stage) == (0, "", None)
        assert keeper.world().places == before.places
    told, _, _ = narrated(keeper, Answer(["Mara stays."]))
    assert keeper.world().pending.prose == told.prose == "Mara stays."


def test_no_prose_is_no_telling(keeper):
    for parts in ([], ["  \n"], [BLOCK]):
        with pytest.raises(ModelUnavailable, match="wrote no prose"):
            narrated(keeper, Answer(parts))
        assert keeper.world().pending.take == 0


def test_an_answer_that_does_not_end_is_cut(keeper):
    told, shown, _ = narrated(keeper, Answer(["It rains. "] * 50_000), limit_tokens=10)
    assert told.finish == "length"
    assert told.prose == ("It rains. " * MOST_CHARS).strip() == "".join(shown)


def test_takes_can_be_gone_back_to(keeper):
    narrated(keeper, Answer(["Mara goes out.", BLOCK]))
    model = Model([Answer(["Mara hums."])])
    keeper.narrate(keeper.turn(), Narrator(model), show=str)
    assert [take.prose for take in keeper.takes()] == ["Mara goes out.", "Mara hums."]
    first = keeper.takes()[0]
    keeper.render(keeper.turn(), first.prose, narrator=first.narrator, stage=first.stage)
    pending = keeper.world().pending
    assert (pending.prose, pending.stage) == (first.prose, first.stage)
    assert pending.stage.inline  # no more is vouched for than before
    keeper.begin("I wait.")
    assert keeper.takes() == ()
    assert keeper.world().places["mara"] == "garden"


def test_how_it_is_asked(keeper):
    _, _, model = narrated(
        keeper, Answer(["One."]), seed=7, limit_tokens=90, temperature=0.1, cached=True
    )
    keeper.narrate(keeper.turn(), Narrator(model, seed=7), show=str)
    first, second = model.asked
    assert (first["seed"], first["limit_tokens"], first["temperature"]) == (7, 90, 0.1)
    assert first["messages"] == keeper.turn().window.cached_messages
    assert second["seed"] == 8  # another take is told otherwise


# ── what does not fit ────────────────────────────────────────────────────────────────────────


def test_a_withheld_fact_in_the_prose_is_noticed(keeper):
    hidden = "She once buried a silver ring under that flagstone, behind the stove."
    narrated(keeper, Answer([f"Tom yawns. {hidden} Rain."]))
    (misfit,) = keeper.misfits()
    assert (misfit.fault, misfit.about) == (Fault.WITHHELD, "ring")
    assert "silver ring" in misfit.words
    keeper.narrate(keeper.turn(), Narrator(Model([Answer(["Mara looks at the stove."])])), show=str)
    assert keeper.misfits() == ()


def test_a_fact_that_was_given_may_be_told(keeper):
    known = structs.replace(SECRET, known_by={"mara": "lived", "ann": "lived"})
    made = engine(structs.replace(parlour(), facts=(known,)))
    tell(made, "It is evening.")
    narrated(made, Answer(["She buried a silver ring under that flagstone behind the stove."]))
    assert made.misfits() == ()


@pytest.mark.parametrize(
    ("prose", "found"),
    [("“Roses,” says Eve.", ["eve"]), ("“Roses,” says Mara.", []),
     ("Eve comes in from the garden. “Roses,” says Eve.", [])],
)  # fmt: skip
def test_who_speaks_and_is_elsewhere_is_noticed(keeper, prose, found):
    narrated(keeper, Answer([prose]))
    assert [m.about for m in keeper.misfits() if m.fault is Fault.ELSEWHERE] == found


def test_a_short_fact_is_told_by_most_of_its_words():
    short = Fact(id="child", secret=True, known_by={"mara": "lived"}, hint="She looks away.",
                 full="The child carried off the ice was Mara.")  # fmt: skip
    made = engine(structs.replace(parlour(), facts=(short,)))
    tell(made, "It is evening.")
    narrated(made, Answer(["“I am the child that was carried over the ice,” says Mara."]))
    assert [m.about for m in made.misfits()] == ["child"]
    made.narrate(made.turn(), Narrator(Model([Answer(["A child skates on the ice."])])), show=str)
    assert made.misfits() == ()


@pytest.mark.parametrize(
    "prose", ["You think of Eve in the garden. “Roses,” she said.", "“Roses,” says Eve."]
)
def test_who_is_told_of_elsewhere_may_be_quoted(keeper, prose):
    narrated(keeper, Answer([prose]))
    assert bool(keeper.misfits()) is ("garden" not in prose)


def test_a_voice_from_where_the_narrator_says_she_is(keeper):
    narrated(keeper, Answer(["“Roses,” says Eve.", '\n```stage\n{"at": {"Eve": "garden"}}\n```']))
    assert keeper.misfits() == ()


def test_looking_for_misfits_changes_nothing(keeper):
    narrated(keeper, Answer(["“Roses,” says Eve."]))
    version, world = keeper.ledger.head(keeper.run), keeper.world()
    keeper.misfits()
    assert keeper.ledger.head(keeper.run) == version
    assert keeper.world() == world
