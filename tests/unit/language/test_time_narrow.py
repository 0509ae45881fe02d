"""What the time in a question does to a search."""

from datetime import UTC, datetime

import pytest

from storykeeper.language.time import Boost, Session, Use, Window, inquires, narrow
from storykeeper.language.time.values import Side
from storykeeper.language.time.whens import Axis
from strategies.tables import table


def ms(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


DAYS = ["2023-05-08T14", "2023-06-09T20", "2023-10-17T21", "2023-10-20T08"]
SESSIONS = [Session(f"s{n}", ms(at), ms(at)) for n, at in enumerate(DAYS, 1)]
NOW = ms("2023-10-22T12")


def asked(question, **more):
    return narrow(question, now=NOW, sessions=SESSIONS, names=("Ana", "Bo"), **more)


@table(
    "question, kind, rest",
    [
        ("What did we talk about two sessions ago?", Use.PURE, "What did we talk about?"),
        ("Tell me what we discussed last Tuesday.", Use.PURE, "Tell me what we discussed ."),
        ("Last Tuesday, what did we chat about?", Use.PURE, "what did we chat about?"),
        ("what happened in May", Use.PURE, "what happened"),
        ("What did Ana and Bo discuss in May?", Use.PURE, "What did Ana and Bo discuss?"),
        ("What did Ana say about the key last Tuesday?", Use.TALK,
         "What did Ana say about the key?"),
        ("On May 8th, what did Ana say of the key?", Use.TALK, "what did Ana say of the key?"),
        ("Which key is new, as mentioned on May 8th?", Use.TALK,
         "Which key is new, as mentioned?"),
        ("Where was the key in our first session?", Use.TALK, "Where was the key?"),
        ("What did we do two sessions ago?", Use.PURE, "What did we do?"),
        ("Where were we in May?", Use.BOOST, "Where were we?"),  # it may have been told in June
        ("What did we do last Tuesday?", Use.BOOST, "What did we do?"),
        ("Tell me of the key in May.", Use.BOOST, "Tell me of the key ."),  # it is told now
        ("What did Ana tell me of the key in May?", Use.TALK, "What did Ana tell me of the key?"),
        ("Which key did it open last time?", Use.BOOST, "Which key did it open?"),
        ("What did we say of the key last time?", Use.TALK, "What did we say of the key?"),
        ("Where did Cleo go in May?", Use.BOOST, "Where did Cleo go?"),
        ("Where was Bo in May?", Use.BOOST, "Where was Bo?"),
        ("What did Ana say of the trip that she took in May?", Use.BOOST,
         "What did Ana say of the trip that she took?"),
        ("What did Ana say about the key on 3 March 2023?", Use.BOOST,
         "What did Ana say about the key?"),
        ("What did we talk about on 3 March 2023?", Use.BOOST, "What did we talk about?"),
        ("What did Bo do before the wedding?", Use.EVENT, "What did Bo do before the wedding?"),
        ("What did Bo eat during the wedding?", Use.NONE, "What did Bo eat during the wedding?"),
        ("How long was the trip?", Use.NONE, "How long was the trip?"),
        ("What is in the box?", Use.NONE, "What is in the box?"),
        ("She left last Tuesday, before the wedding.", Use.NONE,
         "She left last Tuesday, before the wedding."),
        ("", Use.NONE, ""),
    ],
)  # fmt: skip
def test_what_it_does(question, kind, rest):
    found = asked(question)
    assert (found.kind, found.rest) == (kind, rest)
    assert (found.when is not None) == (kind in (Use.PURE, Use.TALK))
    assert (found.boost is not None) == (kind is Use.BOOST)
    assert (found.event is not None) == (kind is Use.EVENT)
    assert bool(found.explanation) == (kind is not Use.NONE)


def test_a_filter_lets_in_what_lies_in_its_window():
    when = asked("What did Ana say about the key last Tuesday?").when
    assert when.holds(at_ms=ms("2023-10-17T21"))
    assert not when.holds(at_ms=ms("2023-10-18T00"))
    assert not when.holds(at_ms=None)


def test_times_beside_each_other_add_up():
    when = asked("What did we discuss in May and in June?").when
    assert when.holds(at_ms=ms("2023-05-08T14"))
    assert when.holds(at_ms=ms("2023-06-09T20"))
    assert not when.holds(at_ms=ms("2023-10-17T21"))


def test_limits_cut_each_other_short():
    when = asked("What did we discuss after May and before October?").when
    assert when.holds(at_ms=ms("2023-06-09T20"))
    assert not when.holds(at_ms=ms("2023-05-08T14"))
    assert not when.holds(at_ms=ms("2023-10-17T21"))


def test_a_boost_falls_off_slowly_after_and_fast_before():
    boost = asked("Where did Cleo go in May?").boost
    assert boost.at(at_ms=ms("2023-05-08T14")) == 1.0
    assert boost.at(at_ms=ms("2023-06-15T00")) == pytest.approx(0.5, abs=1e-6)
    assert boost.at(at_ms=ms("2023-04-28T00")) == pytest.approx(0.5, abs=1e-6)
    assert boost.at(at_ms=None) == 0.0


def test_a_boost_over_sessions_is_all_or_nothing():
    boost = Boost((Window(Axis.SESSION, 1, 1, frozenset({"s1"})),))
    assert boost.at(at_ms=5, session="s1") == 1.0
    assert boost.at(at_ms=5, session="s2") == 0.0


def test_an_event_and_its_side():
    event = asked("What did Bo do after Ana left?").event
    assert (event.side, event.phrase) == (Side.AFTER, "Ana left")


def test_story_time():
    found = narrow("What did Mara say three turns ago?", now=None, turns=40)
    assert found.kind is Use.TALK
    assert found.when.holds(at_ms=None, turn=38)
    assert not found.when.holds(at_ms=None, turn=40)


def test_the_running_session_is_not_the_last():
    assert asked("What did we say last time?").when.holds(at_ms=None, session="s4")
    inside = asked("What did we say last time?", running="s4").when
    assert inside.holds(at_ms=None, session="s3")


def test_without_names_a_name_is_a_subject():
    assert narrow("What did Ana say last Tuesday?", now=NOW, sessions=SESSIONS).kind is Use.TALK


@table(
    "text, is_one",
    [
        ("What did she say?", True),
        ("what did she say", True),
        ("Please tell me of May", True),
        ("Yes, could you describe it", True),
        ("Last Friday, what did we do", True),
        ("昨日、何を話しましたか？", True),
        ("She asked him before the first light.", False),
        ("I was here yesterday.", False),
        ("", False),
        ("?" + " word" * 500, False),
    ],
)
def test_what_is_a_question(text, is_one):
    assert inquires(text) is is_one


def test_a_question_of_ten_thousand_words_is_searched_as_it_is():
    text = "what did we say last Tuesday " * 2_000 + "?"
    assert narrow(text, now=NOW, sessions=SESSIONS).kind is Use.NONE
