"""What was so after each turn of a playthrough, against what we have of it."""

from storykeeper.bench.continuity.data import Needed, Playthrough, Told
from storykeeper.bench.continuity.staging import staged

STORY = """\
id: tiny
title: Tiny
players: [ana]
start: room
voice: Plain.
cast:
  - {id: ana, name: Ana, pronouns: she/her, line: A cook., at: kitchen}
  - {id: bo, name: Bo, pronouns: he/him, line: A guest., at: kitchen}
settings:
  - {id: kitchen, name: the kitchen, paths: [{to: yard}]}
  - {id: yard, name: the yard}
things:
  - {id: key, name: the key, held_by: ana}
facts:
  - {id: debt, full: Bo owes the miller forty crowns., known_by: {bo: lived}}
"""
SCENE = "---\ntitle: Room\nsetting: kitchen\ncast: {required: [bo]}\n---\n\nAna cooks.\n"
FIRST = {"at": {"ana": "kitchen", "bo": "kitchen"}, "holds": {"key": "ana"}, "told": []}
GOES = {
    "at": {"ana": "kitchen", "bo": "yard"},
    "holds": {"key": "bo"},
    "moves": [
        {"who": ["bo"], "kind": "takes", "what": "key", "words": "pockets the key"},
        {"who": ["bo"], "kind": "departs", "to": "yard", "words": "his boots cross the flags"},
    ],
    "told": [{"fact": "debt", "by": "bo", "to": ["ana"], "words": "I owe the miller forty crowns"}],
}
PROSE = "“I owe the miller forty crowns,” says Bo, pockets the key, and his boots cross the flags."


def playthrough(tmp_path) -> Playthrough:
    folder = tmp_path / "story"
    (folder / "scenes").mkdir(parents=True)
    (folder / "story.yaml").write_text(STORY, "utf-8")
    (folder / "scenes" / "room.md").write_text(SCENE, "utf-8")
    turns = (
        Told(1, "I stir the pot.", "The pot simmers.", FIRST),
        Told(2, "I wait.", PROSE, GOES),
    )
    facts = (Needed("debt", 2, (("miller", "crowns"),), (), ("ana", "bo"), (), "What Bo owes."),)
    return Playthrough("tiny", folder, turns, facts)


def test_what_is_declared_is_so(tmp_path):
    found = staged(playthrough(tmp_path), declared=True).figures()
    assert found["places"] == found["told"] == found["holds"] == found["can_say"] == 100.0
    assert found["leaks"] == 0


def test_what_is_wrong_counts_against_us(tmp_path):
    made = playthrough(tmp_path)
    other = GOES | {"at": {"ana": "yard", "bo": "kitchen"}, "holds": {"key": "ana"}}
    turns = (made.turns[0], Told(2, "I wait.", PROSE, other))
    wrong = Playthrough(made.name, made.story, turns, made.facts)
    assert staged(wrong, declared=False).figures()["places"] == 0.0
