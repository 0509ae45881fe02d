"""Who comes, goes, sees and is told what, as prose tells it: read, decided, folded as in play."""

import pytest

from storykeeper.events import atoms as a
from storykeeper.story.places import Thing
from storykeeper.world.knowledge import believed_place
from strategies.parlour import engine, parlour, tell, with_things

THINGS = (
    Thing(id="key", name="the brass key", aliases=("the key",)),
    Thing(id="box", name="the box", at="parlour"),
    Thing(id="tin", name="the tin"),
    Thing(id="letter", name="the letter", at="parlour"),
)


def told(*proses):
    """The run after these renderings: Ann is played; Mara and Tom are with her, Eve is not."""
    keeper = engine(with_things(parlour(), *THINGS))
    for prose in proses:
        tell(keeper, prose)
    keeper.end_scene()
    return keeper


def thinks(keeper, *chain, of="key"):
    return believed_place(keeper.world(), chain, of)


def atoms(keeper, kind):
    records = [entry.record for entry in keeper.ledger.read(keeper.run)]
    found = [r for r in records if isinstance(r, a.Atom) and isinstance(r.what, kind)]
    return [atom for atom in found if atom.source is not a.Source.PLAYER]


def perceiving(atom):
    return {
        p.entity.entity
        for p in atom.participants
        if p.role in (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
        and isinstance(p.entity, a.Resolved)
    } & {"ann", "mara", "tom", "eve"}


def deed(keeper, act):
    (found,) = [x for x in atoms(keeper, a.ActionTaken) if x.what.act == act]
    return found


# ── coming and going ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "prose", ["Tom entered the garden.", "Tom went into the garden.", "Tom returned to the garden."]
)
def test_who_goes_is_seen_where_they_leave_and_where_they_come_to(prose):
    keeper = told(prose)
    assert keeper.world().places["tom"] == "garden"
    assert perceiving(atoms(keeper, a.Moved)[-1]) == {"ann", "mara", "tom", "eve"}


@pytest.mark.parametrize(
    "prose", ["Tom exited the parlour.", "Tom left the parlour.", "Tom walked out of the parlour."]
)
def test_who_leaves_is_nowhere_and_those_there_saw_it(prose):
    keeper = told(prose)
    assert "tom" not in keeper.world().places
    (gone,) = atoms(keeper, a.EntityChanged)
    assert perceiving(gone) == {"ann", "mara", "tom"}


@pytest.mark.parametrize(
    "prose",
    ["Tom left the box.", "Tom left the garden.", "You left the parlour.",
     "Tom did not leave the parlour.", "Tom wanted to leave the parlour."],
)  # fmt: skip
def test_who_does_not_leave_stays(prose):
    keeper = told(prose)
    assert keeper.world().places["tom"] == "parlour"
    assert keeper.world().places["ann"] == "parlour"


def test_who_leaves_hears_nothing_more_and_who_comes_hears_it_from_then_on():
    keeper = told(
        "“One,” says Mara. Tom left the parlour. “Two,” says Mara. Eve came into the parlour."
        " “Three,” says Mara. Tom came into the parlour. “Four,” says Mara."
    )
    heard = {x.what.words: perceiving(x) for x in atoms(keeper, a.SpeechUttered)}
    assert {words.strip(",."): people - {"ann"} for words, people in heard.items()} == {
        "One": {"mara", "tom"}, "Two": {"mara"}, "Three": {"mara", "eve"},
        "Four": {"mara", "eve", "tom"},
    }  # fmt: skip


def test_who_steps_out_misses_what_is_said_and_is_still_of_the_scene():
    keeper = told("Tom goes out. “One,” says Mara. Tom comes back. “Two,” says Mara.")
    heard = [perceiving(x) for x in atoms(keeper, a.SpeechUttered)]
    assert heard == [{"ann", "mara"}, {"ann", "mara", "tom"}]
    assert keeper.world().places["tom"] == "parlour"


def test_somebody_far_away_may_be_told_of():
    assert told("Eve went to the attic.").world().places["eve"] == "attic"
    assert told("Eve went to the attic last year.").world().places["eve"] == "garden"
    assert told("Eve entered the attic.").world().places["eve"] == "attic"
    assert told("Eve came into the parlour.").world().places["eve"] == "parlour"


