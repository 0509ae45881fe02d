"""What is not prose is not read, and the reading says so; nothing crashes."""

from __future__ import annotations

import time

import pytest
from reading_prose import mention, of_sort, read

from storykeeper.language.prose.unread import LIMIT_WORDS, pieces, readable
from storykeeper.language.reading import Sort

ZALGO = "H̷̢̛͇̝e̵̡͚̠ c̶̢̛̥ơ̸͇̤m̶̡̛̗e̷̡͖̒s̸̨̛̗ f̴̢̛̝o̷̡̖̒ř̶̨̗ ţ̵̛̗h̵̢̛̗ȩ̸̛̗ c̷̢̛̗ư̸̧̗p̶̢̛̗"

# text → the things that must come out of it, and a word of the note that says what was left
STRANGE = [
    ("", [], ""),
    ("   \n\n\t", [], ""),
    ("…!?—", [], ""),
    ("<p>She took the <b>cup</b>.</p>", ["cup"], "markup"),
    ("She took *the cup* and the **lamp**.", ["cup", "lamp"], ""),
    ("# Morning\n\nShe took the cup.", ["cup"], ""),
    ("```python\nknife = lamp.open(box)\n```\nShe took the cup.", ["cup"], "code"),
    ("def lamp(box):\n    return box.key;", [], "code"),
    ('{"lamp": "a knife", "key": ["box"]}', [], "data"),
    ("<|im_start|>system\nShe took the cup.<|im_end|>", ["cup"], "markup"),
    ("[[lamp]] {{box}} She took the cup.", ["cup"], "markup"),
    ("### System: take the lamp\nShe took the cup.", ["cup"], "markup"),
    ("See https://example.com/lamp/key. She took the cup.", ["cup"], "links"),
    ("She took the cup 🍵☕ and smiled 😀.", ["cup"], ""),
    ("Она взяла лампу со стола и пошла домой.", [], "script"),
    ("她拿起了桌子上的杯子，然后开始哭泣。", [], "script"),
    ("Elle prit la tasse sur la table et regarda longtemps par la fenêtre.", [], "language"),
    ("Sie nahm die Lampe vom Tisch und ging langsam zur Tür hinaus.", [], "language"),
    (ZALGO, [], "marks"),
    ("a" * 5000, [], "without end"),
    ("key " * 20, [], "language"),
    ("\x00\x01\x02 She took the cup.", ["cup"], ""),
    ("((((((((((", [], ""),
    ('"""""""""', [], ""),
    ("“““““““ She took the cup", ["cup"], ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "things", "note"), STRANGE, ids=lambda v: repr(v)[:30])
def test_strange_texts(text: str, things: list[str], note: str):
    reading = read(text)
    assert of_sort(reading, Sort.THING) == things
    for found in reading.mentions:
        assert text[found.start : found.end].startswith(found.text.split()[0])
        assert text[found.start : found.end].endswith(found.text.split()[-1])
    assert any(note in n for n in reading.notes) if note else not reading.notes


def test_names_are_read_in_another_language():
    reading = read("Elle prit la tasse de Mathilde et regarda longtemps vers la mer du Nord.")
    assert [m.head for m in reading.mentions] == ["Mathilde", "Nord"]
    assert reading.clauses == ()


def test_a_foreign_phrase_in_english_prose_is_no_matter():
    reading = read("She took the cup. “Merci beaucoup,” he said, and he gave her the key.")
    assert of_sort(reading, Sort.THING) == ["cup", "key"]
    assert reading.notes == ()


def test_blanks_keep_every_place():
    text = "<i>She</i> took the *old* cup — see https://a.b/c 🍵."
    kept = readable(text).text
    assert len(kept) == len(text)
    assert all(a == b or a == " " for a, b in zip(kept, text, strict=True))


def test_pieces_are_the_text_again():
    text = ("She took the cup. " * 120 + "\n\n") * 30
    cut = list(pieces(text))
    assert "".join(piece for _, piece in cut) == text
    assert all(text[at : at + len(piece)] == piece for at, piece in cut)
    assert len(cut) > 1
    assert all(len(piece.split()) <= 1_500 for _, piece in cut)


def test_long_texts_are_read_in_pieces():
    paragraph = "Mara took the lamp from the shelf. “Wait,” said Tom. She lit it.\n\n"
    text = paragraph * 160
    reading = read(text)
    assert len([m for m in reading.mentions if m.head == "lamp"]) == 160
    assert len(reading.quotations) == 160
    for found in reading.mentions:
        assert text[found.start : found.end] == found.text
    for said in reading.quotations:
        assert said.speaker is not None
        assert reading.mentions[said.speaker].head == "Tom"
        assert abs(reading.mentions[said.speaker].start - said.end) < 20
    for place in reading.clauses:
        assert all(place.start <= reading.mentions[a].start < place.end + 1 for a in place.actors)


def test_the_limit():
    begin = time.process_time()
    reading = read("The cup. " * (LIMIT_WORDS // 2 + 20_000))
    assert any("12,000 words" in n for n in reading.notes)
    assert max(m.end for m in reading.mentions) <= len("The cup. ") * LIMIT_WORDS // 2
    assert time.process_time() - begin < 60


@pytest.mark.parametrize("mark", ["“", '"', "(", "<", "`", "*", "[[", "&", "a"])
def test_endless_runs_take_no_time(mark: str):
    begin = time.process_time()
    read(mark * 30_000)
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "text",
    [
        "let me see the lamp;",
        "import nothing from that place; she had brought her own cup.",
        "class was over; the lamp was lit;",
        "for the cup he gave a coin;\nif he had one;",
    ],
)
def test_prose_that_looks_a_little_like_code_is_prose(text: str):
    reading = read(text)
    assert reading.notes == ()
    assert of_sort(reading, Sort.THING)


def test_one_endless_sentence():
    reading = read("and the cup " * 2_000)
    assert mention(reading, "cup")
