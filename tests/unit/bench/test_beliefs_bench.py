"""The measuring of beliefs, on stories of our own laid out as ToMi is."""

import pytest

from storykeeper.bench.beliefs import perceived
from storykeeper.bench.beliefs.data import NoTales, tomi
from storykeeper.bench.beliefs.evaluation import label, measure, share
from storykeeper.bench.beliefs.questions import Question, answer, understood
from storykeeper.bench.beliefs.reference import corrected, presences
from storykeeper.bench.beliefs.tales import named, plain, told
from storykeeper.bench.registry import Setup
from strategies.tables import table

# Nell puts the ring away while Otto is out, and is gone when he comes back.
GONE = ("Otto entered the pantry.", "Nell entered the pantry.", "The ring is in the blue_jar.",
        "Otto exited the pantry.", "Otto likes the plum", "Nell moved the ring to the brown_sack.",
        "Nell exited the pantry.", "Otto entered the pantry.")  # fmt: skip
TRACE = ("enter_agent_1", "enter_agent_0", "agent_1_exits", "agent_0_moves_obj", "agent_0_exits",
         "agent_1_reenters_loc")  # fmt: skip
ASKED = [  # question, label of the set, kind
    ("Where was the ring at the beginning?", "blue_jar", "memory"),
    ("Where is the ring really?", "brown_sack", "reality"),
    ("Where will Nell look for the ring?", "brown_sack", "first_order_0_no_tom"),
    ("Where will Otto look for the ring?", "brown_sack", "first_order_1_no_tom"),
    ("Where does Nell think that Otto searches for the ring?", "brown_sack",
     "second_order_0_no_tom"),  # which contradicts the story
    ("Where does Otto think that Nell searches for the ring?", "brown_sack",
     "second_order_1_no_tom"),
]  # fmt: skip


