"""The world as the author left it; and an edited story under a run that has gone on."""

from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.events.vocabulary import Awareness, Dimension, Tier
from storykeeper.story.adopt import adoption
from storykeeper.story.knowledge import Fact
from storykeeper.story.people import Character, Relation
from storykeeper.story.places import Thing
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.plan import plan
from storykeeper.world.register import tier_of
from storykeeper.world.state import Believed, Feeling, Known, Mood, Standing
from strategies.worlds import atom, begun, changed, house, play, scene_changed


def edited(world, story, *, turn=9):
    return evolve(world, adoption(structs.replace(story, version="2"), turn=turn))


def test_people_and_things_are_where_the_author_put_them():
    world = begun()
    assert dict(world.places) == {"ann": "hall", "bob": "hall", "eve": "attic", "key": "hall"}
    assert dict(world.holders) == {"letter": "bob"}
    assert tier_of(world, "ann") is Tier.PERSISTENT
    assert tier_of(world, "key") is Tier.TRACKED


def test_standings_moods_and_beliefs_are_as_written():
    world = begun()
    assert dict(world.standings) == {("ann", "bob"): Standing(affection=0.2)}
    dread = Feeling("dread", 0.5, Awareness.DEFENDED, "ann", "tidying")  # toward: player
    assert world.moods["ann"] == Mood(valence=0.1, feelings=(dread,))
    assert world.moods["bob"] == Mood()
    assert dict(world.beliefs) == {"eve:lie": Believed("eve", "told by bob", 0, 1.0, "lie")}


def test_who_knows_what_is_as_written_and_nobody_else_knows():
    known = begun().known
    assert dict(known["bob"]) == {
        "secret": Known("saw", 0), "rumour": Known("heard", 0), "lie": Known("heard", 0)
    }  # fmt: skip
    assert dict(known["ann"]) == {"secret": Known("heard", 0, suspected=True)}
    assert dict(known["eve"]) == {"secret": Known("lived", 0)}
    assert "fox" not in known


def test_knowing_wins_where_an_author_says_both():
    story = changed(house(), "facts", "secret", known_by={"player": "saw"})
    assert begun(story).known["ann"]["secret"] == Known("saw", 0)


def test_two_plans_of_the_same_bytes_are_the_same():
    one = plan(adoption(house()))
    plan.cache_clear()  # as in another process
    other = plan(adoption(house()))
    assert one is not other
    assert one == other
    assert hash(one) == hash(other)
    assert fold([adoption(house())]) == begun()
    assert one != plan(adoption(house(version="2")))


def test_nothing_has_happened():
    world = begun()
    assert (world.now, world.scene, world.inside, world.deeds) == (0, None, (), ())
    for name in ("scenes", "masses", "gates", "told", "happened", "marks", "layers", "prophecies"):
        assert not getattr(world, name), name


# ── an edited story ──────────────────────────────────────────────────────────────────────────


def test_what_is_new_joins():
    story = house()
    story = structs.replace(
        story,
        cast=(*story.cast, Character(id="guy", name="Guy", line="New.", at="attic",
                                     relations=(Relation(to="ann", debt=0.5),))),
        things=(*story.things, Thing(id="rope", name="rope", held_by="guy")),
        facts=(*story.facts, Fact(id="late", full="Late.", known_by={"bob": "saw"})),
    )  # fmt: skip
    world = edited(begun(), story)
    assert world.places["guy"] == "attic"
    assert world.holders["rope"] == "guy"
    assert world.standings["guy", "ann"].debt == 0.5
    assert world.known["bob"]["late"] == Known("saw", 0)
    assert world.truths["late"] == 1.0
    assert world.plan.story.version == "2"


def test_what_is_there_stays():
    taken = atom(a.Moved("ann"), subject="key")  # the author has it in the hall
    dropped = atom(a.Moved("attic"), subject="letter")  # the author has it in Bob's hand
    gone = atom(a.EntityChanged(a.EntityChange.DEPARTED), subject="bob")
    liked = atom(a.RelationShifted(Dimension.AFFECTION, 0.3), actor="ann", target="bob")
    told = ch.SecretRevealed(1, "secret", ("ann",), "saw")
    happened = ch.EventHappened(1, "storm")
    world = fold([t.TurnCommitted(1), taken, dropped, gone, liked, told, happened], begun())
    after = edited(world, house())
    assert structs.replace(after, plan=world.plan) == world
    assert "key" not in after.places
    assert "letter" not in after.holders
    assert "bob" not in after.places


def test_what_a_correction_took_back_does_not_return():
    world = evolve(begun(), t.Corrected(2, "secret", "no", "secret", ("bob",)))
    assert "secret" not in edited(world, house()).known["bob"]


def test_an_author_who_now_says_that_somebody_knows_is_believed():
    story = changed(house(), "facts", "secret", known_by={"player": "saw"})
    assert edited(begun(), story).known["ann"]["secret"] == Known("saw", 0)  # only suspected before


def test_knowing_does_not_shrink_when_an_author_takes_it_out():
    story = changed(house(), "facts", "secret", known_by={}, suspected_by={})
    assert edited(begun(), story).known == begun().known


def test_truth_is_what_the_author_says_now():
    story = changed(house(), "facts", "lie", confidence=0.9)
    assert edited(begun(), story).truths["lie"] == 0.9


def test_a_present_scene_that_is_gone_gives_way_to_the_start():
    story = house()
    fewer = tuple(s for s in story.scenes if s.id != "attic-scene")
    hall = structs.replace(fewer[0], leads_to=())
    story = structs.replace(story, scenes=(hall, *fewer[1:]), prophecies=())
    story = changed(story, "events", "bell", mass={})
    world = evolve(begun(), scene_changed("attic-scene", "entered"))
    after = edited(world, story)
    assert after.scene is None
    assert after.scenes == world.scenes  # that it was visited stays
    assert play(after, ["I wait."], first=10)[1].scene == "hall-scene"


def test_a_layer_that_is_gone_is_no_longer_around_us():
    world = evolve(begun(), ch.LayerEntered(1, "tale", "hall-scene"))
    story = structs.replace(house(), layers=(), things=())
    assert edited(world, story).inside == ()
