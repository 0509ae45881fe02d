"""What is not prose, and is therefore not read: markup, code, other tongues, noise.

What is left out is replaced by blanks of the same length, so that every position in what remains
is a position in the text as it was given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.language.prose.words import listed
from storykeeper.language.prose.wrapping import unwrapped

LIMIT_WORDS = 12_000
PIECE_WORDS = 1_500

_MARKUP: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("code", re.compile(r"^([ \t]*)(```|~~~)[^\n]*\n.*?(?:^\1\2[^\n]*$|\Z)",
                        re.MULTILINE | re.DOTALL)),
    ("code", re.compile(r"`[^`\n]{1,300}`")),
    ("markup", re.compile(r"<\|im_start\|>\w*|<\|[^|>\n]{1,80}\|>")),
    ("markup", re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)),
    ("markup", re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)),
    ("markup", re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")),
    ("markup", re.compile(r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,12});")),
    ("markup", re.compile(r"\[\[[^\[\]\n]{0,300}\]\]|\{\{[^{}\n]{0,300}\}\}")),
    ("markup", re.compile(r"\[(?:INST|/INST|SYS|/SYS|OOC)[^\]\n]{0,80}\]", re.IGNORECASE)),
    ("links", re.compile(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,300}\)|(?<=\])\([^)\n]{0,300}\)")),
    ("links", re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+|\b[\w.+-]{1,64}@[\w.-]{1,200}\.\w{1,24}")),
    ("markup", re.compile(r"^[ \t]*#{1,6}[ \t]*(?:system|user|assistant|human|instruction)s?\b"
                          r"[^\n]*$", re.IGNORECASE | re.MULTILINE)),
    ("markup", re.compile(r"^[ \t]*(?:system|assistant|user)[ \t]*:[ \t]*$",
                          re.IGNORECASE | re.MULTILINE)),
)  # fmt: skip
# Signs that only dress the words: emphasis, headings, lists, rules.
_DRESS = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]|>+[ \t]?|[*+-][ \t]|(?:[*_-][ \t]*){3,}$)|\*+|~~|__+|"
    r"(?<!\w)_|_(?!\w)|[|^\\<>{}\[\]=`#~]",
    re.MULTILINE,
)
_DATA = frozenset({"{}", "[]"})
_CODE = re.compile(
    r"^\s*(?:def \w+\(|class \w+ ?[(:{]|import \w+(?:;|$| as |\.\w)|from [\w.]+ import |"
    r"function \w*\(|(?:const|let|var) \w+ ?=|#include|return [\w.()\[\]]+;$|(?:if|for|while) ?\(|"
    r"(?:public|private) (?:static|class|void|int)|SELECT .{1,200} FROM |</?\w+|"
    r"[\w.]+ ?= ?[\w\"'({\[]|\$ \w)",
)
# Code only among code: an indented "for … :", "return it".
_IN_CODE = re.compile(
    r"^\s+(?:(?:if|for|while|elif|else|try|except|with)\b[^\n]{0,200}:|return\b[^.]*)$"
)
# A heading is a sentence of its own.
_HEADING = re.compile(r"^([ \t]{0,3}#{1,6}[ \t][^\n]{0,300}\w)\n", re.MULTILINE)
_ENDLESS = re.compile(r"\w{41,}|\S{400,}")  # the parser's words are not made for these
_WORD = re.compile(r"\S+")
_HEAP = 2  # marks on a word; one is an accent
_LETTER_RUN = re.compile(r"[^\W\d_]+")
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?![ \t]*\n)[^\n]+)*")
_ENGLISH = listed(
    """
    the a an and or but of to in on at by for from with as is was are were be been i you he she it
    we they me him her us them my your his its our their this that these those not no so if then
    when where what who which there here have has had do does did will would can could into out up
    down over again off about all one some
    """
)
# Small words of other tongues in Latin letters that are no words of English.
_OTHER = (
    listed(
        """
    le la les un une des du de et est dans sur par pour avec qui que il elle ne pas
    der das den dem ein eine und ist nicht mit von vom zu zur zum sie er ich auf aus
    el los las una y en con por para del al lo su no se che di il gli della e non per sono
    het een van niet op voor hij zij ik och att det som inte jag og ikke han hun
    o os uma da em na com ao nie na do jest ja je si u i ve bir bu ki
    """
    )
    - _ENGLISH
    - {"do", "no", "con", "per", "van", "o", "e", "y", "ah"}
)
_FEW_WORDS = 8
_MANY_WORDS = 40  # below, a want of small English words may be chance: "Tom waits. Mara sings."
_ENGLISH_SHARE = 0.12


@dataclass(frozen=True, slots=True)
class Readable:
    """A text with what is not prose blanked out, what to say of that, and names found in it."""

    text: str
    notes: tuple[str, ...]
    foreign: tuple[tuple[int, int], ...]  # stretches of other tongues in Latin letters


_CONTROLS = {code: " " for code in range(32) if chr(code) not in "\n\t\r"} | {127: " "}


def readable(text: str) -> Readable:
    """What can be read of a text."""
    notes: dict[str, None] = {}
    masked = _without_markup(text.translate(_CONTROLS).replace("--", " —"), notes)
    masked, foreign = _without_strangers(masked, notes)
    plain = unwrapped(_DRESS.sub(_blanks, _HEADING.sub(r"\1.", masked)))
    return Readable(plain, tuple(notes), foreign)


def _blanks(match: re.Match[str]) -> str:
    return "".join("\n" if c == "\n" else " " for c in match.group())


def _without_markup(text: str, notes: dict[str, None]) -> str:
    for kind, pattern in _MARKUP:
        changed = pattern.sub(_blanks, text)
        if changed != text:
            notes[f"{kind} left unread"] = None
        text = changed
    return _by_paragraph(text, lambda paragraph: _code_in(paragraph, notes))


def _by_paragraph(text: str, decide: Callable[[str], str]) -> str:
    return _PARAGRAPH.sub(lambda m: decide(m.group()), text)


def _code_in(paragraph: str, notes: dict[str, None]) -> str:
    lines = paragraph.split("\n")
    ends = paragraph.strip()[:1] + paragraph.strip()[-1:]
    if ends in _DATA and paragraph.count('"') >= 2 and ":" in paragraph:
        notes["data left unread"] = None
        return _spaces(paragraph)
    code = sum(bool(_CODE.match(line)) or _ends_as_code(line) for line in lines)
    code += sum(bool(_IN_CODE.match(line)) for line in lines) if code else 0
    if code > len(lines) / 2:
        notes["code left unread"] = None
        return _spaces(paragraph)
    return paragraph


def _ends_as_code(line: str) -> bool:
    """A brace, or a semicolon after a call: prose has neither."""
    last = line.rstrip()[-2:]
    return last[-1:] in ("{", "}") or last == ");"


def _spaces(text: str) -> str:
    return "".join("\n" if c == "\n" else " " for c in text)


def _without_strangers(
    text: str, notes: dict[str, None]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Blank out other scripts, other tongues, marks heaped on letters, endless words."""
    foreign: list[tuple[int, int]] = []
    out, at = [], 0
    for match in _PARAGRAPH.finditer(text):
        out.append(text[at : match.start()])
        paragraph = match.group()
        kept = paragraph if paragraph.isascii() else _without_noise(paragraph, notes)
        if _is_foreign(kept):
            notes["words of another language: only names were read"] = None
            foreign.append(match.span())
            kept = _spaces(kept)
        out.append(_shorter(kept, notes))
        at = match.end()
    return "".join([*out, text[at:]]), tuple(foreign)


