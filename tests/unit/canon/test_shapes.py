"""The shapes of canon: there and back, as JSON Schema, and what bad files are told."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import (
    Available,
    Band,
    Bearing,
    Held,
    Perceived,
    Point,
    Presence,
    Sense,
    Snippet,
    Threat,
    TurnBrief,
)
from storykeeper.canon.chronicle import ChronicleSpec, Writer
from storykeeper.canon.files import SHAPES, as_json, loaded, read, schema, written
from storykeeper.canon.persona import PersonaCardV2, Senses, character_of, persona_of
from storykeeper.canon.registry import (
    CanonRegistry,
    CanonSource,
    Chunking,
    Compliance,
    Distribution,
    SourceKind,
    SourceStatus,
)
from storykeeper.canon.shapes_page import page
from storykeeper.canon.situation import (
    Barrier,
    EntityState,
    Happening,
    LastKnown,
    Learned,
    Report,
    Verb,
    WorldRule,
    WorldState,
)
from storykeeper.errors import CanonInvalid
from storykeeper.story.loader import load_story
from strategies.tables import table

ROOT = Path(__file__).parents[3]
HERE, THERE = Point(x=1.5, y=-2.0), Point(x=0.0, y=40.0)
CITE = "field-manual@1.2"
EXAMPLES = {
    "registry": CanonRegistry(
        compliance=Compliance(non_commercial=True, distribution=Distribution.LOCAL_ONLY),
        sources=(
            CanonSource(
                id="field-manual", title="Field manual", version="1.2", licence="CC0-1.0",
                path="manual.md", kind=SourceKind.DOCTRINE, chunking=Chunking(most_chars=300),
                sha256="ab" * 32, trust=0.25, status=SourceStatus.STABLE,
            ),
        ),
    ),
    "persona": PersonaCardV2(
        id="ana", name="Ana: “the Ox”", line="Carries what has to be carried.", faction="north",
        senses=Senses(sight=80.0, hearing=1.5), channels=("net",), traits={"patience": 0.5},
    ),
    "world": WorldState(
        id="field", turn=4, factions={"north": "The North"}, hostile=(("north", "south"),),
        entities=(
            EntityState(id="ana", name="Ana", faction="north", at=HERE, resources={"shells": 3.0}),
            EntityState(id="lamp", name="a lamp", held_by="ana", details=("its glass is cracked",)),
        ),
        barriers=(Barrier(from_=HERE, to=THERE, muffles=1.0),),
        happenings=(
            Happening(id="h1", turn=3, text="Ana waves.", by="ana", perceived={"ana": Sense.SELF}),
        ),
        reports=(Report(id="r1", faction="north", turn=1, text="Two carts.", cites=(CITE,)),),
        learned=(Learned(id="l1", who="ana", text="The ford is deep.", how="told by bo", sure=.5),),
        last_known=(LastKnown(who="ana", entity="lamp", turn=2, at=THERE),),
        verbs=(Verb(id="signal", text="Signal.", speaks=True, costs={"flares": 1.0}),),
        rules=(WorldRule(id="truce", text="Nobody fires at the well.", verbs=("fire",)),),
    ),
    "brief": TurnBrief(
        who="ana", turn=4, tokens=90, budget=2500, digest="00", text="# You\nAna.\n\n- #1",
        visible=(
            Presence(handle="bo", how=Sense.SEEN, band=Band.NEAR, bearing=Bearing.NE, name="Bo"),
            Presence(handle="heard-1", how=Sense.HEARD, looks="steps", sure=0.5),
        ),
        threats=(Threat(handle="heard-1", band=Band.FAR, threat=0.5),),
        snippets=(
            Snippet(id=f"{CITE}#3", cite=CITE, kind=SourceKind.DOCTRINE, text="Keep off the ridge.",
                    conflicts=(f"{CITE}#4",)),
        ),
        beliefs=(Held(id="l1", text="The ford is deep.", how="told by bo", cites=("old@2",)),),
        actions=(Available(verb="signal", text="Signal.", targets=("bo",), costs={"flares": 1.0}),),
        past=(Perceived(id="h1", turn=3, text="You wave.", how=Sense.SELF),),
    ),
    "action": CharacterAction(
        who="ana", turn=4, verb="signal", target="bo", to=THERE, words="Now!",
        justification="The manual says so.", cites=(CITE,), rests_on=(f"{CITE}#3",),
    ),
    "chronicle": ChronicleSpec(id="log", title="The log", writer=Writer.MODEL, last=12),
}  # fmt: skip


@table("name", SHAPES)
def test_there_and_back(name: str):
    value, cls = EXAMPLES[name], SHAPES[name][0]
    assert type(value) is cls
    assert read(cls, written(value).encode(), file="x.yaml") == value
    assert read(cls, as_json(value), file="x.json") == value
    assert msgspec.json.decode(as_json(value), type=cls) == value


@table("name", SHAPES)
def test_the_schema_holds_what_the_shape_holds_and_no_more(name: str):
    made = schema(name)
    jsonschema.Draft202012Validator.check_schema(made)
    check = jsonschema.Draft202012Validator(made)
    value = json.loads(as_json(EXAMPLES[name]))
    check.validate(value)
    with pytest.raises(jsonschema.ValidationError):
        check.validate(value | {"surprise": 1})


def test_the_page_says_what_the_shapes_say():
    assert (ROOT / "docs" / "reference" / "schemas.md").read_text("utf-8") == page()


BAD = {
    "missing": ("id: a\ntitle: x\n", "x.yaml:1:1", "needs the key `line`"),
    "misspelt": ("id: a\nname: A\nline: l\nfacton: b\n", "x.yaml:4:1", "did you mean `faction`?"),
    "range": ("id: a\nname: A\nline: l\nsenses: {sight: -3}\n", "x.yaml:4:17", "out of range"),
    "not yaml": ("id: [a\n", "x.yaml:", "error"),
    "empty": ("", "x.yaml:1", "the file is empty"),
}


@pytest.mark.parametrize(("text", "where", "why"), BAD.values(), ids=BAD)
def test_a_bad_file_is_told_where_and_why(text: str, where: str, why: str):
    with pytest.raises(CanonInvalid) as refused:
        read(PersonaCardV2, text.encode(), file="x.yaml")
    assert where in str(refused.value)
    assert why in str(refused.value)


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(CanonInvalid, match=r"there is no .*nobody\.yaml"):
        loaded(PersonaCardV2, tmp_path / "nobody.yaml")


def test_a_storys_characters_become_cards_and_come_back():
    cast = load_story(ROOT / "examples" / "the-lamp-at-harrow").cast
    assert len(cast) > 3
    for character in cast:
        card = persona_of(character, faction="harrow", channels=("bell",))
        assert (card.faction, card.channels, card.beliefs) == (
            "harrow", ("bell",), character.beliefs,
        )  # fmt: skip
        again = read(PersonaCardV2, written(card).encode(), file="card.yaml")
        assert again == card
        assert character_of(again) == character


def test_only_what_is_stable_is_used():
    registry = EXAMPLES["registry"]
    assert isinstance(registry, CanonRegistry)
    assert registry.source(CITE) == registry.sources[0]
    draft = msgspec.structs.replace(registry.sources[0], status=SourceStatus.DEPRECATED)
    assert CanonRegistry(sources=(draft,)).source(CITE) is None
