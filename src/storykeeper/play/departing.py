"""Who is gone by the plain words of a text: "Tom nods and leaves", "once Tom is out of the room".

Whoever has left must hear nothing more, however a sentence is parsed: these words are looked for
beside the clauses, and only what a clause denies, imagines or plans is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from storykeeper.events.atoms import Moved, Participant, Resolved, Role, Source
from storykeeper.language.lexicon import VerbClass
from storykeeper.language.reading import Mention, Modality, Reading
from storykeeper.play.errands import FETCHING, GONE_FOR, is_near
from storykeeper.play.going import LEAVING, MOTION, NOT_NOW, OUTSIDE, ROOM, step
from storykeeper.play.leaving import PREVENTED, is_direction, sentence_end
from storykeeper.play.parties import is_left_out
from storykeeper.play.sight import seen_by
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId
from storykeeper.world.whereabouts import setting_of

_STOP = r"\s*(?:$|[.;:!?…\"“”—–)])"
# After these a leaving is whole: "leaves the lamp" is not one.
_END = (
    rf"(?={_STOP}|\s*,|\s+(?:and|but|except|save|then|so|without|with|by|through|before|after|as|while|again"
    r"|alone|early|together|too|at\s+(?:once|last)|in\s+(?:a|silence|haste|tears|search)"
    r"|for\s+(?:the\s+night|good|home|now|bed|a)|to\s+(?!the\b|his\b|her\b|him\b)[a-z]+"
    r"|\w+ly)\b)"
)
_BE = r"(?:(?:has|have|had|is|are|was|were)\s+|[’']s\s+)(?:(?:already|just|now|long|all|\w+ly)\s+)?"
_BED = r"(?:off\s+|up\s+|straight\s+)*to\s+(?:his\s+|her\s+|their\s+)?bed\b"
_WITHIN = r"(?:you|her|him|them|us|the\s+two\s+of\s+you|[A-Z]\w+)(?:\s+(?:two|both|and\s+\w+))?"
PREDICATE = re.compile(
    rf"\b(?:has\s+|have\s+|had\s+)?(?:(?:already|just|now|\w+ly)\s+)?"
    rf"(?:leaves?|left|departs?|departed|exits?|exited|withdraws?|withdrew|withdrawn|flees?|fled"
    rf"|vanish(?:es|ed)?|disappear(?:s|ed)?|turns?\s+in\s+for\s+the\s+night){_END}"
    rf"|\b(?:takes?|took|taken)\s+(?:his|her|their)\s+leave(?:{_END}|\s+of\s+(?:you|him|them|[A-Z]))"
    rf"|\b(?:makes?|made)\s+(?:his|her|their)\s+(?:exit|departure|escape|way\s+out){_END}"
    rf"|\b(?:goes|went)(?={_STOP}|,(?!\s*[\"“”]))"
    rf"|(?:\b|(?=[’'])){_BE}(?:gone(?={_STOP}|\s*,|\s+(?:away|out|off|home|for\s+good)\b)"
    rf"|(?:well\s+)?out\s+of\s+(?:{ROOM}\b|earshot|hearing))"
    rf"|\b(?:goes|went|(?:is|has|had)\s+gone)\s+{_BED}"
    rf"|\bretire[sd]?(?={_STOP}|\s*,|\s+for\s+the\s+night|\s+to\s+(?:his\s+|her\s+)?(?:bed|room))"
    rf"|\b(?:leaves?|left)\s+{_WITHIN}\s+(?:alone\s+(?:with|together|in)\b|together\b|with\s+[A-Z])"
    rf"|\b(?:leaves?|left)\s+{_WITHIN}\s+to\s+it\b"
    r"|\b(?:leaves?|left)\s+the\s+two\s+of\s+you\b"
    r"|\bcarr(?:y|ies|ied)\s+(?!out\b)(?:\w+\s+){1,4}?(?:out|away)" + rf"(?={_STOP}|\s*,)"
    r"|\b(?:tak(?:es?|ing)|took|carr(?:y|ies|ied)|brings?|brought|drags?|dragged)\s+(?:\w+\s+){1,4}?"
    rf"(?:outside|outdoors|upstairs|downstairs)(?={_STOP}|\s*,)"
)
_PARTICLE = r"(?:(?:back|off|out|away|over|on|up|down|through|across|along|straight|\w+ly)\s+)"
TOWARDS = re.compile(
    r"\b(?:leaves?|left|heads?|headed|makes?|made|sets?\s+(?:off|out))\s+for\s+"
    rf"|\b(?:{MOTION}|st(?:ep|umbl|agger)\w*|climb\w*|cross(?:es|ed)?|descend(?:s|ed)?"
    r"|ascend(?:s|ed)?|(?:makes?|made)\s+(?:his|her|their)\s+way|retreat(?:s|ed)?"
    rf"|withdr[ae]ws?|retire[sd]?|returns?|returned)\s+{_PARTICLE}{{0,2}}(?:in)?to\s+"
)
# "Walks out", as the last of several verbs too; where to, is another matter.
MOVING = re.compile(
    rf"\b{MOTION}\s+(?:\w+ly\s+)?(?:off\b(?!\s+(?:the|his|her|their|a)\b)|away\b(?!\s+from\b)"
    rf"|{OUTSIDE}|from\s+{ROOM}\b)"
)
_WHOM = r"(?P<whom>(?:him|her|them)(?:sel(?:f|ves))?|[A-Z][\w’'-]*(?:\s+and\s+[A-Z][\w’'-]*)?)"
_BOTH = r"(?P<both>leads?|led|takes?|took|drag(?:s|ged)|walks?|walked|escort(?:s|ed)|march(?:es|ed)"
_BOTH += r"|pull(?:s|ed)|guide[sd]?|steer(?:s|ed)|hustle[sd]?|haul(?:s|ed))"
_TAKEN = re.compile(
    rf"\b(?:{_BOTH}|(?:shows?|showed|usher(?:s|ed)|sees|saw|lets?|push(?:es|ed)|shove[sd]?|throws?"
    rf"|threw|bundle[sd]?|kick(?:s|ed)?))\s+{_WHOM}\s+(?:\w+ly\s+|right\s+|straight\s+)?"
    rf"(?:{OUTSIDE}|from\s+{ROOM}\b)"
)
# Who goes for something that is elsewhere, or makes themselves scarce.
_ONESELF = r"(?:him|her|them|it)sel(?:f|ves)"
_SETS_OUT = (
    rf"(?:(?:(?:has|have|had|is|are|was|were)\s+(?:just\s+|already\s+)?gone)|(?<!to\s)(?<!\bgets\s)"
    rf"(?:{MOTION}|goes|trots|leaves?|left))"
)
_OFF_TO = (
    r"(?:(?:\w+ly|off|out|down|up|over|back|away|outside|downstairs|upstairs|next\s+door)\s+)*"
)
ERRAND = re.compile(
    rf"\b{_SETS_OUT}\s+{_OFF_TO}(?:(?:to|and)\s+(?:\w+ly\s+)?(?:{FETCHING}|fetches|gets|finds|brings|collects"
    rf"|fetched|got|found|brought)\b(?P<what>[^.;!?\n\"]*)|for\s+{GONE_FOR}\b)"
    rf"|\b(?:makes?|made)\s+{_ONESELF}\s+scarce\b"
    rf"|\b(?:takes?|took)\s+{_ONESELF}\s+(?:off|away|out|elsewhere)\b(?!\s+the\b)"
    rf"|\babsent(?:s|ed)\s+{_ONESELF}\b"
    rf"|\bexcuse[sd]\s+{_ONESELF}(?=\s*(?:$|[.,;:!?…\"])|\s+(?:and|from\s+(?:the|this))\b)"
)
_SENT = re.compile(
    rf"\b(?:sends?|sent|dispatch(?:es|ed)|packs|packed)\s+{_WHOM}\s+{_OFF_TO}to\s+(?:\w+ly\s+)?"
    rf"{FETCHING}\b(?P<what>[^.;!?\n\"]*)"
)
_DOOR = re.compile(
    r"\b(?:door|gate)\s+(?:\w+\s+)?(?:closes|closed|shuts?|slams|slammed)\s+(?:\w+\s+)?"
    r"(?:behind|after)\s+"
)
_COMING = re.compile(
    r"\b(?:enter|come|came|arriv|return|appear|(?:step|walk|burst|slip|rush|hurr)\w*\s+(?:back\s+)?"
    r"in)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:,[^,.;!?]*,)?\s*(?:(?:\w+ly|then|also|finally|at\s+last)\s+)?$")
_JOINED = re.compile(r"(?:\band(?:\s+then)?|\bthen|,\s*then)\s+(?:\w+ly\s+)?$")
_WHOLE = r"(?=\s*(?:$|[.,;:!?…\"“”—–)])|\s+(?:and|but|with|without|to|by|before|after|where)\b)"
_LISTED = re.compile(r",\s+(?:\w+ly\s+)?$")
_AND = re.compile(r"\s*(?:,|,?\s+and)\s+")
_OPENS = re.compile(r"(?:^|[,;:—–])\W*(?:(?:and|but|then|so|both|together)\W+)*$", re.IGNORECASE)
_FOLIAGE = re.compile(
    r"\b(?:twigs?|sticks?|branch(?:es)?|petals?|flowers?|stems?|roots?|herbs?|grass|bark|berries"
    r"|seeds?|fruits?|blossoms?|moss|dead|dry)\s+and\s+$",
    re.IGNORECASE,
)
NOT_SO = re.compile(
    r"\b(?:before|unless|if|whether|nobody|never|almost|nearly|imagin\w*|dream\w*|remember\w*"
    r"|hop(?:es?|ed)|wish\w*|think\w*|thought|fear\w*|perhaps|maybe|would|will|as\s+though)\b"
    r"|(?<!waits )(?<!waited )(?<!wait )\b(?:until|till)\b",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"\bbefore\s+(?:\w+\s+){1,2}$", re.IGNORECASE)
_QUOTE = '"'


class Departing:
    """Those who leave, in one telling."""

    def __init__(
        self,
        unfolding: Unfolding,
        reading: Reading,
        people: Callable[[Sequence[int | None]], Sequence[EntityId]],
        told: EntityId,
        *,
        retold: Callable[[int], bool],
        line: str = "",
    ) -> None:
        """`people` says whom mentions mean, `retold` what was told before; `line` was typed."""
        self._line = line
        self._unfolding, self._reading, self._people = unfolding, reading, people
        self._told, self._retold = told, retold
        self._text = _narration(reading)
        found = [m for p in self._ways for m in p.finditer(self._text)]
        self._left = sorted(((self._when(m), m) for m in found), key=lambda each: each[0])

    def until(self, at: int | None = None) -> None:
        """All who leave before some place in the text; or all that is left."""
        while self._left and (at is None or self._left[0][0] <= at):
            _, found = self._left.pop(0)
            if self._is_so(found) and not self._retold(found.start()):
                self._decide(found)

    def _when(self, found: re.Match[str]) -> int:
        """From where on they are gone: who speaks before they leave leaves after the sentence."""
        later = self._is_later(found)
        return sentence_end(self._reading.text, found.end()) if later else found.end()

    def _is_later(self, found: re.Match[str]) -> bool:
        begin = self._begin(found.start())
        return (
            _EARLIER.search(self._text, begin, found.start()) is not None
            and PREVENTED.search(self._text, begin, found.start()) is None
        )

    def _decide(self, found: re.Match[str]) -> None:
        self._ways[found.re](found)

    @property
    def _ways(self) -> dict[re.Pattern[str], Callable[[re.Match[str]], None]]:
        """What is looked for, and what is decided by it."""
        return {
            PREDICATE: self._leaves, TOWARDS: self._goes, _DOOR: self._behind,
            MOVING: self._moves, _TAKEN: self._taken, ERRAND: self._errand,
            _SENT: self._errand,
        }  # fmt: skip

    def _behind(self, found: re.Match[str]) -> None:
        came = _COMING.search(self._text, max(0, found.start() - 200), found.start())
        self._out(() if came else self._at(found.end()))

    def _goes(self, found: re.Match[str]) -> None:
        self._towards(self._who(found), self._place_at(found.end()))

    def _leaves(self, found: re.Match[str]) -> None:
        along = re.compile(r"\s+with\s+").match(self._text, found.end())
        others = self._at(along.end()) if along else []
        self._out((*self._who(found), *others))

    def _moves(self, found: re.Match[str]) -> None:
        """Who walks out is gone, unless they went to one of the author's places by it."""
        if not self._goal(found.start()):
            self._out(self._with_player(self._who(found)))

    def _errand(self, found: re.Match[str]) -> None:
        """Who goes, or is sent, for something that is not here, or makes themselves scarce."""
        what = found["what"] or ""
        wanted = self._within(*found.span("what")) if what else []
        places = self._unfolding.world.places
        here = any(setting_of(self._unfolding.world, w) == places.get(self._told) for w in wanted)
        if not here and not is_near(what):
            sent = found.re is _SENT
            whom = self._within(*found.span("whom")) if sent else self._who(found)
            self._out(self._with_player(whom))

    def _taken(self, found: re.Match[str]) -> None:
        """Who is led, shown or pushed out; who leads goes along."""
        if found["whom"].endswith(("self", "selves")):
            whom = [*self._who(found)]
        else:
            whom = [*self._who(found)] if found["both"] else []
            whom += self._within(*found.span("whom"))
        to = self._goal_after(found)
        if to:
            self._towards(whom, to)
        else:
            self._out(self._with_player(whom))

    def _goal(self, start: int) -> Sequence[EntityId]:
        """The author's place that words of going which begin there name."""
        found = TOWARDS.match(self._text, start)
        return self._place_at(found.end()) if found else ()

    def _goal_after(self, found: re.Match[str]) -> Sequence[EntityId]:
        """The same, where only the preposition is left of them: "leads Zed out into the yard"."""
        to = re.compile(r"\s+(?:in)?to\s+").match(self._text, found.end())
        return self._place_at(to.end()) if to else ()

    def _place_at(self, place: int) -> Sequence[EntityId]:
        """The author's place that is named there, if only by its letters."""
        settings = self._unfolding.world.plan.settings
        meant = [each for each in self._at(place) if each in settings]
        return meant or [
            EntityId(each.id)
            for each in settings.values()
            if re.compile(rf"{re.escape(each.name)}{_WHOLE}", re.IGNORECASE).match(
                self._text, place
            )
        ]

    def _with_player(self, whom: Iterable[EntityId]) -> list[EntityId]:
        places = self._unfolding.world.places
        return [who for who in whom if places.get(who) == places.get(self._told)]

    def _out(self, whom: Iterable[EntityId]) -> None:
        """They step out; nobody does with a player, who moves themselves."""
        plan = self._unfolding.world.plan
        going = [who for who in dict.fromkeys(whom) if who in plan.cast]
        for who in () if set(going) & set(plan.players) else going:
            step(self._unfolding, who, LEAVING, told=self._told)

    def _towards(self, whom: Sequence[EntityId], to: Sequence[EntityId]) -> None:
        world = self._unfolding.world
        places = [each for each in to if each in world.plan.settings]
        for who in whom if places else ():
            here = world.places.get(who)
            if who in world.plan.players or who not in world.plan.cast or here == places[0]:
                continue
            if world.places.get(self._told) not in (here, places[0]):
                continue  # of somebody elsewhere prose may tell what was long ago
            parts = [Participant(Role.ACTOR, Resolved(who))]
            moved, classes = Moved(places[0]), frozenset({VerbClass.MOVE})
            watching = seen_by(world, moved, parts, classes, told=self._told, sentence="")
            self._unfolding.take_place(moved, parts, source=Source.RULE, seen_by=watching)

    # ── who, and whether ─────────────────────────────────────────────────────────────────────

    def _who(self, found: re.Match[str]) -> Sequence[EntityId]:
        """Who does it: named right before it, or who does the rest of the sentence."""
        begin = self._begin(found.start())
        near = [  # a name may have been read together with the verb: "Tom flees"
            (min(m.end, found.start()), -m.start, i)
            for i, m in self._mentions(begin)
            if m.start < found.start() and m.end <= found.end()
        ]
        if not near:
            return ()
        end, _, last = max(near)
        if _BETWEEN.fullmatch(self._text[end : found.start()]):
            return self._subject(last, begin)
        before = self._text[begin : found.start()]
        aside = is_direction(self._text, found.end())
        if _FOLIAGE.search(before) or aside:
            return ()
        doing = {i for c in self._reading.clauses if c.quotation is None for i in c.actors}
        acting = [each for each in near if each[2] in doing]
        if _JOINED.search(before):
            return self._subject((max(acting) if acting else min(near))[2], begin)
        alone = {each[2] for each in acting}
        listed = _LISTED.search(before) and len(alone) == 1
        return self._subject(min(alone), begin) if listed else ()

    def _subject(self, last: int, begin: int) -> Sequence[EntityId]:
        """Whom the subject that a mention ends means: "he and Zed" both, if it opens its clause.

        Nobody whom a group leaves out: "everyone but Mara".
        """
        mentions, joined = self._reading.mentions, [last]
        if is_left_out(self._text, mentions[last].start):
            return ()
        if mentions[last].text.casefold() == "they":
            return self._they(mentions[last].start)
        for i, each in sorted(self._mentions(begin), key=lambda m: m[1].end, reverse=True):
            between = self._text[each.end : mentions[joined[-1]].start]
            if each.end <= mentions[joined[-1]].start and _AND.fullmatch(between):
                joined.append(i)
        opens = _OPENS.search(self._text[begin : mentions[joined[-1]].start])
        return self._people(joined[::-1] if opens else [last])

    def _they(self, at: int) -> list[EntityId]:
        """Whom *they* means: several who are named in the sentence so far, or in the one before."""
        cast = self._unfolding.world.plan.cast
        for begin in (self._begin(at), self._begin(self._begin(at) - 1)):
            named = [who for who in self._within(begin, at) if who in cast]
            if len(named) > 1:
                return named
        return []

    def _within(self, begin: int, end: int) -> list[EntityId]:
        """Those whom some words mean, by name or not."""
        inside = [i for i, m in self._mentions(begin) if m.end <= end]
        return list(dict.fromkeys(self._people(inside)))

    def _at(self, place: int) -> Sequence[EntityId]:
        """Whom or what the words that begin at a place mean."""
        return self._people([i for i, m in self._mentions(place) if m.start == place][:1])

    def _mentions(self, begin: int) -> Iterator[tuple[int, Mention]]:
        for i, mention in enumerate(self._reading.mentions):
            if mention.quotation is None and mention.start >= begin:
                yield i, mention

    def _is_so(self, found: re.Match[str]) -> bool:
        before = self._text[self._begin(found.start()) : found.start()]
        stop = re.compile(r"[.;!?\n\"]|$").search(self._text, found.end())
        after = self._text[found.start() : stop.start() if stop else None]
        around = [c for c in self._reading.clauses if c.start <= found.start() < c.end]
        if self._is_later(found):
            before = _EARLIER.sub(" ", before)
            around = [c for c in around if c.modality is not Modality.IMAGINED]  # misread so
        return not (
            NOT_SO.search(before)
            or NOT_NOW.search(after)
            or any(c.modality is not Modality.ASSERTED for c in around if c.quotation is None)
        )

    def _begin(self, at: int) -> int:
        """Where the sentence around a place begins."""
        return max(self._text.rfind(mark, 0, at) for mark in (".", "!", "?", ";", "\n", _QUOTE)) + 1


def _narration(reading: Reading) -> str:
    """The text without what is said in it, every letter at its place."""
    text = reading.text
    for quoted in reading.quotations:
        text = text[: quoted.start] + _QUOTE * (quoted.end - quoted.start) + text[quoted.end :]
    return text
