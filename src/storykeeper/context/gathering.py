"""What the sources propose and the gate lets through, for one window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from storykeeper.canon.sanitiser import Finding
from storykeeper.context.boundary import Boundary
from storykeeper.context.counting import pricing
from storykeeper.context.foreign import made_safe, safe
from storykeeper.context.gate import gate
from storykeeper.context.history import Summed
from storykeeper.context.inputs import asked, fitted, happenings, laid_out, words
from storykeeper.context.items import Candidate, Class, Missed, Refused, Tier
from storykeeper.context.materials import Materials, Terms
from storykeeper.context.parts import Part, part_of
from storykeeper.context.pieces import Piece
from storykeeper.context.preamble import hard_material, soft_material
from storykeeper.context.rank import above_the_floor, merged, warmth, weighed
from storykeeper.context.render import headings_for
from storykeeper.context.so_far import SUMMARY
from storykeeper.context.sources import BEAT, REVELATION, Proposals
from storykeeper.context.sources.recalled import favoured, found_pieces
from storykeeper.context.tail import Unit, units, whole_from
from storykeeper.gravity.landscape import landscape
from storykeeper.gravity.modifier import Field
from storykeeper.language.tokens import Counter
from storykeeper.scoring.shares import STANDARD_TOKENS, Shares, past_room, shares
from storykeeper.story.tuning import Budget

BRIEF_SNIPPETS = 8
MAX_CANDIDATES = 200
MAX_POOL_TOKENS = 5_000
SAID_ALREADY = "said by another item"
BELOW_THE_FLOOR = "scores too low"
LEAST_CUT = 40  # tokens that a turn too long for any window is cut to
POOL_FULL = "enough candidates already"


class Gathered:
    """What the sources propose and the gate lets through, for one window."""

    def __init__(
        self, boundary: Boundary, limit: int, count: Counter, without: frozenset[Part]
    ) -> None:
        self.boundary = boundary
        self.without = without
        self.limit = limit
        self.price = pricing(count)
        self.headings = headings_for(boundary.audience)
        self.refused: list[Refused] = []
        self.missed: list[Missed] = []
        self.mended: dict[str, tuple[Finding, ...]] = {}  # at the gate, by item
        self.is_cut = False  # the last turn stands in it with a cut
        self._budget = boundary.plan.story.budget
        self.field = _field(boundary) if boundary.narrator else None
        self.heat: float | None = None
        ahead = None if self.field is None else self.field.landscape
        self._proposals = Proposals(boundary, ahead)
        self.materials = self._gather(limit)

    def sized(self, tokens: int, *, slack: int) -> tuple[Materials, Terms]:
        """What a layout of so many tokens is made of, and under which terms.

        A smaller tier 1 tells less, so that tier 3 has more to tell.
        """
        materials, told_above = self.materials, self._told_above(self.materials.soft, tokens)
        if _of_entities(told_above) != _of_entities(self._told):
            retrieved, _ = merged(self._weighed(told_above)[0])
            mandatory, others = split(retrieved)
            others, _ = self._pool(others, tokens)
            materials = replace(materials, mandatory=mandatory, others=others)
        return materials, Terms(
            tokens=tokens,
            slack=slack,
            shares=self._shares(tokens),
            headings=self.headings,
            price=self.price,
            policy=self._budget.policy,
            most_snippets=None if self.boundary.narrator else BRIEF_SNIPPETS,
            without=self.without,
        )

    def _shares(self, tokens: int) -> Shares:
        return shares(self._budget, window_tokens=tokens, brief=not self.boundary.narrator)

    def _gather(self, limit: int) -> Materials:
        boundary = self.boundary
        soft = self._gated(soft_material(boundary))
        self._told = self._told_above(soft, limit)
        permitted, refused = self._weighed(self._told)
        retrieved, again = merged(permitted)
        mandatory, others = split(retrieved)
        others, missed = self._pool(others, limit)
        self.refused += refused
        self.missed += [Missed(each, SAID_ALREADY) for each in again] + missed
        typed = self._gated(words(boundary))
        past = self._past()
        near = {piece.source for unit in past for piece in unit.pieces}
        return Materials(
            hard=self._gated(hard_material(boundary)),
            soft=soft,
            past=past,
            mandatory=mandatory,
            others=others,
            acts=self._gated(happenings(boundary)),
            words=safe(boundary.present.text) if typed else "",
            input=typed[0] if typed else None,
            here=[each for each in retrieved if each.tier is Tier.INPUT],
            asks=self._gated(asked(boundary)),
            found=[piece for piece in self._found() if piece.source not in near],
            favoured=favoured(boundary),
            likely={each.turn.turn: each.share for each in boundary.recalled},
            summaries=self._summaries(),
            whole_from=whole_from(boundary.recent),
            is_listed=not boundary.narrator,
        )

    def _found(self) -> list[Piece]:
        """Pieces of what memory found, each once; the gate rules on them as on all else."""
        pieces = (p for each in self.boundary.recalled for p in found_pieces(self.boundary, each))
        return list({p.source: p for p in pieces if self.boundary.open(p.source)}.values())

    def _summaries(self) -> list[Summed]:
        """Those on record, of turns that this audience was told all of."""
        made = self.boundary.summaries
        return [each for each in made if self.boundary.open(f"{SUMMARY}:{each.name}")]

    def _weighed(self, told_above: frozenset[str]) -> tuple[list[Candidate], list[Refused]]:
        """What the sources propose and the gate lets through, each with what it weighs; the rest"""
        proposed = self._proposals.beside(told_above)
        found, refused = gate(
            (c for c in proposed if part_of(c) not in self.without), self.boundary
        )
        found = [self._safe(each) for each in found]
        field = self.field
        if field is not None:
            self.heat = heat = round(warmth(self.boundary), 6)
            found = [weighed(each, field=field, heat=heat) for each in found]
        return found, refused

    def _gated(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        permitted, refused = gate(candidates, self.boundary)
        self.refused += refused
        return [self._safe(each) for each in permitted]

    def _safe(self, candidate: Candidate) -> Candidate:
        made, found = made_safe(candidate)
        if found:
            self.mended[candidate.id] = found
        return made

    def _past(self) -> list[Unit]:
        """The units of the past that this audience may see, oldest first."""
        turns = list(units(self.boundary))
        permitted = {
            each.id: each for each in self._gated(unit.candidate for turn in turns for unit in turn)
        }
        return [
            Unit(unit.turn, permitted[unit.candidate.id], unit.atoms, unit.pieces)
            for turn in reversed(turns)
            for unit in turn
            if unit.candidate.id in permitted
        ]

    def shorten(self, limit: int) -> bool:
        """Whether the last turn could be cut, being longer than tier 2 usually is.

        Without that one long turn would leave no legal window after it.
        """
        past, budget = self.materials.past, self._budget
        usual = budget.tokens if self.boundary.narrator else budget.brief_tokens
        longest = _longest_turn(budget, max(limit, usual))
        if self.is_cut or not past or self.price(past[-1].candidate.full) <= longest:
            return False
        last, room = past[-1], max(LEAST_CUT, min(longest, self._left(limit)))
        cut = fitted(last.candidate.full, room=room, price=self.price, written=str)
        last = replace(last, candidate=replace(last.candidate, full=cut))
        self.materials = replace(self.materials, past=[*past[:-1], last])
        self.is_cut = True
        return bool(cut)

    def _left(self, limit: int) -> int:
        """What a window has for its last turn beside all else that must be in it."""
        materials, share = self.materials, self._shares(limit)
        shown, _ = laid_out(
            materials.acts,
            materials.input,
            materials.words,
            room=share.input,
            price=self.price,
            here=materials.here,
            asks=materials.asks,
        )
        heads = (self.headings.recent, self.headings.input, self.headings.retrieved,
                 self.headings.here, self.headings.ask)  # fmt: skip
        fixed = (*(each.full for each in materials.hard), *heads)
        spent = sum(map(self.price, fixed)) + sum(each.tokens for each in shown)
        return limit - spent - share.reserve

    def _told_above(self, soft: Sequence[Candidate], limit: int) -> frozenset[str]:
        """Sources of the soft material that its share can hold; tier 3 does not repeat them."""
        room = self._shares(limit).soft
        held: list[str] = []
        for candidate in soft:
            room -= self.price(candidate.full)
            if room < 0:
                break
            held += candidate.sources
        return frozenset(held)

    def _pool(
        self, others: Sequence[Candidate], limit: int
    ) -> tuple[list[Candidate], list[Missed]]:
        """The candidates that are ranked at all, above the floor and not too many; and the rest."""
        floor = self.boundary.plan.story.tuning.gravity.minimum_score
        pool: list[Candidate] = []
        missed: list[Missed] = []
        larger = max(1.0, limit / STANDARD_TOKENS)
        room, most = int(MAX_POOL_TOKENS * larger), int(MAX_CANDIDATES * larger)
        for each in sorted(others, key=lambda c: -c.terms.score):
            ranked = above_the_floor(each, floor)
            size = max((self.price(text) for _, text in each.forms), default=0)
            if ranked is None:
                missed.append(Missed(each, BELOW_THE_FLOOR))
            elif len(pool) >= most or size > room:
                missed.append(Missed(each, POOL_FULL, max(0, size - room)))
            else:
                pool.append(ranked)
                room -= size
        return pool, missed


def _of_entities(sources: frozenset[str]) -> frozenset[str]:
    """Those that a card may have; not what is the author's alone."""
    return frozenset(each for each in sources if not each.startswith(("soft:", "scene:", "hard:")))


def _longest_turn(budget: Budget, limit: int) -> int:
    """Tokens beyond which a turn is cut rather than that there is no window."""
    share = shares(budget, window_tokens=limit)
    above = int(budget.hard_share * limit) + share.soft
    return past_room(share, window_tokens=limit, above_tokens=above, headings=0)


def _field(boundary: Boundary) -> Field:
    """Where the story is heading, as the narrator feels it."""
    return Field(boundary.plan, landscape(boundary.world))


def split(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Mandatory ones in the order of claims, revelations, named entities, beats; and the others."""
    order = {REVELATION: 0, BEAT: 2}
    mandatory = [c for c in candidates if c.klass is Class.MANDATORY and c.tier is Tier.RETRIEVED]
    mandatory.sort(key=lambda c: order.get(c.origin, 1))
    return mandatory, [c for c in candidates if c.klass is not Class.MANDATORY]