def written(folder, asked=ASKED, *, sentences=GONE, trace=TRACE):
    (folder / "tomi").mkdir(exist_ok=True)
    lines, traces = [], []
    for question, gold, kind in asked:
        lines += [f"{n} {each}" for n, each in enumerate(sentences, 1)]
        lines.append(f"{len(sentences) + 1} {question}\t{gold}\t1")
        traces.append(",".join((*trace, kind, "second_order_false_belief")))
    (folder / "tomi" / "val.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "tomi" / "val.trace").write_text("\n".join(traces) + "\n", encoding="utf-8")
    return folder


def measured(folder):
    said = []
    return measure(Setup(say=said.append, data=folder)), said


def test_every_question_is_asked_of_every_system(tmp_path):
    figures, said = measured(written(tmp_path))
    ours = figures["storykeeper"]
    assert ours["accuracy"]["corrected"] == 100.0
    assert ours["accuracy"]["raw"] == 83.33  # one label contradicts the story
    assert ours["accuracy"]["second_order"] == {"raw": 50.0, "corrected": 100.0}
    assert ours["accuracy"]["second_order_0_no_tom"] == {"raw": 0.0, "corrected": 100.0}
    for kind in ("memory", "reality", "first_order"):
        assert ours["accuracy"][kind] == {"raw": 100.0, "corrected": 100.0}
    assert (ours["stories"], ours["questions"], ours["unread"]) == (1, 6, 0)
    assert (ours["relabelled"], ours["not_asked"], ours["reference_first_order"]) == (1, 0, 100.0)
    assert "1 of 1 stories told" in said
    # Without supposing, Otto does not take Nell to know: one more label is contradicted.
    assert figures["seen_only"]["accuracy"]["raw"] == 66.67
    assert figures["seen_only"]["accuracy"]["corrected"] == 100.0


def test_the_usual_designs_are_worse_where_it_matters(tmp_path):
    sentences = (*GONE[:6],)
    asked = [
        ("Where will Otto look for the ring?", "blue_jar", "first_order_1_tom"),
        ("Where does Nell think that Otto searches for the ring?", "blue_jar",
         "second_order_0_tom"),
        ("Where will Nell look for the ring?", "brown_sack", "first_order_0_no_tom"),
    ]  # fmt: skip
    figures, _ = measured(written(tmp_path, asked, sentences=sentences, trace=TRACE[:4]))
    raw = {name: figures[name]["accuracy"]["raw"] for name in figures}
    assert raw == {"storykeeper": 100.0, "seen_only": 100.0, "everyone_knows": 33.33,
                   "no_nesting": 66.67}  # fmt: skip


def test_a_sentence_that_is_not_understood_is_said_and_counted(tmp_path):
    odd = ("Otto entered the pantry.", "The ring is in the blue_jar.", "Grumbled the sideways if.")
    figures, said = measured(
        written(tmp_path, [("Where is the ring really?", "blue_jar", "reality"),
                           ("Whose ring is it?", "Nell", "owner")],
                sentences=odd, trace=("enter_agent_1",))
    )  # fmt: skip
    assert "unread: Grumbled the sideways if." in said
    assert figures["storykeeper"]["unread"] == 1
    assert figures["storykeeper"]["not_asked"] == 1
    assert figures["storykeeper"]["accuracy"]["owner"] == {"raw": 0.0, "corrected": 0.0}


# ── the tale ─────────────────────────────────────────────────────────────────────────────────


def test_people_rooms_and_things_are_found_in_the_text():
    world = told(GONE).world
    assert sorted(c.name for c in world.plan.story.cast if c.name) == ["Nell", "Otto"]
    assert [s.name for s in world.plan.story.settings] == ["the pantry"]
    assert sorted(t.name for t in world.plan.story.things) == [
        "the blue jar", "the brown sack", "the plum", "the ring"
    ]  # fmt: skip
    assert named(world, "brown_sack") == "thing-brown-sack"
    assert named(world, "the pantry") == "room-pantry"
    assert named(world, "Nobody") is None


def test_what_stands_around_changes_nothing():
    with_more = ("Nell hates the pantry", *GONE[:3], "Zoe loves the ring", *GONE[3:])
    question = Question("ring", ("Nell", "Otto"))
    assert answer(told(with_more), question) == answer(told(GONE), question) == "blue jar"


def test_perceivers_of_each_sentence():
    assert [sorted(each) for each in perceived(GONE)] == [
        ["Otto"], ["Nell", "Otto"], ["Nell", "Otto"], ["Nell", "Otto"], ["Otto"], ["Nell"],
        ["Nell"], ["Otto"],
    ]  # fmt: skip


def test_the_room_of_a_container_may_be_told_after_what_is_in_it():
    tale = ("Otto entered the pantry", "Nell entered the loft", "The ring is in the jar",
            "The jar is in the loft")  # fmt: skip
    assert [sorted(each) for each in perceived(tale)][2:] == [["Nell"], ["Nell"]]
    unknown = perceived(tale[:3])
    assert unknown[2] == frozenset()


def test_a_sentence_gets_spaces_and_a_stop():
    assert plain("The  ring is in the blue_jar") == "The ring is in the blue jar."
    assert plain("Who?") == "Who?"


# ── questions and labels ─────────────────────────────────────────────────────────────────────


def test_questions_are_understood():
    assert [understood(text) for text, _, _ in ASKED[:1]] == [Question("ring", (), at_first=True)]
    assert understood(ASKED[3][0]) == Question("ring", ("Otto",))
    assert understood(ASKED[5][0]) == Question("ring", ("Otto", "Nell"))
    assert understood("Where is love?") is None


def test_whom_nobody_has_heard_of_is_asked_in_vain():
    assert answer(told(GONE), Question("ring", ("Zoe",))) == ""
    assert answer(told(GONE), Question("crown")) == ""


@table(
    "kind, trace, place",
    [
        ("first_order_0_no_tom", TRACE, "brown_sack"),
        ("first_order_1_no_tom", TRACE, "brown_sack"),
        ("first_order_1_tom", TRACE[:4], "blue_jar"),
        ("second_order_0_tom", TRACE[:4], "blue_jar"),
        ("second_order_0_no_tom", TRACE, "blue_jar"),
        ("second_order_1_no_tom", TRACE, "brown_sack"),
        # she is there when he comes back
        ("second_order_0_no_tom", (*TRACE[:4], "agent_1_reenters_loc"), "brown_sack"),
        # he comes back to another place
        ("second_order_1_no_tom", (*TRACE[:5], "agent_1_reenters_alt_loc"), "blue_jar"),
        # it was moved before he left
        ("second_order_1_no_tom", (*TRACE[:2], TRACE[3], TRACE[2]), "brown_sack"),
        ("second_order_0_no_tom", (*TRACE[:2], TRACE[3], TRACE[2]), "brown_sack"),
    ],
)  # fmt: skip
def test_the_rule_by_the_trace(kind, trace, place):
    assert corrected(GONE, trace, kind) == place


def test_the_rule_without_supposing():
    assert corrected(GONE, TRACE, "second_order_1_no_tom", supposing=False) == "blue_jar"
    assert corrected(GONE, TRACE, "memory") is None
    assert presences(TRACE)[-1] == {1}


def test_only_labels_of_the_second_order_are_corrected(tmp_path):
    asked = tomi(written(tmp_path))
    assert [label(each) == plain(each.gold).rstrip(".") for each in asked] == [
        True, True, True, True, False, True
    ]  # fmt: skip
    assert share([]) == 0.0


# ── the data ─────────────────────────────────────────────────────────────────────────────────


def test_missing_or_broken_data_is_said(tmp_path):
    with pytest.raises(NoTales, match="--data"):
        tomi(None)
    with pytest.raises(NoTales, match="no ToMi in"):
        tomi(tmp_path)
    written(tmp_path)
    (tmp_path / "tomi" / "val.trace").write_text("a,b,c\n", encoding="utf-8")
    with pytest.raises(NoTales, match="only 1 lines"):
        tomi(tmp_path)
    (tmp_path / "tomi" / "val.txt").write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(NoTales, match="line 1"):
        tomi(tmp_path)
