"""Referents of a parsed text: mentions found, then joined."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from storykeeper.language.coref.cast import Cast
from storykeeper.language.coref.chains import NOBODY, certainties, resolve
from storykeeper.language.coref.detection import Found, detect
from storykeeper.language.coref.heads import grammar
from storykeeper.language.coref.model import Model, shipped
from storykeeper.language.coref.network import Ints
from storykeeper.language.coref.pairs import pairs
from storykeeper.language.coref.quotes import quotations
from storykeeper.language.coref.referent import CATEGORIES, Referent
from storykeeper.language.coref.traits import (
    GENDERS,
    HE,
    IT,
    KINDS,
    SHE,
    THEY,
    UNKNOWN,
    Traits,
    traits,
)
from storykeeper.language.reading import Somebody

if TYPE_CHECKING:
    from spacy.tokens import Doc

_KINDS = {number: kind for kind, number in KINDS.items()}
_GENDERS = {number: gender for gender, number in GENDERS.items()}
_TELLING = (HE, SHE, IT, THEY)  # classes of pronoun that say a gender


def referents(doc: Doc, *, cast: tuple[Somebody, ...] = ()) -> tuple[Referent, ...]:
    """Everybody and everywhere that a text refers to, in order; clusters say which are one."""
    return read(doc, shipped(), cast=cast)


def read(doc: Doc, model: Model, *, cast: tuple[Somebody, ...] = ()) -> tuple[Referent, ...]:
    """The same, by a model of your own."""
    if not len(doc):
        return ()
    known = Cast(cast)
    quoted = quotations(doc)
    parse = grammar(doc, quoted)
    found = detect(doc, parse, heads_net=model.heads, spans_net=model.spans, floor=model.floor,
                   known=known.heads(doc))  # fmt: skip
    if not found:
        return ()
    spans = [(m.start, m.end, m.head) for m in found]
    person = np.array([known.person(doc, *span) if cast else NOBODY for span in spans], np.int64)
    about = traits(doc, parse, quoted, spans, [m.category for m in found])
    about = _as_cast(about, known, person)
    certain = certainties(about, person)
    chain = resolve(about, pairs(about), model.links, shyness=model.shyness, certain=certain)
    return _referents(found, about, chain)


def _as_cast(about: Traits, known: Cast, person: Ints) -> Traits:
    """Names of the cast take the gender that the cast says."""
    fits = about.fits.copy()
    for at in np.flatnonzero(person >= 0):
        fits[at] = known.gender[person[at]] or fits[at]
    return replace(about, fits=fits)


def _referents(found: list[Found], about: Traits, chain: Ints) -> tuple[Referent, ...]:
    fits = _of_chains(about, chain)
    return tuple(
        Referent(m.start, m.end, m.head, _KINDS[kind], CATEGORIES[m.category], _GENDERS[fit],
                 plural, cluster)
        for m, kind, fit, plural, cluster in zip(
            found, about.kind.tolist(), fits, about.plural.tolist(), chain.tolist(), strict=True
        )
    )  # fmt: skip


def _of_chains(about: Traits, chain: Ints) -> list[int]:
    """The gender of each mention: its own, or where it has none what the rest of its chain says."""
    tally = np.zeros((int(chain.max()) + 1, 8), np.int64)
    np.add.at(tally, (chain, about.fits), 1)
    said = tally[:, _TELLING]
    most = np.where(said.any(axis=1), np.array(_TELLING)[said.argmax(axis=1)], UNKNOWN)
    own = np.isin(about.fits, _TELLING)
    together: list[int] = np.where(own, about.fits, most[chain]).tolist()
    return together
