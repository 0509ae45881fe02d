"""Whatever a model answers, a reading comes out, and all of it is in the text."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scripted import Rules, Scripted

from storykeeper.language.reading import Quotation, Reading
from storykeeper.models.answers import MAX_LISTED, Reason
from storykeeper.models.extractor import MAX_CHARS, ModelReader
from storykeeper.models.prompt import IMPLIABLE, fence

WORDS = [
    "Mara", "Tom", "she", "It", "the", "a", "chipped", "cup", "cups", "took", "was", "sat", "down",
    "did", "not", "cry", "“Stop,”", "said", "if", "table.", "ß", "İ", "é", "e\u0301", "玛拉", "🙂",
    "\x00", "\n\n", "lamp-keeper’s", "{", "PASSAGE-1", "İstanbul", "\ud800", "ﬁre",
]  # fmt: skip
SENTENCES = [
    "Mara took the chipped cup.", "“Stop, Tom,” she said.", "It was cold.", "Tom did not cry.",
    "She sat down by the window.", "He gave Mara the cup.",
]  # fmt: skip
PHRASES = ["Mara", "the chipped cup", "Stop", "Tom", "she", "He", "the window", "sat down", "It"]
VERBS = ["took", "said", "was", "cry", "sat down", "gave"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join) | st.text(
    max_size=60
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from([*WORDS, "noun", "name", "pronoun", "asserted", "cause", "chair", "person"])
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)


def shaped(**fields):
    """Objects with the fields asked for, most of the right kind, some of any other."""
    first, *rest = fields
    right = st.fixed_dictionaries({first: fields[first]}, optional={n: fields[n] for n in rest})
    wrong = st.fixed_dictionaries({first: fields[first]}, optional=dict.fromkeys(rest, JSON))
    return st.lists(st.one_of(right, right, right, right, wrong, JSON), min_size=2, max_size=7)


NUMBER = st.integers(0, 6) | st.integers(-1, 20)


@st.composite
def cases(draw):
    """A text, and an answer that mostly speaks of it."""
    text = " ".join(draw(st.lists(st.sampled_from(SENTENCES * 9 + WORDS), min_size=5, max_size=8)))
    said = st.sampled_from(PHRASES * 6 + WORDS)
    verb = st.sampled_from(VERBS * 6 + WORDS)
    kind = st.sampled_from(["noun", "name", "pronoun", "person", "thing", "she", "asserted"])
    role = st.lists(NUMBER, max_size=4)
    parts = {
        "mentions": shaped(
            text=said, head=said, kind=kind, sort=kind, gender=kind, plural=st.booleans(),
            descriptors=st.lists(said), possessor=NUMBER, whole=NUMBER, place=said, near=NUMBER,
            modality=kind, cluster=NUMBER,
        ),
        "clauses": shaped(
            verb=verb, modality=kind, actors=role, targets=role, subjects=role,
            instruments=role, locations=role, state=said,
        ),
        "links": shaped(joint=st.just("cause"), first=NUMBER, second=NUMBER),
        "quotations": shaped(
            words=said, speaker=NUMBER, addressee=NUMBER, whispered=st.booleans()
        ),
        "implied": shaped(what=st.just("chair"), because=said, clause=NUMBER),
        "times": st.lists(said, max_size=6),
    }  # fmt: skip
    kept = {name: draw(part if draw(st.integers(0, 9)) else JSON) for name, part in parts.items()}
    return text, kept


def quoted(text):
    """A fallback's reading that only knows where the quotation marks are."""
    open_, close = text.find("“"), text.find("”")
    if not 0 <= open_ < close:
        return Reading(text)
    return Reading(text, quotations=(Quotation(open_, close + 1, text[open_ + 1 : close]),))


