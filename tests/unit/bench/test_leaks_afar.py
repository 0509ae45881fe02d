"""`bench leaks`: words over the telephone and in notes reach whom the script says, and bite."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from storykeeper import Storykeeper
from storykeeper.bench.leaks.carriers import planted
from storykeeper.bench.leaks.counting import Tally
from storykeeper.bench.leaks.playing import Playing, Sizes
from storykeeper.bench.leaks.secrets import NARRATOR
from storykeeper.bench.leaks.stage import Stage
from storykeeper.events.atoms import SpeechUttered
from storykeeper.play import staged_telling
from storykeeper.staging.perception import Perceived
from storykeeper.units import EntityId
from strategies.worlds import READER

AFAR = ("telephone", "note")
NO_LOOKS = Sizes(turn=0, branch=0, end=0, again=0)


def heard(stage: Stage, playing: Playing) -> dict[str, set[frozenset[str]]]:
    """Who is on record to have perceived each secret of these carriers."""
    found: dict[str, set[frozenset[str]]] = {name: set() for name in AFAR}
    with Storykeeper.open(playing.path, reader=READER) as keeper:
        atoms = {f"atom:{a.id}": a for turn in keeper.history() for a in turn.atoms}
    for secret in stage.spoken:
        for name in secret.atoms if secret.carrier in AFAR else ():
            if name in atoms and isinstance(atoms[name].what, SpeechUttered):
                parts = atoms[name].participants
                people = {getattr(p.entity, "entity", "") for p in parts if p.role != "subject"}
                extra = people & {p.id for p in stage.cast} - secret.heard
                found[secret.carrier].add(frozenset(extra))
    return found


@pytest.mark.parametrize("seed", [1, 7])
def test_they_reach_nobody_but_whom_the_script_says(seed, tmp_path):
    stage = planted(seed)
    playing = Playing(stage, tmp_path / "run.db", READER, NO_LOOKS)
    list(playing.everything_shown())
    assert heard(stage, playing) == {name: {frozenset()} for name in AFAR}


@pytest.mark.parametrize("seed", range(1, 5))
def test_each_end_tells_one_and_each_reader_has_one(seed):
    stage = planted(seed)
    by = {name: [s.heard for s in stage.spoken if s.carrier == name] for name in AFAR}
    player = {NARRATOR, stage.player.id}
    assert by["telephone"] == [{*player, stage.away.id}, {*player, stage.friend.id}]
    assert by["note"][:2] == [player, {*player, stage.friend.id}]
    assert len(by["note"][2]) == 3


@pytest.mark.long
def test_without_what_keeps_them_apart_both_leak(tmp_path):
    """Every line on speaker, and every note on the wall."""
    tally, stage = Tally(), planted(7)
    playing = Playing(stage, tmp_path / "run.db", READER, Sizes(turn=1, branch=0, end=20, again=0))
    everybody = lambda world, *_: Perceived(tuple(map(EntityId, world.plan.cast)))  # noqa: E731
    with patch.object(staged_telling, "perceive", everybody):
        for shown in playing.everything_shown():
            tally.add(shown, playing.secrets(), seed=7)
    assert all(tally.leaked[name] for name in AFAR)
