"""What the checks say of a story whose files can be read."""

import pytest
from msgspec import inspect as shapes

from storykeeper.story import model
from storykeeper.story.checks.references import REFERS
from storykeeper.story.preamble import OUR_ANTI_PATTERNS, hard_text
from storykeeper.story.problems import Severity
from storykeeper.story.reader import shape_of
from storykeeper.story.stage import Stage
from storykeeper.story.unread import UNREAD
from storykeeper.units import ID_PATTERN
from strategies.small import SHORE, STORY, codes, lines, read
from strategies.tables import table

WHO_FIELDS = {"who", "from_", "to", "present", "moves", "gives"} | {
    "known_by", "suspected_by", "believed_by", "told", "how",
}  # fmt: skip


def structs(shape, seen):
    """Every struct of the model, by its class."""
    match shape:
        case shapes.StructType() if shape.cls not in seen:
            seen[shape.cls] = shape
            for f in shape.fields:
                structs(f.type, seen)
        case shapes.VarTupleType():
            structs(shape.item_type, seen)
        case shapes.DictType():
            structs(shape.key_type, seen)
            structs(shape.value_type, seen)
        case shapes.UnionType():
            for inner in shape.types:
                structs(inner, seen)
    return seen


def holds_ids(shape):
    match shape:
        case shapes.StrType():
            return shape.pattern == ID_PATTERN
        case shapes.VarTupleType():
            return holds_ids(shape.item_type)
        case shapes.DictType():
            return holds_ids(shape.key_type) or holds_ids(shape.value_type)
        case shapes.UnionType():
            return any(map(holds_ids, shape.types))
    return False


def test_every_field_that_holds_an_id_is_in_the_table_of_references():
    missing = [
        f"{cls.__name__}.{f.name}"
        for cls, shape in structs(shape_of(model.Story), {}).items()
        for f in shape.fields
        if f.name != "id" and (holds_ids(f.type) or f.name in WHO_FIELDS)
        if f.name not in REFERS.get(cls, {}) and (cls, f.name) != (Stage, "moves")
    ]
    assert missing == []


def test_the_table_of_references_names_only_fields_that_exist():
    for cls, fields in REFERS.items():
        assert set(fields) <= {f.name for f in shape_of(cls).fields}, cls


def test_the_table_of_unread_keys_names_only_keys_that_exist():
    known = set()

    def collect(shape, path, trail):
        match shape:
            case shapes.StructType() if shape.cls not in trail:
                for f in shape.fields:
                    known.add(".".join((*path, f.encode_name)))
                    collect(f.type, (*path, f.encode_name), (*trail, shape.cls))
            case shapes.VarTupleType():
                collect(shape.item_type, path, trail)
            case shapes.UnionType():
                for inner in shape.types:
                    collect(inner, path, trail)

    collect(shape_of(model.Story), (), ())
    assert sorted(UNREAD - known) == []


def test_keys_that_nothing_reads_are_noted_once_each_and_stop_nothing():
    event = "- {{id: {}, summary: x, about: [mara], when: {{visited: shore}}}}\n"
    reading = read({"story.yaml": f"{STORY}events:\n{event.format('a')}{event.format('b')}"})
    assert reading.story is not None
    assert [(p.line, p.severity) for p in reading.notes] == [(11, Severity.NOTE)]
    assert "`events.about` yet (it stands here, 2 times in all)" in reading.notes[0].what


def added(text, shore=""):
    scene = SHORE.replace("ending", f"{shore}ending")
    return read({"story.yaml": STORY + text, "scenes/shore.md": scene})


@table(
    "text, shore, code",
    [
        ("", "relations: [{from: mara, to: player, dimension: debt, at_least: 1, at_most: 0}]\n",
         "empty-range"),
        ("", "approach: [{mood: {}}]\n", "empty-mood"),
        ("", "done_when: {}\n", "empty-condition"),
        ("", "done_when: {not: {any: []}}\n", "empty-condition"),
        ("", "done_when: {threshold: {at_least: 1, of: []}}\n", "empty-condition"),
        ("", "leads_to: [{to: shore}, {to: shroe}]\n", "dangling"),
        ("", "gates: [{id: g, conditions: [{holds: f}]}, {id: g, conditions: [{holds: f}]}]\n",
         "duplicate-id"),
        ("facts: [{id: f, full: x, known_by: {mara: saw}, believed_by: {mara: saw}}]\n", "",
         "two-minds"),
        ("facts: [{id: f, full: x, believed_by: {player: told by mara}}]\n", "",
         "circular-telling"),
        ("facts: [{id: f, full: x, known_by: {mara: told by mara}}]\n", "", "circular-telling"),
        ("settings: [{id: a, name: x, paths: [{to: a}]}]\n", "", "cycle"),
        (("layers: [{id: l, name: x, kind: dream, scenes: [shore], permeability: "
         "{sigmoid: {low: .9, high: .1}}}]\n"), "", "empty-range"),
    ],
)  # fmt: skip
def test_statements_that_cannot_be_meant_are_errors(text, shore, code):
    reading = added(text, shore)
    assert code in [p.code for p in reading.errors]
    assert reading.story is None


