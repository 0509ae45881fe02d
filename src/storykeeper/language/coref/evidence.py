"""What two mentions alone say for and against being one: words, kinds, distance, speech."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from storykeeper.language.coref.heads import Words, hashed
from storykeeper.language.coref.network import Floats, Ints
from storykeeper.language.coref.traits import PRONOUN, UNKNOWN, Flags, Traits

ROWS = 1 << 12
_ONE = np.uint64(1)
_OTHER = np.uint64(7)  # stands for a word that is no pronoun
_NEW = np.uint64(3)  # stands for the earlier mention where there is none
_FARTHEST = 6  # the last bucket of distances


@dataclass(frozen=True, slots=True)
class Look:
    """Pairs of a later and an earlier mention; of the candidate "new" both are the same."""

    traits: Traits
    later: Ints
    earlier: Ints
    new: Flags
    same_words: Flags
    same_head: Flags
    shared_name: Flags
    last_name: Flags
    first_name: Flags
    other_name: Flags  # two names that share nothing

    @classmethod
    def over(cls, t: Traits, later: Ints, earlier: Ints) -> Look:
        """The pairs, with how their words match."""
        new = later == earlier
        nominal = (t.kind[later] != PRONOUN) & (t.kind[earlier] != PRONOUN) & ~new
        head = (t.lemma[later] == t.lemma[earlier]) & nominal
        one, other = t.name[later], t.name[earlier]
        named = (one[:, 0] > 0) & (other[:, 0] > 0) & ~new
        equal = (one[:, :, None] == other[:, None, :]) & (one[:, :, None] > 0)
        shared = equal.any(axis=(1, 2)) & named
        ends = _last(t.name)
        return cls(
            t, later, earlier, new,
            same_words=(t.words[later] == t.words[earlier]) & head, same_head=head,
            shared_name=shared, last_name=(ends[later] == ends[earlier]) & named,
            first_name=(one[:, 0] == other[:, 0]) & named, other_name=named & ~shared,
        )  # fmt: skip

    @property
    def matches(self) -> tuple[Flags, ...]:
        """All the ways that words may match."""
        return (self.same_words, self.same_head, self.shared_name, self.last_name,
                self.first_name, self.other_name)  # fmt: skip


def _last(names: Words) -> Words:
    filled = np.maximum((names > 0).sum(axis=1) - 1, 0)
    found: Words = names[np.arange(len(names)), filled]
    return found


def _speech(look: Look) -> Ints:
    """How two mentions stand to each other in what is said: nine cases."""
    t = look.traits
    one, other = t.quote[look.later], t.quote[look.earlier]
    apart = one - other
    near = (t.sentence[look.later] - t.sentence[look.earlier]) <= 1
    both = (one >= 0) & (other >= 0)
    cases = [(one < 0) & (other < 0), both & (apart == 0), both & (apart == 1) & near,
             both & (apart == 1), both & (apart == 2), both & (apart % 2 == 0), both,
             one >= 0, other >= 0]  # fmt: skip
    return np.select(cases, list(range(len(cases))), 0)


def _bucket(values: Ints) -> Ints:
    """0, 1, 2–3, 4–7, …, no more than the farthest."""
    raised: Ints = np.ceil(np.log2(np.maximum(values, 0) + 1)).astype(np.int64)
    return np.minimum(raised, _FARTHEST)


def _rank(look: Look) -> Ints:
    """How many mentions that fit as well stand between."""
    fits = look.traits.fits
    upto = np.zeros((8, len(fits) + 1), np.int64)
    for each in range(8):
        upto[each, 1:] = np.cumsum(fits == each)
    wanted = fits[look.later]
    between: Ints = upto[wanted, look.later]
    return between - upto[wanted, np.minimum(look.earlier + 1, look.later)]


def rows(look: Look) -> Ints:
    """What is of a kind, as rows of the network's table."""
    columns = [np.asarray(c).astype(np.uint64) for c in _kinds(look)] + _worded(look)
    return np.stack([hashed(c, 200 + salt, ROWS) for salt, c in enumerate(columns)], axis=1)


