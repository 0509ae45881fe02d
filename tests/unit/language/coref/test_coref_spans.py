"""How far a mention may reach, and what the networks are shown."""

from __future__ import annotations

import numpy as np

from storykeeper.language.coref import heads, pairs, spans
from storykeeper.language.coref.chains import (
    NARRATOR,
    NEITHER,
    NOBODY,
    PLAYER,
    certainties,
)
from storykeeper.language.coref.pairs import WINDOW, look_back
from storykeeper.language.coref.quotes import quotations
from storykeeper.language.coref.senses import senses
from storykeeper.language.coref.traits import (
    HE,
    IT,
    NAME,
    NOUN,
    PRONOUN,
    SHE,
    THEY,
    UNKNOWN,
    traits,
)
from storykeeper.language.parser import parse


def reaches(text, word):
    doc = parse(text)
    head = next(t.i for t in doc if t.text == word)
    return [doc[c.start : c.end].text for c in spans.candidates(doc, head)]


def about(text, *given):
    """Traits of the words given, each a mention alone with its category."""
    doc = parse(text)
    quoted = quotations(doc)
    places = [
        (start, end, head)
        for words, head_word in given
        for start, end, head in [_found(doc, words, head_word)]
    ]
    return traits(doc, heads.grammar(doc, quoted), quoted, places, [0] * len(places))


def _found(doc, words, head_word):
    size = len(words.split())
    start = next(i for i in range(len(doc)) if doc[i : i + size].text == words)
    head = next(t.i for t in doc[start : start + size] if t.text == head_word)
    return start, start + size, head


def test_a_noun_may_take_what_hangs_on_it():
    found = reaches("The old man at the door who had knocked was tired.", "man")
    assert found[0] == "man"
    assert {"The old man", "The old man at the door"} <= set(found)
    assert "The old man at the door who had knocked" in found


def test_a_long_list_has_bounded_candidates():
    text = "the men " + ", ".join(f"of the house by the road {n}" for n in range(60))
    assert len(reaches(text, "men")) <= 24


def test_senses_tell_people_from_places():
    girl, parlour, nothing, compound = senses(["girl", "parlour", "qwzx", "summer-parlour"])
    assert girl[0] > 0.9
    assert parlour[0] == 0
    assert not nothing.any()
    assert np.array_equal(compound, parlour)


def test_kinds_genders_and_numbers():
    t = about(
        "Mrs. Hale met her sons. Captain Grant saw a waitress. Elizabeth saw them.",
        ("Mrs. Hale", "Hale"), ("her", "her"), ("her sons", "sons"), ("Captain Grant", "Grant"),
        ("a waitress", "waitress"), ("Elizabeth", "Elizabeth"), ("them", "them"),
    )  # fmt: skip
    assert t.kind.tolist() == [NAME, PRONOUN, NOUN, NAME, NOUN, NAME, PRONOUN]
    assert t.fits.tolist() == [SHE, SHE, THEY, UNKNOWN, SHE, SHE, THEY]
    assert t.plural.tolist() == [False, False, True, False, False, False, True]
    assert t.owner.tolist() == [-1, -1, 1, -1, -1, -1, -1]


def test_places_are_it():
    doc = parse("The old barn burned.")
    t = traits(doc, heads.grammar(doc, ()), (), [(0, 3, 2)], [1])
    assert t.fits.tolist() == [IT]
    assert HE not in t.fits


def test_looking_back_is_bounded_but_for_kin():
    text = "Mara slept. " + "He ran. " * (WINDOW + 20) + "Mara woke."
    doc = parse(text)
    places = [(t.i, t.i + 1, t.i) for t in doc if t.text in ("Mara", "He")]
    t = traits(doc, heads.grammar(doc, ()), (), places, [0] * len(places))
    _, earlier, starts = look_back(t)
    last = earlier[starts[-2] : starts[-1]].tolist()
    assert last[:2] == [len(t) - 1, 0]  # itself, and the Mara far back
    assert len(last) == WINDOW + 2
    assert max(np.diff(starts)) == WINDOW + 2


def test_hashing_keeps_columns_apart_and_is_the_same_everywhere():
    values = np.array([5, 7, 2**63], np.uint64)
    assert heads.hashed(values, 1).tolist() == heads.hashed(values, 1).tolist()
    assert heads.hashed(values, 1).tolist() != heads.hashed(values, 2).tolist()
    assert all(0 <= row < 64 for row in heads.hashed(values, 3, 64))


def certain(text):
    """Every pronoun and name of a text, with whose voice it is for certain."""
    doc = parse(text)
    quoted = quotations(doc)
    places = [(t.i, t.i + 1, t.i) for t in doc if t.pos_ in ("PRON", "PROPN")]
    t = traits(doc, heads.grammar(doc, quoted), quoted, places, [0] * len(places))
    voice = certainties(t, np.full(len(places), NOBODY)).voice
    return [(doc[start].text, int(v)) for (start, _, _), v in zip(places, voice, strict=True)]


def test_voices_outside_quotations():
    assert certain("You see me. She sees you.") == [
        ("You", PLAYER), ("me", NARRATOR), ("She", NOBODY), ("you", PLAYER),
    ]  # fmt: skip


def test_a_rare_you_is_anybody():
    told = "She walked and he ran; they sang. " * 8
    assert certain(f"You never know. {told}")[0] == ("You", NOBODY)
    assert certain("I think you know. I do.") == [("I", NARRATOR), ("you", NOBODY), ("I", NARRATOR)]


def test_i_in_a_quotation_is_its_speaker():
    assert certain('"I know," you say.') == [("I", PLAYER), ("you", PLAYER)]
    assert certain('"I know," I said.') == [("I", NARRATOR), ("I", NARRATOR)]
    assert certain('"I know you," Mara says.') == [
        ("I", NEITHER), ("you", NOBODY), ("Mara", NOBODY),
    ]  # fmt: skip


def test_blocks_say_what_one_look_would(monkeypatch):
    doc = parse("Mara met Tom. She saw him and he saw her. Mara left him there. " * 6)
    places = [(t.i, t.i + 1, t.i) for t in doc if t.pos_ in ("PRON", "PROPN")]
    t = traits(doc, heads.grammar(doc, ()), (), places, [0] * len(places))
    (whole,) = pairs.pairs(t)
    monkeypatch.setattr(pairs, "BLOCK", 7)
    blocks = list(pairs.pairs(t))
    assert len(blocks) > 3
    for name in ("earlier", "rows", "numbers", "same_head", "other_name"):
        joined = np.concatenate([getattr(block, name) for block in blocks])
        assert np.array_equal(joined, getattr(whole, name))
    last = len(t) - 1
    assert np.array_equal(blocks[-1].rows[blocks[-1].of(last)], whole.rows[whole.of(last)])
