"""Turns with a declaration, through the engine: who lived through what, and what is on record."""

import json

import pytest
from msgspec import structs
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli.main import app
from storykeeper.cli.play import Game
from storykeeper.errors import UnknownAudience, UnknownPerson
from storykeeper.events.turns import Rendered, StageCorrected
from strategies.wherry import CAST, READER, begun, play, wherry

LEAVES = "Renna takes her coat. Her door clicks shut overhead. "
LOW = "“There was no robbery,” says Dov."
UP = {"who": ["renna"], "kind": "departs", "to": "attic", "words": "her door clicks shut"}


@pytest.fixture
def keeper(tmp_path):
    with opened(tmp_path) as keeper:
        yield keeper


def opened(folder, **options):
    keeper = Storykeeper.open(folder / "run.db", story=wherry(), reader=READER, **options)
    if not keeper.history() and keeper.world().pending is None:
        keeper.render(keeper.opening(), "It is late.")
    return keeper


def lived(keeper, who):
    """What somebody could tell of what happened."""
    return keeper.brief(who, "a knock").text


def seen(keeper):
    """All that anybody gets to see, and where everybody is."""
    world = keeper.world()
    windows = [keeper.window(who, text="I wait.").text for who in ("narrator", *CAST)]
    return windows, [lived(keeper, who) for who in CAST], dict(world.places), dict(world.holders)


# ── coming and going ─────────────────────────────────────────────────────────────────────────


def test_who_left_has_their_going_and_nothing_after_it(keeper):
    assert play(keeper, LEAVES + LOW, {"moves": [UP]}) == ()
    assert "Her door clicks shut overhead." in lived(keeper, "renna")
    assert "robbery" not in lived(keeper, "renna")
    for who in ("dov", "ilse"):
        assert "Her door clicks shut" in lived(keeper, who)
        assert "robbery" in lived(keeper, who)
    assert keeper.world().places["renna"] == "attic"


def test_without_the_declaration_the_same_prose_is_heard_by_all(keeper):
    """What the test above rests on: it is the declaration that closes."""
    play(keeper, LEAVES + LOW, {})
    assert "robbery" in lived(keeper, "renna")


def test_who_comes_in_has_what_follows(keeper):
    prose = f"{LOW} Hagen stamps in. “It rains,” says Dov."
    play(keeper, prose, {"moves": [{"who": "hagen", "kind": "arrives", "words": "Hagen stamps"}]})
    assert "robbery" not in lived(keeper, "hagen")
    assert "Hagen stamps in." in lived(keeper, "hagen")
    assert "It rains" in lived(keeper, "hagen")


def test_whom_the_prose_brings_in_is_declared_by_name(keeper):
    row = {"who": ["Hagen"], "kind": "arrives", "words": "Hagen stamps in"}
    assert play(keeper, "Hagen stamps in. “It rains,” says Dov.", {"moves": [row]}) == ()
    assert "It rains" in lived(keeper, "hagen")


def test_whom_nothing_has_named_is_nobody(keeper):
    assert play(keeper, "A man stamps in.", {"moves": [UP | {"who": ["Petra"]}]})[0] == (
        "moves 1: 'her door clicks shut' does not stand in the prose"
    )
    row = {"who": ["Petra"], "kind": "arrives", "words": "A man stamps in"}
    assert play(keeper, "A man stamps in.", {"moves": [row]}) == (
        "moves 1: 'Petra' is no person of this story",
        "moves 1: nobody does it",
    )


READS = {"who": ["renna"], "kind": "reads", "words": "Renna unfolds the note"}
NOTE = "Renna unfolds the note.\n\n“Burn the ledger.”"


def test_what_is_read_has_only_who_reads_it(keeper):
    play(keeper, NOTE, {"moves": [READS]})
    assert "ledger" in lived(keeper, "renna")
    assert "ledger" not in lived(keeper, "dov")