@pytest.mark.parametrize(
    ("text", "shore", "code"),
    [
        ("facts: [{id: f, full: The light was out., secret: true, known_by: {mara: saw}}]\n", "",
         "no-hint"),
        (("facts: [{id: f, full: She put out the light herself that night, hint: she put out the "
         "light herself, known_by: {mara: saw}}]\n"), "", "hint-tells"),
        ("facts: [{id: f, full: It burned., hint: 'Ah: it burned!', known_by: {mara: saw}}]\n", "",
         "hint-tells"),
        ("themes: {silence: [light]}\n", "themes: [silense]\n", "theme"),
        ("settings: [{id: a, name: A}, {id: b, name: B}]\n", "", "no-path"),
        ("layers: [{id: l, name: x, kind: dream, scenes: [dream]}]\n", "", "no-exit"),
    ],
)  # fmt: skip
def test_what_is_probably_a_slip_is_a_warning(text, shore, code):
    files = {"story.yaml": STORY + text, "scenes/dream.md": "---\ntitle: Dream\n---\nx\n"}
    reading = read({**files, "scenes/shore.md": SHORE.replace("ending", f"{shore}ending")})
    assert code in [p.code for p in reading.warnings]
    assert reading.errors == ()


def test_somebody_who_begins_elsewhere_than_the_opening_scene_is_an_error():
    places = "settings: [{id: a, name: A, paths: [{to: b}]}, {id: b, name: B}]\n"
    people = STORY.replace("    name: Mara\n", "    name: Mara\n    at: a\n") + places
    for setting, expected in (("a", []), ("b", ["two-places", "not-checked"])):
        scene = SHORE.replace("ending", f"setting: {setting}\ncast: {{required: [mara]}}\nending")
        assert codes(read({"story.yaml": people, "scenes/shore.md": scene})) == expected


def test_what_is_not_a_slip_is_left_alone():
    reading = added(
        "themes: {silence: [light]}\n"
        "facts: [{id: f, full: She put out the light., hint: Mara avoids the stairs., secret: true,"
        " known_by: {mara: saw}}]\n"
        "settings: [{id: a, name: A, paths: [{to: b}]}, {id: b, name: B}]\n",
        "themes: [grief, light]\n",
    )
    assert codes(reading) == []


def test_somebody_in_no_scene_is_a_warning():
    reading = added("", "")
    assert codes(reading) == []
    reading = read({"people.yaml": "cast: [{id: bo, name: Bo, line: x}]\n"})
    assert lines(reading, "no-scene") == [
        (
            "people.yaml:1:13: warning: `bo` is in the cast of no scene — "
            "name them under `cast` in the scenes where they are or may be"
        )
    ]


def test_the_hard_text_is_whole_and_ends_with_ours():
    story = read({"story.yaml": STORY + "rules: [No gods.]\nanti_patterns: [No lists.]\n"}).story
    text = hard_text(story)
    assert text.startswith("# Voice\nPlain.\n\n# Rules\n- No gods.\n\n# Do not\n- No lists.\n")
    assert text.endswith(OUR_ANTI_PATTERNS[-1])


def test_hard_text_over_its_share_says_by_how_much_and_where():
    reading = read(count_tokens=lambda text: 600 if "Plain" in text else 70)
    (problem,) = reading.errors
    assert (problem.file, problem.line, problem.code) == ("story.yaml", 5, "hard-share")
    assert "take 600 tokens, 138 more than the 462" in problem.what
    assert "shorten `voice`" in problem.fix


def test_scenes_that_pull_and_have_no_images_are_noted_once():
    """From afar only images are said: without any, a narrator feels nothing of it."""
    heavy = "mass: 0.5\n"
    bare = added("", heavy).notes
    assert [(p.code, p.severity, p.file) for p in bare] == [
        ("images", Severity.NOTE, "scenes/shore.md")
    ]
    assert "1 scene has" in bare[0].what
    assert not added("", f"{heavy}images: {{distant: [a light that goes round]}}\n").notes
    assert not added("", f"{heavy}withheld: [images]\n").notes
    assert not added("", "mass: 0.1\n").notes
