"""No field of a brief depends on what its owner cannot perceive; and what a brief may not hold."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from storykeeper.canon.brief import Sense, TurnBrief
from storykeeper.canon.files import as_json
from storykeeper.canon.provenance import outdated
from storykeeper.canon.registry import SourceKind
from storykeeper.context.field.assembly import HEADINGS, Briefing, brief_of
from storykeeper.context.field.fog import Fog
from storykeeper.errors import WindowRefused
from storykeeper.language.tokens import counter
from storykeeper.memory.evidence import Evidence
from storykeeper.staging.field.perception import Perceiver
from storykeeper.story.tuning import Encoding
from strategies.fields import NAMES, STABLE, card_of, flipped, world_of
from strategies.sizes import times

COUNT = counter(Encoding.O200K)
SEEDS = st.integers(0, 10_000)


def evidence_for(query: str, fog: Fog) -> list[Evidence]:
    """What is found depends on the question, so that a question that tells is seen."""
    if not fog.reads:
        return []
    score = 0.7
    found = []
    for number, word in enumerate(dict.fromkeys(query.split())):
        if number == 12:
            break
        text = f"The manual says of {word}: keep off. " + "It is so written. " * (number % 5)
        found.append(
            Evidence(f"manual@1#{number + 1}", ("manual@1",), SourceKind.DOCTRINE, text, (),
                     score / 0.7, 1.0, score)
        )  # fmt: skip
        score *= 0.9
    return found


def briefing(world, card, *, tokens: int = 2_500) -> Briefing:
    return brief_of(Fog(world, card, STABLE), count=COUNT, ask=evidence_for, tokens=tokens)


@settings(max_examples=times(60, 600))
@given(SEEDS, st.sampled_from(NAMES))
def test_what_cannot_be_perceived_changes_no_byte(seed: int, who: str):
    rng = Random(seed)
    world, card = world_of(rng), card_of(who, rng)
    other = flipped(world, card, rng)
    first, second = briefing(world, card).brief, briefing(other, card).brief
    assert first.text == second.text
    assert as_json(first) == as_json(second)


@settings(max_examples=times(60, 600))
@given(SEEDS, st.sampled_from(NAMES), st.sampled_from([400, 700, 1_200, 2_500]))
def test_every_brief_keeps_the_laws(seed: int, who: str, tokens: int):
    rng = Random(seed)
    world, card = world_of(rng), card_of(who, rng)
    made = briefing(world, card, tokens=tokens)
    brief = made.brief
    assert brief.tokens == COUNT(brief.text) <= tokens
    assert len(brief.snippets) <= 8
    assert not outdated(brief.cites, {"manual@1", "survey@1"})
    assert all(each.id in brief.text and each.text in brief.text for each in brief.snippets)
    perceiver = Perceiver(world, card)
    seen = {each.id for each in perceiver.seen}
    for each in brief.visible:
        if each.how is Sense.SEEN:
            assert each.handle in seen
        if each.how is Sense.HEARD:
            assert (each.at, each.name, each.faction, each.status) == (None, "", None, ())
    in_and_out = [e.id for e in (*made.receipt.shown, *made.receipt.left_out)]
    assert len(in_and_out) == len(set(in_and_out))
    assert [e.id for e in made.receipt.left_out] == [e.id for e in brief.left_out]


@settings(max_examples=times(40, 400))
@given(SEEDS, st.sampled_from(NAMES))
def test_it_gives_way_in_the_order_that_is_written(seed: int, who: str):
    """Lowest snippets first, then what is told of the past, then details of who is there."""
    rng = Random(seed)
    world, card = world_of(rng), card_of(who, rng)
    whole = briefing(world, card, tokens=6_000).brief
    ranks = [each.id for each in whole.snippets]
    for tokens in range(whole.tokens, 200, -45):
        try:
            brief = briefing(world, card, tokens=tokens).brief
        except WindowRefused:
            break
        kept = [each.id for each in brief.snippets]
        assert kept == ranks[: len(kept)]
        if shortened(brief, whole):
            assert not kept
        if detailed(brief) < detailed(whole):
            assert not kept
            assert all(told_short(each.text, whole) for each in brief.past)


def detailed(brief: TurnBrief) -> int:
    return sum(len(each.details) for each in brief.visible)


def shortened(brief: TurnBrief, whole: TurnBrief) -> bool:
    return [each.text for each in brief.past] != [each.text for each in whole.past]


def told_short(text: str, whole: TurnBrief) -> bool:
    """Whether a piece of the past stands in its shortest form, or has none that is shorter."""
    return not any(
        each.text == text and each.text.endswith("And then more.") for each in whole.past
    )


def test_the_flip_can_fail():
    """The generator hides enough: a brief of one who sees all would not pass."""
    rng = Random(3)
    world, card = world_of(rng), card_of("ana", rng)
    open_card = structs.replace(card, senses=structs.replace(card.senses, sight=1_000.0))
    other = flipped(world, card, rng)
    assert world != other
    assert briefing(world, open_card).brief.text != briefing(other, open_card).brief.text
    with pytest.raises(WindowRefused, match="raise the budget, or shorten the card"):
        briefing(world, card, tokens=20)
    assert set(HEADINGS) > {"aware", "past"}
