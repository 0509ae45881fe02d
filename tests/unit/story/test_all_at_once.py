"""Every problem at once, and only real ones: what one mistake hides, and what it drags along."""

import os
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect as shapes

from storykeeper.errors import StoryInvalid, StoryNotFound
from storykeeper.story import loader, model
from storykeeper.story.checks.skipped import BESIDE_REACH
from storykeeper.story.loader import load_story, read_story
from storykeeper.story.problems import slug
from storykeeper.story.reach import reach
from storykeeper.story.reader import shape_of, stand_in
from strategies.small import FILES, SHORE, STORY, codes, lines, read
from strategies.tables import table
from strategies.worlds import EXAMPLE

ISLAND = "---\ntitle: Island\nrequired: true\n---\nSand.\n"  # nothing leads there
SHUT = "gates: [{id: gate, conditions: [{opened: gate}]}]\nending"


def with_island(story="", shore="", **options):
    """The small story with a scene out of reach and a gate that never opens."""
    scene = SHORE.replace("ending", f"{shore}{SHUT}")
    files = {"story.yaml": STORY + story, "scenes/shore.md": scene, "scenes/island.md": ISLAND}
    return read(files, **options)


def skipped(reading):
    """What was not checked: the place, and what is said."""
    found = [p for p in reading.problems if p.code == "not-checked"]
    assert all(p.severity == "warning" for p in found)
    start = "not checked until this is mended: "
    assert all(p.what.startswith(start) for p in found)
    return [
        (p.file, p.line, what) for p in found for what in p.what.removeprefix(start).split("; ")
    ]


# What an error hides.


@table(
    "story, shore",
    [
        ("rulse: [x]\n", ""),
        ("title: Again\n", ""),
        ("soft: [{heading: x}]\n", ""),
        ("tuning: {gravty: {}}\n", ""),
        ("tuning: {zzzzzz: {}}\n", ""),
        ("budget: {policy: nothing}\n", ""),
        ("themes: {light: [light]}\n", ""),
        ("things: [{id: a, name: 7}]\n", ""),
        ("facts: [{id: f, full: x, about: [nobody-here]}]\n", ""),
        ("", "tone: 7\n"),
        ("", "mass: 3\n"),
        ("", "stakse: x\n"),
        ("", "temperature: .nan\n"),
        ("", "themes: [*v]\n"),
    ],
)
def test_an_error_that_cannot_change_what_is_reached_does_not_hide_it(story, shore):
    reading = with_island(story, shore)
    assert {"unreachable", "gate-shut"} <= set(codes(reading))
    assert len(reading.errors) > 2
    assert "what can be reached" not in [what for _, _, what in skipped(reading)]


@pytest.mark.parametrize(
    ("story", "shore", "file", "line"),
    [
        ("evnts: []\n", "", "story.yaml", 10),
        ("start: shore\n", "", "story.yaml", 10),
        ("things: [{id: The Key, name: x}]\n", "", "story.yaml", 10),
        ("facts: [{id: f, full: x, revealed_by: [{wehn: {holds: f}}]}]\n", "", "story.yaml", 10),
        ("settings: [{id: a, name: A, paths: [{to: 7}]}]\n", "", "story.yaml", 10),
        ("", "leads_to: [{to: isalnd}]\n", "scenes/shore.md", 3),
        ("", "laeds_to: [{to: island}]\n", "scenes/shore.md", 3),
        ("", "zzzzzzzzz: [{to: island}]\n", "scenes/shore.md", 3),
        ("", "leads_to: [{<<: {to: island}}]\n", "scenes/shore.md", 3),
    ],
)
def test_an_error_that_can_change_it_holds_it_back_and_says_so(story, shore, file, line):
    reading = with_island(story, shore)
    assert not {"unreachable", "gate-shut"} & set(codes(reading))
    assert (file, line, "what can be reached") in skipped(reading)


def test_the_hard_share_is_checked_whatever_else_is_wrong():
    wrong = {"story.yaml": STORY + "evnts: []\n", "scenes/x.md": "no head\n"}
    assert "hard-share" in codes(read(wrong, count_tokens=lambda text: 600))
    assert "hard-share" in codes(with_island("rulse: [x]\n", count_tokens=lambda text: 463))
    spoilt = {"budget: {hard_share: x}\n": 463, "budget: {tokens: .nan}\n": 463, "rules: x\n": 9}
    for text, size in spoilt.items():
        reading = read({"story.yaml": STORY + text}, count_tokens=lambda _, size=size: size)
        assert "hard-share" not in codes(reading)
        said = "whether voice, rules and anti-patterns fit their share"
        assert ("story.yaml", 10, said) in skipped(reading)


