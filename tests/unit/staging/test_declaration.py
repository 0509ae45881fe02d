"""A declaration is read field by field: what has not the right shape is dropped and named."""

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.events.staged import Aside, Declaration, Move, Put, Told
from storykeeper.staging.declaration import (
    MOST_CHARS,
    MOST_NAME,
    MOST_ROWS,
    MOST_WORDS,
    MOVES,
    as_json,
    json_schema,
    parsed,
    rendered,
    without_blocks,
)
from strategies.tables import table

WHOLE = {
    "moves": [
        {"who": ["renna"], "kind": "departs", "to": "attic", "words": "her door clicks"},
        {"who": ["ilse"], "kind": "call-opens", "with": ["hagen"]},
        {"who": ["dov"], "kind": "gives", "what": "the lamp", "to": ["ilse", "renna"]},
    ],
    "asides": [{"by": "dov", "to": ["ilse"], "words": "There was no robbery"}],
    "told": [{"fact": "F2", "by": "dov", "to": ["ilse"], "words": "in the ledger"}],
    "at": {"renna": "attic", "dov": "away"},
    "here": ["ilse", "dov"],
    "holds": {"lamp": "dov"},
}
MADE = Declaration(
    moves=(
        Move(("renna",), "departs", ("attic",), "", "her door clicks"),
        Move(("ilse",), "call-opens", ("hagen",)),
        Move(("dov",), "gives", ("ilse", "renna"), "the lamp"),
    ),
    asides=(Aside("There was no robbery", "dov", ("ilse",)),),
    told=(Told("F2", ("ilse",), "dov", "in the ledger"),),
    at=(Put("renna", "attic"), Put("dov", "away")),
    here=("ilse", "dov"),
    holds=(Put("lamp", "dov"),),
)


# ── shapes ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("raw", [WHOLE, json.dumps(WHOLE), MADE], ids=["mapping", "text", "made"])
def test_a_whole_declaration_is_read_from_anything(raw):
    assert parsed(raw).declaration == MADE
    assert parsed(raw).dropped == ()


@pytest.mark.parametrize("raw", [{}, "{}", dict.fromkeys(WHOLE), {"moves": [], "at": {}}])
def test_everything_may_be_left_out(raw):
    assert parsed(raw).declaration == Declaration()
    assert parsed(raw).dropped == ()


@table(
    "raw, why",
    [
        ({"mvoes": []}, "'mvoes': no such field"),
        ({7: []}, "'7': no such field"),
        ({"moves": {"who": "dov"}}, "moves: it is not a list"),
        ({"moves": 0}, "moves: it is not a list"),
        ({"here": ""}, "here: it is not a list"),
        ({"here": False}, "here: it is not a list"),
        ({"here": ["dov", 3]}, "here: a name is wanted"),
        ({"at": ["dov"]}, "at: it is not an object, or too large"),
        ({"at": {"dov": None}}, "at 'dov': a name is wanted"),
        ({"at": {3: "attic"}}, "at '3': a name is wanted"),
        ({"holds": "lamp"}, "holds: it is not an object, or too large"),
        ({"holds": {"lamp": ["dov"]}}, "holds 'lamp': a name is wanted"),
        ({"moves": ["dov leaves"]}, "moves 1: it is not an object"),
        ({"moves": [{"who": ["dov"]}]}, "moves 1: 'None' is no kind of move"),
        ({"moves": [{"who": ["dov"], "kind": "flies"}]}, "moves 1: 'flies' is no kind of move"),
        (
            {"moves": [{"who": ["dov"], "kind": ["departs"]}]},
            "moves 1: \"['departs']\" is no kind of move",
        ),
        ({"moves": [{"kind": "departs"}]}, "moves 1: names are wanted"),
        ({"moves": [{"who": {"dov": 1}, "kind": "departs"}]}, "moves 1: names are wanted"),
        (
            {"moves": [{"who": ["dov"], "kind": "takes", "what": ["lamp"]}]},
            "moves 1: a name is wanted",
        ),
        (
            {"moves": [{"who": ["dov"], "kind": "departs", "words": ["her door"]}]},
            "moves 1: its words are no text, or too long",
        ),
        ({"asides": [{"by": "dov", "to": ["ilse"]}]}, "asides 1: it has no words"),
        ({"asides": [{"by": ["dov"], "words": "No"}]}, "asides 1: a name is wanted"),
        ({"told": [{"words": "in the ledger"}]}, "told 1: a name is wanted"),
        ({"told": [{"fact": 2, "words": "in the ledger"}]}, "told 1: a name is wanted"),
        ({"here": ["\ud800"]}, "here: a name is wanted"),
        (
            {"moves": [{"who": ["dov"], "kind": "departs", "words": "\udfff"}]},
            "moves 1: its words are no text, or too long",
        ),
    ],
)
def test_what_has_not_the_right_shape_is_dropped_and_named(raw, why):
    read = parsed(raw)
    assert read.dropped == (why,)
    assert read.declaration == Declaration()


