"""What a player tells somebody without quotation marks: who hears it has it as said by them."""

from msgspec import structs

from storykeeper.events.atoms import InformationTold
from storykeeper.story.knowledge import Fact
from storykeeper.story.places import Thing
from storykeeper.world.knowledge import knows
from strategies.parlour import engine, parlour, tell
from strategies.tables import table

SAID = "in the fire"
FACT = Fact(id="fire", full="The beige envelope is in the fire.", secret=True,
            known_by={"ann": "authored"})  # fmt: skip


def told(line, *facts, prose="Tom nods slowly. Mara frowns."):
    thing = Thing(id="envelope", name="the beige envelope", at="parlour")
    keeper = engine(structs.replace(parlour(), things=(thing,), facts=facts))
    tell(keeper, "Tom sits by the window. Mara stirs her tea. The beige envelope lies here.")
    tell(keeper, prose, line)
    keeper.end_scene()
    assert keeper.replay()
    return keeper


def having(line):
    keeper = told(line)
    return {who for who in ("tom", "mara", "eve") if SAID in keeper.brief(who).text}


@table(
    "line, who",
    [
        ("I tell Tom that the beige envelope is in the fire.", {"tom", "mara"}),
        ("i warn tom that the beige envelope is in the fire", {"tom", "mara"}),
        ("I whisper to Tom that the beige envelope is in the fire.", {"tom"}),
        ("I quietly tell Tom that the beige envelope is in the fire.", {"tom"}),
        # ── and not ──
        ("I don't tell Tom that the beige envelope is in the fire.", set()),
        ("Should I tell Tom that the beige envelope is in the fire?", set()),
        ("I tell Eve that the beige envelope is in the fire.", set()),  # she is in the garden
        ("((I tell Tom that the beige envelope is in the fire.))", set()),
        ("I think that the beige envelope is in the fire.", set()),
    ],
)
def test_who_hears_it_has_it(line, who):
    assert having(line) == who


def test_it_stands_once():
    text = told("I tell Tom that the beige envelope is in the fire.").brief("mara").text
    assert "Ann tells Tom: the beige envelope is in the fire." in text
    assert "about" not in text


def test_who_knows_it_tells_it():
    keeper = told("I whisper to Tom that the beige envelope is in the fire.", FACT)
    world = keeper.world()
    assert knows(world.known, "tom", "fire") or "tom:fire" in world.beliefs
    assert not knows(world.known, "mara", "fire")
    assert "mara:fire" not in world.beliefs


def test_what_a_player_only_claims_is_a_claim():
    unknown = structs.replace(FACT, known_by={})
    keeper = told("I tell Tom that the beige envelope is in the fire.", unknown)
    assert not knows(keeper.world().known, "tom", "fire")
    found = [e.record.what for e in keeper.ledger.read(keeper.run)
             if isinstance(getattr(e.record, "what", None), InformationTold)]  # fmt: skip
    assert [(each.claim, each.fact) for each in found if not each.guessed] == [
        ("the beige envelope is in the fire", None)
    ]