def test_who_is_said_to_be_elsewhere_is_there_unless_they_are_before_us():
    assert told("Eve is in the cellar.").world().places["eve"] == "cellar"
    assert told("Eve is no longer in the garden.").world().places["eve"] == "garden"
    assert told("Eve was in the cellar yesterday.").world().places["eve"] == "garden"
    assert told("Tom is in the cellar.").world().places["tom"] == "parlour"


# ── where it happens ─────────────────────────────────────────────────────────────────────────


def test_what_happens_elsewhere_is_seen_there():
    keeper = told("Mara went to the garden. Eve took the letter. “So,” says Eve.")
    assert perceiving(deed(keeper, "take")) == {"ann", "mara", "eve"}  # Ann is told of it
    assert perceiving(atoms(keeper, a.SpeechUttered)[-1]) == {"ann", "mara", "eve"}


def test_nobody_perceives_that_they_are_thought_of():
    for prose in ("Mara loves Tom.", "Mara suspects Tom."):
        (atom,) = atoms(told(prose), a.ActionTaken)
        assert perceiving(atom) == {"mara"}
    assert "tom" in perceiving(deed(told("Mara slapped Tom."), "slap"))
    asleep = told("Tom is asleep.", "Mara kissed Tom.")
    assert "tom" not in perceiving(deed(asleep, "kiss"))


def test_who_hides_sees_unseen_until_they_come_out():
    keeper = told("Tom hid behind the door. Mara put the letter in the box.")
    assert thinks(keeper, "tom", of="letter") == "box"
    assert thinks(keeper, "mara", "tom", of="letter") is None
    after = told("Tom hid behind the door.", "Tom came out. Mara put the letter in the box.")
    assert thinks(after, "mara", "tom", of="letter") == "box"


# ── things ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "prose",
    ["The key is in the box.", "The key lay on the box.", "Mara moved the key to the box.",
     "Mara put the key into the box.", "Mara put the brass key inside the box."],
)  # fmt: skip
def test_those_there_see_where_a_thing_is_put(prose):
    keeper = told(prose)
    assert [thinks(keeper, who) for who in ("ann", "mara", "tom", "eve")] == ["box"] * 3 + [None]
    assert thinks(keeper, "mara", "tom") == "box"
    assert keeper.world().places["key"] == "parlour"


@pytest.mark.parametrize(
    "prose",
    ["The key is not in the box.", "The key was in the box yesterday.", "Is the key in the box?",
     "Mara imagined that the key was in the box.", "The key is near the box.",
     "Mara moved the key from the box.", "The key is older than the box."],
)  # fmt: skip
def test_where_a_thing_is_not_said_to_be_it_is_not(prose):
    keeper = told(prose)
    assert thinks(keeper, "mara") is None
    assert "key" not in keeper.world().containers


def test_what_is_told_as_a_secret_the_others_do_not_see():
    keeper = told("Unseen, Mara put the key in the box.", "Eve came into the parlour.")
    assert [thinks(keeper, who) for who in ("ann", "mara", "tom", "eve")] == [
        "box", "box", None, None
    ]  # fmt: skip


def test_what_is_hidden_is_hidden():
    keeper = told("Mara hid the key in the box.", "Eve came into the parlour.")
    assert [thinks(keeper, who) for who in ("mara", "tom", "eve")] == ["box", None, None]


def test_nobody_reaches_into_another_room():
    there = "The tin is in the garden. The key is in the tin."
    keeper = told(there, "Mara put the key in the box.")
    assert thinks(keeper, "eve") == "tin"
    assert keeper.world().containers["key"] == "tin"


# ── what is said ─────────────────────────────────────────────────────────────────────────────


def test_who_is_told_where_a_thing_is_thinks_so_and_it_need_not_be():
    keeper = told("Mara went to the garden. “The key is in the box,” says Mara to Eve.")
    assert (thinks(keeper, "eve"), thinks(keeper, "mara")) == ("box", None)
    assert thinks(keeper, "mara", "eve") == "box"
    assert keeper.world().containers.get("key") is None


def test_a_question_and_a_whisper_tell_others_nothing():
    assert thinks(told("“Is the key in the box?” says Mara."), "tom") is None
    whispered = told("“The key is in the box,” Mara whispers to Tom.")
    assert thinks(whispered, "tom") == "box"
    assert thinks(whispered, "ann") is None
