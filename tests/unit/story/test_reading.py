"""What the files may say, and what is said to an author who says it wrongly."""

from storykeeper.story.nodes import Scalar, parse, resolved
from storykeeper.story.problems import Problem, Severity, in_order, nearest, slug
from storykeeper.story.reading import read_files
from storykeeper.story.scenefile import escaped, read_scene, split_beats
from storykeeper.story.tuning import Encoding
from strategies.small import FILES, SHORE, STORY, lines, read
from strategies.tables import table


@table(
    "text, value",
    [
        ("no", "no"), ("yes", "yes"), ("on", "on"), ("12:30", "12:30"), ("2024-05-07",) * 2,
        ("1_000", "1_000"), ("0b1", "0b1"), ("tRue", "tRue"), ("1.2.3", "1.2.3"), ("=", "="),
        ("true", True), ("False", False), ("~", None), ("", None), ("null", None),
        ("12", 12), ("-3", -3), ("0x1f", 31), ("0o17", 15), ("017", 17), (".5", 0.5),
        ("1e3", 1000.0), ("1.", 1.0), ("+1.5", 1.5),
    ],
)  # fmt: skip
def test_scalars_are_those_of_yaml_1_2(text, value):
    assert resolved(text) == value
    assert type(resolved(text)) is type(value)


def test_quotes_keep_text():
    root, problems = parse("a: 'true'\nb: \"12\"\nc: |\n  null\n", file="f")
    assert problems == []
    assert [e.value.value for e in root.entries.values()] == ["true", "12", "null\n"]


def test_columns_count_characters_not_bytes():
    root, _ = parse("a: [ä👩, b]\n", file="f", first_line=7)
    assert root.entries["a"].value.items[1] == Scalar("f", 7, 9, "b")


def said(text):
    """What is said about something added to story.yaml."""
    return [str(p) for p in read({"story.yaml": STORY + text}).errors]