def check_sound(reading, text):
    """Every position, word and number of a reading leads into the text or into the reading."""
    assert reading.text == text
    mentions, clauses, quotations = map(
        len, (reading.mentions, reading.clauses, reading.quotations)
    )
    spans = [(m.start, m.end) for m in reading.mentions]
    assert len(set(spans)) == len(spans)
    assert spans == sorted(spans, key=lambda s: (s[0], -s[1]))
    for m in reading.mentions:
        assert m.text
        assert text[m.start : m.end] == m.text
        assert all(i in (None, *range(mentions)) for i in (m.possessor, m.whole, m.near))
        assert m.quotation in (None, *range(quotations))
        assert m.place in text
    for c in reading.clauses:
        assert 0 <= c.start < c.end <= len(text)
        assert c.verb
        roles = (c.actors, c.targets, c.subjects, c.instruments, c.locations)
        assert all(i in range(mentions) for role in roles for i in role)
        assert c.state in text
        assert c.quotation in (None, *range(quotations))
    for k in reading.links:
        assert k.first != k.second
        assert {k.first, k.second} <= set(range(clauses))
    for q in reading.quotations:
        assert text[q.start : q.end].startswith("“")
        assert {q.speaker, q.addressee} <= {None, *range(mentions)}
    for i in reading.implied:
        assert i.what in IMPLIABLE
        assert i.because in text
        assert i.clause in range(clauses)
    for t in reading.times:
        assert text[t.start : t.end] == t.text
    for name in ("possessor", "whole", "near"):
        for place in range(mentions):
            check_ends(reading.mentions, name, place)
    for note in reading.notes:
        assert "by rules" in note or any(str(reason) in note for reason in Reason)


def check_ends(mentions, name, place):
    seen, at = set(), place
    while at is not None:
        assert at not in seen
        seen.add(at)
        at = getattr(mentions[at], name)


def read(answer, text):
    return ModelReader(Scripted(answer), Rules(quoted(text))).read(text)


@given(cases())
@example(("İ i̇ İ", {"mentions": [{"text": "İ"}, {"text": "i̇"}]}))
@example(("e\u0301 e", {"mentions": [{"text": "e"}]}))
def test_any_answer_of_the_right_outline_gives_a_sound_reading(case):
    text, answer = case
    reading = read(answer, text)
    check_sound(reading, text)
    assert read(answer, text) == reading


@given(answer=JSON, text=TEXTS)
def test_any_json_gives_a_sound_reading(answer, text):
    check_sound(read(answer, text), text)


@given(written=st.text(), text=TEXTS)
def test_any_words_give_a_sound_reading(written, text):
    check_sound(read(written or " ", text), text)


@given(cut=st.integers(0, 200), text=TEXTS)
def test_an_answer_cut_anywhere_gives_a_sound_reading(cut, text):
    whole = json.dumps({"mentions": [{"text": w} for w in text.split()], "clauses": []})
    check_sound(read(whole[:cut] or " ", text), text)


@given(
    text=st.lists(st.sampled_from(["PASSAGE-1", "passage-2", "Passage-", "3", "\n"])).map("".join)
)
def test_a_fence_never_stands_in_the_text(text):
    assert fence(text).casefold() not in text.casefold()
    assert fence(text) == fence(text)


@pytest.mark.parametrize(
    "text",
    [
        "a" * MAX_CHARS,
        "a " * (MAX_CHARS // 2),
        "A cup. " * (MAX_CHARS // 7),
        "ab" * (MAX_CHARS // 2),
    ],
    ids=["one word", "one letter", "sentences", "two letters"],
)
def test_the_worst_of_answers_takes_seconds_not_minutes(text):
    words = [text[: n % 200 + 1] for n in range(MAX_LISTED)]
    numbers = list(range(40))
    answer = {
        "mentions": [{"text": w, "head": w[:9], "possessor": n + 1} for n, w in enumerate(words)],
        "clauses": [{"verb": w[:160], "actors": numbers} for w in words],
        "quotations": [{"words": w} for w in words],
        "times": [w[:160] for w in words],
    }
    started = time.process_time()
    reading = read(answer, text)
    assert time.process_time() - started < 10
    assert not any("JSON" in note for note in reading.notes)  # it was taken apart
    check_sound(reading, text)