def test_the_rest_stands():
    kept = {"who": ["dov"], "kind": "sleeps"}
    read = parsed({"moves": [{"who": ["dov"]}, kept, 7], "here": 3, "at": {"dov": "attic", "": 1}})
    assert read.declaration == Declaration(
        moves=(Move(("dov",), "sleeps"),), at=(Put("dov", "attic"),)
    )
    assert [why.partition(":")[0] for why in read.dropped] == [
        "moves 1",
        "moves 3",
        "at ''",
        "here",
    ]


@pytest.mark.parametrize("given", ["attic", ["attic"], ("attic",)])
def test_a_name_alone_is_a_list_of_one(given):
    made = parsed({"moves": [{"who": "dov", "kind": "departs", "to": given}]}).declaration
    assert made.moves == (Move(("dov",), "departs", ("attic",)),)


def test_a_call_is_with_somebody_also_where_the_place_is_null():
    row = {"who": ["ilse"], "kind": "call-opens", "to": None, "with": ["hagen"]}
    assert parsed({"moves": [row]}).declaration.moves[0].to == ("hagen",)


def test_names_are_taken_without_the_spaces_around_them():
    assert parsed({"here": [" dov\n"]}).declaration.here == ("dov",)


@pytest.mark.parametrize("raw", [None, 7, ["moves"], "7", "[]", "null", b"{}"])
def test_what_is_no_object_is_no_declaration(raw):
    assert parsed(raw).declaration == Declaration()
    assert len(parsed(raw).dropped) == 1


# ── limits ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"here": ["dov"',
        "here: [dov]",
        '{"here": [NaN]}',
        '{"here": Infinity}',
        '{"at": {"dov": -Infinity}}',
        "[" * 30_000,
        '{"moves":' * 5_000,
        "\x00",
    ],
    ids=["open", "cut", "yaml", "nan", "infinity", "in a pair", "deep", "deep objects", "nul"],
)
def test_what_is_no_json_is_as_none(text):
    assert parsed(text).declaration == Declaration()
    assert parsed(text).dropped == ("the declaration is not JSON",)


def test_a_megabyte_is_not_read():
    text = json.dumps({"here": ["dov"], "holds": {"lamp": "x" * 1_000_000}})
    assert parsed(text).dropped == (f"the declaration has {len(text):,} characters: too many",)
    assert parsed(text).declaration == Declaration()


def test_as_much_as_is_allowed_is_read():
    text = '{"here": ["dov"]}'
    assert parsed(text.rjust(MOST_CHARS)).declaration.here == ("dov",)


def test_only_so_many_rows_are_read():
    rows = [{"who": ["dov"], "kind": "sleeps"}] * (MOST_ROWS + 1)
    read = parsed({"moves": rows})
    assert len(read.declaration.moves) == MOST_ROWS
    assert read.dropped == (f"moves: only the first {MOST_ROWS} rows are read",)
    many = {f"p{i}": "attic" for i in range(MOST_ROWS + 1)}
    assert parsed({"at": many}).dropped == ("at: it is not an object, or too large",)


