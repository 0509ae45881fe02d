"""Beats whose prose moves somebody, and whose stage directions do not: for `check`.

What a beat's prose tells in regular ways is read; what was learned of others' prose is left out,
since it would cry out at every second beat. What `stage:` says holds however the beat is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.language.reading import Reader, Somebody
from storykeeper.staging.cues import COURSE, Cue
from storykeeper.staging.reader import StageReader
from storykeeper.staging.stage_set import Told
from storykeeper.story.adopt import adoption
from storykeeper.story.called import gender_of
from storykeeper.story.model import Story
from storykeeper.story.problems import Problem, Severity
from storykeeper.story.scenes import Beat
from storykeeper.units import EntityId
from storykeeper.world.fold import fold

DOUBTS = "doubts"
FIX = "say so under `stage:` in the head of the scene, with `here` if they stay"


def unsaid_moves(story: Story, reader: Reader, stager: StageReader) -> Iterator[Problem]:
    """One warning for each person and beat; of those who are played the scenes say where they are.

    A story that is wrong otherwise is not looked at: it has no world.
    """
    world, cast = fold([adoption(story)]), tuple(EntityId(each.id) for each in story.cast)
    called = tuple(Somebody((c.name, *c.aliases), gender_of(c.pronouns)) for c in story.cast)
    for i, scene in enumerate(story.scenes):
        for j, beat in enumerate(scene.beats):
            reading = reader.read(beat.prose, cast=called)
            found = stager.cued(world, Told(reading, cast, EntityId(story.players[0])))
            said = {*story.players, *_said(beat)}
            for who, cue in _first(found.cues).items():
                if who not in said:
                    what = f"the prose of `{beat.id}` moves `{who}` (“{_short(cue.words)}”)"
                    yield Problem(
                        code="unsaid-move", path=("scenes", i, "beats", j, "prose"), fix=FIX,
                        what=f"{what}, and its stage directions do not", severity=Severity.WARNING,
                    )  # fmt: skip


def _first(cues: tuple[Cue, ...]) -> dict[EntityId, Cue]:
    """Of everyone who comes, goes, sleeps or hides, the first that is sure."""
    sure = [cue for cue in cues if cue.kind in COURSE and cue.kind != DOUBTS]
    return {who: cue for cue in reversed(sure) for who in cue.who}


def _said(beat: Beat) -> Iterator[str]:
    """Whose course a beat's directions tell."""
    if beat.stage is not None:
        yield from beat.stage.here
        yield from (who for move in beat.stage.moves for who in move.who)


def _short(text: str, most: int = 60) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[:most].rstrip()}…"
