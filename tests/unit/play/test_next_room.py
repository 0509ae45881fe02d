"""What a declaration opens to the next room, and what not: by the briefs of those concerned."""

from msgspec import structs

from strategies.wherry import begun, play, wherry

AT = {"ilse": "parlour", "dov": "parlour", "renna": "hall", "hagen": "cellar"}
SOLD = "I sold it to a stranger in Osk"


def parted():
    """Renna is in the hall, next to the parlour; Hagen in the cellar, next to the hall."""
    keeper = begun()
    play(keeper, "Renna goes out into the hall.", {"at": AT})
    return keeper


def who_has(keeper, words=SOLD):
    return {who for who in ("ilse", "dov", "renna", "hagen") if words in keeper.brief(who).text}


def test_a_voice_from_the_next_room_carries_to_all_who_are_there():
    keeper = parted()
    play(keeper, f"“{SOLD},” calls Renna. “You never did,” says Dov.", {"at": AT})
    assert who_has(keeper) == {"ilse", "dov", "renna"}
    assert who_has(keeper, "You never did") == {"ilse", "dov", "renna"}


def test_and_ends_with_the_turn():
    keeper = parted()
    play(keeper, "“Supper!” calls Renna.", {"at": AT})
    play(keeper, f"“{SOLD},” says Dov.", {"at": AT})
    assert who_has(keeper) == {"ilse", "dov"}


def test_what_nobody_answers_through_the_door_stays_in_the_room():
    keeper = parted()
    play(keeper, f"Renna is out in the hall. “{SOLD},” says Dov.", {"at": AT})
    assert who_has(keeper) == {"ilse", "dov"}


def test_who_is_said_to_listen_at_the_door_hears_it_if_the_prose_tells_of_them():
    for prose, heard in (("Renna listens at the door. ", True), ("The door stands open. ", False)):
        keeper = parted()
        aside = {"by": "dov", "to": ["ilse", "renna"], "words": SOLD}
        play(keeper, f"{prose}“{SOLD},” says Dov.", {"asides": [aside]})
        assert ("renna" in who_has(keeper)) is heard


def test_nobody_hears_it_two_rooms_away():
    keeper = parted()
    aside = {"by": "dov", "to": ["ilse", "hagen"], "words": SOLD}
    play(keeper, f"Hagen listens in the cellar. “{SOLD},” says Dov.", {"asides": [aside]})
    assert who_has(keeper) == {"ilse", "dov"}


def test_what_goes_on_behind_the_tag_is_as_low():
    keeper = begun()
    aside = {"by": "dov", "to": ["ilse"], "words": "There was no robbery"}
    prose = f"“There was no robbery,” says Dov, lips still. “{SOLD}.”\n\n“Tea?” says Renna."
    play(keeper, prose, {"asides": [aside]})
    assert who_has(keeper) == {"ilse", "dov"}
    assert who_has(keeper, "Tea?") == {"ilse", "dov", "renna"}


def test_another_paragraph_is_not():
    keeper = begun()
    aside = {"by": "dov", "to": ["ilse"], "words": "There was no robbery"}
    play(keeper, f"“There was no robbery,” says Dov low.\n\n“{SOLD}.”", {"asides": [aside]})
    assert "renna" in who_has(keeper)


def test_whom_a_declaration_names_the_prose_may_call_by_any_name():
    cast = tuple(
        structs.replace(each, aliases=("the digger",)) if each.id == "hagen" else each
        for each in wherry().cast
    )
    for stage, heard in (({"at": {"hagen": "hall"}}, True), ({}, False)):
        keeper = begun(structs.replace(wherry(), cast=cast))
        play(keeper, "Steps in the hall.", {"at": {"hagen": "hall"}})
        play(keeper, f"“{SOLD},” calls the digger.", stage)
        assert ("hagen" in who_has(keeper)) is heard


def test_what_is_declared_low_is_so_if_it_is_reported():
    keeper = begun()
    aside = {"by": "dov", "to": ["ilse"], "words": "Dov told her that the heron was sold"}
    play(keeper, "Dov told her that the heron was sold. Renna sewed on.", {"asides": [aside]})
    assert who_has(keeper, "heron was sold") == {"ilse", "dov"}


def test_a_voice_that_nobody_names_joins_no_rooms():
    keeper = parted()
    prose = f"Renna is out in the hall. “What for?”\n\n“{SOLD},” says Dov."
    play(keeper, prose, {"at": AT}, line="I call to Renna.")
    assert "renna" not in who_has(keeper)


def test_a_telephone_is_no_open_door():
    keeper = parted()
    call = {"who": ["you"], "kind": "call-opens", "with": ["renna"], "words": "rings Renna up"}
    prose = f"Ilse rings Renna up. “Yes?” says Renna. “{SOLD},” says Dov across the room."
    play(keeper, prose, {"moves": [call], "at": AT})
    assert "renna" not in who_has(keeper)
    assert "dov" not in who_has(keeper, "Yes?")
