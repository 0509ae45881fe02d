"""Facts in words that are whispered, written or only reported: who perceives them learns them."""

from msgspec import structs

from storykeeper.story.knowledge import Fact
from storykeeper.story.places import Thing
from storykeeper.world.knowledge import knows
from strategies.parlour import engine, parlour, tell
from strategies.tables import table

WORDS = "The beige envelope is in the fire."
SO = "the beige envelope is in the fire"


def having(prose, *, line="I wait.", secret=False):
    """Who has the fact, which Tom knows; Ann and Mara are with him, Eve is in the garden."""
    fact = Fact(id="fire", full=WORDS, secret=secret, known_by={"tom": "saw"})
    thing = Thing(id="envelope", name="the beige envelope", at="parlour")
    keeper = engine(structs.replace(parlour(), things=(thing,), facts=(fact,)))
    tell(keeper, "Tom sits by the window. Mara stirs her tea. The beige envelope lies here.")
    tell(keeper, prose, line)
    keeper.end_scene()
    assert keeper.replay()
    world = keeper.world()
    return {
        who for who in ("ann", "mara", "eve")
        if knows(world.known, who, "fire") or f"{who}:fire" in world.beliefs
    }  # fmt: skip


@table(
    "prose, who",
    [
        (f"Tom leans close. “{WORDS}” he whispers to you.", {"ann"}),
        (f"“{WORDS}” Tom whispers in your ear.", {"ann"}),
        (f"Tom whispers to Mara: “{WORDS}”", {"mara"}),
        (f"Tom tells you that {SO}.", {"ann", "mara"}),
        (f"Tom sighs. He admits that {SO}.", {"ann", "mara"}),
        (f"You read the letter. It says: “{WORDS}”", {"ann"}),
        # ── and not ──
        (f"Tom denies that {SO}.", set()),
        (f"Tom does not say that {SO}.", set()),
        (f"Tom asks whether it is true that {SO}.", set()),
        (f"If only Tom told you that {SO}.", set()),
        (f"You wish that {SO}.", set()),
    ],
)
def test_who_perceives_it_learns_it(prose, who):
    assert having(prose) == who


def test_nobody_reads_a_secret_off_a_wall():
    assert having(f"You read the letter. It says: “{WORDS}”", secret=True) == set()


def test_nor_what_they_guessed_before():
    line = "Is it in the fire, that beige envelope?"
    assert having(f"You read the letter. It says: “{WORDS}”", line=line) == set()
