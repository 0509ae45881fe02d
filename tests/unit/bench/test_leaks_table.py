"""`bench leaks`: who may have what where two play, what is felt when, and that carriers bite."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest

from storykeeper import Storykeeper
from storykeeper.bench.leaks.carriers import planted
from storykeeper.bench.leaks.counting import Tally
from storykeeper.bench.leaks.detecting import Shown, is_told
from storykeeper.bench.leaks.looking import Looking
from storykeeper.bench.leaks.playing import Playing, Sizes
from storykeeper.bench.leaks.secrets import (
    NARRATOR,
    TRUNK,
    Moment,
    Secret,
    Spoken,
    between,
    from_turn,
    only,
)
from storykeeper.bench.leaks.vocabulary import MORE_NOUNS, MORE_VERBS, NOUNS, VERBS, Wording
from storykeeper.context import boundary, gathering
from storykeeper.context.boundary import Boundary
from storykeeper.context.sources import Proposals
from storykeeper.events.atoms import Atom, Role, SpeechUttered
from storykeeper.gravity import landscape
from storykeeper.gravity.landscape import Felt, Foretold
from storykeeper.gravity.layers import collective
from storykeeper.units import SceneId
from storykeeper.world.state import LayerState
from strategies.worlds import READER

NOW = Moment(20, TRUNK, {"ann": "hall", "bo": "hall"}, "ann")
THEN = replace(NOW, player="bo")
TWO_PLAY = 7


# ── who may have it ──────────────────────────────────────────────────────────────────────────


def test_the_narrator_tells_a_player_what_their_character_heard():
    wording = Wording("bazix", "", "", frozenset(), "")
    secret = Spoken("echo", wording, frozenset({NARRATOR, "ann"}), turns=[3])
    assert secret.may_have(NARRATOR, NOW)
    assert not secret.may_have(NARRATOR, THEN)
    assert not secret.may_have("bo", NOW)


def test_the_narrator_knows_what_whoever_plays_knows():
    assert only("bo")(NARRATOR, THEN)
    assert not only("bo")(NARRATOR, NOW)
    assert not only("bo")("ann", THEN)


@pytest.mark.parametrize(
    ("first", "last", "may"),
    [(None, None, False), (20, None, True), (21, None, False), (5, 20, False), (5, 21, True)],
)
def test_something_is_felt_between_two_turns(first, last, may):
    assert between(lambda: first, lambda: last, NARRATOR)(NARRATOR, NOW) is may
    assert not between(lambda: first, lambda: last, NARRATOR)("ann", NOW)
    assert from_turn(lambda: first, NARRATOR)(NARRATOR, NOW) is (first in (5, 20))


def test_a_piece_is_told_with_its_turn_by_the_story_so_far_alone():
    secret = Secret(
        "so_far", only("ann"), "bazix", sources=frozenset({"turn:3"}), through="so-far:"
    )
    plain = Shown("window", "ann", NOW, ("Bazix.",), (("earlier:3", ("piece:3/1",)),))
    another = Shown("window", "ann", NOW, ("Bazix.",), (("so-far:4/1", ("piece:4/1",)),))
    quoted = Shown("window", "ann", NOW, ("Bazix.",), (("so-far:2/1", ("piece:2/1", "piece:3/1")),))
    assert [is_told(each, secret, seed=1) for each in (plain, another, quoted)] == [
        False,
        False,
        True,
    ]


def test_an_echo_is_told_by_an_echo_alone():
    secret = Secret("echo", only("ann"), "bazix", sources=frozenset({"moment:3"}), through="echo:")
    plain = Shown("window", "ann", NOW, ("Bazix.",), (("turn:3", ("turn:3",)),))
    echoed = Shown("window", "ann", NOW, ("Bazix.",), (("echo:3", ("moment:3",)),))
    assert not is_told(plain, secret, seed=1)
    assert is_told(echoed, secret, seed=1)


# ── what is planted ──────────────────────────────────────────────────────────────────────────


def test_no_word_is_in_the_vocabulary_twice():
    every = (*NOUNS, *MORE_NOUNS, *VERBS, *MORE_VERBS)
    assert len({*every}) == len(every)


@pytest.mark.parametrize("seed", range(1, 13))
def test_there_are_words_for_all_that_is_otherwise(seed):
    for who in planted(seed).everybody:
        list(planted(seed, hidden_from=who).script())


def test_what_the_landscape_rests_on_is_the_same_for_the_narrator():
    one, other = planted(TWO_PLAY).story(), planted(TWO_PLAY, hidden_from=NARRATOR).story()
    themes = [[each.themes for each in (*s.scenes, *s.layers, *s.prophecies)] for s in (one, other)]
    assert themes[0] == themes[1]
    assert one.overrides == other.overrides
    assert [scene.stakes for scene in one.scenes] != [scene.stakes for scene in other.scenes]


def test_at_some_tables_two_play_and_at_others_one():
    assert {len(planted(seed).story().players) for seed in range(1, 13)} == {1, 2}


def test_what_one_player_whispers_to_another_nobody_else_hears(tmp_path):
    stage = planted(TWO_PLAY)
    with Storykeeper.open(tmp_path / "run.db", story=stage.story(), reader=READER) as keeper:
        keeper.render(keeper.opening(), "The rain goes on.")
        for by, to in ((stage.player, stage.other), (stage.other, stage.player)):
            turn = keeper.begin(f'I whisper to {to.name}: "it is late"', player=by.id)
            keeper.render(turn, "The rain goes on.")
            (said,) = (
                record
                for record in turn.present.decided
                if isinstance(record, Atom) and isinstance(record.what, SpeechUttered)
            )
            assert said.what.whispered
            roles = {part.entity.entity: part.role for part in said.participants}
            assert roles == {by.id: Role.ACTOR, to.id: Role.TARGET}


# ── that it bites ────────────────────────────────────────────────────────────────────────────


def every_prophecy(world):
    return (Foretold(p.id, SceneId(p.target), 0.5) for p in world.plan.prophecies.values())


def every_layer(world):
    found = ((each.id, collective(each, LayerState())) for each in world.plan.layers.values())
    return (Felt(name, mass, 1.0, False) for name, mass in found)


def felt_by_all(line, landscape):
    return Proposals(line, landscape or _landscape(line.world))


_landscape = landscape.landscape


def asked_about_a_whisper(playing):
    """The narrator's window when the first player asks about what the second was told."""
    stage = playing.stage
    heard = {stage.second.id, stage.friend.id}
    (secret,) = (s for s in stage.spoken if s.carrier == "recalled" and s.heard == heard)
    line = f"I ask {stage.friend.name} about the {secret.wording.topic}."
    with Storykeeper.open(playing.path, reader=READER) as keeper:
        looking = Looking(stage, keeper, playing.moment, playing.random)
        return looking.window(NARRATOR, looking.make(NARRATOR, text=line, tokens=8_000))


