"""A secret, and who may have it when: worked out by those who planted it, and by nobody else.

Nothing here asks the product. What somebody may know follows from the script: who was in the room,
whom a whisper was for, what the author wrote for whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from storykeeper.bench.leaks.vocabulary import Wording

NARRATOR = "narrator"
TRUNK, BRANCH = "main", "other"  # the run, and the fork of it


@dataclass(frozen=True, slots=True)
class Moment:
    """When a window is made: of which turn, in which branch, and where everybody is then."""

    turn: int
    branch: str
    places: Mapping[str, str]
    player: str  # whose turn it is
    forked_at: int | None = None
    retracted: frozenset[int] = frozenset()

    def has(self, turn: int, branch: str) -> bool:
        """Whether what was told in a turn of a branch is told, here and by now."""
        if turn > self.turn or (turn in self.retracted and branch == TRUNK == self.branch):
            return False
        return branch == self.branch or (
            branch == TRUNK and self.forked_at is not None and turn <= self.forked_at
        )

    def sees(self, *people: str) -> bool:
        """Whether all of these are where the player is."""
        here = self.places[self.player]
        return all(self.places[each] == here for each in people)


MayHave = Callable[[str, Moment], bool]


@dataclass(frozen=True, slots=True)
class Secret:
    """Something that not everybody may have."""

    carrier: str
    may_have: MayHave
    canary: str = ""
    content: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()  # what an item that tells it derives from
    topic: str = ""
    through: str | tuple[str, ...] = ""  # what it must come by, to count as told


def only(*people: str) -> MayHave:
    """These, whenever it is; and the narrator, while one of them plays."""
    return lambda audience, now: _is_of(people, audience, now)


def nobody(_: str, __: Moment) -> bool:
    """Not even the one it is about."""
    return False


def from_turn(turn: Callable[[], int | None], *people: str) -> MayHave:
    """These, once a turn has been told; which one that is, the script knows."""
    return between(turn, lambda: None, *people)


def between(
    first: Callable[[], int | None], last: Callable[[], int | None], *people: str
) -> MayHave:
    """These, once a turn has been told, until another is."""

    def is_told(turn: int | None, now: Moment) -> bool:
        return turn is not None and now.has(turn, TRUNK)

    def may_have(audience: str, now: Moment) -> bool:
        told = is_told(first(), now) and not is_told(last(), now)
        return told and _is_of(people, audience, now)

    return may_have


def _is_of(people: tuple[str, ...], audience: str, now: Moment) -> bool:
    return audience in people or (audience == NARRATOR and now.player in people)


@dataclass(slots=True)
class Spoken:
    """A secret said aloud or low: those have it who heard it, once it was said."""

    carrier: str
    wording: Wording
    heard: frozenset[str] = frozenset()  # empty: whoever is there when it is said
    branch: str = TRUNK
    lag: int = 0  # turns until it counts: the story so far is of what is old
    through: str | tuple[str, ...] = ""
    turns: list[int] = field(default_factory=list)  # in which it was said; known when it is played
    atoms: set[str] = field(default_factory=set)

    def tell(self, turn: int, *, there: frozenset[str], atoms: set[str]) -> None:
        """It was said, and these events are what it was said in."""
        self.turns.append(turn)
        self.heard = self.heard or there
        self.atoms |= atoms

    def may_have(self, audience: str, now: Moment) -> bool:
        """Whether somebody heard it, and it was said by now, and not taken back.

        The narrator tells a player what that player's character heard, and no other.
        """
        who = now.player if audience == NARRATOR else audience
        return who in self.heard and any(now.has(turn, self.branch) for turn in self.turns)

    def secret(self, now: Moment) -> Iterator[Secret]:
        """As it is at a moment; a window made again of a turn before it was told may not have it.

        Turns of two branches have the same numbers, so that a source says nothing across them.
        """
        if not self.turns or self.turns[0] <= now.turn < self.turns[0] + self.lag:
            return
        whole = (f"{kind}:{turn}" for turn in self.turns for kind in ("turn", "moment"))
        sources = {*whole, *self.atoms}
        if self.branch != now.branch:
            sources = set()
        yield Secret(
            self.carrier, self.may_have, self.wording.canary, self.wording.content,
            frozenset(sources), self.wording.topic, self.through,
        )  # fmt: skip
