"""Texts that are open from the start and tell what is withheld: `check` says where and what."""

from __future__ import annotations

from itertools import product

import pytest

from storykeeper.story.checks.telling import _by_rare_words, _Kept, check_telling
from storykeeper.story.knowledge import Fact
from storykeeper.story.loader import read_story
from storykeeper.story.overlap import tells
from strategies.small import SHORE, STORY, read
from strategies.tables import table
from strategies.worlds import EXAMPLE

CHAPTER = EXAMPLE.parent / "chapter-sixteen"
SECRET = "Coyle sold the brass lens to a dealer before the winter inventory."
FACT = f"facts:\n  - {{id: sold, full: {SECRET}, known_by: {{coyle: lived}}}}\n"
COYLE = "  - id: coyle\n    name: Coyle Brand\n    line: He waits.\n"
SCENE = SHORE.replace("ending", "cast: {required: [coyle]}\nending")
TELLS = "He sold the lens to a dealer before winter"


def found(story=STORY + COYLE + FACT, shore=SCENE):
    reading = read({"story.yaml": story, "scenes/shore.md": shore})
    assert not reading.errors, reading.errors
    return [(p.file, p.line, p.what) for p in reading.warnings if p.code == "secret-told"]


def with_line(text: str, story: str = STORY, fact: str = FACT) -> str:
    return story + COYLE.replace("He waits.", f"'{text}.'") + fact


def test_a_line_that_tells_it_is_named_with_its_place_and_the_fact():
    ((file, line, what),) = found(with_line(TELLS))
    assert (file, line) == ("story.yaml", 12)
    assert what == (
        "the line of `coyle` tells much of `sold`, which a player does not know yet"
        " (before, dealer, lens, sold, winter)"
    )


SOFT = f"soft: [{{heading: The trade, text: {TELLS}.}}]\n"


@table(
    "called, story, shore",
    [
        ("the voice", STORY.replace("Plain.", f"{TELLS}."), SCENE),
        ("a rule", f"{STORY.replace('cast:', f'rules: [{TELLS}.]{chr(10)}cast:')}", SCENE),
        ("an anti-pattern", STORY.replace("cast:", f"anti_patterns: [{TELLS}.]\ncast:"), SCENE),
        ("“The trade”", STORY.replace("cast:", f"{SOFT}cast:"), SCENE),
        ("the description of `dock`",
         STORY.replace("cast:", f"settings: [{{id: dock, name: X, description: {TELLS}}}]\ncast:"),
         SCENE),
        ("the description of `box`",
         STORY.replace("cast:", f"things: [{{id: box, name: X, description: {TELLS}}}]\ncast:"),
         SCENE),
        ("a feeling of `mara`",
         STORY + f"    mood: {{feelings: [{{name: shame, awareness: defended,"
         f" shown_as: {TELLS}}}]}}\n", SCENE),
        ("a feeling of `mara`",
         STORY + f"    mood: {{feelings: [{{name: {TELLS}, awareness: articulate}}]}}\n", SCENE),
        ("the card of `mara`", STORY + f"    goals: [{{text: {TELLS}}}]\n", SCENE),
        ("the card of `mara`", STORY + f"    beliefs: [{{text: {TELLS}}}]\n", SCENE),
        ("the card of `mara`", STORY + f"    doctrine: [{TELLS}]\n", SCENE),
        ("the card of `mara`",
         STORY + f"    relations: [{{to: coyle, history: {TELLS}}}]\n", SCENE),
        ("the tone of `shore`", STORY, SCENE.replace("ending", f"tone: {TELLS}\nending")),
        ("the stakes of `shore`", STORY, SCENE.replace("ending", f"stakes: {TELLS}\nending")),
        ("the beat `shore/opening`", STORY, SCENE.replace("The tide is out.", f"{TELLS}.")),
    ],
)  # fmt: skip
def test_every_text_that_is_open_from_the_start_is_looked_at(called, story, shore):
    told = [what for _, _, what in found(story + COYLE + FACT, shore)]
    assert len(told) == 1
    assert told[0].startswith(f"{called} tells much of `sold`")


@pytest.mark.parametrize(
    "text",
    [
        "Sold the lens to a dealer, before the winter",
        "A dealer has the brass lens that was sold in winter; nobody asks",
        "Nobody asks; before any inventory he sold a lens of brass in winter",
        "The dealers were selling brass lenses. Sold: one brass lens, winter, to a dealer",
        "BEFORE WINTER HE SOLD THE LENS TO A DEALER",
    ],
)
def test_other_words_in_another_order_tell_it_too(text):
    assert found(with_line(text))