def test_without_the_boundary_each_of_these_carriers_leaks(tmp_path):
    """What is felt is felt by all and at any time, and every turn is told to every player."""
    stage, tally = planted(TWO_PLAY), Tally()
    playing = Playing(stage, tmp_path / "run.db", READER, Sizes(turn=0, branch=0, end=24, again=0))
    with (
        patch.object(boundary, "felt", lambda *_: True),
        patch.object(Boundary, "_leaning", lambda *_: boundary.Ruling(boundary.KNOWN, "open")),
        patch.object(Boundary, "shared", lambda *_: True),
        patch.object(landscape, "_prophecies", every_prophecy),
        patch.object(landscape, "_layers", every_layer),
        patch.object(gathering, "Proposals", felt_by_all),
    ):
        every = [*playing.everything_shown(), asked_about_a_whisper(playing)]
        found = [
            leak for shown in every for leak in tally.add(shown, playing.secrets(), seed=TWO_PLAY)
        ]
    leaked = {(leak.carrier, leak.audience == NARRATOR) for leak in found}
    felt = ("gravity", "prophecy", "hidden_tale", "bridge")
    assert leaked >= {(carrier, to) for carrier in felt for to in (True, False)}
    assert leaked >= {("echo", True), ("recalled", True), ("so_far", True), ("earlier", True)}
    as_it_is = asked_about_a_whisper(playing)
    assert tally.add(as_it_is, playing.secrets(), seed=TWO_PLAY) == []
