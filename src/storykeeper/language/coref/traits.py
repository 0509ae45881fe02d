"""What each mention is like, as columns: kind, gender, number, name, place in the text, speech."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from storykeeper.language.coref.heads import Grammar, Words
from storykeeper.language.coref.network import Floats, Ints
from storykeeper.language.coref.quotes import Quoted
from storykeeper.language.lexicon import gender_of_name, gender_of_noun
from storykeeper.language.reading import Gender, MentionKind

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Flags = npt.NDArray[np.bool_]

NAME, NOUN, PRONOUN = 0, 1, 2
UNKNOWN, HE, SHE, IT, THEY, ME, WE, YOU = range(8)  # classes of pronoun, and what fits a noun
KINDS = {MentionKind.NAME: NAME, MentionKind.NOUN: NOUN, MentionKind.PRONOUN: PRONOUN}
GENDERS = {Gender.UNKNOWN: UNKNOWN, Gender.HE: HE, Gender.SHE: SHE, Gender.IT: IT,
           Gender.THEY: THEY}  # fmt: skip
PRONOUNS: Mapping[str, int] = {
    **dict.fromkeys(("he", "him", "his", "himself", "hisself"), HE),
    **dict.fromkeys(("she", "her", "hers", "herself"), SHE),
    **dict.fromkeys(("it", "its", "itself"), IT),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves", "themself"), THEY),
    **dict.fromkeys(("i", "me", "my", "mine", "myself"), ME),
    **dict.fromkeys(("we", "us", "our", "ours", "ourselves"), WE),
    **dict.fromkeys(
        ("you", "your", "yours", "yourself", "yourselves", "ye", "yeh", "yer", "thou", "thee",
         "thy", "thine", "thyself"), YOU),
}  # fmt: skip
TITLES: Mapping[str, int] = {
    **dict.fromkeys(
        ("mr", "mr.", "sir", "lord", "uncle", "monsieur", "m.", "king", "prince", "duke", "baron",
         "count", "father", "brother", "don", "signor", "herr", "squire", "master", "esq.", "esq",
         "mister", "earl", "marquis"), HE),
    **dict.fromkeys(
        ("mrs", "mrs.", "miss", "ms", "ms.", "lady", "aunt", "madame", "madam", "mademoiselle",
         "queen", "princess", "duchess", "baroness", "countess", "mother", "sister", "dame",
         "donna", "signora", "frau", "mistress", "mme.", "mlle."), SHE),
    **dict.fromkeys(
        ("dr", "dr.", "doctor", "captain", "colonel", "major", "general", "professor", "judge",
         "rev.", "reverend", "st.", "saint", "cousin", "lieutenant", "sergeant", "capt.", "col.",
         "inspector", "old", "young", "little", "poor", "dear"), UNKNOWN),
}  # fmt: skip
_NAME_PARTS = 4


@dataclass(frozen=True, slots=True)
class Traits:
    """One row for each mention, in the order of the text."""

    start: Ints
    end: Ints
    head: Ints
    kind: Ints
    category: Ints
    fits: Ints  # the class of pronoun that it is, or that fits it
    plural: Flags
    words: Words  # the whole mention but for its determiner
    lemma: Words
    first: Words  # its first word: a, the, his
    name: npt.NDArray[np.uint64]  # mentions × parts of a name, 0 where there is none
    sentence: Ints
    role: Words  # the label that ties its head to the governor
    governor: Ints
    quote: Ints  # −1 outside
    speaks: Ints  # of the quotation it stands in, the word that heads the speaker
    hears: Ints
    sure: Flags  # whether the speaker is certain
    owner: Ints  # the mention that owns it, as "his" in "his wife", else −1
    apposed: Ints  # the word its head is in apposition to or said to be, else −1
    senses: Floats

    def __len__(self) -> int:
        return len(self.start)


def traits(
    doc: Doc,
    parse: Grammar,
    quoted: Sequence[Quoted],
    spans: Sequence[tuple[int, int, int]],
    categories: Sequence[int],
) -> Traits:
    """The columns for mentions given as start, end and head."""
    table = np.array(spans, np.int64).reshape(-1, 3)
    start, end, head = table.T
    kinds = [kind_of(doc, *span) for span in spans]
    names = [
        name_parts(doc, *span) if k == NAME else [] for span, k in zip(spans, kinds, strict=True)
    ]
    plural = [is_plural(doc[h], k) for (_, _, h), k in zip(spans, kinds, strict=True)]
    fits = [
        _fitting(doc, parts, h, kind=k, category=c, plural=p)
        for (_, _, h), k, c, p, parts in zip(spans, kinds, categories, plural, names, strict=True)
    ]
    quote = np.full(len(doc), -1)
    for at, q in enumerate(quoted):
        quote[q.start : q.end] = at
    own = quote[head]
    speakers = np.array([*(q.speaker for q in quoted), -1])
    hearers = np.array([*(q.addressee for q in quoted), -1])
    sure = np.array([*(q.sure for q in quoted), False])
    starts = np.array([token.is_sent_start is True for token in doc]).cumsum()
    return Traits(
        start=start, end=end, head=head,
        kind=np.array(kinds, np.int64), category=np.array(categories, np.int64),
        fits=np.array(fits, np.int64), plural=np.array(plural, bool),
        words=_whole(doc, parse, start, end), lemma=parse.ids["LEMMA"][head],
        first=parse.ids["LOWER"][start], name=_padded(doc, names), sentence=starts[head],
        role=parse.ids["DEP"][head], governor=parse.governor[head], quote=own,
        speaks=speakers[own], hears=hearers[own], sure=sure[own],
        owner=_owners(parse, head),
        apposed=np.array([_apposed(doc[h]) for h in head.tolist()], np.int64),
        senses=parse.senses[head],
    )  # fmt: skip


def _owners(parse: Grammar, head: Ints) -> Ints:
    at_head = {place: at for at, place in enumerate(head.tolist())}
    return np.array([at_head.get(p, -1) for p in parse.child["poss"][head].tolist()], np.int64)


def kind_of(doc: Doc, start: int, end: int, head: int) -> int:
    """Whether a mention is a name, a noun or a pronoun."""
    token = doc[head]
    if end - start == 1 and token.lower_ in PRONOUNS:
        return PRONOUN
    capital = token.text[:1].isupper() and (token.i != start or token.pos_ == "PROPN")
    return NAME if token.pos_ == "PROPN" and capital else NOUN


def name_parts(doc: Doc, start: int, end: int, head: int) -> list[Token]:
    """The words of a name, its titles among them: capitals in a row around the head."""
    first = last = head
    while first > start and _of_name(doc[first - 1]):
        first -= 1
    while last + 1 < end and _of_name(doc[last + 1]):
        last += 1
    return [doc[at] for at in range(first, last + 1)]


def _of_name(token: Token) -> bool:
    return token.text[:1].isupper() and token.pos_ in ("PROPN", "NOUN", "ADJ")


def is_plural(token: Token, kind: int) -> bool:
    """Whether several are meant."""
    if kind == PRONOUN:
        return PRONOUNS[token.lower_] in (THEY, WE)
    return token.tag_ in ("NNS", "NNPS")


def _fitting(
    doc: Doc, parts: list[Token], head: int, *, kind: int, category: int, plural: bool
) -> int:
    """The class of pronoun that a mention is, or that fits it as far as its own words say."""
    token = doc[head]
    if kind == PRONOUN:
        return PRONOUNS[token.lower_]
    if plural:
        return THEY
    if category != 0:
        return IT
    if kind == NOUN:
        return GENDERS[gender_of_noun(token.lemma_)]
    for part in parts:
        if titled := TITLES.get(part.lower_, UNKNOWN):
            return titled
    bare = [p for p in parts if p.lower_ not in TITLES]
    if len(bare) == 1 and len(parts) > 1:
        return UNKNOWN  # "Captain Grant": Grant is no first name here
    return GENDERS[gender_of_name(bare[0].text)] if bare else UNKNOWN


def _whole(doc: Doc, parse: Grammar, start: Ints, end: Ints) -> Words:
    """One number for the words of a mention, whatever its article or possessor."""
    lower = parse.ids["LOWER"]
    found = np.zeros(len(start), np.uint64)
    for at, (first, last) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        words = lower[first:last]
        if last - first > 1 and doc[first].tag_ in ("DT", "PRP$"):
            words = words[1:]
        found[at] = np.bitwise_xor.reduce(words * (2 * np.arange(len(words), dtype=np.uint64) + 1))
    return found


def _padded(doc: Doc, names: Sequence[list[Token]]) -> npt.NDArray[np.uint64]:
    table = np.zeros((len(names), _NAME_PARTS), np.uint64)
    for at, parts in enumerate(names):
        bare = [p.lower for p in parts if p.lower_ not in TITLES] or [p.lower for p in parts]
        kept = bare[:_NAME_PARTS]
        table[at, : len(kept)] = kept
    return table


def _apposed(token: Token) -> int:
    """What a noun is in apposition to, or is said to be."""
    if token.dep_ == "appos":
        return token.head.i
    if token.dep_ == "attr":
        return next((c.i for c in token.head.children if c.dep_ == "nsubj"), -1)
    return -1