@table(
    "text, expected",
    [
        ("vioce: x\n",
         "story.yaml:10:1: error: `vioce` is not a key of story.yaml — did you mean `voice`?"),
        ("things:\n- {id: a, name: 7}\n",
         ("story.yaml:11:17: error: `name` is a number where text should stand"
         ' — put it in quotes: "7"')),
        ("things:\n- {id: a, name: x, aliases: y}\n",
         ("story.yaml:11:29: error: `aliases` is text where a list should stand"
         " — write it as a list: [y]")),
        ("things:\n- {id: a, name: x, tier: trakced}\n",
         ("story.yaml:11:26: error: `trakced` cannot stand here — did you mean `tracked`? "
         "use one of mentioned, referenced, tracked, persistent")),
        ("things:\n- {id: a}\n",
         "story.yaml:11:3: error: a thing needs the key `name` — add `name: …`"),
        ("things:\n- {id: a, name: }\n",
         "story.yaml:11:17: error: `name` is nothing where text should stand — write text"),
        ("budget: {hard_share: 2}\n",
         "story.yaml:10:22: error: 2 is out of range — give a number from 0 to 1"),
        ("budget: {tokens: 10.5}\n",
         ("story.yaml:10:18: error: `tokens` is a number where a whole number should stand"
         " — write a whole number")),
        ("players: []\n", ("story.yaml:10:1: error: the key `players` stands here twice, "
         "first on line 3 — keep one of them")),
        ("format: 2\n", "story.yaml:10:9: error: `2` cannot stand here — write 1"),
        ("events:\n- {id: e, summary: s, moods: [{who: mara, valence: x, y}]}\n",
         ("story.yaml:11:52: error: `valence` is text where a number should stand"
         " — write a number")),
        ("facts:\n- {id: f, full: This, and that}\n",
         ("story.yaml:11:23: error: `and that` is not a key of a fact"
         " — inside braces, text that holds a comma must stand in quotes")),
        ("facts:\n- {id: f, full: x, about: [brass]}\nthings:\n- {id: brass-key, name: key}\n",
         ("story.yaml:11:28: error: `brass` should name one of the cast, a setting or a thing, "
         "and nothing of that kind has this id — did you mean `brass-key`?")),
        ("things:\n- {id: a, name: x, held_by: player}\n",
         ("story.yaml:11:29: error: `player` should name one of the cast, and nothing of that "
         "kind has this id — name the character, `mara`")),
        ("things:\n- {id: mara, name: x}\n",
         ("story.yaml:11:8: error: the id `mara` stands twice among cast, settings and things, "
         "first at story.yaml:7 — rename one of them")),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place_and_what_to_do(text, expected):
    assert expected in said(text)


def test_every_problem_is_reported_at_once():
    reading = read({
        "story.yaml": STORY + "tuning: {gravty: {}}\n",
        "people.yaml": "cast:\n- {id: bo, name: Bo}\n- {id: al, name: Al, line: x, at: nowhere}\n",
        "scenes/dusk.md": "---\ntitle: Dusk\nmass: 3\n---\nx\n",
    })  # fmt: skip
    found = [(p.file, p.line, p.code) for p in reading.errors]
    assert found == [
        ("story.yaml", 10, "unknown-key"),
        ("people.yaml", 2, "missing-key"),
        ("people.yaml", 3, "dangling"),
        ("scenes/dusk.md", 3, "out-of-range"),
    ]
    assert [(p.file, p.line, p.code) for p in reading.warnings] == [
        ("people.yaml", 2, "no-scene"), ("people.yaml", 3, "no-scene"),
        ("people.yaml", 3, "not-checked"),
    ]  # fmt: skip


def test_sections_add_up_in_the_order_of_the_files_names():
    thing = "things:\n- {{id: {0}, name: x}}\n"
    reading = read({f"{name}.yaml": thing.format(name) for name in ("zoo", "b", "a")})
    assert [t.id for t in reading.story.things] == ["a", "b", "zoo"]


def test_canon_is_material_and_not_part_of_the_story():
    canon = "canon:\n- {id: book, version: '1', path: book}\n"
    reading = read({"story.yaml": STORY + canon, "book/a.yaml": "x: [", "book/b.md": "---\n"})
    assert reading.errors == ()


def test_themes_join_across_files_and_clash_only_on_the_same_theme():
    more = {"story.yaml": STORY + "themes: {light: [fire]}\n", "a.yaml": "themes: {salt: [sea]}\n"}
    assert read(more).story.themes == {"salt": ("sea",), "light": ("fire",)}
    clash = read({**more, "b.yaml": "themes: {light: []}\n"})
    assert lines(clash, "duplicate-key") == [
        "story.yaml:10:10: error: the theme `light` is there already, at b.yaml:1 — join the two"
    ]


def test_tokens_are_counted_in_the_encoding_that_the_story_names():
    asked = []

    def counters(encoding):
        asked.append(encoding)
        return len

    files = {**FILES, "story.yaml": STORY + "budget: {encoding: cl100k}\n"}
    given = [(name, text.encode()) for name, text in files.items()]
    reading = read_files(given, counters=counters)
    assert asked == [Encoding.CL100K]
    assert [p.code for p in reading.errors] == []
    assert [p.code for p in read_files(given, lambda text: 463).errors] == ["hard-share"]
    assert read_files(given, lambda text: 462).errors == ()


# Beats.


def beats(text):
    found, problems = split_beats(text.split("\n"), file="f", first_line=5)
    assert problems == []
    return [(beat.id, beat.line, beat.prose) for beat in found]


def test_headings_cut_the_prose_into_beats():
    assert beats("\nFirst.\n\n## a\n\nTwo\nlines.\n\n## b ##\nx") == [
        ("opening", 6, "First."), ("a", 8, "Two\nlines."), ("b", 13, "x"),
    ]  # fmt: skip
    assert beats("") == []
    assert beats("Only prose.\n---\nMore.") == [("opening", 5, "Only prose.\n---\nMore.")]


def test_headings_in_code_and_of_other_depth_are_prose():
    text = "```\n## a\n```\n# b\n### c\n##d\n ## e\n~~~\n```\n## f\n~~~"
    assert beats(text) == [("opening", 5, text)]


def test_a_backslash_keeps_a_heading_in_the_prose():
    assert beats("\\## a\n\\\\## b\n\\# c") == [("opening", 5, "## a\n\\## b\n\\# c")]
    assert escaped("## a\n\\## b\n```\n## c\n```\n```") == (
        "\\## a\n\\\\## b\n```\n## c\n```\n\\```"
    )


def test_the_lines_of_a_head_are_those_of_the_file():
    scene, problems = read_scene("---\n# note\ntitle: x\n---\n\ny\n", file="s.md")
    assert problems == []
    assert scene.head.entries["title"].line == 3
    assert scene.beats[0].prose_line == 6


def test_what_the_head_says_of_a_beat_joins_its_prose():
    text = SHORE.replace("ending", "beats:\n  late: {when: {told: shore/opening}}\nending")
    reading = read({"scenes/shore.md": text + "\n## late\nDark.\n"})
    first, late = reading.story.scenes[0].beats
    assert (first.id, first.when, late.id, late.prose) == ("opening", None, "late", "Dark.")
    assert late.when.told == "shore/opening"


# Words about problems.


def test_problems_are_in_order_and_each_once():
    def at(file, line, severity=Severity.ERROR):
        return Problem(code="c", what="w", file=file, line=line, severity=severity)

    note, warning = at("a", 2, Severity.NOTE), at("a", 2, Severity.WARNING)
    given = [at("b", 1), note, at("a", 10), warning, at("a", 2), at("a", 2), at("story.yaml", 9)]
    assert in_order(given) == (
        at("story.yaml", 9), at("a", 2), warning, note, at("a", 10), at("b", 1),
    )  # fmt: skip


def test_slugs_and_nearest_words():
    assert slug("The Brass Key!") == "the-brass-key"
    assert slug("Éloïse's 2nd café") == "eloises-2nd-cafe"
    assert slug("01 Tower") == "tower"
    assert slug("塔") == ""
    assert nearest("twoer", ["tower", "power"]) == "tower"
    assert nearest("zzz", ["tower"]) is None
    assert nearest("scene-4999x", [f"scene-{n}" for n in range(5_000)]) == "scene-4999"


def test_a_line_that_is_indented_too_far_is_named():
    """The parser gives up at the line below it, which is as it should be."""
    _, problems = parse("beats:\n   one: {a: b}\n\n  two: {a: b}\n", file="f", first_line=2)
    assert [(p.line, "line 3 begins further right" in p.what) for p in problems] == [(5, True)]
