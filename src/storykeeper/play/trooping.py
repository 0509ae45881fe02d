"""Who comes and goes by the plain words of a text, in groups and after one another too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from storykeeper.events.atoms import ActionTaken, Participant, Resolved, Role, Source
from storykeeper.events.vocabulary import Gender
from storykeeper.language.lexicon import VerbClass
from storykeeper.language.reading import MentionKind, Modality
from storykeeper.play.arriving import COMES_IN, IN_COMES, LET_IN, arrive, is_far
from storykeeper.play.carrying import CARRYING, is_carried, what_of
from storykeeper.play.company import go
from storykeeper.play.complying import COMPLIES, is_request
from storykeeper.play.departing import ERRAND, MOVING, NOT_SO, PREDICATE, TOWARDS, Departing
from storykeeper.play.doors import CAME, SHUTS, STAYS_IN
from storykeeper.play.going import HABIT, NOT_NOW
from storykeeper.play.leaving import sentence_end
from storykeeper.play.parties import (
    EXCEPT,
    FOLLOWED,
    FOLLOWS,
    GROUP,
    ONLY,
    SLEEPING,
    STAYING,
    last_gone,
    members,
)
from storykeeper.play.sight import seen_by
from storykeeper.units import EntityId
from storykeeper.world.authored import gender_of

_ASIDE = frozenset({GROUP, ONLY})  # their own words deny: "nobody but Tom"
_HOW = re.compile(r"(?:\w+ly|then|all|soon|now|at\s+once)\s+")
_PAIR = 2
_GENDERS = {"him": Gender.HE, "her": Gender.SHE}


class Trooping(Departing):
    """Those who come and go, in one telling."""

    @property
    def _ways(self) -> dict[re.Pattern[str], Callable[[re.Match[str]], None]]:
        return super()._ways | {
            GROUP: self._group, ONLY: self._group, FOLLOWED: self._followed,
            FOLLOWS: self._follows, COMES_IN: self._comes, IN_COMES: self._comes_after,
            LET_IN: self._let_in, CARRYING: self._carries,
            SHUTS: self._shuts, COMPLIES: self._complies,
        }  # fmt: skip

    def _is_so(self, found: re.Match[str]) -> bool:
        begin, end = self._begin(found.start()), sentence_end(self._text, found.end())
        if found.re in super()._ways:
            return super()._is_so(found) and not self._is_habit(found)
        before, after = self._text[begin : found.start()], self._text[found.start() : end]
        if NOT_SO.search(before) or any(
            p.search(w) for p in (NOT_NOW, HABIT) for w in (before, after)
        ):
            return False
        around = [c for c in self._reading.clauses if c.start <= found.start() < c.end]
        return found.re in _ASIDE or all(
            c.modality is Modality.ASSERTED for c in around if c.quotation is None
        )

    def _is_habit(self, found: re.Match[str]) -> bool:
        """Whether it is done now and then, or not yet; of words of walking, which are weaker."""
        if found.re not in (MOVING, TOWARDS, ERRAND):
            return False
        begin, end = self._begin(found.start()), sentence_end(self._text, found.end())
        sentence, before = self._text[begin:end], self._text[begin : found.start()]
        return bool(HABIT.search(sentence) or NOT_SO.search(before) or NOT_NOW.search(before))

    def _carries(self, found: re.Match[str]) -> None:
        """Who carries something to another place goes there; of people `Company` knows."""
        end = found.start("what") + len(what_of(found))
        heads = [i for i, m in self._mentions(found.start("what")) if m.end == end]
        people = {*self._people(heads)} & {*self._unfolding.world.plan.cast}
        if is_carried(found) and not people:
            self._towards(self._who(found), self._place_at(found.end()))

    def _shuts(self, found: re.Match[str]) -> None:
        """Who shuts a door behind them is gone, or who is named behind whom it is shut."""
        before = self._begin(max(0, self._begin(found.start()) - 1))
        if CAME.search(self._text, before, found.start()):
            return
        doing, gender = self._who(found), _GENDERS.get(found["whom"][:3])
        cast = self._unfolding.world.plan.cast
        own = [w for w in doing if w in cast and gender is gender_of(cast[w].pronouns)]
        own = [*doing] if found["whom"].startswith("them") and doing else own
        if not (own and STAYS_IN.match(self._text, found.end())):
            self._out(self._with_player(own or self._at(found.end())))

    def _behind(self, found: re.Match[str]) -> None:
        if not STAYS_IN.match(self._text, found.end()):
            super()._behind(found)

    def _complies(self, found: re.Match[str]) -> None:
        """Who does as they were asked right before is gone, if that was to leave."""
        said = [q for q in self._reading.quotations if q.end <= found.start()]
        asked = self._reading.text[said[-1].start : said[-1].end] if said else self._line
        if is_request(asked):
            self._out(self._with_player(self._who(found)))

    # ── groups ───────────────────────────────────────────────────────────────────────────────

    def _group(self, found: re.Match[str]) -> None:
        """What a group does: all of it but those left out, or only these."""
        how = _HOW.match(self._text, found.end())
        verb = how.end() if how else found.end()
        done = next(
            (m for p in (STAYING, SLEEPING, PREDICATE, MOVING, TOWARDS)
             if (m := p.match(self._text, verb))), None,
        )  # fmt: skip
        if done is None:
            return
        named = self._within(self._begin(self._begin(found.start()) - 1), found.start())
        whole = members(self._unfolding.world, found, self._told, named)
        after = EXCEPT.match(self._text, done.end())
        but = found if found["but"] else after
        out = self._within(*but.span("but")) if but else []
        rest = [who for who in whole if who not in out]
        only = found.re is ONLY or bool(found.groupdict().get("none"))
        if only and not but:
            return
        doing, others = (out, rest) if only else (rest, out)
        if done.re is STAYING:
            self._out(others if but else ())
        elif done.re is SLEEPING:
            self._sleep(doing)
        elif to := self._goal(verb):
            self._towards(doing, to)
        elif done.re is not TOWARDS:
            self._out(doing)

    def _sleep(self, whom: Iterable[EntityId]) -> None:
        for who in whom:
            if who in self._unfolding.world.asleep or who in self._unfolding.world.plan.players:
                continue
            parts, what = [Participant(Role.ACTOR, Resolved(who))], ActionTaken("sleep")
            watching = seen_by(
                self._unfolding.world, what, parts, frozenset({VerbClass.SLEEP}),
                told=self._told, sentence="",
            )  # fmt: skip
            self._unfolding.take_place(what, parts, source=Source.RULE, seen_by=watching)

    # ── after one another ────────────────────────────────────────────────────────────────────

    def _followed(self, found: re.Match[str]) -> None:
        self._after(self._at(found.end()))

    def _follows(self, found: re.Match[str]) -> None:
        self._after(self._who(found))

    def _after(self, whom: Sequence[EntityId]) -> None:
        """They go where the last who left has gone."""
        gone = last_gone(self._unfolding, self._told, whom)
        going = self._with_player(whom)
        if gone is None or not going or set(going) & set(self._unfolding.world.plan.players):
            return
        if gone[1] is None:
            self._out(going)
        else:
            go(self._unfolding, going, gone[1], told=self._told)

    # ── those who come ───────────────────────────────────────────────────────────────────────

    def _comes(self, found: re.Match[str]) -> None:
        """Who is named comes in; *they* are the two who are gone, if two are."""
        begin, end = self._begin(found.start()), sentence_end(self._text, found.end())
        if is_far(self._text[begin : found.start()], self._text[found.end() : end]):
            return
        near = [m for _, m in self._mentions(begin) if m.start < found.start()]
        last = max(near, key=lambda m: m.end) if near else None
        if last is not None and last.text.casefold() == "they":
            away = self._with_player(self._unfolding.world.away)
            arrive(self._unfolding, away if len(away) == _PAIR else (), told=self._told)
        elif last is not None and last.kind is not MentionKind.PRONOUN:
            arrive(self._unfolding, self._who(found), told=self._told)

    def _comes_after(self, found: re.Match[str]) -> None:
        arrive(self._unfolding, self._at(found.end()), told=self._told)

    def _let_in(self, found: re.Match[str]) -> None:
        arrive(self._unfolding, self._within(*found.span("whom")), told=self._told)
