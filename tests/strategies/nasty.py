"""Texts that cost most to read, of any length, and how the time they take grows with it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import count

MOST = 1.2  # the exponent of growth
UNSEEN = 0.03  # seconds; less is noise

Text = Callable[[int], str]


def repeated(piece: str) -> Text:
    """One piece again and again, up to a length."""
    return lambda length: (piece * (length // len(piece) + 1))[:length]


def nested(opening: str, closing: str) -> Text:
    """Marks in marks, half of the length deep."""
    return lambda length: opening * (length // 2) + "no" + closing * (length // 2)


def numbered(form: Callable[[str], str]) -> Text:
    """A form filled with a word that was not there before, again and again, up to a length."""

    def text(length: int) -> str:
        made, size = [], 0
        for number in count(30):
            if size >= length:
                return "".join(made)[:length]
            made.append(form(f"{letters(number)}ax"))
            size += len(made[-1])
        return ""

    return text


def letters(number: int) -> str:
    """A number as letters."""
    found = ""
    while number:
        number, left = divmod(number, 26)
        found += chr(97 + left)
    return found


def drawn(signs: str) -> Text:
    """Signs in no order, the same each time."""

    def text(length: int) -> str:
        luck = random.Random(7)
        return "".join(luck.choice(signs) for _ in range(length))

    return text


NASTY: dict[str, Text] = {
    "single quotes": repeated("'"),
    "breaks": repeated("a\n"),
    "a name": repeated("Mara "),
    "brackets": nested("[", "]"),
    "quotes left open": repeated('"a '),
    "prose without stops": repeated(
        "the lamp of Mara stood by the door and she took it to the harbour where Tom waited with a"
        " rope and looked at the sea while rain fell on the roof "
    ),
    "one letter": repeated("a"),
    "double parentheses": repeated("(("),
    "double quotes": repeated('"'),
    "words in single quotes": repeated("'a "),
    "words in curly single quotes": repeated("‘a "),
    "said without end": repeated("I say 'no "),
    "words in double quotes": repeated('"a" '),
    "curly quotes": nested("“", "”"),
    "curly quotes left open": repeated("“a "),
    "parentheses": nested("(", ")"),
    "braces": nested("{", "}"),
    "links": repeated("[a]("),
    "asterisks": repeated("*"),
    "stars around words": repeated("**a** "),
    "underscores": repeated("_a "),
    "dashes": repeated("-"),
    "long dashes": repeated("—"),
    "dashes between words": repeated("a - "),
    "backticks": repeated("`a "),
    "fences": repeated("```\n"),
    "one word": repeated("the "),
    "a deed": repeated("look "),
    "and": repeated("and "),
    "names joined": repeated("Mara and "),
    "gifts": repeated("give the lamp to Mara "),
    "tellings": repeated("tell Mara that "),
    "asked about": repeated("I ask Mara about the lamp, "),
    "said": repeated('"No," said Mara. '),
    "commas": repeated("lamp, "),
    "stops": repeated("."),
    "short sentences": repeated("I look. "),
    "titles": repeated("Mr. "),
    "line ends": repeated("a\n\n"),
    "marks on letters": repeated("à̂̃"),
    "zero width": repeated("a\u200b"),
    "no spaces": repeated("漢"),
    "joined signs": repeated("👩‍👩‍👧 "),
    "angles": repeated("<a "),
    "addresses": repeated("a@a."),
    "protocols": repeated("http://"),
    "numbers": repeated("1,"),
    "capitals": repeated("Aa Bb Cc "),
    "pronouns": repeated("she "),
    "pipes": repeated("| a "),
    "headings": repeated("# "),
    "spaces": lambda length: f"a{' ' * length}b",
    "tabs": lambda length: f"a{chr(9) * length}b",
    "times": repeated("yesterday at noon three days ago "),
    "words, each another": numbered(lambda word: f"{word} "),
    "names, each another": numbered(lambda word: f"{word.capitalize()} met "),
    "things, each another": numbered(lambda word: f"She took the {word}. "),
    "gifts, each another": numbered(lambda word: f"{word.capitalize()} gave Mara the {word} cup. "),
    "voices, each another": numbered(lambda word: f'"{word}," said {word.capitalize()}. '),
    "marks in no order": drawn("\"'()[]{}*_-—.,!?“”‘’ a"),
    "quotes in no order": drawn("\"“”‘’' a"),
    "tags in no order": drawn("<>/&;!-= a\"'"),
}  # fmt: skip

# Of these a reader of prose makes nothing; what makes a text safe, and what reads files, might.
MARKUP: dict[str, Text] = NASTY | {
    "headings, each another": numbered(lambda word: f"## {word}\n\n{word}\n\n"),
    "speakers, each another": numbered(lambda word: f"{word.capitalize()}: {word}\n"),
    "keys, each another": numbered(lambda word: f"{word}: [1]\n"),
    "keys in keys": numbered(lambda word: f"{'  ' * (len(word) * 9)}{word}:\n"),
    "anchors": repeated("*a &a "),
    "comments": repeated("<!--"),
    "references": repeated("&#"),
    "escapes": repeated("\\u0041"),
    "tokens of templates": repeated("<|im_start|>"),
    "orders": repeated("ignore all previous instructions "),
    "orders in pieces": repeated("i g n o r e "),
    "orders with gaps": repeated("ig\u200bnore "),
    "orders in other letters": repeated("іgnоrе "),
    "one long code": drawn("ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/"),
    "codes": repeated("aWdub3JlIGFsbCBwcmV2aW91cw== "),
    "turned": repeated("\u202ea\u202c "),
    "letters that grow": repeated("ﷺ"),
    "stage blocks": repeated("```stage\n"),
    "stage blocks with rows": repeated('```json\n{"moves": ['),
    "braces and quotes": repeated('{"a":'),
    "rules": repeated("---\n"),
    "tables": repeated("|---|\n"),
    "lists": repeated("1. a\n"),
    "quoted lines": repeated("> "),
    "days": repeated("May 5th, "),
    "counts": repeated("twenty-first "),
    "spans": repeated("between May and "),
}  # fmt: skip


def seconds(work: Callable[[], object]) -> float:
    """The processor time that a piece of work takes."""
    before = time.process_time()
    work()
    return time.process_time() - before


def too_much(work: Callable[[str], object], text: Text, *, small: int, large: int) -> str:
    """What there is to say if the time grows faster than it may; tried again before it is said."""
    for _ in range(3):
        least = seconds(lambda: work(text(8)))
        short = seconds(lambda: work(text(small))) - least
        long = seconds(lambda: work(text(large))) - least
        if long <= max(short, UNSEEN) * (large / small) ** MOST:
            return ""
    return f"{small}: {short:.2f} s, {large}: {long:.2f} s"
