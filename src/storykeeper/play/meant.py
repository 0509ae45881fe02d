"""Whom the words of a turn mean: mentions of a text to participants of atoms.

The author's names come first, then the player and whoever speaks (you, I), then what the reader
found to be one within the text, then the register (entities.resolve). Nothing is decided for good:
a participant that stays unresolved says all that its words said.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace

from msgspec import structs

from storykeeper.entities.fitting import fits
from storykeeper.entities.reference import FRESH, Found, Outcome, Reference, Strategy, Tied
from storykeeper.entities.resolve import resolve
from storykeeper.events.atoms import EntityRef, Resolved, Unresolved
from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.language.lexicon import is_noun, kin_of, sort_of, wholes_of
from storykeeper.language.names import Names
from storykeeper.language.reading import Mention, MentionKind, Reading
from storykeeper.staging.acquaintance import Acquaintance
from storykeeper.story.called import gender_of
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from storykeeper.world.register import key_of
from storykeeper.world.state import World

# What can take part in what happens; times, ideas and matter cannot.
TAKING_PART = frozenset(
    {Sort.PERSON, Sort.GROUP, Sort.ANIMAL, Sort.THING, Sort.PLACE, Sort.PART, Sort.UNKNOWN}
)
ONE = frozenset({"one", "ones"})
_KINDS = frozenset({Sort.THING, Sort.ANIMAL, Sort.PERSON})
# A noun before the noun says which kind it is: the kitchen door is not the front door.
_NAMING = frozenset({Sort.THING, Sort.PLACE, Sort.PART})
_MADE_OF = frozenset({
    "glass", "tin", "stone", "paper", "oak", "pine", "ash", "elm", "bone", "shell", "horn", "pearl",
    "marble", "plaster", "plastic", "ceramic", "diamond", "canvas", "cloth", "board", "log", "rag",
    "crystal", "jewel", "ruby", "emerald", "ivory", "jade", "rope", "wire", "straw", "clay",
})  # fmt: skip
_HE_OR_SHE = (Gender.HE, Gender.SHE)
_LATELY = 16  # things
_NEAR = 12  # mentions
MAX_DEPTH = 4  # of owners and wholes: the lid of the box of her mother's brother


def can_take_part(mention: Mention) -> bool:
    """Whether words can be of somebody or something at all."""
    plain = mention.kind is MentionKind.PRONOUN or all(map(is_noun, mention.head.split()[-1:]))
    return mention.sort in TAKING_PART and plain


class Meant:
    """The mentions of one text, and whom each was found to mean."""

    def __init__(
        self, reading: Reading, names: Names, world: World, *, player: EntityId, turn: TurnNo,
        known: Acquaintance | None = None, turned_to: Sequence[EntityId] = (),
    ) -> None:  # fmt: skip
        """`turned_to` are those whom the player's line turned to: one of them may be "he"."""
        self.reading = reading
        self._turned_to = turned_to
        self._known = known
        self.player = player
        self.turn = turn
        self.scene = SceneId(world.scene or world.plan.story.start)
        self._named = _named(reading, names)
        self._keys: dict[int, Key] = {}
        self._moving: set[int] = set()
        self._clusters: dict[int, Key] = {}  # what the reader found to be one
        self._begun: list[
            int
        ] = []  # mentions that began an entry, the register may not have it yet
        for i, entity in self._named.items():
            self.placed(i, key_of(world, entity))

    def placed(self, i: int, key: Key) -> None:
        """A mention is this one, or begins its entry: what means the same finds it there."""
        self._keys.setdefault(i, key)
        cluster = self.reading.mentions[i].cluster
        if cluster is not None:
            self._clusters.setdefault(cluster, key)

    def begun(self, i: int, key: Key) -> None:
        """A mention begins an entry, which the register will have when the atom is placed."""
        self.placed(i, key)
        self._begun.append(i)

    def moving(self, mentions: Iterable[int]) -> None:
        """What is put somewhere: its place says where it goes, and not which one it is."""
        self._moving.update(mentions)

    @property
    def keys(self) -> dict[int, Key]:
        """Whom the mentions so far were found to mean, by their place in the reading."""
        return dict(self._keys)

    def key(self, i: int) -> Key | None:
        """Whom a mention was found to mean, if it was."""
        return self._keys.get(i)

    def whole(self, i: int, depth: int = 0) -> int:
        """The mention of what a part is part of, and that of; of what is no part, itself."""
        mention = self.reading.mentions[i]
        whole = mention.possessor if mention.sort is Sort.PART else None
        whole = mention.whole if mention.whole is not None else whole
        if whole is None or whole == i or depth >= MAX_DEPTH:
            return i
        return self.whole(whole, depth + 1)

    def participant(self, world: World, i: int) -> EntityRef | None:
        """The mention as a participant; None if it cannot take part, or stands for nobody known."""
        mention = self._one_of_what(world, i)
        takes_part = can_take_part(mention) or i in self._keys
        if not takes_part and self._whole(world, mention) is None:
            return None
        outcome = self.outcome(world, i)
        if isinstance(outcome, Found):
            self.placed(i, outcome.key)
        elif outcome == FRESH and (
            mention.kind is MentionKind.PRONOUN or mention.sort is Sort.PART
        ):
            return None  # it stands for nobody known; a part alone is no thing
        return as_participant(
            world, self._reference(world, i), outcome, scene=self.scene, turn=self.turn
        )

    def outcome(self, world: World, i: int, depth: int = 0) -> Outcome:
        """Whom a mention means, as far as can be told."""
        mention = self.reading.mentions[i]
        if i in self._named:
            return Found(self._keys[i], Strategy.NAME)
        if i in self._keys:
            return Found(self._keys[i], Strategy.ANAPHORIC)
        if mention.person != 3:
            return self._speaker(world, mention, depth)
        whole = self.whole(i)
        if whole != i and depth < MAX_DEPTH:
            return self.outcome(world, whole, depth + 1)
        if mention.cluster is not None and mention.cluster in self._clusters:
            return Found(self._clusters[mention.cluster], Strategy.ANAPHORIC)
        if mention.kind is MentionKind.PRONOUN and self._was_weighed(i):
            return FRESH
        answering = self._answering(world, i)
        if answering is not None:
            return Found(answering, Strategy.ANAPHORIC)
        whole_of_it = self._whole(world, mention)
        if whole_of_it is not None:
            return Found(whole_of_it, Strategy.DESCRIPTIVE)
        ref = self._reference(world, i, depth)
        ref = replace(ref, place="") if i in self._moving else ref
        beside = self._beside(world, ref)
        known = self._view(world)
        outcome = beside if beside is not None else resolve(known, ref, scene=self.scene)
        return self._called_otherwise(known, ref) if outcome == FRESH else outcome

    def _answering(self, world: World, i: int) -> Key | None:
        """ "Never saw it," he says: whom the player asked, if no other who fits was told of."""
        mention = self.reading.mentions[i]
        if mention.kind is not MentionKind.PRONOUN or mention.gender not in _HE_OR_SHE:
            return None
        cast = world.plan.cast
        told = [self._named[j] for j in self._named if j < i]
        fitting = {each for each in (*self._turned_to, *told) if each in cast and
                   gender_of(cast[each].pronouns) is mention.gender}  # fmt: skip
        who = fitting.pop() if len(fitting) == 1 else None
        return key_of(world, who) if who is not None and who in self._turned_to else None

    def _view(self, world: World) -> World:
        """The world as far as the player it is told to knows it."""
        return world if self._known is None else self._known.world(world)

    def _called_otherwise(self, world: World, ref: Reference) -> Outcome:
        """The weapon: the only thing spoken of lately that may be called so too."""
        others = kin_of(ref.head) if ref.definite and not (ref.pronoun or ref.named) else ()
        if not others or ref.kinds:
            return FRESH
        found = [
            key
            for key in world.recent[-_LATELY:]
            if (known := world.register.get(key)) is not None
            and known.head in others
            and known.last_scene == self.scene
            and fits(world, replace(ref, head=known.head), known)
        ]
        return Found(found[0], Strategy.DESCRIPTIVE) if len(found) == 1 else FRESH

    def _beside(self, world: World, ref: Reference) -> Found | None:
        """What the same words began: "There's a case in it. You take the case to Sato." """
        if ref.pronoun or not ref.definite or not ref.head:
            return None
        for i in reversed(self._begun):
            key = self._keys[i]
            if key in world.register:
                return None
            first = self.reading.mentions[i]
            same = first.head == ref.head and first.plural is ref.plural
            if same and set(ref.descriptors) <= set(first.descriptors) and ref.possessor is None:
                return Found(key, Strategy.ANAPHORIC)
        return None

    def _was_weighed(self, i: int) -> bool:
        """Whether the reader had things to choose from for a pronoun, and would not."""
        mention = self.reading.mentions[i]
        return mention.gender in (Gender.IT, Gender.THEY) and any(
            each.kind is MentionKind.NOUN
            and each.sort is Sort.THING
            and each.plural is mention.plural
            for each in self.reading.mentions[max(0, i - _NEAR) : i]
        )

    def _whole(self, world: World, mention: Mention) -> Key | None:
        """What a part that is named alone is part of: the last thing spoken of that has such."""
        wholes = wholes_of(mention.head)
        if not wholes or not mention.definite or mention.kind is not MentionKind.NOUN:
            return None
        if mention.possessor is not None or any(map(_says_which_kind, mention.descriptors)):
            return None  # her barrel, the window seat
        world = self._view(world)
        for key in reversed(world.recent):
            known = world.register.get(key)
            if known is None or known.last_scene != self.scene:
                continue
            if known.head == mention.head:
                return None  # it is a thing of its own here
            if known.head in wholes:
                return key
        return None

    def _speaker(self, world: World, mention: Mention, depth: int) -> Outcome:
        """You and I: the player, or in what somebody says, who says it and to whom."""
        if mention.plural and mention.person == 1:
            return FRESH
        if mention.quotation is None:
            return Found(key_of(world, self.player), Strategy.ANAPHORIC)
        quoted = self.reading.quotations[mention.quotation]
        who = quoted.speaker if mention.person == 1 else quoted.addressee
        return FRESH if who is None or depth >= MAX_DEPTH else self.outcome(world, who, depth + 1)

    def _reference(self, world: World, i: int, depth: int = 0) -> Reference:
        mention = self._one_of_what(world, i)
        owner = None
        if mention.possessor is not None and mention.possessor != i and depth < MAX_DEPTH:
            found = self.outcome(world, mention.possessor, depth + 1)
            owner = found.key if isinstance(found, Found) else None
        return of_mention(mention, owner)

    def _one_of_what(self, world: World, i: int) -> Mention:
        """The white one: what is known to be white; or else a thing of the kind last spoken of."""
        mention = self.reading.mentions[i]
        if mention.head not in ONE:
            return mention
        world = self._view(world)
        rows = [k for key in reversed(world.recent) if (k := world.register.get(key)) is not None]
        things = [known for known in rows if known.sort in _KINDS and not known.named]
        wanted = {d.casefold() for d in mention.descriptors}
        alike = [k for k in things if wanted and wanted <= set(k.descriptors)]
        nearest = [
            earlier
            for earlier in reversed(self.reading.mentions[max(0, i - _NEAR) : i])
            if earlier.kind is MentionKind.NOUN and earlier.sort in _KINDS
        ]
        several = [each for each in nearest if each.plural] if not mention.definite else []
        for each in (*(alike if mention.definite else ()), *several, *nearest, *things):
            return replace(mention, head=each.head, sort=each.sort)
        return mention


