"""Who perceives what in narrated prose, measured through the public interface.

Each passage is a story of its own: its cast is put where it starts, what was told before is the
opening, the player's line is typed, the prose is shown and becomes fact. Then the brief of everyone
of the cast is looked at, whoever is played included, and where they are.

    leak     of the pairs (piece, somebody who does not perceive it): whose brief has it
    miss     of the pairs (piece, somebody who perceives it): whose brief lacks it
    places   gone: of those whom events move from where they start and who end elsewhere, who is
             not there any more; right: of those who end elsewhere than they start, who is where
             they should be (`away` and `unknown`: at no known place); stayed: of those who end
             where they start, who is still there

When a brief has a piece is said in `piece`. By kind of piece; of speech also by the kinds of events
before it; all of it by author. `declared` is the same with the labels given to `render` as a
narrator would declare them.

Beside it: `everybody`, from the labels alone, in which whoever starts where the point of view does
has everything that is told and nobody else has anything; and `first_edition`, the published figures
of the first edition's rules. These are quoted, not measured here, and other passages may be under
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from storykeeper.bench.perception.data import KINDS, NOWHERE, Passage, load
from storykeeper.bench.perception.piece import Haystack, Names, pairs
from storykeeper.bench.perception.playback import play
from storykeeper.bench.perception.tally import System, Tally
from storykeeper.bench.registry import Figures, Setup
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Reader

FIRST_EDITION: Figures = {
    "speech": {"leak": 34, "miss": 37},
    "places": {"gone": 10, "right": 2},
}
QUICK = 3  # passages of each author
SAY_EVERY = 50  # passages


def measure(setup: Setup) -> Figures:
    """All passages, with their labels declared and without, beside the baselines."""
    authors = load(setup.data)
    if setup.quick:
        authors = {author: passages[:QUICK] for author, passages in authors.items()}
    reader = ProseReader()
    ours: Figures = {"passages": sum(map(len, authors.values()))}
    for declared in (False, True):  # by the reader alone, and with the labels declared
        figures = _ours(authors, reader, setup, declared=declared).figures()
        ours |= {"declared": figures} if declared else figures
    everybody = _everybody(authors)
    ours["pairs_left_out"] = _all_pairs(authors) - everybody.every.pairs
    return {
        "storykeeper": ours,
        "everybody": everybody.figures(),
        "first_edition": FIRST_EDITION,
    }


def _ours(
    authors: Mapping[str, list[Passage]], reader: Reader, setup: Setup, *, declared: bool
) -> System:
    system, how = System(), ", declared" if declared else ""
    for author, passages in authors.items():
        for number, passage in enumerate(passages, 1):
            _measured(passage, reader, system.tallies(author), declared=declared)
            if number % SAY_EVERY == 0 or number == len(passages):
                _say(setup, system.authors[author], f"{author}{how}, {number} of {len(passages)}")
    return system


def _measured(passage: Passage, reader: Reader, into: Iterable[Tally], *, declared: bool) -> None:
    seen, names = play(passage, reader, declared=declared), Names(passage)
    briefs = {who: Haystack.of(told, names) for who, told in seen.briefs.items()}
    found = [(pair, pair.had(briefs[pair.who])) for pair in pairs(passage, names)]
    for tally in into:
        tally.whereabouts.add(passage, seen.places)
        for pair, had in found:
            tally.add(passage, pair, had=had)


def _everybody(authors: Mapping[str, list[Passage]]) -> System:
    system = System()
    for author, passages in authors.items():
        for passage in passages:
            there = _at_the_start(passage)
            for pair in pairs(passage, Names(passage)):
                for tally in system.tallies(author):
                    tally.add(passage, pair, had=pair.who in there)
    return system


def _all_pairs(authors: Mapping[str, list[Passage]]) -> int:
    """Of a piece and one of the cast, also those in which a brief cannot show anything."""
    passages = (passage for each in authors.values() for passage in each)
    return sum(len(p.cast) * sum(s.kind in KINDS for s in p.segments) for p in passages)


def _at_the_start(passage: Passage) -> frozenset[str]:
    """Who starts where the point of view does."""
    eyes = passage.pov or passage.played
    here = passage.start[eyes]
    with_them = (who for who in passage.people if passage.start[who] == here)
    return frozenset({eyes} if here in NOWHERE else with_them)


def _say(setup: Setup, tally: Tally, head: str) -> None:
    speech, places = tally.kinds["speech"].figures(), tally.whereabouts.figures()
    setup.say(
        f"{head}: speech leak {speech['leak']} miss {speech['miss']};"
        f" gone {places['gone']} right {places['right']} stayed {places['stayed']}"
    )
