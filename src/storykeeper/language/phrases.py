"""What the words of a clause refer to: "the chip in the cup", "her", "Mara's cup", "that one".

No parser: players leave out articles, full stops and capitals, and a parser then guesses. A phrase
is what stands between the small words of the language, and its noun is its last word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from storykeeper.language.acts import Referred, Sorts
from storykeeper.language.lexicon import gender_of_noun, sort_of
from storykeeper.language.names import Found
from storykeeper.language.reading import Gender, Mention, MentionKind, Sort
from storykeeper.language.typed import Typed
from storykeeper.language.verbs import IRREGULAR, is_verb
from storykeeper.units import EntityId

_TOKEN = re.compile(r"'s(?!\w)|[^\W_](?:'?[^\W_])*|[,:()—–-]")
_PRONOUNS: dict[str, tuple[Gender, int, bool]] = {
    "me": (Gender.UNKNOWN, 1, False), "myself": (Gender.UNKNOWN, 1, False),
    "us": (Gender.THEY, 1, True), "you": (Gender.UNKNOWN, 2, False),
    "yourself": (Gender.UNKNOWN, 2, False), "him": (Gender.HE, 3, False),
    "he": (Gender.HE, 3, False), "himself": (Gender.HE, 3, False), "her": (Gender.SHE, 3, False),
    "she": (Gender.SHE, 3, False), "herself": (Gender.SHE, 3, False), "it": (Gender.IT, 3, False),
    "itself": (Gender.IT, 3, False), "them": (Gender.THEY, 3, True),
    "they": (Gender.THEY, 3, True), "this": (Gender.IT, 3, False), "that": (Gender.IT, 3, False),
    "these": (Gender.THEY, 3, True), "those": (Gender.THEY, 3, True),
    "hers": (Gender.SHE, 3, False), "mine": (Gender.UNKNOWN, 1, False),
}  # fmt: skip
_OWNERS = {
    "my": "me", "your": "you", "his": "him", "her": "her", "its": "it", "our": "us",
    "their": "them",
}  # fmt: skip
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both", "all"})
_INDEFINITE = frozenset({"a", "an", "some", "any", "another", "each", "every"})
PREPOSITIONS = frozenset(
    ["at", "to", "in", "on", "into", "onto", "with", "from", "about", "under", "behind", "of",
     "over", "for", "through", "by", "near", "beside", "between", "across", "against", "off",
     "inside", "outside", "around", "round", "along", "toward", "towards", "past", "above", "below",
     "beneath", "before", "after", "concerning", "regarding", "like", "using", "upon", "among"]
)  # fmt: skip
PARTICLES = frozenset(
    ["up", "down", "back", "away", "out", "off", "in", "on", "over", "around", "round", "home",
     "inside", "outside", "forward", "ahead", "upstairs", "downstairs", "aside", "together"]
)  # fmt: skip
ENDS = frozenset(
    ["and", "or", "but", "then", "so", "i", "we", "not", "no", "as", "than", "because", "while",
     "again", "now", "here", "there", "please", "too", "also", "just", "even", "very", "really",
     "once", "twice", "instead", "until", "till", "if", "where", "why", "whether", "when",
     "who", "whose", "what", "how", "which", "nothing", "something", "everything", "anything",
     "nobody", "somebody", "everybody", "anybody", "someone", "everyone", "anyone", "goodbye",
     "is", "are", "was", "were", "be", "been", "has", "have", "had", "do", "does", "did", "can",
     "could", "will", "would", "should", "may", "might", "must", "gently", "softly", "'s", "along",
     "i'm", "i'll", "i've", "i'd", "it's", "she's", "he's", "you're", "they're", "that's",
     "what's", "where's", "who's", "how's", "let's", "there's", "here's", "aloud",
     "more", "else", "next", "ok", "okay", "front",
     "closer", "nearer", "harder", "faster", "together",
     "later", "soon", "today", "tomorrow", "tonight"]
)  # fmt: skip
_LATER = frozenset({"until", "till", "because", "although", "since", "unless"})  # another clause
_TRAILING = frozenset({"open", "shut", "hard", "alone", "first", "closed"})  # "push it open"
_NO_ADVERB = frozenset(
    ["family", "belly", "lily", "jelly", "bully", "butterfly", "fly", "ally", "holly", "assembly",
     "lovely", "lonely", "ugly", "silly", "holy", "elderly", "early", "only", "curly", "friendly",
     "reply", "apply", "rely", "supply", "rally", "bodily", "daily", "chilly", "wooly", "woolly"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a clause, or a name, which is one word however many it has."""

    text: str
    start: int
    end: int
    entity: EntityId | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something referred to, and the small word before it."""

    before: str  # "with", "at"; "" for what stands directly after the verb
    what: Referred
    at: int  # which token it begins and ends with
    end: int
    joined: bool = False  # by *and* to the phrase before

    @property
    def is_pointed(self) -> bool:
        """Whether it is more than a bare noun, which may be no noun: "sorry"."""
        return self.what.entity is not None or self.what.mention.definite or bool(self.before)


def tokens_of(text: str, start: int, end: int, found: Sequence[Found], *, most: int) -> list[Token]:
    """The words of a clause in order, each name as one; no more than `most`."""
    tokens: list[Token] = []
    at = start
    for name in [*found[:most], None]:
        stop = name.start if name is not None else end
        for match in islice(_TOKEN.finditer(text, at, stop), most):
            tokens.extend(_split(match))
        if len(tokens) >= most:
            return tokens[:most]
        if name is not None:
            word = text[name.start : name.end].casefold()
            tokens.append(Token(word, name.start, name.end, name.entity))
            at = name.end
    return tokens


def _split(match: re.Match[str]) -> list[Token]:
    """A word; an owner's, as the word and its 's."""
    word, start, end = match.group().casefold(), match.start(), match.end()
    if word.endswith("'s") and len(word) > 2 and word not in ENDS and word[:-2] not in _CONTRACTED:
        return [Token(word[:-2], start, end - 2), Token("'s", end - 2, end)]
    return [Token(word, start, end)]


_CONTRACTED = frozenset({"what", "who", "where", "how", "when", "why", "let", "there", "here"})


def is_adverb(word: str) -> bool:
    """Whether a word says how something is done."""
    return word.endswith("ly") and len(word) > 4 and word not in _NO_ADVERB


class Phrases:
    """Reads what is referred to in one clause."""

    def __init__(
        self, typed: Typed, line: str, tokens: Sequence[Token], sorts: Sorts, *, asked: bool = False
    ) -> None:
        self.tokens, self._asked = tokens, asked
        self._typed, self._line, self._sorts = typed, line, sorts

    def read(self, start: int, *, giving: bool = False) -> list[Phrase]:
        """The phrases from a token on. After a verb of giving, "her" is whom, not whose."""
        found: list[Phrase] = []
        before, joined, i = "", False, start
        while i < len(self.tokens) and self.tokens[i].text not in _LATER:
            word = self.tokens[i].text
            phrase = self._phrase(i, before=before, joined=joined, giving=giving)
            if phrase is not None:
                found.append(phrase)
                before, joined, i = "", False, phrase.end
                giving = False
                continue
            if word in PREPOSITIONS:
                front = i > 0 and self.tokens[i - 1].text == "front"  # "in front of her"
                before = "near" if front else word
            joined = word in ("and", ",") and bool(found) and found[-1].end == i
            if joined:
                before = found[-1].before
            elif word not in PREPOSITIONS and word not in PARTICLES:
                before = ""
            i += 1
        return found

    def named(self, i: int) -> Referred:
        """The name that a token is."""
        return self._noun(i, i, i + 1, None)

    def _phrase(self, i: int, *, before: str, joined: bool, giving: bool) -> Phrase | None:
        read = self._referred(i, giving=giving)
        if read is None:
            return None
        what, end = read
        if end + 1 < len(self.tokens) and self.tokens[end].text == "of" and _is_noun(what):
            rest = self._referred(end + 1, giving=False)
            if rest is not None:
                what, end = self._of(what, rest[0]), rest[1]
        return Phrase(before, what, i, end, joined)

    def _referred(self, i: int, *, giving: bool) -> tuple[Referred, int] | None:
        """What is referred to from a token on, and the token after."""
        first, owner, start = i, None, self.tokens[i]
        word = start.text
        if word in _OWNERS and start.entity is None and self._owns(i, giving=giving):
            owner, first = self._pronoun(i, _OWNERS[word]), i + 1
        elif start.entity is None and self._points(i, giving=giving):
            first = i + 1
        elif word in _PRONOUNS and start.entity is None:
            return None if self._says_that(i) else (self._pronoun(i, word), i + 1)
        end = self.run(first)
        if end == first:
            return None
        what = self._noun(i, first, end, owner)
        if end < len(self.tokens) and self.tokens[end].text == "'s" and self._content(end + 1):
            rest = self.run(end + 1)
            return self._noun(i, end + 1, rest, what), rest
        return what, end

    def _owns(self, i: int, *, giving: bool) -> bool:
        """Whether *her* (or *your*) says whose the next thing is."""
        if self.tokens[i].text != "her":
            return self._content(i + 1)
        if not self._content(i + 1):
            return False
        if not giving:
            return not self._does(i + 1)
        after = self.run(i + 1)
        return after < len(self.tokens) and self.tokens[after].text == "to"

    def _says_that(self, i: int) -> bool:
        """Whether *that* only begins what is said: "tell her that the lens is sold"."""
        if self.tokens[i].text != "that" or i + 1 >= len(self.tokens):
            return False
        after = self.tokens[i + 1]
        small = after.text in _PRONOUNS or after.text in _OWNERS or after.text in _DEFINITE
        return small or after.text in _INDEFINITE or after.text in ("i", "i'm", "we", "it's")

    def _does(self, i: int) -> bool:
        """Whether a verb and what it is done to follow: "watch her light the lamp"."""
        after = self.tokens[i + 1].text if i + 1 < len(self.tokens) else ""
        return after in _DEFINITE and is_verb(self.tokens[i].text, frozenset())

    def _points(self, i: int, *, giving: bool) -> bool:
        word = self.tokens[i].text
        many = word == "them" and not giving and self._is_plural(i + 1)  # "them keys"
        return (many or word in _DEFINITE | _INDEFINITE) and self._content(i + 1)

    def _is_plural(self, i: int) -> bool:
        return i < len(self.tokens) and _singular(self.tokens[i].text)[1]

    def _content(self, i: int) -> bool:
        return i < len(self.tokens) and self.run(i) > i

    def run(self, i: int) -> int:
        """Where the words of a noun end: with a name, or before a small word."""
        first = i
        while i < len(self.tokens):
            token = self.tokens[i]
            if token.entity is not None:
                return i if i > first and token.entity in self._sorts.people else i + 1
            if not is_content(token.text) or (i > first and _is_verb_form(token.text)):
                return i
            if i > first and self._asked and is_verb(token.text, frozenset()):
                return i  # "what does the letter say?"
            if token.text in _TRAILING and (i > first or not self._content(i + 1)):
                return i
            i += 1
        return i

    def _pronoun(self, i: int, word: str) -> Referred:
        gender, person, plural = _PRONOUNS[word]
        sort = Sort.PERSON if gender in (Gender.HE, Gender.SHE) or person < 3 else Sort.UNKNOWN
        start, end = self._place(i, i + 1)
        mention = Mention(
            start, end, self._line[start:end], word, MentionKind.PRONOUN, sort,
            gender=gender, plural=plural, definite=True, person=person,
        )  # fmt: skip
        return Referred(mention)

    def _noun(self, at: int, first: int, end: int, owner: Referred | None) -> Referred:
        """A name or noun: its tokens, with what points at it from `at` on."""
        *words, last = self.tokens[first:end]
        start, stop = self._place(at, end)
        head, plural = _singular(last.text) if last.entity is None else (last.text, False)
        pointed = self.tokens[at].text if at < first else ""
        entity = last.entity
        mention = Mention(
            start, stop, self._line[start:stop], head,
            MentionKind.NOUN if entity is None else MentionKind.NAME,
            sort_of(head) if entity is None else self._sort(entity),
            gender=gender_of_noun(head) if entity is None else Gender.UNKNOWN,
            plural=plural,
            definite=entity is not None or owner is not None or pointed in _DEFINITE | {"them"},
            descriptors=tuple(word.text for word in words),
        )  # fmt: skip
        return Referred(mention, entity, owner)

    def _sort(self, entity: EntityId) -> Sort:
        if entity in self._sorts.people:
            return Sort.PERSON
        return Sort.PLACE if entity in self._sorts.places else Sort.THING

    def _of(self, what: Referred, rest: Referred) -> Referred:
        """A cup of coffee is a coffee cup; the edge of the table is at the table."""
        start, end = what.mention.start, rest.mention.end
        mention = replace(what.mention, end=end, text=self._line[start:end])
        if rest.entity is None and not rest.mention.definite:
            extra = (*rest.mention.descriptors, rest.mention.head)
            described = (*mention.descriptors, *extra)
            return replace(what, mention=replace(mention, descriptors=described))
        return located(replace(what, mention=mention), rest, "of")

    def _place(self, first: int, end: int) -> tuple[int, int]:
        return self._typed.place(self.tokens[first].start, self.tokens[end - 1].end)


def located(what: Referred, near: Referred, before: str) -> Referred:
    """What is referred to, with where it is said to be."""
    mention = replace(what.mention, place=f"{before} {near.mention.text}")
    return replace(what, mention=mention, near=near)


def _is_noun(what: Referred) -> bool:
    return what.entity is None and what.mention.kind is MentionKind.NOUN


def is_content(word: str) -> bool:
    """Whether a word names or describes something, or does: none of the small ones."""
    return (
        word[0].isalnum()
        and word not in ENDS
        and word not in PREPOSITIONS
        and word not in PARTICLES
        and word not in _PRONOUNS
        and word not in _OWNERS
        and word not in _DEFINITE
        and word not in _INDEFINITE
        and not is_adverb(word)
    )


def _is_verb_form(word: str) -> bool:
    return word in IRREGULAR and word not in ("left", "read", "put", "lay", "felt", "rose", "bit")


def _singular(word: str) -> tuple[str, bool]:
    """A noun in its plain form, and whether it was several."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y", True
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2], True
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1], True
    return word, False