def of_mention(mention: Mention, owner: Key | None = None) -> Reference:
    """What a mention says, for the register to find it by."""
    return Reference(
        mention.text, mention.head, mention.sort, mention.gender,
        plural=mention.plural, named=mention.kind is MentionKind.NAME, definite=_definite(mention),
        pronoun=mention.kind is MentionKind.PRONOUN,
        descriptors=tuple(d.casefold() for d in mention.descriptors),
        kinds=tuple(d.casefold() for d in mention.descriptors if _says_which_kind(d)),
        possessor=owner, place=" ".join(mention.place.casefold().split()),
    )  # fmt: skip


def _says_which_kind(descriptor: str) -> bool:
    return sort_of(descriptor) in _NAMING and descriptor.casefold() not in _MADE_OF


_SOME = frozenset({"a", "an", "another", "some", "any", "every", "each", "no", "one", "two",
                   "three", "four", "five"})  # fmt: skip


def _definite(mention: Mention) -> bool:
    """The, that, her, a name; and a bare noun in the singular: "under table", "took up lamp"."""
    first = mention.text.partition(" ")[0].casefold()
    return mention.definite or (not mention.plural and first not in _SOME)


def as_participant(
    world: World, ref: Reference, outcome: Outcome, *, scene: SceneId, turn: TurnNo
) -> EntityRef:
    """A reference as it stands in an atom: resolved if it has an id, else all that was said."""
    joins = outcome.key if isinstance(outcome, Found) else None
    known = world.register.get(joins) if joins is not None else None
    if known is not None and known.id and isinstance(outcome, Found):
        place, owner = (ref.place, ref.possessor) if ref.head == known.head else ("", None)
        return Resolved(
            known.id, ref.words, _added(ref, known.head), outcome.by.value, place, owner
        )
    head = ref.head if known is None else known.head
    if known is not None:
        scene, turn = known.scene, known.first
    return Unresolved(
        ref.words, scene, turn,
        _added(ref, head), ref.place if ref.head == head else "",
        _owner(world, ref.possessor, scene=scene, turn=turn),
        head=ref.head, sort=ref.sort, gender=ref.gender, plural=ref.plural, named=ref.named,
        joins=joins, among=outcome.keys if isinstance(outcome, Tied) else (),
    )  # fmt: skip


