"""Mentions joined to chains, from first to last, each to what the network likes best.

What a chain has become speaks too: "she" does not go back to a man, nor to a name whose chain has
turned out to be a man's. These numbers are kept per chain while the text is read. What is certain
is not left to the network: who of the cast a name is, and that outside quotations all "I" are one
narrator and all "you" one player.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from storykeeper.language.coref.network import Floats, Ints, Network
from storykeeper.language.coref.pairs import Pairs
from storykeeper.language.coref.traits import (
    HE,
    IT,
    ME,
    NAME,
    NOUN,
    PRONOUN,
    SHE,
    THEY,
    UNKNOWN,
    YOU,
    Flags,
    Traits,
)

WIDTH = 20
_OFTEN = 0.05  # of the pronouns that tell
NARRATOR, PLAYER = 0, 1
NOBODY = -1  # nothing is known
NEITHER = -2  # somebody, but neither narrator nor player


@dataclass(frozen=True, slots=True)
class Certain:
    """What is known of each mention beforehand; NOBODY where nothing is."""

    person: Ints  # who of the cast
    voice: Ints  # NARRATOR, PLAYER or NEITHER


def certainties(traits: Traits, person: Ints) -> Certain:
    """Outside quotations "I" is the narrator, "you" the player; inside, "I" is who speaks."""
    told = traits.quote < 0
    first = traits.fits == ME
    player = (told & (traits.fits == YOU)) if _tells_you(traits) else np.zeros(len(told), bool)
    voice = np.select([told & first, player], [NARRATOR, PLAYER], NOBODY)
    person = person.copy()
    at_head = {head: at for at, head in enumerate(traits.head.tolist())}
    for mention in np.flatnonzero(~told & first & traits.sure).tolist():
        speaker = at_head.get(int(traits.speaks[mention]))
        if speaker is not None and told[speaker]:
            known = int(voice[speaker])
            person[mention] = person[speaker]
            voice[mention] = NEITHER if known == NOBODY else known
    return Certain(person, voice)


def _tells_you(traits: Traits) -> bool:
    """Whether the text tells of "you". In others a rare "you" is anybody, or the reader."""
    told = traits.fits[(traits.quote < 0) & (traits.kind == PRONOUN)]
    you = int((told == YOU).sum())
    return you >= int((told == ME).sum()) and you >= _OFTEN * len(told)


class Chains:
    """The chains so far."""

    def __init__(self, traits: Traits) -> None:
        size = len(traits)
        self.traits = traits
        self.of = np.full(size, -1)  # the chain of each mention
        self.fits = np.zeros((size, 8), np.float32)  # how many mentions of each class of pronoun
        self.kinds = np.zeros((size, 3), np.float32)
        self.category = np.zeros((size, 6), np.float32)
        self.last = np.full(size, -1)
        self.count = 0

    def join(self, mention: int, chain: int) -> int:
        """Put a mention in a chain, or with −1 in one of its own; the chain is returned."""
        if chain < 0:
            chain = self.count
            self.count += 1
        t = self.traits
        self.of[mention] = chain
        self.fits[chain, t.fits[mention]] += 1
        self.kinds[chain, t.kind[mention]] += 1
        self.category[chain, t.category[mention]] += 1
        self.last[chain] = mention
        return chain

    def described(self, mention: int, found: Pairs) -> Floats:
        """What the chains of the candidates say; the first candidate, being new, has none."""
        at = found.of(mention)
        earlier = found.earlier[at][1:]
        numbers = np.zeros((len(earlier) + 1, WIDTH), np.float32)
        if not len(earlier):
            return numbers
        t, rest, chain = self.traits, numbers[1:], self.of[earlier]
        own = int(t.fits[mention])
        fits, kinds, last = self.fits[chain], self.kinds[chain], self.last[chain]
        size = kinds.sum(axis=1)
        _agreeing(rest, own, fits, size)
        rest[:, 5] = np.log1p(size)
        rest[:, 6] = kinds[:, NAME] > 0
        rest[:, 7] = kinds[:, NOUN] > 0
        rest[:, 8] = last == earlier
        rest[:, 9] = np.log1p(t.sentence[mention] - t.sentence[last])
        rest[:, 10] = np.log1p(mention - last)
        for column, flags in ((11, found.same_head), (12, found.same_name), (13, found.other_name)):
            rest[:, column] = np.isin(chain, chain[flags[at][1:]])
        rest[:, 15] = self.category[chain, t.category[mention]] / size
        if (owner := t.owner[mention]) >= 0:  # his wife: not himself, and the wife of the same man
            theirs = t.owner[earlier]
            same = self.of[theirs] == self.of[owner]
            rest[:, 17] = self.of[owner] == chain
            rest[:, 18] = (theirs >= 0) & same
            rest[:, 19] = (theirs >= 0) & ~same
        return numbers


def _agreeing(rest: Floats, own: int, fits: Floats, size: Floats) -> None:
    """How the pronouns that fit the chain agree with the one that fits the mention."""
    if own != UNKNOWN:
        rest[:, 0] = fits[:, own] / size
        rest[:, 1] = (size - fits[:, own] - fits[:, UNKNOWN]) / size
    if own in (HE, SHE):
        rest[:, 2] = fits[:, SHE if own == HE else HE] > 0
        rest[:, 3] = (fits[:, IT] > 0) | (fits[:, THEY] > 1)
    elif own in (IT, THEY):
        rest[:, 4] = (fits[:, HE] > 0) | (fits[:, SHE] > 0)
    if own != ME:
        rest[:, 14] = fits[:, ME] > 0
    rest[:, 16] = fits[:, ME] / size


def resolve(
    traits: Traits, found: Iterable[Pairs], net: Network, *, shyness: float, certain: Certain
) -> Ints:
    """The chain of each mention, numbered in order of first mention."""
    chains = Chains(traits)
    owners = _Owners(certain, len(traits))
    for block in found:
        partly = net.entered(block.rows, block.numbers)  # what needs no chains is done at once
        for mention in block.mentions:
            chain = owners.chain_of(mention)
            if chain < 0:
                chain = _best(chains, owners, mention, block, partly, net, shyness)
            owners.note(mention, chains.join(mention, chain))
    return chains.of


def _best(
    chains: Chains,
    owners: _Owners,
    mention: int,
    block: Pairs,
    partly: Floats,
    net: Network,
    shyness: float,
) -> int:
    """The chain that the network likes best, or −1 for a new one."""
    at = block.of(mention)
    said = chains.described(mention, block) @ net.first[block.numbers.shape[1] :]
    score = net.left(partly[at] + said)[:, 0]
    score[0] += shyness
    earlier = block.earlier[at][1:]
    chain = chains.of[earlier]
    wrong = owners.clash(mention, chain) | _facing(chains.traits, mention, earlier, chain)
    score[1:][wrong] = -np.inf
    best = int(score.argmax())
    return int(chain[best - 1]) if best else -1


def _facing(traits: Traits, mention: int, earlier: Ints, chain: Ints) -> Flags:
    """Chains that one speech calls both "I" and "you": who speaks is not who is spoken to."""
    own = int(traits.fits[mention])
    if own not in (ME, YOU) or not traits.sure[mention]:
        return np.zeros(len(chain), bool)
    other = traits.fits[earlier] == (YOU if own == ME else ME)
    return np.isin(chain, chain[other & (traits.quote[earlier] == traits.quote[mention])])


class _Owners:
    """Whose each chain is, where that is certain."""

    def __init__(self, certain: Certain, size: int) -> None:
        self.certain = (certain.person, certain.voice)
        self.of_chain = (np.full(size, NOBODY), np.full(size, NOBODY))
        self.chains: tuple[dict[int, int], dict[int, int]] = ({}, {})

    def chain_of(self, mention: int) -> int:
        """The chain that a mention must join, if its person or voice has one."""
        for certain, chains in zip(self.certain, self.chains, strict=True):
            if (who := int(certain[mention])) >= 0 and who in chains:
                return chains[who]
        return -1

    def clash(self, mention: int, chain: Ints) -> Flags:
        """Chains that are somebody else's."""
        wrong = np.zeros(len(chain), bool)
        for certain, of_chain in zip(self.certain, self.of_chain, strict=True):
            if (who := certain[mention]) != NOBODY:
                wrong |= (of_chain[chain] != who) & (of_chain[chain] >= 0)
        return wrong

    def note(self, mention: int, chain: int) -> None:
        """Remember whose a chain has become."""
        for certain, of_chain, chains in zip(self.certain, self.of_chain, self.chains, strict=True):
            if (who := int(certain[mention])) >= 0 and of_chain[chain] < 0:
                of_chain[chain] = who
                chains.setdefault(who, chain)
