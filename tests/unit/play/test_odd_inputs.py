"""Odd texts, told or typed through the engine's own path: nothing crashes, nothing odd is kept."""

import pytest

from storykeeper.bench.mentions.following import Followed
from storykeeper.events.vocabulary import Tier
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Modality
from strategies.odd_inputs import ANYTHING, OddInput, odd_inputs

READER = ProseReader()
LONGEST = 20_000  # letters of what is read in the short size once, and not twice


def followed(odd: OddInput) -> Followed:
    run = Followed(READER)
    run.tell(odd.text if odd.by == "prose" else "", typed=odd.text if odd.by == "player" else "")
    run.tell("", typed="I wait.")
    return run


def names(run: Followed) -> set[str]:
    return {
        word
        for known in run.entries(Tier.TRACKED)
        for word in (known.head.casefold(), known.words.casefold())
    }


@pytest.mark.parametrize("odd", odd_inputs(), ids=lambda odd: odd.id)
def test_what_must_not_be_tracked_is_not(odd: OddInput):
    tracked = names(followed(odd))
    if ANYTHING in odd.must_not:
        assert not tracked
    assert not tracked.intersection(odd.must_not)


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(odd, marks=pytest.mark.long) if len(odd.text) > LONGEST else odd
        for odd in odd_inputs()
        if odd.must and odd.by == "prose"
    ],
    ids=lambda odd: odd.id,
)
def test_what_is_there_is_still_found(odd: OddInput):
    found = {
        mention.head.casefold()
        for mention in READER.read(odd.text).mentions
        if mention.modality is Modality.ASSERTED
    }
    assert set(odd.must) <= found