def _added(ref: Reference, head: str) -> tuple[str, ...]:
    """The descriptors; a part that stands for its whole describes it: the cup has a chip."""
    if ref.pronoun or (ref.sort is Sort.PART and ref.possessor is not None):
        return ()  # that she has a hand says nothing of her
    part = (ref.head,) if ref.head and ref.head != head and not ref.named else ()
    return (*part, *ref.descriptors)


def _owner(
    world: World, owner: Key | None, *, scene: SceneId, turn: TurnNo
) -> Resolved | Unresolved | None:
    known = None if owner is None else world.register.get(owner)
    if known is None or owner is None:
        return None
    if known.id:
        return Resolved(known.id)
    return structs.replace(Unresolved("", scene, turn), joins=owner)


def _named(reading: Reading, names: Names) -> dict[int, EntityId]:
    """Mentions that an author's name stands in, at the end of their noun phrase."""
    found: dict[int, EntityId] = {}
    starts = [mention.start for mention in reading.mentions]
    longest = max((mention.end - mention.start for mention in reading.mentions), default=0)
    for name in names.find_in_prose(reading.text):
        first = bisect_left(starts, name.end - longest)  # what begins earlier has ended by then
        for i in range(first, bisect_right(starts, name.start)):
            mention = reading.mentions[i]
            if name.end > mention.end or mention.kind is MentionKind.PRONOUN:
                continue
            rest = reading.text[name.end : mention.end]
            if not rest or (not rest[0].isalnum() and not rest.startswith(("'s ", "’s "))):
                found.setdefault(i, name.entity)
    return found
