"""Words in an encoding that a person does not read: found by decoding them.

Two kinds. What only a machine writes (base64, hexadecimal, escapes) is marked if it decodes to
words. What a person may have written, such as a name spelled out or a cipher in a riddle, is marked
only if what it says is an order to a model.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

_WORD = re.compile(r"[^\W\d_]{2,}")
_VOWELS = "aeiouäöüéáóAEIOU"
LEAST_WORDS = 3  # that make an encoded text one that says something
LEAST_READABLE = 0.9  # of its characters
MOST_CHARS = 20_000  # of a text that as a whole is taken for a cipher
LEAST_LETTERS = 20  # below which no cipher is guessed
FEW_VOWELS = 0.29  # of the letters: English turned by 13 has about a fifth, English two fifths

_BASE64 = re.compile(r"(?<![A-Za-z0-9+])(?:[A-Za-z0-9+/_-]{4}[\s]?){4,}[A-Za-z0-9+/_-]{0,3}={0,2}")
_BASE32 = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{24,}={0,6}(?![A-Z2-7])")
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[\s:,-]?){12,}[0-9a-fA-F]?")
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|&#x?[0-9a-fA-F]{1,6};){6,}")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}[\w.~-]{0,2}){8,}")
_BINARY = re.compile(r"(?<![01])(?:[01]{8}[\s,]?){8,}(?![01])")
_DECIMAL = re.compile(r"(?<!\d)(?:(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])[\s,]+){11,}\d{2,3}(?!\d)")
_SPELLED = re.compile(r"(?<!\S)(?:[^\W\d_](?:[ .·_*-])){11,}[^\W\d_](?!\w)")
_BACKWARDS = re.compile(r"\b[a-z]{2,}[A-Z]\b|^\s*[.!?]\w", re.MULTILINE)
_MIXED = re.compile(r"\b(?=\w*[a-zA-Z]{2})\w*[a-zA-Z@$][013457@$]+[a-zA-Z]\w*|[@$]\w{2,}")
# What any of these has at the least; most texts have none of it.
_LONG, _FIGURES = re.compile(r"[A-Za-z0-9+/_-]{16}"), re.compile(r"[0-9%\\&]")
_FEW_FIGURES = re.compile(
    r"[0-9a-fA-F]{2}[\s:,-]?[0-9a-fA-F]{2}[\s:,-]|\d{2}[\s,]+\d{2}|[%\\&][\w#]\w|[01]{8}"
)
_SINGLE = re.compile(r" [^\W\d_](?: [^\W\d_]){4} |(?:\w[.·_*-]){6}")
_DIGIT = re.compile(r"[013457@$]")
_LEET = str.maketrans("013457@$", "oieastas")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A part of a text that is encoded, and what it says."""

    start: int
    end: int
    says: str
    by_machine: bool  # nothing but a machine writes so


def decoded(text: str) -> Iterator[Decoded]:
    """What is encoded in a text, as far as it decodes to words."""
    if _LONG.search(text) or (_FIGURES.search(text) and _FEW_FIGURES.search(text)):
        yield from _by_machine(text)
    if _SINGLE.search(f" {text} "):
        for found in _SPELLED.finditer(text):
            says = re.sub(r"[ .·_*-]", "", found[0])
            yield Decoded(*found.span(), says, by_machine=True)
    yield from _whole(text[:MOST_CHARS])


def _by_machine(text: str) -> Iterator[Decoded]:
    for pattern, decode in _MACHINE:
        for found in pattern.finditer(text):
            says = decode(found[0])
            if says is not None and _reads(says):
                end = found.start() + len(found[0].rstrip())
                yield Decoded(found.start(), end, says, by_machine=True)


def _whole(text: str) -> Iterator[Decoded]:
    """A text that as a whole may be written in a way that a person can undo."""
    if len(text) < LEAST_LETTERS:
        return
    vowels = _vowels(text)
    if vowels < FEW_VOWELS * 0.85 * len(text) and (
        vowels < FEW_VOWELS * sum(map(len, _WORD.findall(text)))
    ):
        yield Decoded(0, len(text), codecs.encode(text, "rot13"), by_machine=False)
    if _BACKWARDS.search(text) is not None:
        yield Decoded(0, len(text), text[::-1], by_machine=False)
    if _DIGIT.search(text) and len(_MIXED.findall(text)) >= 2:
        yield Decoded(0, len(text), text.translate(_LEET), by_machine=False)


def _vowels(text: str) -> int:
    return sum(map(text.count, _VOWELS))


def _reads(says: str) -> bool:
    """Whether what came out are words rather than chance."""
    if len(_WORD.findall(says)) < LEAST_WORDS:
        return False
    readable = sum(c.isalpha() or c in " \n.,;:!?'\"()-" or c.isdigit() for c in says)
    return readable >= LEAST_READABLE * len(says) and _vowels(says) > 0


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _first_that_reads(several: Iterator[str | None]) -> str | None:
    """Letters that stand right before what is encoded shift it, and are left out in turn."""
    return next((says for says in several if says is not None and _reads(says)), None)


def _base64(found: str) -> str | None:
    packed = re.sub(r"\s", "", found).replace("-", "+").replace("_", "/").rstrip("=")
    return _first_that_reads(_unpacked(packed[start:]) for start in range(4))


def _unpacked(packed: str) -> str | None:
    try:
        return _text(base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True))
    except binascii.Error:
        return None


def _base32(found: str) -> str | None:
    packed = found.rstrip("=")
    try:
        return _text(base64.b32decode(packed + "=" * (-len(packed) % 8)))
    except binascii.Error:
        return None


def _hex(found: str) -> str | None:
    digits = re.sub(r"0x|\\x|[\s:,-]", "", found)
    pairs = (digits[start:] for start in range(2))
    return _first_that_reads(_text(bytes.fromhex(each[: len(each) & ~1])) for each in pairs)


def _escapes(found: str) -> str | None:
    plain = html.unescape(found)
    return re.sub(r"\\[ux]([0-9a-fA-F]{2,4})", lambda m: chr(int(m[1], 16)), plain)


def _percent(found: str) -> str | None:
    return _text(unquote_to_bytes(found))


def _binary(found: str) -> str | None:
    return _text(bytes(int(each, 2) for each in re.findall("[01]{8}", found)))


def _decimal(found: str) -> str | None:
    return "".join(chr(int(each)) for each in re.findall(r"\d+", found))


_MACHINE: tuple[tuple[re.Pattern[str], Callable[[str], str | None]], ...] = (
    (_HEX, _hex), (_BINARY, _binary), (_DECIMAL, _decimal), (_ESCAPES, _escapes),
    (_PERCENT, _percent), (_BASE32, _base32), (_BASE64, _base64),
)  # fmt: skip
