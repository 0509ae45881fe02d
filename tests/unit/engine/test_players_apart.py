"""Of several players, a scene moves who acts and who goes along; who stayed hears nothing of it."""

from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.story.scenes import Beat, SceneCast
from strategies.parlour import engine, parlour

SECRET = "The well is dry."


def table(**scene):
    """Ann and Mara are played; in the garden there is something to tell."""
    told = structs.replace(parlour(), players=("ann", "mara"))
    scenes = tuple(
        structs.replace(s, beats=(Beat(id="opening", prose=SECRET),), **scene)
        if s.id == "in-garden"
        else s
        for s in told.scenes
    )
    keeper = engine(structs.replace(told, scenes=scenes))
    keeper.render(keeper.opening(), "Rain falls.")
    return keeper


def go(keeper, line, prose, who="ann"):
    turn = keeper.begin(line, player=who)
    keeper.render(turn, prose)
    return turn


def test_one_who_goes_moves_nobody_else():
    keeper = table()
    go(keeper, "I go to the garden", "“The key is mine,” says Eve.")
    go(keeper, "I wait.", "Rain.")
    assert keeper.world().places["ann"] == "garden"
    assert keeper.world().places["mara"] == "parlour"
    records = [entry.record for entry in keeper.ledger.read(keeper.run)]
    (said,) = [r for r in records if isinstance(r, a.Atom) and isinstance(r.what, a.SpeechUttered)]
    hearing = {getattr(p.entity, "entity", "") for p in said.participants}
    assert {"ann", "eve"} <= hearing
    assert "mara" not in hearing
    assert "The key is mine" not in keeper.window("mara").text


def test_who_stayed_is_told_nothing_of_the_scene():
    keeper = table(leads_to=(), tone="Dry and dusty.")
    first = keeper.begin("I go to the garden", player="ann")
    assert SECRET in first.window.text
    assert "Dry and dusty." in first.window.text
    keeper.render(first, "Rain falls.")
    second = keeper.begin("I wait.", player="mara").window.text
    assert SECRET not in second
    assert "Dry and dusty." not in second


def test_whom_the_author_requires_is_brought():
    keeper = table(cast=SceneCast(required=("mara",), contingent=("tom", "eve")))
    go(keeper, "I go to the garden", SECRET)
    go(keeper, "I wait.", "Rain.")
    assert keeper.world().places["mara"] == "garden"


def test_one_player_takes_no_other_along_but_they_may_follow():
    keeper = table()
    go(keeper, "I go to the garden with Mara", SECRET)
    go(keeper, "I wait.", "Rain.", "mara")
    assert keeper.world().places["mara"] == "parlour"
    go(keeper, "I follow Ann", "Rain.", "mara")
    go(keeper, "I wait.", "Rain.", "ann")
    assert keeper.world().places["mara"] == "garden"
