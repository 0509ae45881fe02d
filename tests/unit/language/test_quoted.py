"""What stands in quotation marks, in a line typed and in prose; apostrophes are none."""

from storykeeper.language.prose.quotes import quote_spans
from storykeeper.language.quoted import blanked, quoted_in
from strategies.tables import table


@table(
    "line, words",
    [
        ("I say 'Meet me at dawn.'", ["Meet me at dawn."]),
        ("I say 'hello' to Mara", ["hello"]),
        ("I say 'hello' to Mara's cat", ["hello"]),
        ("'Where is it?' I ask.", ["Where is it?"]),
        (
            "'I don't know,' I say. 'It's the boys' boat.'",
            ["I don't know,", "It's the boys' boat."],
        ),
        ("I tell Tom, 'it's Mara's key'", ["it's Mara's key"]),
        ("I whisper 'now' and go", ["now"]),
        ("I pass Mara a note: 'At dawn'", ["At dawn"]),
        ("‘Come here,’ I say to Tom", ["Come here,"]),
        ("I shout ‘stop’ at Mara’s dog", ["stop"]),
        ("'Tis late,' I say", ["Tis late,"]),
        ('I say "the boys\' boat"', ["the boys' boat"]),
        ("I say “don't”, and ‘em all", ["don't"]),
        # ── and not ──
        ("I look at the 'dragon' on Mara's wall", []),
        ("I take the dogs' bowl and the cats' milk", []),
        ("I get 'em, the boys' hats", []),
        ("I say, 'tis the boys' hats", []),
        ("It's Mara's, isn't it", []),
        ("I take the hat o' the boys' uncle", []),
        ("I remember the summer of '45, and the lads'", []),
        ("rock 'n' roll", []),
        ("I sit 'round the fire", []),
        ("’tis the boys’ boat", []),
        ('I say "stop', []),
    ],
)
def test_what_is_typed_in_marks(line, words):
    assert [each.words for each in quoted_in(line)] == words
    assert len(blanked(line)) == len(line)
    assert all(each not in blanked(line) for each in words)


@table(
    "prose, words",
    [
        ("'Take the key!' mutters Tom.", ["Take the key!"]),
        ("'I don't know,' says Tom. 'It's the boys' boat.'",
         ["I don't know,", "It's the boys' boat."]),
        ("Tom looks up. 'Never saw it,' he says.", ["Never saw it,"]),
        ("'Go!'\n'No!'", ["Go!", "No!"]),
        ("The captain's face fell. 'We're the ship's last hope—'", ["We're the ship's last hope—"]),
        ("‘Never,’ says Tom.", ["Never,"]),
        # ── and not ──
        ("'Tis the boys' hats that Tom says are wet.", []),
        ("Mara's cat, the dogs' bowl, and 'em all.", []),
        ("The so-called 'dragon' of the fair is a dog.", []),
        ("In '45, the lads' boat sank.", []),
        ("The boys' boat, the girls' hats.", []),
        ("“It is 'lost,' he said,” says Tom.", ["It is 'lost,' he said,"]),
        ('"The \'key,\' is gone," says Tom.', ["The 'key,' is gone,"]),
        ("‘Never,’ says Tom. The dogs' bowl.", ["Never,"]),
    ],
)  # fmt: skip
def test_what_is_told_in_marks(prose, words):
    assert [prose[s.inner_start : s.inner_end] for s in quote_spans(prose)] == words


def test_many_marks_that_never_close_take_no_time():
    assert quoted_in("I go 'n " * 5_000) == []