@pytest.mark.parametrize(
    ("row", "fits"),
    [
        ({"who": ["x" * MOST_NAME], "kind": "sleeps"}, True),
        ({"who": ["x" * (MOST_NAME + 1)], "kind": "sleeps"}, False),
        ({"who": ["dov"], "kind": "sleeps", "words": "x" * MOST_WORDS}, True),
        ({"who": ["dov"], "kind": "sleeps", "words": "x" * (MOST_WORDS + 1)}, False),
        ({"who": ["dov"] * MOST_ROWS, "kind": "sleeps"}, True),
        ({"who": ["dov"] * (MOST_ROWS + 1), "kind": "sleeps"}, False),
    ],
)
def test_names_and_words_have_a_length(row, fits):
    assert bool(parsed({"moves": [row]}).declaration.moves) is fits


def test_reasons_are_short_whatever_is_named():
    long = "y" * 100_000
    read = parsed({long: 1, "moves": [{"who": ["dov"], "kind": long}], "at": {long: "attic"}})
    assert len(read.dropped) == 3
    assert all(len(why) < 120 for why in read.dropped)


# ── the fenced block ─────────────────────────────────────────────────────────────────────────

BLOCK = '```stage\n{"here": ["dov"]}\n```'


@table(
    "prose, left, block",
    [
        ("Rain.", "Rain.", None),
        (f"Rain.\n\n{BLOCK}", "Rain.", '{"here": ["dov"]}'),
        (f"Rain.\n{BLOCK}\n\n", "Rain.", '{"here": ["dov"]}'),
        (f"Rain.\r\n{BLOCK}".replace("\n", "\r\n"), "Rain.", '{"here": ["dov"]}'),
        (BLOCK, "", '{"here": ["dov"]}'),
        (f"Rain.\n{BLOCK}\nHail.", "Rain.\nHail.", None),
        (f"Rain.\n{BLOCK}\nHail.\n```stage\n{{}}\n```", "Rain.\nHail.", "{}"),
        (f"Rain.\n```stage\n{{}}\n```\n{BLOCK}", "Rain.", '{"here": ["dov"]}'),
        ('Rain.\n```stage\n{"here": ["do', "Rain.", '{"here": ["do'),
        ("Rain.\n```stage", "Rain.", ""),
        ("Rain.\n```stage\n", "Rain.", ""),
        ("“Rain,\n```stage\n{}\n```\n” he says.", "“Rain,\n” he says.", None),
        ("Rain.\n   ```stage\n{}\n   ```", "Rain.", "{}"),
        ("Rain.\n``` stage\n{}\n```", "Rain.", "{}"),
        ("Rain.\n```STAGE\n{}\n```", "Rain.", "{}"),
        ("Rain.\n````stage\n{}\n````", "Rain.", "{}"),
        ("Rain.\n~~~stage\n{}\n~~~", "Rain.", "{}"),
        ("Rain.\n```stage {}\n```", "Rain.", "{}"),
        ("Rain.\n```stage{}```", "Rain.", "{}"),
        ("She waits. ```stage\n{}\n```", "She waits.", "{}"),
        ("Rain.\n```stage\n{}\n``` and more", "Rain.", "{}"),
        ("She waits. ```stage", "She waits.", ""),
        ("Rain.\n```sta", "Rain.", ""),
    ],
)
def test_a_block_is_taken_off_the_prose(prose, left, block):
    found = without_blocks(prose)
    assert found[0] == left
    assert (found[1] is None) is (block is None)
    assert (found[1] or "").strip() == (block or "")


@pytest.mark.parametrize(
    "prose",
    [
        "She writes ```stage``` on the wall.",
        "“Type ```stage and press return,” he says.",
        "```python\nprint()\n```",
        "```stagecoach\nnine\n```",
        "The stage is empty.\n\n  ",
    ],
)
def test_what_is_no_block_stays(prose):
    assert without_blocks(prose) == (prose, None)


