"""What in a sentence counts: its content words, its names and its numbers.

Plain string work, so that compaction costs no model. English is read best. Where a script has no
capitals there are no names to see, and where it has no spaces, words are taken as pairs of signs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.language.tokens import script

_WORD = re.compile(r"[^\W_]+(?:['\-][^\W_]+)*")
_SHORTENED = re.compile(r"'(?:s|re|ll|ve|d|m)$", re.IGNORECASE)  # she's, they'll, Odile's
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_TOGETHER = frozenset({"han", "kana", "thai"})  # scripts without spaces

_STOP_WORDS = """
    a about above after again all also am an and any anyone anything are around as at away back be
    because been before being below between both bit but by came can come could did do does doing
    done down each else even ever every everyone everything few for from further gave get gets
    getting give go goes going gone gonna gosh got gotta guess guys had has have having he hello her
    here hers herself hey hi him himself his how i if in into is it its itself just kind know let
    like little look looks lot made make many may maybe me mean might mine more most much must my
    myself nice now of off oh ok okay on once one only onto or other our ours out over own please
    put quite rather really right said same saw say says see seem seems shall she should since so
    some somebody someone something still stuff such sure take takes tell than thank thanks that
    the their theirs them themselves then there these they thing things think this those though
    through to told too took toward towards two uh um under until up upon us very want wants was way
    we well went were what when where whether which while who whom whose why will with within would
    yeah yep yes yet you your yours yourself"""
_NOT_WORDS = """
    no not never none nobody nothing nowhere neither nor cannot cant dont doesnt didnt isnt arent
    wasnt werent wont wouldnt couldnt shouldnt hasnt havent hadnt mustnt aint without hardly barely
    scarcely nope"""
_SMALL = """
    zero|one first once|two second twice|three third thrice|four fourth|five fifth|six sixth|
    seven seventh|eight eighth|nine ninth|ten tenth|eleven eleventh|twelve twelfth dozen|
    thirteen thirteenth|fourteen fourteenth|fifteen fifteenth|sixteen sixteenth|
    seventeen seventeenth|eighteen eighteenth|nineteen nineteenth|twenty twentieth"""
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_OPENER_WORDS = """
    against along although among another anyway as because besides both despite during earlier
    either enough everybody everywhere former good great however inside instead last late later
    least less meanwhile moreover nearby next nonetheless old outside perhaps several similar
    sometimes soon tense then therefore thus today together tomorrow tonight throughout unlike upset
    various whatever whenever wherever whichever whoever without worried yesterday young"""

STOP = frozenset(_STOP_WORDS.split())
_NOT = frozenset(_NOT_WORDS.split())
_OPENERS = frozenset(_OPENER_WORDS.split())
_NO_NAMES = STOP | {"mr", "mrs", "ms", "miss", "dr", "sir", "madam", "lady", "lord", "prof"}
_NUMBERS = {
    **{word: n for n, same in enumerate(_SMALL.split("|")) for word in same.split()},
    **{word: 10 * n for n, word in enumerate(_TENS.split(), start=3)},
    "hundred": 100,
    "hundreds": 100,
    "thousand": 1_000,
    "thousands": 1_000,
    "million": 1_000_000,
}
_BEFORE_FIRST = frozenset('.!?…:"“‘(«-—')  # after these a sentence begins
_VAGUE = frozenset({"one", "first", "once", "second"})  # more often no number than one


def words(text: str) -> list[str]:
    """The words of a text as they stand."""
    return _WORD.findall(text.replace("’", "'"))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without the endings that change nothing here: locks, locked and locking are lock."""
    plain = word.casefold().removesuffix("'s").replace("'", "")
    for ending, least in (("ies", 5), ("ing", 6), ("ied", 5), ("ed", 5), ("es", 5), ("s", 4)):
        if len(plain) >= least and plain.endswith(ending) and not plain.endswith("ss"):
            cut = plain[: -len(ending)]
            if ending in ("ies", "ied"):
                return f"{cut}y"
            doubled = len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "lsz"
            cut = cut[:-1] if doubled else cut
            return cut.removesuffix("e")
    return plain.removesuffix("e") if len(plain) > 4 else plain


class Word(NamedTuple):
    """What one word brings to a text. The same words come again and again: each is read once."""

    terms: tuple[str, ...]
    name: str  # without its ending; empty if it is written small or can be none
    numbers: tuple[str, ...]
    denies: bool


@lru_cache(maxsize=65_536)
def _word(word: str) -> Word:
    plain = word.casefold()
    if script(word[0]) in _TOGETHER:
        found = tuple(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    else:
        found = (stem(word),) if _counts(plain) else ()
    name = _SHORTENED.sub("", word) if word[0].isupper() and not is_function_word(word) else ""
    parts = (part for part in plain.split("-") if part in _NUMBERS and part not in _VAGUE)
    return Word(
        found, "" if name.casefold() in _NO_NAMES else name,
        tuple(str(_NUMBERS[part]) for part in parts), plain.replace("'", "") in _NOT,
    )  # fmt: skip


class Counted(NamedTuple):
    """What counts in a text."""

    terms: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    denies: bool


def counted(text: str) -> Counted:
    """All that counts in a text, found in one go."""
    text = text.replace("’", "'")
    terms: set[str] = set()
    names: set[str] = set()
    numbers = {digits.replace(",", "").rstrip(".") for digits in _DIGITS.findall(text)}
    denied, last = False, 0
    for match in _WORD.finditer(text):
        word = _word(match.group())
        terms.update(word.terms)
        if word.name:
            begins = last == 0 or text[last : match.start()].strip()[-1:] in _BEFORE_FIRST
            if not begins or not _ordinary(word.name):
                names.add(word.name)
        if word.numbers:
            numbers.update(word.numbers)
        denied = denied or word.denies
        last = match.end()
    return Counted(frozenset(terms), frozenset(names), frozenset(numbers), denied)


def terms(text: str) -> frozenset[str]:
    """The stems of a text's content words; pairs of signs where words are not set apart."""
    return frozenset(term for word in words(text) for term in _word(word).terms)


@lru_cache(maxsize=65_536)
def _counts(plain: str) -> bool:
    return not is_function_word(plain) and (len(plain) > 1 or plain.isdigit())


@lru_cache(maxsize=65_536)
def is_function_word(word: str) -> bool:
    """Whether a word is one that says little by itself; "not" is one of these."""
    plain = _SHORTENED.sub("", word.casefold())
    short = stem(plain)
    return word.casefold().replace("'", "") in _NOT or not STOP.isdisjoint(
        (plain, short, f"{short}e")
    )


def names(sentence: str) -> frozenset[str]:
    """The words of a sentence that are names: written large, and not only because they begin it."""
    return counted(sentence).names


@lru_cache(maxsize=16_384)
def _ordinary(word: str) -> bool:
    """Whether a word that begins a sentence may be no name at all."""
    from storykeeper.language.lexicon import gender_of_name, sort_of, verb_classes

    plain = word.casefold()
    if plain in _OPENERS or plain in _NUMBERS or plain.endswith(("ly", "ing", "ed")):
        return True
    if gender_of_name(word) is not Gender.UNKNOWN:
        return False
    forms = {plain, stem(plain), f"{stem(plain)}e"}
    return any(sort_of(form) is not Sort.UNKNOWN or verb_classes(form) for form in forms)


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text, written alike: two is 2, 1,000 is 1000."""
    return counted(text).numbers
