"""Stories written to files, the schema of those files, and stories made to measure."""

import jsonschema
import yaml

from storykeeper.bench.stories import big_story
from storykeeper.story import writer
from storykeeper.story.nodes import Mapping, Scalar, parse
from storykeeper.story.reading import read_files
from storykeeper.story.schema import DIALECT, schemas
from storykeeper.story.writer import write_story
from storykeeper.story.yamltext import yaml_text
from strategies.small import FILES, read
from strategies.tables import table


def given(files):
    return [(name, text.encode()) for name, text in files.items()]


def test_files_are_as_an_author_would_write_them():
    more = """\
rules: [No gods., No ghosts.]
facts:
- id: the-light
  full: "It went out: twice."
  known_by: {mara: saw}
  revealed_by: [{when: {told: shore/opening}, to: [player]}]
"""
    voice = FILES["story.yaml"].replace("voice: Plain.", "voice: |\n  Plain.\n\n  Short.")
    text = "\n## late\n\nDark.\n\n\\## not a beat\n"
    story = read({"story.yaml": voice + more,
                  "scenes/shore.md": FILES["scenes/shore.md"] + text}).story  # fmt: skip
    assert write_story(story) == {
        "story.yaml": """\
format: 1
id: small
title: Small
players: [mara]
start: shore
voice: |
  Plain.

  Short.
rules: [No gods., No ghosts.]
""",
        "people.yaml": """\
cast:
  - id: mara
    name: Mara
    line: She keeps the light.
""",
        "knowledge.yaml": """\
facts:
  - id: the-light
    full: "It went out: twice."
    known_by: {mara: saw}
    revealed_by:
      - when: {told: shore/opening}
""",
        "scenes/shore.md": """\
---
title: The shore
ending: true
---

The tide is out.

## late

Dark.

\\## not a beat
""",
    }


@table(
    "value",
    [
        "", " ", "no", "12:30", "1.0", "true", "~", "a: b", "a #b", "- a", "x\n", "x\n\n", "\nx",
        " x\ny", "x\n y\n", "a\tb", "\ta\nb", "a \nb", "'", '"', "\\n", "{", "a,b", "\u2028",
        "\ufeff", "é", "👩‍👩‍👧", "\u202e", "…", "# a", "a\n# b", "---", "a\n---\nb", "%a", "? a",
        "a?",
    ],
)  # fmt: skip
def test_text_reads_back_as_it_was(value):
    written = yaml_text(
        {"a": value, "b": [value], "c": {"d": {value or "k": value}}, "e": [[value]]}
    )
    yaml.compose(written, Loader=yaml.SafeLoader)  # other parsers are stricter than ours
    root, problems = parse(written, file="f")
    assert problems == []
    assert isinstance(root, Mapping)
    entries = root.entries
    assert entries["a"].value.value == value
    assert entries["b"].value.items[0].value == value
    inner = entries["c"].value.entries["d"].value.entries
    assert {key: entry.value.value for key, entry in inner.items()} == {value or "k": value}
    assert isinstance(entries["e"].value.items[0].items[0], Scalar)


@table("value", [0, -1, 0.5, 1e-300, 1e16, -0.0, True, False, None, 10**14])
def test_numbers_read_back_as_they_were(value):
    root, problems = parse(yaml_text({"a": value}), file="f")
    assert problems == []
    assert root.entries["a"].value.value == value
    assert type(root.entries["a"].value.value) is type(value)


def test_a_big_story_is_the_same_every_time_and_comes_back():
    story = big_story(scenes=150, seed=7)
    assert big_story(scenes=150, seed=7) == story
    assert big_story(scenes=150, seed=8) != story
    reading = read_files(given(write_story(story)))
    # Its words are few, so that any long text has most of those of any fact.
    found = [p for p in (*reading.errors, *reading.warnings) if p.code != "secret-told"]
    assert [str(p) for p in found] == []
    assert reading.story == story


def test_sections_too_large_for_one_file_are_split_and_stay_in_order(monkeypatch):
    monkeypatch.setattr(writer, "MAX_FILE_BYTES", 16_384)
    story = big_story(scenes=60, seed=1)
    files = write_story(story)
    assert "facts-002.yaml" in files
    assert max(len(text.encode()) for text in files.values()) <= 16_384
    assert read_files(given(files)).story == story


def test_the_schemas_are_schemas_and_say_what_things_are():
    for schema in schemas().values():
        assert schema["$schema"] == DIALECT
        jsonschema.Draft202012Validator.check_schema(schema)
        for name, part in schema["$defs"].items():
            if part.get("type") == "object":
                assert part["additionalProperties"] is False, name
                assert part["description"], name