def _matching(look: Look) -> Ints:
    powers = 1 << np.arange(len(look.matches))
    return np.stack(look.matches, axis=1).astype(np.int64) @ powers


def _kinds(look: Look) -> list[Ints]:
    t, later, earlier = look.traits, look.later, look.earlier
    kind = np.where(look.new, 3, t.kind[earlier])
    kinds = t.kind[later] * 4 + kind
    forms = t.fits[later] * 9 + np.where(look.new, 8, t.fits[earlier])
    categories = t.category[later] * 7 + np.where(look.new, 6, t.category[earlier])
    speech, matches = _speech(look), _matching(look)
    sentences = _bucket(t.sentence[later] - t.sentence[earlier])
    ranks = _bucket(_rank(look))
    return [
        forms * 16 + speech, kinds * 8 + sentences, forms * 64 + sentences * 8 + ranks,
        kinds * 128 + matches, forms * 16 + kinds, categories * 16 + kinds,
        matches * 8 + sentences, (t.fits[later] * 16 + speech) * 4 + kind,
        _bucket((later - earlier) // 2) * 16 + kinds,
    ]  # fmt: skip


def _worded(look: Look) -> list[Words]:
    t, later, earlier, new = look.traits, look.later, look.earlier, look.new
    kinds = (t.kind[later] * 4 + np.where(new, 3, t.kind[earlier])).astype(np.uint64)
    near = _bucket(t.sentence[later] - t.sentence[earlier]).astype(np.uint64)
    word = np.where(t.kind == PRONOUN, t.first, _OTHER)
    lemma, first, role = (np.where(new, _NEW, c[earlier]) for c in (t.lemma, t.first, t.role))
    roles = (t.role[later] << _ONE) ^ role
    return [
        (word[later] << _ONE) ^ np.where(new, _NEW, word[earlier]),
        t.lemma[later] ^ kinds, lemma, (t.lemma[later] << _ONE) ^ lemma,
        t.first[later] ^ kinds, first ^ kinds, roles ^ kinds,
        (t.first[later] << _ONE) ^ first ^ _matching(look).astype(np.uint64),
        role ^ (near << np.uint64(5)) ^ (t.fits[later].astype(np.uint64) << np.uint64(9)),
    ]  # fmt: skip


def numbers(look: Look) -> Floats:
    """What is measured, or simply so or not so. Of the candidate "new", little is."""
    t, later, earlier = look.traits, look.later, look.earlier
    known = (t.fits[later] != UNKNOWN) & (t.fits[earlier] != UNKNOWN)
    agree = t.fits[later] == t.fits[earlier]
    far = t.sentence[later] - t.sentence[earlier]
    inside = (t.start[later] >= t.start[earlier]) & (t.end[later] <= t.end[earlier])
    around = (t.start[earlier] >= t.start[later]) & (t.end[earlier] <= t.end[later])
    length = np.sqrt((t.senses**2).sum(axis=1)) + np.float32(1e-6)
    alike = (t.senses[later] * t.senses[earlier]).sum(axis=1) / (length[later] * length[earlier])
    speaks = t.speaks[later]
    columns = [
        known & agree, known & ~agree, t.plural[later] == t.plural[earlier],
        t.category[later] == t.category[earlier], far == 0, far == 1, far / 10, np.log1p(far),
        np.log1p(later - earlier), np.log1p(_rank(look)), inside, around, alike,
        speaks == t.head[earlier], t.hears[later] == t.head[earlier],
        t.apposed[later] == t.head[earlier], t.governor[later] == t.governor[earlier],
        t.governor[later] == t.head[earlier], t.governor[earlier] == t.head[later],
        t.role[later] == t.role[earlier], t.head[later] == t.speaks[earlier],
        (speaks == t.speaks[earlier]) & (speaks >= 0), *look.matches,
    ]  # fmt: skip
    found = np.stack([np.asarray(c, np.float32) for c in columns], axis=1)
    found[look.new] = 0
    always = np.stack([look.new, np.log1p(later) / 5], axis=1).astype(np.float32)
    return np.concatenate([found, always], axis=1)
