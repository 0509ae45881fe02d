"""How a player says that they go, and with whom; and lines that only sound so."""

from strategies.parlour import engine, tell
from strategies.tables import table

PEOPLE = ("ann", "mara", "tom")  # all in the parlour; Ann is played


def went(line, prose="Rain falls on.", *, before="Rain falls."):
    """Who is where, of those who are not in the parlour any more."""
    keeper = engine()
    tell(keeper, before)
    tell(keeper, prose, line)
    keeper.end_scene()
    now = keeper.world().places
    assert keeper.replay()
    return {who: now[who] for who in PEOPLE if now[who] != "parlour"}


@table(
    "line, place",
    [
        ("I slip off to the garden.", "garden"),
        ("I slip away to the cellar", "cellar"),
        ("I slipped out to the garden.", "garden"),
        ("slip off to the cellar", "cellar"),
        ("I quietly slip down to the cellar", "cellar"),
        ("I nod to Mara and slip off to the garden", "garden"),
        ("I steal away to the cellar.", "cellar"),
        ("I make my way to the cellar", "cellar"),
        ("I pick my way down to the cellar", "cellar"),
        ("I drag myself up to the attic.", "attic"),
        ("I duck into the cellar", "cellar"),
        ("I disappear into the garden", "garden"),
        ("I withdraw to the attic", "attic"),
        ("I nip up to the attic.", "attic"),
        ("I set off to the cellar", "cellar"),
        ("I pop out to the garden", "garden"),
        ("I ride over to the garden", "garden"),
        ("I get back to the cellar", "cellar"),
        ("I scuttle straight into the cellar.", "cellar"),
    ],
)
def test_any_verb_goes_by_what_follows_it(line, place):
    assert went(line) == {"ann": place}


@table(
    "line",
    [
        "I slip the key into the cellar",
        "I slip Tom a note",
        "I slip a note to Mara",
        "I look out to the garden",
        "I call down to the cellar",
        "I turn to the garden",
        "I turn back to the garden",
        "I turn my back to the garden",
        "I lean over to the garden",
        "I point over to the garden",
        "I reach out to the garden",
        "I throw the lamp out to the garden",
        "I think back to the garden",
        "I listen to the garden",
        "I wave over to the garden",
        "I want to slip off to the garden",
        "I almost slip off to the garden",
        "I tell Tom to slip off to the garden",
        "I do not slip off to the garden",
        "I push the table over to the cellar",
        "I send Tom off to the garden",
        "I steal the lamp from the cellar",
        "I take the letter and go over it",
        "We go over the plan",
        "I go to some trouble",
        "I make it up to Mara",
    ],
)
def test_nobody_goes_by_what_only_sounds_so(line):
    assert went(line) == {}


@table(
    "line, place, along",
    [
        ("I slip away to the garden with Mara behind me.", "garden", "mara"),
        ("With Tom in tow I go to the garden", "garden", "tom"),
        ("I go to the cellar with Mara close behind me and Tom at my side", "cellar", "mara tom"),
        ("I take Mara and go to the garden", "garden", "mara"),
        ("I take Mara's arm and walk her to the garden", "garden", "mara"),
        ("I take Mara's hand, then slip off to the garden", "garden", "mara"),
        ("I take Mara and Tom and go to the cellar", "cellar", "mara tom"),
        ("I grab Tom and run to the cellar.", "cellar", "tom"),
        ("I fetch Tom and head down to the cellar", "cellar", "tom"),
        ("I link arms with Mara and stroll to the garden", "garden", "mara"),
        ("We go to the garden.", "garden", "mara tom"),
        ("We slip off to the cellar", "cellar", "mara tom"),
        # ── alone ──
        ("I take leave of Mara and go to the garden", "garden", ""),
        ("I go to the garden, leaving Mara behind me", "garden", ""),
        ("I hit Mara and go to the garden", "garden", ""),
        ("I hug Mara and go to the garden", "garden", ""),
        ("I catch Mara's eye and go to the garden", "garden", ""),
        ("I hold Mara's gaze and go to the garden", "garden", ""),
        ("I get Mara a drink and go to the garden", "garden", ""),
        ("I push past Tom and go to the cellar", "cellar", ""),
        ("I go to the garden and see Mara following Tom", "garden", ""),
        ("I go to the garden. Tom is behind the door.", "garden", ""),
    ],
)
def test_who_is_taken_along(line, place, along):
    assert went(line) == dict.fromkeys(("ann", *along.split()), place)


def test_of_us_who_is_told_to_stay_has_not_come():
    prose = "Tom stays behind."
    assert went("We go to the garden.", prose) == {"ann": "garden", "mara": "garden"}