def test_an_unreadable_scene_hides_only_references_to_what_scenes_define():
    shore = SHORE.replace("ending", "setting: nowhere\ncast: {required: [bo]}\n"
                          "leads_to: [{to: tower, when: {opened: door, told: tower/a, "
                          "happened: storm, visited: dream}}]\nending")  # fmt: skip
    reading = read({"scenes/tower.md": "---\ntitle: [\n---\n", "scenes/shore.md": shore})
    assert [p.code for p in reading.errors].count("syntax") == 1
    named = {p.what.split("`")[1] for p in reading.errors if p.code == "dangling"}
    assert named == {"nowhere", "bo", "storm"}
    assert skipped(reading) == [
        ("scenes/tower.md", 0, "references to scenes, gates and beats"),
        ("scenes/tower.md", 0, "what can be reached"),
    ]


def test_an_unreadable_file_of_sections_hides_all_references_but_those_to_scenes():
    shore = SHORE.replace("ending", "setting: nowhere\nleads_to: [{to: tower}]\nending")
    reading = read({"more.yaml": "cast: [\n", "scenes/shore.md": shore})
    assert [p.code for p in reading.errors] == ["syntax", "dangling"]
    assert "`tower`" in lines(reading, "dangling")[0]
    file, _, said = skipped(reading)[0]
    assert file == "more.yaml"
    assert (
        said == "references to cast, things, settings, layers, facts, events, prophecies and canon"
    )


def test_a_story_file_that_cannot_be_read_hides_its_own_keys_only():
    shore = SHORE.replace("ending", "leads_to: [{to: tower}]\nending")
    reading = read({"story.yaml": STORY + "rules: [\n", "scenes/shore.md": shore})
    assert [p.code for p in reading.errors] == ["syntax", "dangling"]
    assert {file for file, _, _ in skipped(reading)} == {"story.yaml"}


def test_what_is_whole_is_checked_whole():
    assert skipped(read()) == []
    assert skipped(with_island()) == []


def keys_of(shape, path, trail):
    match shape:
        case shapes.StructType() if shape.cls not in trail:
            for f in shape.fields:
                yield ".".join((*path, f.encode_name))
                yield from keys_of(f.type, (*path, f.encode_name), (*trail, shape.cls))
        case shapes.VarTupleType():
            yield from keys_of(shape.item_type, path, trail)
        case shapes.UnionType():
            for inner in shape.types:
                yield from keys_of(inner, path, trail)


def test_the_table_of_keys_beside_reach_names_only_keys_that_exist():
    assert sorted(BESIDE_REACH - set(keys_of(shape_of(model.Story), (), ()))) == []


def bared(value, names=()):
    """The same without what the table says has no bearing on reach."""
    if isinstance(value, tuple):
        return tuple(bared(item, names) for item in value)
    if not isinstance(value, msgspec.Struct):
        return value
    kept = {}
    for f in shape_of(type(value)).fields:
        key = (*names, f.encode_name)
        beside = ".".join(key) in BESIDE_REACH
        kept[f.name] = stand_in(f.type) if beside else bared(getattr(value, f.name), key)
    return type(value)(**kept)


def test_what_the_table_says_has_no_bearing_on_reach_has_none():
    story = load_story(EXAMPLE)
    bare = bared(story)
    assert bare != story
    assert reach(bare).true == reach(story).true


# Folders: too many files, names that are no text, endings that are overlooked.


def write(folder, files=FILES):
    for name, text in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_only_files_of_a_story_count_and_too_many_is_the_only_error(tmp_path, monkeypatch):
    monkeypatch.setattr(loader, "MAX_FILES", 20)
    write(tmp_path, {**FILES, **{f"x/{n}.txt": "" for n in range(30)}})
    assert read_story(tmp_path).problems == ()
    write(tmp_path, {f"a/{n}.md": "" for n in range(17)})
    assert read_story(tmp_path).errors == ()
    write(tmp_path, {"a/b.yml": "", "a/c.yaml": "x: ["})
    reading = read_story(tmp_path)
    assert [(p.code, p.file) for p in reading.problems] == [("too-many-files", "story.yaml")]
    assert reading.story is None


def test_names_that_are_not_utf8_are_errors_that_can_be_shown(tmp_path):
    odd = {b"caf\xe9.yaml": "cast: []\n", b"scenes/t\xff.md": SHORE, b"d\xff/a.yaml": "x: [",
           b"n\xff.md": "a note", b"p\xff.png": "", b"old\xff.yml": ""}  # fmt: skip
    write(tmp_path, {**FILES, **{os.fsdecode(name): text for name, text in odd.items()}})
    (tmp_path / os.fsdecode(b"l\xff")).symlink_to(tmp_path)
    reading = read_story(tmp_path)
    msgspec.json.encode(reading.problems).decode().encode()
    assert {(p.file, p.code) for p in reading.errors} == {
        ("caf\ufffd.yaml", "file-name"), ("scenes/t\ufffd.md", "file-name"),
        ("d\ufffd/a.yaml", "file-name"), ("old\ufffd.yml", "file-name"), ("l\ufffd", "link"),
    }  # fmt: skip


