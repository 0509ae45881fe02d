"""Golden stories about things: what is told, and what is tracked once it is fact.

A story is a text file that a writer can read and write:

    The cup that she cries about.           the title, up to the first ---
    story: soft_budget 2                    numbers of the story, if they are not the usual ones
    thing: the brass key, at parlour, referenced            something of the author's
    ---
    On the table stands a cup.              the opening
    = the cup: mentioned                    what is so once this is fact

    > I wait.                               what the player types
    ~ Mara throws the cup.                  shown and swiped away
    Mara looks at the cup.                  shown, and it stands
    = the cup: referenced
    = tracked: nothing

    > I take the flowers.
    ? Which do you mean …                   the player is asked, and nothing is told
    x                                       (or) the turn is taken back

What may stand behind "=" is the functions of `SAID`, below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from storykeeper.engine import Engine
from storykeeper.events.atoms import Atom, Resolved, Role, Source, SpeechUttered, Unresolved
from storykeeper.events.changes import ReferenceResolved
from storykeeper.events.vocabulary import Tier
from storykeeper.play.entity_views import EntityView
from storykeeper.story.model import Story
from storykeeper.story.places import Thing
from strategies.parlour import all_called, bare, parlour, with_things

HERE = Path(__file__).parent
TIERS = {tier.value for tier in Tier}
HIGH = (Tier.TRACKED, Tier.PERSISTENT)


@dataclass
class Told:
    """One line of the player's, what was told of it, and what is so then."""

    line: str | None
    swiped: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    question: str = ""
    taken_back: bool = False
    so: list[str] = field(default_factory=list)


@dataclass
class Golden:
    """A golden story."""

    title: str
    story: Story
    turns: list[Told]


def stories() -> list[Path]:
    return sorted(HERE.glob("*.txt"))


def read(path: Path) -> Golden:
    """A golden story from its file."""
    head, _, body = path.read_text("utf-8").partition("\n---\n")
    title, numbers, things = "", {}, []
    for line in head.splitlines():
        key, _, rest = line.partition(": ")
        if key == "story":
            name, number = rest.split()
            numbers[name] = float(number) if "." in number else int(number)
        elif key == "thing":
            things.append(_thing(rest))
        else:
            title += line
    return Golden(title, with_things(parlour(**numbers), *things), list(_turns(body)))


def _thing(text: str) -> Thing:
    name, *rest = text.split(", ")
    changes = {}
    for each in rest:
        if each.startswith("at "):
            changes["at"] = each.removeprefix("at ")
        else:
            changes["tier"] = Tier(each)
    return Thing(id="-".join(bare(name).split()), name=name, **changes)


def _turns(body: str) -> Iterator[Told]:
    told = Told(None)
    for line in filter(None, map(str.strip, body.splitlines())):
        mark, rest = line[0], line[1:].strip()
        if mark == ">":
            yield told
            told = Told(rest)
        elif mark == "~":
            told.swiped.append(rest)
        elif mark == "=":
            told.so.append(rest)
        elif mark == "?":
            told.question = rest
        elif line == "x":
            told.taken_back = True
        else:
            told.prose.append(line)
    yield told


# ── playing ──────────────────────────────────────────────────────────────────────────────────


def play(keeper: Engine, golden: Golden) -> Iterator[tuple[int, list[str]]]:
    """Play it; after each turn that became fact its number and what must be so."""
    waiting: tuple[int, list[str]] | None = None
    for told in golden.turns:
        turn = keeper.opening() if told.line is None else keeper.begin(told.line)
        if waiting is not None:
            yield waiting
            waiting = None
        assert (turn.question or "") == told.question
        if told.question:
            yield turn.number - 1, told.so
        elif told.taken_back:
            keeper.render(turn, " ".join(told.prose))
            keeper.reject(turn)
            yield turn.number - 1, told.so
        else:
            for prose in [*told.swiped, "\n\n".join(told.prose)]:
                keeper.render(turn, prose)
            waiting = turn.number, told.so
    keeper.end_scene()
    if waiting is not None:
        yield waiting


def check(keeper: Engine, turn: int, so: list[str]) -> None:
    """Everything that must be so after a turn."""
    for said in so:
        for pattern, holds in SAID.items():
            match = re.fullmatch(pattern, said)
            if match is not None:
                holds(keeper, turn, *match.groups())
                break
        else:
            raise AssertionError(f"nobody knows what {said!r} means")


def written(keeper: Engine) -> list:
    """All records, with those that are decided and go into the ledger with the next rendering."""
    return keeper._all_records()


def _list(names: str) -> set[str]:
    return set() if names == "nothing" else {bare(name) for name in names.split(", ")}


def _names(view: EntityView) -> set[str]:
    return {bare(view.words), *(bare(mention.words) for mention in view.mentions)}