@pytest.mark.parametrize(
    "said",
    [
        "“We ought to go,” he says.",  # somebody says it, whoever they are
        "The fire sinks.\n\nThe rain has stopped.\n\n“We ought to go.”",  # and this is no letter
    ],
)
def test_what_is_said_after_somebody_read_all_hear(keeper, said):
    play(keeper, f"{NOTE}\n\n{said}", {"moves": [READS]})
    for who in ("dov", "renna", "ilse"):
        assert "We ought to go" in lived(keeper, who)


def test_who_sleeps_has_nothing_until_they_wake(keeper):
    prose = f"Renna nods off. {LOW} Renna blinks awake. “It rains,” says Dov."
    stage = {
        "moves": [
            {"who": ["renna"], "kind": "sleeps", "words": "nods off"},
            {"who": ["renna"], "kind": "wakes", "words": "blinks awake"},
        ]
    }
    play(keeper, prose, stage)
    assert "robbery" not in lived(keeper, "renna")
    assert "It rains" in lived(keeper, "renna")


def test_what_holds_from_the_end_holds_in_the_next_turn(keeper):
    play(keeper, "“It rains,” says Dov.", {"at": {"renna": "away"}})
    play(keeper, LOW, {})
    assert "It rains" in lived(keeper, "renna")
    assert "robbery" not in lived(keeper, "renna")


def test_a_call_carries_words_until_it_is_over(keeper):
    prose = (
        "You ring Hagen. “The boat is ready,” you say, and hang up. “And nobody knows,” you say."
    )
    stage = {
        "moves": [
            {"who": "you", "kind": "call-opens", "with": "hagen", "words": "You ring Hagen"},
            {"who": "you", "kind": "call-closes", "with": "hagen", "words": "and hang up"},
        ]
    }
    play(keeper, prose, stage)
    assert "The boat is ready" in lived(keeper, "hagen")
    assert "nobody knows" not in lived(keeper, "hagen")


def test_what_was_just_told_counts_where_somebody_looks(keeper):
    keeper.render(keeper.begin("I wait."), LEAVES + LOW, stage={"moves": [UP]})
    assert [each.who for each in keeper.presence("ilse", shown=True)] == ["dov"]
    assert keeper.world(shown=True).places["renna"] == "attic"
    assert keeper.world().places["renna"] == "parlour"  # and is not fact
    keeper.render(keeper.turn(), "Rain.", stage={})
    assert [each.who for each in keeper.presence("ilse", shown=True)] == ["dov", "renna"]


def test_who_heard_it_and_by_what_they_were_there(keeper):
    play(keeper, LEAVES + LOW, {"moves": [UP]})
    (piece,) = keeper.heard(1, "no robbery")
    assert (piece.perceived_by, piece.kept_from) == (("ilse", "dov"), ())
    (dov,) = (each for each in piece.evidence if each.who == "dov")
    assert (dov.turn, dov.words, dov.says) == (None, "", "")  # the author put them there
    down = {"who": ["renna"], "kind": "arrives", "to": "parlour", "words": "Renna comes down"}
    play(keeper, "Renna comes down. “Rain,” says Renna.", {"moves": [down]})
    (piece,) = keeper.heard(2, "Rain")
    (renna,) = (each for each in piece.evidence if each.who == "renna")
    assert (renna.turn, renna.words, renna.says) == (2, "Renna comes down", "narrator")


# ── for some alone ───────────────────────────────────────────────────────────────────────────


def test_an_aside_is_for_those_it_is_for(keeper):
    play(keeper, LOW, {"asides": [{"by": "dov", "to": ["you"], "words": "There was no robbery"}]})
    assert "robbery" not in lived(keeper, "renna")
    assert all("robbery" in lived(keeper, who) for who in ("dov", "ilse"))


def test_who_sleeps_hears_no_aside_that_is_for_them(keeper):
    play(
        keeper, "Renna sleeps.", {"moves": [{"who": "renna", "kind": "sleeps", "words": "sleeps"}]}
    )
    play(keeper, LOW, {"asides": [{"by": "dov", "to": ["renna"], "words": "no robbery"}]})
    assert "robbery" not in lived(keeper, "renna")


