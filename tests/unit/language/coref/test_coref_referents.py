"""Referents with the model that ships: what must hold whatever it has learned."""

from __future__ import annotations

import os
import subprocess
import sys

from storykeeper.language.coref import referents
from storykeeper.language.coref.cast import Cast
from storykeeper.language.coref.referent import CATEGORIES
from storykeeper.language.parser import parse
from storykeeper.language.reading import Gender, MentionKind, Somebody
from strategies.tables import table

TAVERN = """You push the door open. Mara is behind the bar. She looks up when she sees you. \
"You're late," she says. "I told you to come before dark."

You shrug. "I was held up at the bridge."

Mara sets the glass down. Her father is asleep by the fire. He does not stir.
"""


def clusters(text, cast=()):
    doc = parse(text)
    found = {}
    for r in referents(doc, cast=cast):
        found.setdefault(r.cluster, []).append(doc[r.start : r.end].text)
    return list(found.values())


def together(text, one, other, cast=()):
    return any(one in words and other in words for words in clusters(text, cast))


def test_you_outside_quotations_are_one_player():
    player = next(words for words in clusters(TAVERN) if "You" in words)
    assert player.count("You") >= 2
    assert "you" in player


def test_i_in_quotations_is_who_speaks():
    assert together('You shrug. "I am late," you say.', "You", "I")
    told = '"I know her," Mara says to you. You nod.'
    assert not together(told, "I", "you")


def test_i_outside_quotations_is_one_narrator():
    text = "I met Elena. She gave me my coat. “I am cold,” she said. I left."
    doc = parse(text)
    own = {r.cluster for r in referents(doc) if doc[r.start].text in ("me", "my")}
    outside = {r.cluster for r in referents(doc) if doc[r.start].i in (0, len(doc) - 3)}
    assert len(own) == 1
    assert own == outside


def test_narrator_and_player_are_two():
    assert not together("I see you. You see me.", "I", "you")


def test_a_pronoun_goes_back_to_a_name():
    assert together("Elizabeth came in. She sat down.", "Elizabeth", "She")
    assert not together("Elizabeth met Henry. He bowed.", "Elizabeth", "He")


def test_the_cast_gives_genders():
    cast = (Somebody(("Jess",), Gender.SHE), Somebody(("Alex",), Gender.HE))
    doc = parse("Jess waited for Alex.")
    genders = {doc[r.start].text: r.gender for r in referents(doc, cast=cast)}
    assert genders == {"Jess": Gender.SHE, "Alex": Gender.HE}


def test_different_people_of_the_cast_never_share_a_cluster():
    cast = (
        Somebody(("Anna Venn", "Anna"), Gender.SHE),
        Somebody(("Clara Venn", "Clara"), Gender.SHE),
    )
    text = "Anna Venn and Clara Venn came home. Anna slept. Clara Venn sang. Anna Venn woke."
    for words in clusters(text, cast):
        assert len({word.split()[0] for word in words if "nn" in word or "Clara" in word}) <= 1


def test_all_names_of_one_person_are_one():
    cast = (Somebody(("Mara Venn", "the Keeper"), Gender.SHE),)
    text = "Mara Venn lit the lamp. Nobody saw the Keeper. Mara went down."
    assert ["Mara Venn", "the Keeper", "Mara"] in clusters(text, cast)


def test_a_title_of_the_other_gender_is_somebody_else():
    cast = (Somebody(("Thomas Hale",), Gender.HE),)
    assert not together("Thomas Hale slept. Mrs. Hale sang.", "Thomas Hale", "Mrs. Hale", cast)


def test_a_name_of_the_cast_is_found_even_if_odd():
    cast = (Somebody(("Zzyq",), Gender.IT),)
    doc = parse("Zzyq waits.")
    (found,) = [r for r in referents(doc, cast=cast) if r.head == 0]
    assert (found.category, found.kind) == ("PER", MentionKind.NAME)


def test_names_of_the_cast_are_heads_for_certain():
    known = Cast((Somebody(("Will",)), Somebody(("Rose Hale", "the Lamp"))))
    doc = parse("Rose Hale saw Will by the Lamp. Will you come? A rose fell.")
    assert sorted(doc[at].text for at in known.heads(doc)) == ["Hale", "Lamp", "Will"]


def test_a_shared_name_is_nobodys():
    known = Cast((Somebody(("Anna Venn",)), Somebody(("Clara Venn",))))
    doc = parse("Venn slept. Clara sang.")
    assert known.person(doc, 0, 1, 0) == -1
    assert known.person(doc, 3, 4, 3) == 1


def test_speakers_of_the_cast_are_their_own_i():
    cast = (Somebody(("Mara",), Gender.SHE), Somebody(("Tom",), Gender.HE))
    text = '"I am cold," Mara said. "I know," Tom said.'
    assert together(text, "Mara", "I", cast)
    assert together(text, "Tom", "I", cast)


def test_referents_are_whole_and_in_order():
    doc = parse(TAVERN)
    found = referents(doc)
    assert [(r.start, r.end) for r in found] == sorted({(r.start, r.end) for r in found})
    assert all(r.start <= r.head < r.end for r in found)
    assert all(r.category in CATEGORIES for r in found)
    first_seen = list(dict.fromkeys(r.cluster for r in found))
    assert first_seen == list(range(len(first_seen)))


ODD = (
    "", " ", "\n\n\n", "?!", "🙂🙂🙂", "<b>x</b> def f(x): return x", "他走进了房子。", "'" * 50,
    '"' * 51, "“" * 20, "I I I I", "you", "a\x00b", "Der Mann ging in das Haus.",
    "Z\u0338\u0327a\u0335l\u0336g\u0337o\u0338 comes",
)  # fmt: skip


@table("text", ODD)
def test_odd_text_is_read_too(text):
    doc = parse(text)
    assert all(0 <= r.start < r.end <= len(doc) for r in referents(doc))


def test_the_same_text_under_another_hash_seed():
    code = (
        "from storykeeper.language.coref import referents\n"
        "from storykeeper.language.parser import parse\n"
        f"print(referents(parse({TAVERN!r})))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(printed) == 1