def test_a_folder_whose_name_is_not_utf8_can_be_spoken_of(tmp_path):
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    with pytest.raises(StoryNotFound) as raised:
        read_story(folder)
    str(raised.value).encode()
    write(folder, {"story.yaml": "x: ["})
    with pytest.raises(StoryInvalid) as raised:
        load_story(folder)
    str(raised.value).encode()
    Path(folder, "story.yaml").unlink()
    with pytest.raises(StoryNotFound) as raised:
        read_story(folder)
    str(raised.value).encode()


def test_no_ending_is_overlooked(tmp_path):
    odd = ["a.YAML", "b.Yml", "scenes/c.MD", "scenes/d.markdown", "scenes/deep/e.mdown"]
    write(tmp_path, {**FILES, **dict.fromkeys(odd, ""), "notes.markdown": "", "READ.MD": ""})
    reading = read_story(tmp_path)
    assert [(p.file, p.code) for p in reading.errors] == [(name, "yml") for name in odd]
    assert [p.fix.split()[-1] for p in reading.errors] == [
        "a.yaml", "b.yaml", "c.md", "d.md", "e.md",
    ]  # fmt: skip
    assert "files that end in .markdown are not read" in reading.errors[3].what


def test_notes_beside_the_story_are_never_errors(tmp_path):
    write(tmp_path, {**FILES, "big.md": b"x" * 2_000_000, "latin.md": b"caf\xe9\x07", "a/w.md":
                     "x".encode("utf-16"), "draft.md": b"---\ntitle: caf\xe9\n---\n"})  # fmt: skip
    (tmp_path / "outside.md").symlink_to("/etc/hostname")
    (tmp_path / "gone.md").symlink_to("/nowhere/at/all")
    reading = read_story(tmp_path)
    assert [(p.file, p.code) for p in reading.problems] == [("draft.md", "scene-elsewhere")]
    assert reading.story is not None


# What a mistake drags along.


@table(
    "files, expected",
    [
        ({"scenes/shore.md": SHORE.replace("ending", "temperature: .nan\nending")}, "bad-number"),
        ({"scenes/shore.md": SHORE.replace("ending", "beats: *b\nending")}, "alias"),
        ({"scenes/shore.md": SHORE.replace("ending", "beats: {opening: *b}\nending")}, "alias"),
        ({"story.yaml": STORY + "soft: [*v]\n"}, "alias"),
        ({"story.yaml": STORY + "soft: *v\n"}, "alias"),
        ({"story.yaml": STORY + "things: *v\n"}, "alias"),
        ({"story.yaml": STORY + "themes: *v\n"}, "alias"),
        ({"story.yaml": STORY + ".nan: x\n"}, "bad-number"),
        ({"story.yaml": STORY.replace("[mara]", "mara")}, "wrong-type"),
        ({"story.yaml": STORY.replace("players", "plyers")}, "missing-key unknown-key"),
        ({"story.yaml": STORY.replace("cast:\n  - id: mara\n    name: Mara\n    line: She keeps "
                                      "the light.\n", "cast: mara\n")}, "wrong-type"),
        ({"people.yaml": "cast: [{id: Big Bo, name: Bo, line: x}]\n", "scenes/shore.md":
          SHORE.replace("ending", "done_when: {present: Big Bo}\ncast: {required: [big-bo]}\n"
                                  "ending")}, "bad-id"),
        ({"scenes/tower.md": SHORE + "\n## The Lamp\nx\n", "scenes/shore.md": SHORE.replace(
            "ending", "done_when: {told: tower/The Lamp}\nending")}, "bad-id"),
        ({"layers.yaml": "layers: [{id: l, name: L, kind: dream, scenes: shore,\n"
          "  portals: [{from: shore, to: shore}], exits: []}]\n"}, "wrong-type"),
    ],
)  # fmt: skip
def test_one_mistake_is_one_problem(files, expected):
    reading = read(files)
    assert [p.code for p in reading.errors] == expected.split()
    assert {p.code for p in reading.warnings} <= {"not-checked"}


@pytest.mark.parametrize("broken", ["No head.\n", "---\ntitle: x\n", "---\ncsat: {}\n---\nx\n"])
def test_somebody_is_not_said_to_be_in_no_scene_while_a_scene_cannot_be_read(broken):
    reading = read({"people.yaml": "cast: [{id: bo, name: Bo, line: x}]\n", "scenes/x.md": broken})
    assert "no-scene" not in codes(reading)
    assert "who is in no scene" in [what for _, _, what in skipped(reading)]