def test_what_a_host_gives_stands_before_the_block():
    prose, made, dropped = rendered(f"Rain.\n{BLOCK}", {"here": ["renna"]})
    assert (prose, made, dropped) == ("Rain.", Declaration(here=("renna",)), ())


def test_nobody_vouches_for_a_block():
    prose, made, dropped = rendered(f"Rain.\n{BLOCK}", None)
    assert (prose, made, dropped) == ("Rain.", Declaration(here=("dov",), inline=True), ())
    claimed = f"Rain.\n{BLOCK}".replace("[", '["ilse"], "inline": false, "x": [')
    _, made, dropped = rendered(claimed, None)
    assert made is not None
    assert made.inline
    assert dropped == ("'inline': no such field", "'x': no such field")


def test_without_either_nothing_is_declared():
    assert rendered("Rain.", None) == ("Rain.", None, ())


def test_a_broken_block_is_gone_all_the_same():
    prose, made, dropped = rendered("Rain.\n```stage\n{broken\n```", None)
    assert (prose, made) == ("Rain.", Declaration(inline=True))
    assert dropped == ("the declaration is not JSON",)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="`~\r"), max_size=40)
INDENTS, FENCES = st.sampled_from(["", "  ", "\t"]), st.sampled_from(["```", "~~~", "`````"])
TAGS = st.sampled_from(["stage", "Stage", " stage", "stage "])
BODIES = st.sampled_from(["{}", '{"here": ["dov"]}', "{broken", "", "[1]"])


@given(TEXT, INDENTS, FENCES, TAGS, BODIES, st.booleans())
def test_a_block_is_gone_however_it_is_written(prose, indent, fence, tag, body, cut):
    end = "" if cut else f"\n{indent}{fence}\n"
    left, block = without_blocks(f"{prose}\n{indent}{fence}{tag}\n{body}{end}")
    assert left == f"{prose}\n".rstrip()
    assert block is not None
    assert block.strip() == body


def test_fences_without_end_are_looked_through_once():
    assert without_blocks("`" * 200_000) == ("`" * 200_000, None)


# ── as JSON ──────────────────────────────────────────────────────────────────────────────────


def test_what_is_written_is_read_as_the_same():
    assert parsed(as_json(MADE)).declaration == MADE
    assert parsed(json.dumps(as_json(MADE))).declaration == MADE
    assert as_json(Declaration(inline=True)) == {}


NAME = st.text(st.characters(codec="utf-8"), max_size=12).map(str.strip)
NAMES = st.lists(NAME, max_size=3).map(tuple)
PUTS = st.dictionaries(NAME, NAME, max_size=3).map(
    lambda pairs: tuple(Put(what, where) for what, where in pairs.items())
)
WORDS = st.text(st.characters(codec="utf-8"), max_size=20)
MOVED = st.builds(Move, NAMES, st.sampled_from(sorted(MOVES)), NAMES, NAME, WORDS)
SAID_LOW = st.builds(Aside, WORDS.filter(bool), NAME, NAMES)
DECLARATIONS = st.builds(
    Declaration,
    st.lists(MOVED, max_size=3).map(tuple),
    st.lists(SAID_LOW, max_size=3).map(tuple),
    st.lists(st.builds(Told, NAME, NAMES, NAME, WORDS), max_size=3).map(tuple),
    PUTS,
    NAMES,
    PUTS,
)


@given(DECLARATIONS)
def test_the_schema_is_what_is_written(made):
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    plain = json.loads(json.dumps(as_json(made)))
    jsonschema.validate(plain, schema)
    assert parsed(plain).declaration == made


@pytest.mark.parametrize(
    "wrong",
    [
        {"moves": [{"who": ["dov"], "kind": "flies"}]},
        {"moves": [{"kind": "departs"}]},
        {"asides": [{"by": "dov"}]},
        {"told": [{"words": "x"}]},
        {"at": {"dov": 3}},
        {"here": "dov"},
        {"beat": 1},
    ],
)
def test_the_schema_refuses_what_is_dropped(wrong):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, json_schema())