@pytest.mark.parametrize(
    "text",
    [
        "He waits",
        "Coyle Brand looks after the brass lens",
        "A dealer. In winter he sold coal. The lens is brass",  # no sentence says it
        "Somebody let go of something that was not theirs",  # said in quite other words
        "Coyle, Coyle Brand, Brand, and once more Coyle",
        "Has kept the inventory through every winter",
    ],
)
def test_what_says_less_does_not(text):
    assert not found(with_line(text))


def test_names_alone_tell_nothing():
    fact = "facts:\n  - {id: kin, full: Coyle Brand stole., known_by: {coyle: lived}}\n"
    assert not found(with_line("Coyle Brand is a quiet man", fact=fact))
    assert found(with_line("Coyle Brand stole", fact=fact))
    same = fact.replace("Coyle Brand stole", "Coyle is Mara")
    assert not found(with_line("Coyle and Mara wait", fact=same))


def test_other_words_by_which_it_is_told_are_looked_for_too():
    said = FACT.replace("known_by", "said: [The glass went to the hawker.], known_by")
    assert found(with_line("The glass went with a hawker", fact=said))
    assert not found(with_line("The glass went with a hawker"))


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("known_by: {player: saw}", False),
        ("known_by: {mara: saw}", False),
        ("believed_by: {player: heard}", False),
        ("suspected_by: {player: heard}", True),
        ("known_by: {coyle: lived}, believed_by: {mara: heard}", False),
        ("about: [coyle]", True),
    ],
)
def test_what_players_have_from_the_start_is_not_withheld(keys, told):
    fact = FACT.replace("known_by: {coyle: lived}", keys)
    assert bool(found(with_line(TELLS, fact=fact))) is told


def test_of_several_players_one_who_lacks_it_is_enough():
    story = STORY.replace("[mara]", "[mara, coyle]")
    assert found(with_line(TELLS, story=story))
    known = FACT.replace("coyle: lived", "coyle: lived, mara: saw")
    assert not found(with_line(TELLS, story=story, fact=known))


REVEALED = FACT.replace("known_by", "revealed_by: [{when: {told: shore/opening}}], known_by")


def test_the_beat_that_reveals_it_may_tell_it():
    shore = SCENE.replace("The tide is out.", f"{TELLS}.")
    assert not found(STORY + COYLE + REVEALED, shore)
    head = shore.replace("ending", "beats: {opening: {reveals: [sold]}}\nending")
    assert not found(STORY + COYLE + FACT, head)


def test_what_is_withheld_of_a_scene_ahead_is_not_open():
    ahead = f"---\ntitle: Ahead\nending: true\nstakes: {TELLS}\n---\nSand.\n"
    files = {"story.yaml": STORY + COYLE + FACT, "scenes/shore.md": SCENE}
    for head, told in (
        (ahead, True),
        (ahead.replace("stakes", "withheld: [stakes]\nstakes"), False),
    ):
        reading = read({**files, "scenes/ahead.md": head})
        codes = [p.code for p in reading.warnings]
        assert ("secret-told" in codes) is told


def test_a_text_that_tells_many_is_not_told_of_all():
    many = "facts:\n" + "".join(f"  - {{id: f{i}, full: {SECRET}}}\n" for i in range(9))
    assert len(found(with_line(TELLS, fact=many))) == 3


def test_while_it_is_not_known_who_plays_nothing_is_said():
    broken = with_line(TELLS).replace("players: [mara]", "players: [[]]")
    reading = read({"story.yaml": broken, "scenes/shore.md": SCENE})
    assert reading.errors
    assert not [p for p in reading.warnings if p.code == "secret-told"]


@pytest.mark.parametrize("folder", [EXAMPLE, CHAPTER], ids=["harrow", "chapter sixteen"])
def test_the_examples_tell_nothing_beforehand(folder):
    assert not list(check_telling(read_story(folder).story))


def test_whoever_tells_it_has_one_of_its_rare_words():
    """The short way to those that a sentence could tell leaves none out."""
    letters = "abcdef"
    kept = [
        _Kept(Fact(id="f", full="x"), frozenset(letters[:n]), frozenset(letters[:n]))
        for n in range(2, 7)
    ]
    places = _by_rare_words(kept)
    for picks in product((False, True), repeat=len(letters)):
        sentence = frozenset(c for c, there in zip(letters, picks, strict=True) if there)
        near = {n for word in sentence for n in places.get(word, ())}
        assert {n for n, each in enumerate(kept) if tells(sentence, each.content)} <= near
