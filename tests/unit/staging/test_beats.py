"""Beats whose prose moves somebody, and whose directions do not, are named to the author."""

from msgspec import structs

from storykeeper.language.prose import ProseReader
from storykeeper.staging.beats import unsaid_moves
from storykeeper.staging.reader import TableReader
from storykeeper.story.scenes import Beat
from storykeeper.story.stage import MoveKind, Stage, StageMove
from strategies.wherry import wherry

LEAVES = "Renna left the parlour. Dov pours the wine. You go to the hall."
GONE = StageMove(who=("renna",), kind=MoveKind.DEPARTS, to=("attic",))


def found(prose=LEAVES, stage=None):
    (scene,) = wherry().scenes
    scene = structs.replace(scene, beats=(Beat(id="first", prose=prose, stage=stage),))
    story = structs.replace(wherry(), scenes=(scene,))
    return list(unsaid_moves(story, ProseReader(), TableReader()))


def test_who_leaves_unsaid_is_named_with_the_words():
    (problem,) = found()
    assert problem.path == ("scenes", 0, "beats", 0, "prose")
    assert "`renna`" in problem.what
    assert "left the parlour" in problem.what


def test_what_the_directions_say_is_said():
    assert found(stage=Stage(moves=(GONE,))) == []
    assert found(stage=Stage(here=("renna",))) == []


def test_directions_of_others_are_not():
    assert len(found(stage=Stage(here=("dov",)))) == 1


def test_who_goes_nowhere_is_not_named():
    assert found("Renna sews. Dov pours the wine.") == []