def _without_noise(paragraph: str, notes: dict[str, None]) -> str:
    letters = [c for c in paragraph if not c.isspace()]
    heaped = sum(unicodedata.combining(c) > 0 for c in letters)
    if heaped * 4 > len(letters):
        notes["letters under heaps of marks left unread"] = None
        return _spaces(paragraph)
    strange = sum(c.isalpha() and not _latin(c) for c in letters)
    if strange * 3 > sum(c.isalpha() for c in letters):
        notes["words in another script left unread"] = None
        return _spaces(paragraph)
    kept = _WORD.sub(lambda m: _without_heaps(m.group(), notes), paragraph)
    return "".join(c if _plain(c) else " " for c in kept)


def _without_heaps(word: str, notes: dict[str, None]) -> str:
    """Blanks for a word with about as many marks as letters."""
    marks = 0 if word.isascii() else sum(unicodedata.combining(c) > 0 for c in word)
    if marks < _HEAP or marks * 3 < len(word):
        return word
    notes["letters under heaps of marks left unread"] = None
    return _spaces(word)


@lru_cache(maxsize=4096)
def _latin(char: str) -> bool:
    return char.isascii() or unicodedata.name(char, "").startswith(("LATIN", "MODIFIER"))


@lru_cache(maxsize=4096)
def _plain(char: str) -> bool:
    """A character of prose: Latin letters, digits, marks of punctuation, spaces."""
    if char.isascii():
        return char.isprintable() or char in "\n\t"
    category = unicodedata.category(char)
    if category.startswith("L"):
        return _latin(char)
    return category[0] in "PNZM" or char == "\n"


