"""Which words head a mention, and of what: every noun, name and pronoun described for the network.

All of it is done on whole columns of the parse at once: the parser's own ids of words and labels
are hashed into the rows of the network's table, so that no list of words ships with the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from storykeeper.language.coref.network import Floats, Ints
from storykeeper.language.coref.quotes import Quoted
from storykeeper.language.coref.senses import senses
from storykeeper.language.lexicon import gender_of_name, gender_of_noun
from storykeeper.language.reading import Gender

if TYPE_CHECKING:
    from spacy.tokens import Doc

Words = npt.NDArray[np.uint64]

ROWS = 1 << 13
_COLUMNS = ("LOWER", "LEMMA", "TAG", "DEP", "SHAPE", "SUFFIX", "PREFIX", "POS", "HEAD")
_POSSIBLE = ("NOUN", "PROPN", "PRON", "ADJ", "NUM", "DET", "ADV", "X", "VERB", "INTJ")
_CHILDREN = ("det", "poss", "amod", "compound", "prep", "relcl", "appos", "nummod", "conj", "case")
WIDTH = 96  # of the parser's vectors
_ONE = np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The columns of a parse: ids of words and labels, and where each word's governor stands."""

    ids: dict[str, Words]
    governor: Ints
    child: dict[str, Ints]  # the last child with that label, else −1
    possible: npt.NDArray[np.bool_]  # may head a mention
    quoted: npt.NDArray[np.bool_]
    senses: Floats
    vectors: Floats


def hashed(values: Words, salt: int, rows: int = ROWS) -> Ints:
    """Ids as rows of a table; the salt keeps one column's words apart from another's."""
    mixed = (values ^ np.uint64(salt * 0x2545F4914F6CDD1D % 2**64)) * _MIX
    mixed ^= mixed >> np.uint64(29)
    found: Ints = ((mixed * _MIX) >> np.uint64(40)).astype(np.int64) % rows
    return found


def grammar(doc: Doc, quoted: Sequence[Quoted]) -> Grammar:
    """The columns of a parsed text."""
    columns: Words = np.asarray(doc.to_array(list(_COLUMNS)), np.uint64)
    ids = {name: columns[:, at] for at, name in enumerate(_COLUMNS)}
    here = np.arange(len(doc))
    governor = here + ids.pop("HEAD").astype(np.int64)
    strings = doc.vocab.strings
    child = {}
    for label in _CHILDREN:
        where = np.full(len(doc), -1)
        those = ids["DEP"] == strings[label]
        where[governor[those]] = here[those]
        child[label] = where
    possible = np.isin(ids["POS"], np.array([strings[p] for p in _POSSIBLE], np.uint64))
    inside = np.zeros(len(doc), bool)
    for q in quoted:
        inside[q.start : q.end] = True
    shares = senses([token.lemma_.lower() for token in doc])
    return Grammar(ids, governor, child, possible, inside, shares, _vectors(doc))


def _vectors(doc: Doc) -> Floats:
    """The parser's own vectors of the words in their context."""
    vectors: Floats = np.asarray(doc.tensor, np.float32)
    return vectors if len(vectors) == len(doc) else np.zeros((len(doc), WIDTH), np.float32)


def described(doc: Doc, parse: Grammar, at: Ints) -> tuple[Ints, Floats]:
    """Words as the network reads them: rows of its table, and numbers."""
    ids, up = parse.ids, parse.governor[at]
    size = len(doc)
    before, after = np.maximum(at - 1, 0), np.minimum(at + 1, size - 1)
    columns: list[Words] = [ids[name][at] for name in ("LOWER", "LEMMA", "TAG", "DEP")]
    columns += [ids[name][at] for name in ("SHAPE", "SUFFIX", "PREFIX")]
    columns += [ids["LEMMA"][up], ids["TAG"][up], ids["LEMMA"][up] ^ (ids["DEP"][at] << _ONE)]
    columns += [ids["LOWER"][before], ids["LOWER"][after], ids["TAG"][before], ids["TAG"][after]]
    columns += [ids["LOWER"][np.maximum(at - 2, 0)], ids["LOWER"][np.minimum(at + 2, size - 1)]]
    for label in ("det", "poss", "amod", "compound", "prep", "nummod", "conj"):
        columns.append(_of_child(ids["LOWER"], parse.child[label][at]))
    columns.append(ids["LEMMA"][at] ^ (_of_child(ids["LOWER"], parse.child["det"][at]) << _ONE))
    rows = np.stack([hashed(c, salt) for salt, c in enumerate(columns)], axis=1)
    numbers = np.concatenate(
        [parse.senses[at], parse.vectors[at], parse.vectors[up], _numbers(doc, parse, at)], axis=1
    )
    return rows, numbers


def _of_child(values: Words, child: Ints) -> Words:
    return np.where(child >= 0, values[child], np.uint64(0))


def _numbers(doc: Doc, parse: Grammar, at: Ints) -> Floats:
    """Whether it is quoted, begins a sentence, has children; how its word is used elsewhere."""
    has = [parse.child[label][at] >= 0 for label in _CHILDREN]
    starts = np.array([token.is_sent_start is True for token in doc])[at]
    upper = np.array([token.text[:1].isupper() for token in doc])
    named, subject = _elsewhere(doc, parse, upper)
    gender = np.array([_gendered(token.text, token.lemma_) for token in doc], np.float32)[at]
    flags = np.stack([parse.quoted[at], starts, upper[at], *has], axis=1).astype(np.float32)
    return np.concatenate([flags, named[at, None], subject[at, None], gender], axis=1)


def _elsewhere(doc: Doc, parse: Grammar, upper: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Of each word, all over the text: share written with a capital, share as a subject."""
    _, word = np.unique(parse.ids["LOWER"], return_inverse=True)
    count = np.bincount(word)
    subject = parse.ids["DEP"] == doc.vocab.strings["nsubj"]
    named = np.bincount(word, upper) / count
    acting = np.bincount(word, subject) / count
    return named[word].astype(np.float32), acting[word].astype(np.float32)


@lru_cache(maxsize=8192)
def _gendered(word: str, lemma: str) -> tuple[bool, bool, bool, bool]:
    name, noun = gender_of_name(word), gender_of_noun(lemma)
    return name is Gender.SHE, name is Gender.HE, noun is Gender.SHE, noun is Gender.HE