def test_of_a_lie_the_one_lied_to_has_the_words(keeper):
    play(keeper, "“I never saw it,” Dov lies to Renna, thinking of Osk.", {})
    assert "Dov: “I never saw it" in lived(keeper, "renna")
    assert "lies" not in lived(keeper, "renna")
    assert "Osk" not in lived(keeper, "renna")
    assert "Dov lies to Renna" in lived(keeper, "dov")


def test_a_thought_is_in_no_other_brief(keeper):
    play(keeper, "You wonder whether to poison the soup tonight. Dov hums.", {})
    assert "poison" in lived(keeper, "ilse")
    assert not [who for who in CAST if who != "ilse" and "poison" in lived(keeper, who)]


def test_a_name_nobody_told_is_somebody_and_one_spoken_aloud_is_a_name(keeper):
    play(keeper, "A woman like Petra waves from a boat.", {})
    assert "A woman like somebody waves from a boat." in lived(keeper, "renna")
    play(keeper, "“Petra is late,” says Dov.", {})
    assert "Dov: “Petra is late" in lived(keeper, "renna")


def test_our_own_line_says_who_you_is(keeper):
    play(keeper, "Dov hands you the lamp.", {})
    assert "“you” is Ilse" in lived(keeper, "renna")
    assert "Dov hands you the lamp." in lived(keeper, "renna")
    assert "“you” is" not in lived(keeper, "ilse")


# ── what is learned and held ─────────────────────────────────────────────────────────────────

FERRY = (
    "“On Thursday, as ever, and so will the ferry,” says Dov."  # in other words than the author's
)
TOLD = {"fact": "ferry", "by": "dov", "to": ["you"], "words": "On Thursday, as ever"}


def test_a_fact_that_is_told_is_known_with_who_told_it(keeper):
    play(keeper, FERRY, {"told": [TOLD]})
    assert keeper.knows("ilse")["ferry"].how == "told by dov"
    assert "ferry" not in keeper.knows("renna")
    assert "(told by Dov): The ferry comes on Thursday." in lived(keeper, "ilse")


def test_who_did_not_hear_it_does_not_learn_it(keeper):
    row = TOLD | {"to": ["renna", "hagen", "you"]}
    play(keeper, LEAVES + FERRY, {"moves": [UP], "told": [row]})
    assert "ferry" in keeper.knows("ilse")
    assert "ferry" not in keeper.knows("renna")
    assert "ferry" not in keeper.knows("hagen")


def test_without_names_all_who_heard_it_learn_it(keeper):
    row = {"fact": "ferry", "by": "dov", "words": "On Thursday, as ever"}
    play(keeper, LEAVES + FERRY, {"moves": [UP], "told": [row]})
    assert [who for who in CAST if "ferry" in keeper.knows(who)] == ["ilse", "dov"]


def test_a_secret_stays_one_if_the_words_do_not_tell_it(keeper):
    row = {"fact": "pawned", "by": "dov", "to": ["you"], "words": "no robbery"}
    assert play(keeper, LOW, {"told": [row]}) == ("told 1: the words do not tell it",)
    assert "pawned" not in keeper.knows("ilse")
    assert "chandler" not in keeper.window(text="I ask Dov about it.").text


def test_who_holds_what(keeper):
    play(keeper, "The lamp goes from hand to hand.", {"holds": {"the lamp": "Renna"}})
    assert keeper.world().holders["lamp"] == "renna"
    given = {"who": ["renna"], "kind": "gives", "what": "lamp", "to": ["dov"], "words": "gives it"}
    play(keeper, "Renna gives it up.", {"moves": [given]})
    assert keeper.world().holders["lamp"] == "dov"


# ── who is here ──────────────────────────────────────────────────────────────────────────────

HIDDEN = {
    "moves": [
        {"who": ["hagen"], "kind": "arrives", "words": "A board creaks"},
        {"who": ["hagen"], "kind": "hides", "words": "behind the curtain"},
    ]
}


def test_presence_says_who_is_here_and_by_what(keeper):
    play(keeper, LEAVES + LOW, {"moves": [UP], "here": ["dov"]})
    (dov,) = keeper.presence()
    assert (str(dov), dov.sure, dov.turn) == ("Dov", True, 1)
    assert dov.evidence == "There was no robbery,"
    assert keeper.presence("renna") == ()