def one(keeper: Engine, turn: int, words: str) -> EntityView:
    found = all_called(keeper, words, at=turn)
    assert len(found) == 1, f"turn {turn}: {words!r} is {[(v.words, v.key) for v in found]}"
    return found[0]


def _tier(keeper: Engine, turn: int, name: str, tier: str) -> None:
    view = one(keeper, turn, name)
    assert view.tier.value == tier, f"turn {turn}: {name} is {view.tier.value}: {view.why}"


def _back_to(keeper: Engine, turn: int, name: str, first: str) -> None:
    """Its mentions are resolved from a turn on, by records that were appended."""
    view = one(keeper, turn, name)
    everything = [r for r in written(keeper) if isinstance(r, ReferenceResolved)]
    resolved = [r for r in everything if r.entity == view.id]
    assert min(int(r.atom[1:].split(".")[0]) for r in resolved) == int(first)
    assert view.mentions[0].turn == int(first)


def _so_many(keeper: Engine, turn: int, number: str, name: str, tier: str) -> None:
    found = [v for v in keeper.entities(at=turn) if any(n.endswith(name) for n in _names(v))]
    assert [view.tier.value for view in found] == [tier] * int(number), f"turn {turn}: {found}"


def _gone(keeper: Engine, turn: int, names: str) -> None:
    for name in _list(names):
        assert not all_called(keeper, name, at=turn), f"turn {turn}: {name} is known"


def _tracked(keeper: Engine, turn: int, names: str) -> None:
    mine = [v for v in keeper.entities(at=turn) if not v.authored and v.tier in HIGH]
    wanted = _list(names)
    number = 0 if names == "nothing" else len(names.split(", "))
    assert len(mine) == number, f"turn {turn}: {[(v.words, v.why) for v in mine]}"
    assert all(_names(view) & wanted for view in mine), f"turn {turn}: {[v.words for v in mine]}"


def _same(keeper: Engine, turn: int, one_name: str, other: str) -> None:
    assert one(keeper, turn, one_name) == one(keeper, turn, other)


def _unchanged(keeper: Engine, turn: int, name: str) -> None:
    now, before = one(keeper, turn, name), one(keeper, turn - 1, name)
    assert (now.weight, now.events) == (before.weight, before.events), f"turn {turn}: {now}"


def _held(keeper: Engine, turn: int, name: str, who: str) -> None:
    world = keeper.world(at=turn)
    holder = world.holders.get(one(keeper, turn, name).id)
    assert (holder or "nobody") == who.casefold()


def _tie(keeper: Engine, turn: int, name: str) -> None:
    """In this turn it could be one of several, and stays so."""
    among = [
        part.entity.among
        for atom in _atoms(keeper, turn)
        for part in atom.participants
        if isinstance(part.entity, Unresolved) and bare(part.entity.mention) == bare(name)
    ]
    assert among, f"turn {turn}: nobody speaks of {name}"
    assert all(len(keys) > 1 for keys in among), f"turn {turn}: {name} is {among}"


def _atoms(keeper: Engine, turn: int) -> list[Atom]:
    found = [r for r in written(keeper) if isinstance(r, Atom) and r.turn == turn]
    return [atom for atom in found if atom.source is not Source.RULE]


def _people(atom: Atom) -> set[str]:
    whispered = isinstance(atom.what, SpeechUttered) and atom.what.whispered
    roles = {Role.ACTOR, Role.TARGET} | (set() if whispered else {Role.WITNESS})
    return {
        part.entity.entity
        for part in atom.participants
        if part.role in roles and isinstance(part.entity, Resolved)
    }


def _perceived(keeper: Engine, turn: int, names: str) -> None:
    """Everyone who perceived something that was told in this turn."""
    told = [atom for atom in _atoms(keeper, turn) if atom.source is Source.NARRATOR]
    people = set().union(*map(_people, told)) & set(keeper.world().plan.cast)
    assert people == _list(names)


def _heard(keeper: Engine, turn: int, names: str) -> None:
    spoken = [atom for atom in _atoms(keeper, turn) if isinstance(atom.what, SpeechUttered)]
    assert spoken, f"turn {turn}: nobody says anything"
    assert set().union(*map(_people, spoken)) & set(keeper.world().plan.cast) == _list(names)


_TIER = f"({'|'.join(sorted(TIERS))})"
SAID: dict[str, Callable[..., None]] = {
    r"tracked: (.+)": _tracked,  # everything of play's own that is tracked or persistent
    r"gone: (.+)": _gone,  # never heard of
    r"same: (.+?), (.+)": _same,
    r"unchanged: (.+)": _unchanged,  # no weight and no event more than the turn before
    r"unclear: (.+)": _tie,
    r"perceived by: (.+)": _perceived,
    r"heard by: (.+)": _heard,
    r"(.+) is held by (\w+)": _held,
    r"(.+): known back to turn (\d+)": _back_to,
    rf"(\d+) (.+): {_TIER}": _so_many,
    rf"(.+): {_TIER}": _tier,
}