def _is_foreign(paragraph: str) -> bool:
    words = [w.casefold() for w in _LETTER_RUN.findall(paragraph[:4000])]
    if len(words) < _FEW_WORDS:
        return False
    capitals = sum(w[:1].isupper() for w in _LETTER_RUN.findall(paragraph[:4000]))
    share = sum(w in _ENGLISH for w in words) / len(words)
    if share >= _ENGLISH_SHARE or capitals * 2 >= len(words):
        return False
    return len(words) >= _MANY_WORDS or _is_plainly_foreign(words)


def _is_plainly_foreign(words: list[str]) -> bool:
    """Two words at least that English has not; or hardly any two that differ, in no tongue."""
    others = {word for word in words if word in _OTHER or not word.isascii()}
    return len(others) > 1 or len(set(words)) * 3 <= len(words)


def _shorter(paragraph: str, notes: dict[str, None]) -> str:
    def shortened(match: re.Match[str]) -> str:
        notes["a word without end left unread"] = None
        return _spaces(match.group())

    return _ENDLESS.sub(shortened, paragraph)


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """A text in pieces of at most so many words, cut between paragraphs where it can be.

    Gives each piece with its place. Where a paragraph is longer than a piece, it is cut after a
    sentence, or else anywhere between two words.
    """
    start = last = words = 0
    for match in re.finditer(r"\S+\s*", text):
        words += 1
        gap = match.group()
        done = "\n\n" in gap or (words >= PIECE_WORDS - 200 and gap.rstrip()[-1:] in '.!?”"')
        if done:
            last = match.end()
        if words >= PIECE_WORDS:
            cut = last if last > start else match.end()
            yield start, text[start:cut]
            words = len(text[cut : match.end()].split())
            start = last = cut
    if text[start:].strip():
        yield start, text[start:]


def within_limit(text: str) -> tuple[str, str]:
    """The part that is read, and what to say of the rest."""
    if len(text) < LIMIT_WORDS:
        return text, ""
    for count, match in enumerate(re.finditer(r"\S+", text)):
        if count >= LIMIT_WORDS:
            return text[: match.start()], f"only the first {LIMIT_WORDS:,} words were read"
    return text, ""


def names_in(text: str, stretch: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Capitalised words that stand inside a sentence: all that is read of another tongue."""
    pattern = re.compile(r"(?<=[\w,;] )[A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+)*")
    for match in pattern.finditer(text, *stretch):
        yield match.span()