def test_who_may_be_gone_is_shown_so_and_perceives_nothing(keeper):
    play(keeper, "It rains.", {"at": {"renna": "somewhere upstairs"}})
    assert [str(each) for each in keeper.presence("ilse")] == ["Dov", "Renna?"]
    play(keeper, LOW, {})
    assert "robbery" not in lived(keeper, "renna")
    assert "still here: Renna" in keeper.window(text="I wait.").text
    play(keeper, "“Yes,” says Renna. “It rains,” says Dov.", {})
    assert [str(each) for each in keeper.presence("ilse")] == ["Dov", "Renna"]
    assert "It rains" in lived(keeper, "renna")
    assert "robbery" not in lived(keeper, "renna")


def test_who_hides_is_not_here_for_a_character(keeper):
    play(keeper, "A board creaks behind the curtain.", HIDDEN)
    for who in ("ilse", "dov", "renna"):
        assert "hagen" not in [each.who for each in keeper.presence(who)]
        assert "Hagen" not in lived(keeper, who)
    play(keeper, LOW, {})
    assert "robbery" in lived(keeper, "hagen")


def test_who_sleeps_sees_nobody(keeper):
    play(
        keeper, "Renna sleeps.", {"moves": [{"who": "renna", "kind": "sleeps", "words": "sleeps"}]}
    )
    assert keeper.presence("renna") == ()
    assert [each.who for each in keeper.presence("ilse")] == ["dov", "renna"]


def test_presence_of_a_turn_that_is_over(keeper):
    play(keeper, LEAVES + LOW, {"moves": [UP]})
    assert [each.who for each in keeper.presence(at=0)] == ["dov", "renna"]


def test_nobody_s_presence_is_nobody_s(keeper):
    with pytest.raises(UnknownAudience):
        keeper.presence("nobody")


# ── set right ────────────────────────────────────────────────────────────────────────────────


def test_a_correction_holds_from_now_on(keeper):
    play(keeper, LEAVES + LOW, {"moves": [UP]})
    keeper.correct(here=["Renna"], gone=["dov"], holds={"the lamp": "Renna"})
    world = keeper.world()
    assert (world.places["renna"], world.places.get("dov")) == ("parlour", None)
    assert world.holders["lamp"] == "renna"
    play(keeper, "“It rains,” you say.", {})
    assert "It rains" in lived(keeper, "renna")
    assert "It rains" not in lived(keeper, "dov")
    assert "robbery" not in lived(keeper, "renna")  # never backwards


def test_a_correction_is_on_record_and_survives(tmp_path):
    with opened(tmp_path) as keeper:
        play(keeper, LEAVES + LOW, {"moves": [UP]})
        record = keeper.correct(here=["Renna"], holds={"lamp": "dov"})
        assert record.here == ("renna",)
        keeper.begin("I wait.")
        keeper.render(keeper.turn(), "“It rains,” says Dov.", stage={})
        keeper.end_scene()
        before = seen(keeper)
    with opened(tmp_path) as again:
        found = [e.record for e in again.ledger.read(again.run)]
        assert [r for r in found if isinstance(r, StageCorrected)] == [record]
        assert seen(again) == before
        again.replay()


def test_what_is_shown_is_fact_before_it_is_set_right(keeper):
    keeper.render(keeper.begin("I wait."), LEAVES + LOW, stage={"moves": [UP]})
    keeper.correct(here=["renna"])
    assert keeper.world().places["renna"] == "parlour"
    assert "robbery" not in lived(keeper, "renna")


@pytest.mark.parametrize("wrong", [{"here": ["Nobody"]}, {"gone": [""]}, {"holds": {"x": "dov"}}])
def test_nobody_is_set_right(keeper, wrong):
    before = seen(keeper)
    with pytest.raises(UnknownPerson):
        keeper.correct(**wrong)
    assert seen(keeper) == before