def test_a_bomb_is_one_problem_at_its_first_line():
    bomb = "soft: &a [x]\nrules: [*a, *a, *a]\nthings: &b [*a, *a]\n"
    reading = read({"story.yaml": STORY + bomb, "more.yaml": "facts: [*a]\ncast: [*a]\n"})
    found = [(p.file, p.line) for p in reading.errors if p.code in ("anchor", "alias")]
    assert found == [("story.yaml", 10), ("more.yaml", 1)]


@pytest.mark.parametrize("name", ["12", "-3", "1.5"])
def test_the_id_that_is_advised_for_a_number_is_one(name):
    (problem,) = read({"story.yaml": STORY + f"things: [{{id: {name}, name: x}}]\n"}).errors
    advised = problem.fix.split("`")[1]
    mended = read({"story.yaml": STORY + f"things: [{{id: {advised}, name: x}}]\n"})
    assert mended.errors == ()


def test_a_slug_that_is_cut_does_not_end_in_a_hyphen():
    assert slug("a" * 63 + " b") == "a" * 63


@pytest.mark.parametrize("head", ["%YAML 1.1\n", "# a note\n%YAML 1.1\n%TAG ! x\n"])
def test_directives_are_named(head):
    (problem,) = read({"story.yaml": head + STORY}).errors
    assert problem.line == head[: head.index("%")].count("\n") + 1
    assert "begins with `%`" in problem.what
    assert "directives are not used here" in problem.fix


# Conditions that contradict themselves.


@pytest.mark.parametrize(
    "condition",
    [
        "{holds: f, not: {holds: f}}",
        "{all: [{holds: f}, {not: {holds: f}}]}",
        "{holds: f, all: [{not: {holds: f}}]}",
        "{all: [{holds: f}, {all: [{happened: e}, {not: {holds: f}}]}]}",
        "{holds: f, happened: e, not: {holds: f, happened: e}}",
        "{holds: f, happened: e, not: {all: [{holds: f}]}}",
        "{any: [{happened: e}, {holds: f, not: {holds: f}}]}",
        "{any: [{holds: f}, {happened: e}], not: {any: [{holds: f}, {happened: e}]}}",
        "{all: [{not: {holds: f}}, {not: {not: {holds: f}}}]}",
    ],
)
def test_a_condition_and_its_negation_side_by_side_are_an_error(condition):
    facts = "facts: [{id: f, full: x}]\nevents: [{id: e, summary: x, when: {holds: f}}]\n"
    gate = f"gates:\n  - {{id: g, conditions: [{condition}]}}\nending"
    files = {"story.yaml": STORY + facts, "scenes/shore.md": SHORE.replace("ending", gate)}
    (problem,) = read(files).errors
    assert (problem.code, problem.file, problem.line) == ("contradiction", "scenes/shore.md", 4)


def test_the_conditions_of_a_gate_stand_side_by_side():
    gate = "gates:\n  - {id: g, conditions: [{holds: f}, {not: {holds: f}}]}\nending"
    files = {"story.yaml": STORY + "facts: [{id: f, full: x}]\n"}
    reading = read({**files, "scenes/shore.md": SHORE.replace("ending", gate)})
    assert [(p.code, p.line) for p in reading.errors] == [("contradiction", 4)]


@pytest.mark.parametrize(
    "condition",
    [
        "{holds: f, not: {happened: e}}",
        "{any: [{holds: f}, {not: {holds: f}}]}",
        "{holds: f, not: {holds: f, happened: e}}",
        "{sequence: [{holds: f}, {not: {holds: f}}]}",
        "{within: {turns: 3, of: {holds: f}}, not: {holds: f}}",
    ],
)
def test_what_only_looks_like_a_contradiction_is_left_alone(condition):
    facts = "facts: [{id: f, full: x}]\nevents: [{id: e, summary: x, when: {holds: f}}]\n"
    gate = f"gates:\n  - {{id: g, conditions: [{condition}]}}\nending"
    files = {"story.yaml": STORY + facts, "scenes/shore.md": SHORE.replace("ending", gate)}
    assert read(files).problems == ()


def test_a_contradiction_does_not_hide_what_cannot_be_reached():
    reading = with_island("facts: [{id: f, full: x}]\n", "done_when: {holds: f, not: {holds: f}}\n")
    assert {"contradiction", "unreachable", "gate-shut"} <= set(codes(reading))


@pytest.mark.parametrize(
    "prophecy",
    [
        "source: zz, target: shore",
        "source: e, target: zz",
        "source: e, target: shore, fulfilled_by: {happened: zz}",
    ],
)
def test_what_names_nothing_is_not_also_out_of_reach(prophecy):
    more = "facts: [{id: f, full: x}]\nevents: [{id: e, summary: x, when: {holds: f}}]\n"
    reading = read({"story.yaml": f"{STORY}{more}prophecies: [{{id: p, {prophecy}}}]\n"})
    assert codes(reading) == ["dangling"]
