"""The fog: what one actor on a field may be told, ruled source by source, closed by default.

self:ana             who they are                        theirs alone
seen:bo              somebody or something in sight
sound:0              what is only heard, by its place among what they hear
report:r1            what their side was told
remembered:bo        where they last perceived something, until it is too old or seen not to be
happened:t4-bo       what they perceived as it happened
learned:l1           what they know or believe
relation:ana/bo      how they stand to somebody
verb:fire rule:truce what can be done here, and what may not
cite:manual@1.2      something comes from this source, which must be in use at that version
canon:manual@1.2#4   a passage of a source that they have read
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from storykeeper.canon.persona import PersonaCardV2
from storykeeper.canon.provenance import CANON, cite_of
from storykeeper.canon.registry import CanonRegistry, CanonSource
from storykeeper.canon.situation import Happening, LastKnown, Learned, Report, WorldState
from storykeeper.context.boundary import CLOSED, KNOWN, Ruling
from storykeeper.staging.field.perception import Perceiver, as_perceived

CITE = "cite"


class Fog:
    """The line around one actor, at one moment of a field."""

    def __init__(self, world: WorldState, card: PersonaCardV2, registry: CanonRegistry) -> None:
        self.world = world
        self.card = card
        self.perceiver = Perceiver(world, card)
        self.in_force = {source.cite: source for source in registry.stable}
        self._rules: dict[str, Callable[[str], Ruling]] = {
            "self": self._self, "seen": self._seen, "sound": self._sound,
            "report": self._report, "remembered": self._remembered, "happened": self._happened,
            "learned": self._learned, "relation": self._relation, "verb": self._verb,
            "rule": self._rule, CITE: self._cite, CANON: self._canon,
        }  # fmt: skip

    def ruling(self, source: str) -> Ruling:
        """Whether they may be told what comes from this source."""
        kind, _, name = source.partition(":")
        rule = self._rules.get(kind)
        return Ruling(CLOSED, f"no rule opens {kind!r}") if rule is None else rule(name)

    # ── what they may know of ────────────────────────────────────────────────────────────────

    @cached_property
    def reads(self) -> tuple[CanonSource, ...]:
        """The sources they have read, as far as these are in use."""
        return tuple(s for s in self.in_force.values() if s.id in self.card.scope.canon)

    @cached_property
    def reports(self) -> dict[str, Report]:
        """What their side was told and comes from nothing that is out of use."""
        mine = (each for each in self.world.reports if each.faction == self.card.faction)
        fresh = (each for each in mine if self.sure_of(each.turn) > 0)
        return {each.id: each for each in fresh if self._stands(each.cites)}

    @cached_property
    def past(self) -> dict[str, Happening]:
        """What they perceived as it happened, with what of it reached them and nothing else."""
        me = self.card.id
        mine = (as_perceived(e, me) for e in self.world.happenings if me in e.perceived)
        return {each.id: each for each in mine if self._stands(each.cites)}

    @cached_property
    def learned(self) -> dict[str, Learned]:
        """What they know or believe."""
        mine = (each for each in self.world.learned if each.who == self.card.id)
        return {each.id: each for each in mine if self._stands(each.cites)}

    @cached_property
    def remembered(self) -> dict[str, LastKnown]:
        """What they perceived before and do not now, unless it is too old, or seen not to be there.

        Whether it is there is asked of what they see, never of where it is.
        """
        visible = {each.id for each in self.perceiver.seen}
        found: dict[str, LastKnown] = {}
        for each in self.world.last_known:
            if each.who != self.card.id or each.entity in visible or self.sure_of(each.turn) <= 0:
                continue
            if not self.perceiver.looks_upon(each.at):
                before = found.get(each.entity)
                found[each.entity] = each if before is None or before.turn < each.turn else before
        return found

    def sure_of(self, turn: int) -> float:
        """1 − age/limit: how much a place that was known in a turn is still worth."""
        age = max(0, self.world.turn - turn)
        return max(0.0, 1.0 - age / self.world.ages_after) if self.world.ages_after else 0.0

    def _stands(self, cites: Collection[str]) -> bool:
        return all(cite in self.in_force for cite in cites)

    # ── rules ────────────────────────────────────────────────────────────────────────────────

    def _self(self, name: str) -> Ruling:
        return _is(name == self.card.id, "a card is its owner’s")

    def _seen(self, name: str) -> Ruling:
        return _is(any(e.id == name for e in self.perceiver.seen), "what is in sight")

    def _sound(self, place: str) -> Ruling:
        there = place.isdecimal() and int(place) < len(self.perceiver.sounds)
        return _is(there, "what is heard and not seen")

    def _report(self, name: str) -> Ruling:
        return _is(name in self.reports, "what their side was told")

    def _remembered(self, name: str) -> Ruling:
        return _is(name in self.remembered, "what they perceived not long ago")

    def _happened(self, name: str) -> Ruling:
        return _is(name in self.past, "what they perceived as it happened")

    def _learned(self, name: str) -> Ruling:
        return _is(name in self.learned, "what they learned themselves")

    def _relation(self, edge: str) -> Ruling:
        return _is(edge.partition("/")[0] == self.card.id, "how they stand to somebody is theirs")

    def _verb(self, name: str) -> Ruling:
        return _is(any(verb.id == name for verb in self.world.verbs), "what can be done here")

    def _rule(self, name: str) -> Ruling:
        found = next((rule for rule in self.world.rules if rule.id == name), None)
        mine = found is not None and (not found.factions or self.card.faction in found.factions)
        return _is(mine, "a rule is for those whom it binds")

    def _cite(self, cite: str) -> Ruling:
        return _is(cite in self.in_force, "a source in use, at that version")

    def _canon(self, passage: str) -> Ruling:
        read = any(source.cite == cite_of(passage) for source in self.reads)
        return _is(read, "a source in use that they have read")


def _is(so: bool, rule: str) -> Ruling:  # noqa: FBT001 - reads as one sentence
    return Ruling(KNOWN if so else CLOSED, rule)
