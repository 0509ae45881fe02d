"""From the words of a turn to its records.

`play_out` decides what the player's words do; it is asked for the window (shown, not yet true) and
again when the turn is committed. `commit` adds what the rendering told: its beats, with what they
reveal, and who spoke. Both are pure: the same world and words give the same records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from storykeeper.events.atoms import ActionTaken, Moved, Priority, Source, SpeechUttered
from storykeeper.events.changes import BeatTold
from storykeeper.events.turns import TurnCommitted
from storykeeper.language.lines import Act, Sorts, read_line
from storykeeper.language.names import Names
from storykeeper.play.rules import happening, reveal_here, settle
from storykeeper.play.unfolding import Unfolding
from storykeeper.story.conditions import Did
from storykeeper.story.places import Path
from storykeeper.story.walk import walk
from storykeeper.units import EntityId, SceneId
from storykeeper.world.conditions import holds
from storykeeper.world.plan import Plan
from storykeeper.world.state import Pending, World, present

BEAT = "beat:"  # how the window names a beat it asked the narrator to tell
_SPOKEN = re.compile(r'“([^“”]+)”|"([^"]+)"')


class Lexicon:
    """What the words of a story are: its names, and the acts its conditions ask about."""

    def __init__(self, plan: Plan) -> None:
        self.names = Names.of(plan.story)
        self.sorts = Sorts(
            people=frozenset(map(EntityId, plan.cast)),
            places=frozenset(map(EntityId, plan.settings)),
            players=frozenset(plan.players),
        )
        self.acts = frozenset(part.act for _, part in walk(plan.story) if isinstance(part, Did))

    def acts_of(self, text: str) -> tuple[Act, ...]:
        """A player's line, read."""
        return read_line(text, names=self.names, sorts=self.sorts, known=self.acts)


@lru_cache(maxsize=16)
def lexicon(plan: Plan) -> Lexicon:
    """The lexicon of a plan; a plan is the same object as long as its story is."""
    return Lexicon(plan)


def play_out(world: World, turn: Pending) -> Unfolding:
    """What the player's words do, and all that follows."""
    unfolding = Unfolding(world, turn.turn)
    unfolding.add(TurnCommitted(turn.turn, turn.take))
    for act in lexicon(world.plan).acts_of(turn.text):
        _act(unfolding, turn.player, act)
    settle(unfolding)
    return unfolding


def commit(world: World, turn: Pending) -> Unfolding:
    """All records of a turn that is fact now."""
    unfolding = play_out(world, turn)
    if turn.take:
        for name in _beats(turn):
            _tell(unfolding, name)
        _spoken(unfolding, turn)
        settle(unfolding)
    return unfolding


def _act(unfolding: Unfolding, player: EntityId, act: Act) -> None:
    world = unfolding.world
    if act.words:
        others = [who for who in present(world) if who != player]
        heard = others[0] if len(others) == 1 else None
        if act.to in others:
            heard = act.to
        unfolding.happen(
            SpeechUttered(act.words, act.whispered and heard == act.to), source=Source.PLAYER,
            actor=player, target=heard,
            priority=Priority.FOREGROUND,
        )  # fmt: skip
        return
    if not within_reach(world, player, act):
        return  # the words are on record; nothing came of them
    to = act.to if act.to is not None else _only_other(world, player, act)
    unfolding.happen(
        ActionTaken(act.act, act.about), source=Source.PLAYER, actor=player, target=to,
        priority=Priority.FOREGROUND,
    )  # fmt: skip
    _consequence(unfolding, player, act)


def _only_other(world: World, player: EntityId, act: Act) -> EntityId | None:
    """Asking or telling, with one other person in the room, is asking or telling them."""
    if act.act not in ("ask", "tell", "answer", "talk"):
        return None
    others = [who for who in present(world) if who != player]
    return others[0] if len(others) == 1 else None


def _consequence(unfolding: Unfolding, player: EntityId, act: Act) -> None:
    world = unfolding.world
    if act.place is not None and act.place != world.places.get(player):
        if route(world, player, act.place):
            origin = world.places.get(player)
            unfolding.happen(Moved(act.place, origin), source=Source.PLAYER, actor=player)
    elif act.act == "take" and act.to in world.plan.things and _lies_here(world, player, act.to):
        unfolding.happen(Moved(player), source=Source.PLAYER, subject=act.to)
    elif act.act == "give" and act.to is not None and _can_give(world, player, act):
        unfolding.happen(Moved(act.to), source=Source.PLAYER, subject=act.about)