def commanded(keeper, *lines):
    """What the program says to lines that are for it."""
    said = []
    screen = type("Screen", (), {"note": lambda _, text: said.append(text)})()
    for line in lines:
        assert Game(lambda _: keeper, screen, "run.db")._line(line)
    return said


def test_a_player_sets_it_right_in_play(keeper):
    assert commanded(keeper, "/gone Renna", "/here renna", "/here") == [
        "here now: Dov", "here now: Dov, Renna", "here now: Dov, Renna",
    ]  # fmt: skip
    assert commanded(keeper, "/holds the lamp Dov") == ["Dov has the lamp, from now on"]
    assert keeper.world().holders["lamp"] == "dov"
    said = ["Renna has the lamp, from now on"]
    assert commanded(keeper, "/holds the  lamp Renna") == said
    keeper.replay()


def test_whose_name_has_several_words_is_one_person():
    cast = [structs.replace(c, name="Dov Ahn") if c.id == "dov" else c for c in wherry().cast]
    keeper = begun(structs.replace(wherry(), cast=tuple(cast)))
    assert commanded(keeper, "/holds the lamp Dov Ahn") == ["Dov Ahn has the lamp, from now on"]
    assert keeper.world().holders["lamp"] == "dov"


def test_a_player_who_names_nobody_is_told_so(keeper):
    before = seen(keeper)
    assert commanded(keeper, "/gone", "/holds lamp", "/here Nobody", "/holds x Dov") == [
        "say who is gone: /gone NAME",
        "say what, and who has it: /holds THING NAME",
        "no person of this story is called 'Nobody'; use a name or an id",
        "no thing of this story is called 'x'; use a name or an id",
    ]
    assert seen(keeper) == before


# ── told again, edited, branched off ─────────────────────────────────────────────────────────


def test_a_swipe_leaves_nothing_of_the_first_telling(tmp_path):
    ways = []
    for name, swiped in (("one", True), ("other", False)):
        (tmp_path / name).mkdir()
        with opened(tmp_path / name) as keeper:
            turn = keeper.begin("I wait.")
            if swiped:
                stage = {"moves": [UP], "told": [TOLD], "holds": {"lamp": "dov"}}
                keeper.render(turn, f"{LEAVES}{FERRY} The lamp is out.", stage=stage)
            keeper.render(turn, LOW, stage={"here": ["renna"]})
            keeper.end_scene()
            ways.append(seen(keeper))
            assert "ferry" not in keeper.knows("ilse")
    assert ways[0] == ways[1]


def test_told_again_without_a_declaration_there_is_none(keeper):
    turn = keeper.begin("I wait.")
    keeper.render(turn, LOW, stage={"at": {"renna": "away"}})
    keeper.render(turn, LOW)
    keeper.end_scene()
    assert keeper.world().places["renna"] == "parlour"


def test_an_edit_moves_nobody_by_words_that_are_gone(keeper):
    play(keeper, LEAVES + LOW, {"moves": [UP]})
    play(keeper, "“It rains,” says Dov.", {})
    assert "It rains" not in lived(keeper, "renna")
    keeper.edit(1, LOW)
    assert keeper.world().places["renna"] == "parlour"
    assert all(words in lived(keeper, "renna") for words in ("robbery", "It rains"))
    keeper.replay()


def test_an_edit_that_keeps_the_words_keeps_the_move(keeper):
    play(keeper, LEAVES + LOW, {"moves": [UP]})
    keeper.edit(1, f"{LEAVES} “There was a fire,” says Dov.")
    assert "fire" not in lived(keeper, "renna")
    assert "fire" in lived(keeper, "ilse")
    keeper.replay()


def test_a_fork_has_what_was_declared_before_it(tmp_path):
    with opened(tmp_path) as keeper:
        play(keeper, LEAVES + LOW, {"moves": [UP]})
        play(keeper, "Renna is back.", {"here": ["renna"]})
        keeper.fork(at=1, name="other")
    with Storykeeper.open(f"{tmp_path / 'run.db'}@other", reader=READER) as other:
        assert other.world().places["renna"] == "attic"
        play(other, "“It rains,” says Dov.", {})
        assert "It rains" not in lived(other, "renna")
        other.replay()