def _can_give(world: World, player: EntityId, act: Act) -> bool:
    mine = act.about is not None and world.holders.get(act.about) == player
    return mine and act.to in present(world)


FAR = frozenset({"follow", "listen", "answer", "call", "search", "find", "seek", "wait"})


def within_reach(world: World, player: EntityId, act: Act) -> bool:
    """Whether what an act is done to is here. One may follow, call or listen to what is not."""
    to = act.to
    if to is None or act.act in FAR or to in _of_the_tale(world):
        return True
    if to in world.plan.cast:
        return to in present(world)
    if to not in world.plan.things:
        return True
    holder, place = world.holders.get(to), world.places.get(to)
    if holder is not None:
        return holder == player or holder in present(world)
    return place is None or place == world.places.get(player)


def _of_the_tale(world: World) -> frozenset[str]:
    """Who and what belongs to the tale the player is in: nothing of it is far from its hearer."""
    if not world.inside:
        return frozenset()
    layer = world.plan.layers[world.inside[-1].layer]
    casts = (world.plan.scenes[scene].cast for scene in layer.scenes)
    people = (who for cast in casts for who in (*cast.required, *cast.contingent))
    return frozenset((*people, *layer.entity_map.projected, *layer.entity_map.discrete))


def _lies_here(world: World, who: EntityId, thing: EntityId | None) -> bool:
    return (
        thing is not None
        and thing in world.places
        and (world.places[thing] == world.places.get(who))
    )


def route(world: World, who: EntityId, place: EntityId) -> bool:
    """Whether a way leads from where somebody is to a place, along paths that stand open."""
    start = world.places.get(who)
    if start is None:
        return False
    seen, edge = {str(start)}, [str(start)]
    while edge:
        edge = [b for a in edge for b in open_ways(world, a) if b not in seen]
        seen.update(edge)
        if place in seen:
            return True
    return False


def open_ways(world: World, place: str) -> Iterator[EntityId]:
    """The places next to one, along paths that stand open, in the author's order."""
    for setting in world.plan.settings.values():
        for path in setting.paths:
            if _passable(world, path):
                if setting.id == place:
                    yield EntityId(path.to)
                elif path.to == place and not path.one_way:
                    yield EntityId(setting.id)


def _passable(world: World, path: Path) -> bool:
    return path.when is None or holds(world, path.when)


def _beats(turn: Pending) -> Iterator[str]:
    return (item.removeprefix(BEAT) for item in turn.shown if item.startswith(BEAT))


def _tell(unfolding: Unfolding, name: str) -> None:
    beat = unfolding.world.plan.beats.get(name)
    if beat is None or name in unfolding.world.told:
        return
    scene, _, beat_id = name.partition("/")
    unfolding.add(BeatTold(unfolding.turn, SceneId(scene), beat_id))
    reveal_here(unfolding, beat.reveals, how="revealed")
    for event in beat.happens:
        if event not in unfolding.world.happened:
            for record in list(happening(unfolding.world, unfolding, event)):
                unfolding.add(record)


def _spoken(unfolding: Unfolding, turn: Pending) -> None:
    """Who says what in the prose: a quotation beside the name of somebody present.

    What the player typed and the narrator says back was said by the player, and is on record.
    """
    names = lexicon(unfolding.world.plan).names
    typed = _plain(turn.text)
    for paragraph in turn.prose.split("\n\n"):
        speakers = [f.entity for f in names.find(_SPOKEN.sub(" ", paragraph))]
        here = [who for who in speakers if who in present(unfolding.world)]
        if len(set(here)) != 1:
            continue  # nobody, or somebody of several: better unsaid than wrong
        for quoted in _SPOKEN.finditer(paragraph):
            words = quoted.group(1) or quoted.group(2)
            if _plain(words) not in typed:
                unfolding.happen(SpeechUttered(words), source=Source.NARRATOR, actor=here[0])


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