def test_a_reopened_run_is_the_same(tmp_path):
    with opened(tmp_path) as keeper:
        play(keeper, LEAVES + LOW, {"moves": [UP], "asides": [{"to": ["you"], "words": "robbery"}]})
        keeper.render(keeper.begin("I wait."), "It rains.", stage={"at": {"dov": "away"}})
    with opened(tmp_path) as again:
        assert again.world().places.get("dov") is None
        before = seen(again)
        again.replay()
    with opened(tmp_path) as once_more:
        assert seen(once_more) == before


# ── the block behind the prose ───────────────────────────────────────────────────────────────


def test_a_block_is_declared_and_seen_by_nobody(keeper):
    block = json.dumps({"moves": [UP], "here": ["Dov"], "told": [], "odd": 1})
    dropped = play(keeper, f"{LEAVES}{LOW}\n\n```stage\n{block}\n```\n")
    assert dropped == ("'odd': no such field",)
    assert keeper.world().places["renna"] == "attic"
    assert keeper.history()[-1].prose == LEAVES + LOW
    windows, briefs, *_ = seen(keeper)
    assert not [text for text in (*windows, *briefs) if "```" in text or "departs" in text]
    shown = [e.record for e in keeper.ledger.read(keeper.run) if isinstance(e.record, Rendered)]
    assert shown[-1].prose == LEAVES + LOW


def test_a_cut_stream_is_the_prose_alone(keeper):
    play(keeper, f'{LOW}\n```stage\n{{"at": {{"renna": "away"}}')
    assert keeper.history()[-1].prose == LOW
    assert keeper.world().places["renna"] == "parlour"


# ── for the author ───────────────────────────────────────────────────────────────────────────


def told(tmp_path, *arguments):
    done = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@pytest.fixture
def run(tmp_path):
    with opened(tmp_path) as keeper:
        low = {"by": "dov", "to": ["you"], "words": "There was no robbery"}
        hidden = " A board creaks behind the curtain. "
        play(keeper, LEAVES + LOW + hidden, {**HIDDEN, "moves": [UP, *HIDDEN["moves"]],
             "asides": [low], "at": {"dov": "upstairs"}})  # fmt: skip
    return str(tmp_path / "run.db")


def test_why_says_who_heard_words_and_who_did_not(tmp_path, run):
    said = told(tmp_path, "why", run, "1", "--heard", "no ROBBERY")
    assert said.splitlines() == [
        "““There was no robbery,” says Dov.”",
        "  speech by Dov; the narrator says whom it is for",
        "  perceived by Ilse, there from the start",
        "  perceived by Dov, there from the start",
        "  not near: Renna, Hagen, Petra",
    ]
    assert "not by" not in said
    data = json.loads(told(tmp_path, "why", run, "1", "--heard", "clicks shut", "--json"))
    assert data[0]["perceived_by"] == ["ilse", "dov", "renna"]
    assert "no piece of that turn" in told(tmp_path, "why", run, "1", "--heard", "thunder")


def test_why_says_why_not(tmp_path):
    with opened(tmp_path) as keeper:
        play(keeper, LOW, {"asides": [{"by": "dov", "to": ["you"], "words": "no robbery"}]})
    said = told(tmp_path, "why", str(tmp_path / "run.db"), "1", "--heard", "robbery")
    assert said.splitlines()[-2:] == [
        "  not by Renna: not meant for them", "  not near: Hagen, Petra",
    ]  # fmt: skip


def test_here_says_where_everybody_is(tmp_path, run):
    lines = told(tmp_path, "here", run).splitlines()
    assert lines[0] == "Ilse: the parlour"
    assert lines[1].startswith("Dov: the parlour, not sure (turn 1")
    assert lines[2:] == [
        "Renna: the attic",
        "Hagen: the parlour, hidden (turn 1, says the narrator: “behind the curtain”)",
        "Petra: nobody knows where",
    ]
    data = json.loads(told(tmp_path, "here", run, "--json"))
    assert (data["hagen"]["hidden"], data["dov"]["unsure"]) == (True, True)
    assert data["renna"]["place"] == "attic"
