"""Where nobody but the author tells the story: what is a turn, and what is answered without one.

    of a line something comes        a turn: somebody answers, something moves, prose waited for it
    it asks what is so               answered from what the player's character knows
    it asks or tells somebody        a turn if the prose that is due tells of it; else who is silent
    it does something to something   that the story has nothing for it, and what it has
    it only goes on                  the prose that is due
    none of these                    not understood, with the nearest thing that would be

Prose that is due comes when a line lets it: waiting, going on, small things of one's own, prose. It
is no answer to a question or a deed, and never takes the player elsewhere instead of one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from storykeeper.language.acts import Act, ActKind, Register
from storykeeper.language.asides import without_asides
from storykeeper.language.names import Names
from storykeeper.language.reading import Mention, MentionKind
from storykeeper.language.registers import register_of
from storykeeper.language.utterances import Utterance, utterances
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.commit import lexicon
from storykeeper.play.line_match import company
from storykeeper.play.offers import Offer, held_by, in_sight, known_to, nearest, offers, others
from storykeeper.play.outcome import Outcome, last_named, named_so_far, outcome, stems_of, tells_of
from storykeeper.play.own_deeds import beside_emotes, done_by, own_deed
from storykeeper.play.queries import Asked, Query, is_about_the_program, query
from storykeeper.play.reach import within_reach
from storykeeper.play.refusals import (
    SHORTEST,
    SPEAKING,
    no_way,
    not_here,
    protested,
    quoted,
    unanswered,
    undone,
    upon,
)
from storykeeper.play.replies import PROGRAM, held, look, oneself, place, reply
from storykeeper.play.wording import definite, joined, name_of
from storykeeper.units import EntityId
from storykeeper.world.state import Pending, World, in_turn

TOLD_LAST = 12  # turns of the present scene whose words a line may mean
LEAST_PROSE = 6  # words of a line in which nothing is done, and something is told
COULD, NEXT = "You could:", "go on"
OVER = "The story is told. Nothing more comes of what is typed here."
COMMANDS = "What is no part of the story begins with a stroke: /undo, /save; /help lists it all."
TYPED = frozenset({"undo", "quit", "exit", "save", "restart", "restore", "load", "retry", "swipe"})
# Questions that nobody in the story is asked, whoever is there.
OWN = frozenset({
    Asked.COMPANY, Asked.HOLDING, Asked.HAVING, Asked.WHEREABOUTS, Asked.ROUTE, Asked.WAYS,
    Asked.SELF, Asked.TASK, Asked.MAY, Asked.KNOWN, Asked.WHO,
})  # fmt: skip
HELP = frozenset({"?", "h", "help", "hint", "hints", "commands", "options"})
ONESELF = frozenset({"me", "myself"})
HOLDING = frozenset({"i", "inv", "inventory", "items", "pockets"})
LOOKING = frozenset({"look", "search", "listen"})
GOING_ON = frozenset({"continue", "go on", "carry on", "next", "more", "and then"})
SEEN_HERE = frozenset({"look", "l", "look around", "look about"})
_SEEING = frozenset({"look", "read", "examine", "study", "search"})
_PASSING = frozenset({"wait"})
_HEARING = frozenset({"listen"})
# What is not wanted, or was meant otherwise: no deed, and nothing that lets prose go on.
_PROTEST = re.compile(
    r"\b(?:nah|nope|stop|don'?t|do not|won'?t|will not|refuse|wanted|no thanks|never mind)\b",
    re.IGNORECASE,
)
_LAST = re.compile(r"\bthe (\w+)\W*$", re.IGNORECASE)  # what a question ends with: "the fire"
_MINE = re.compile(r"\b(?:i|i'?m|i'?ve|i'?d|me|my|we)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Guidance:
    """An answer to a line that is no turn."""

    text: str
    offers: tuple[Offer, ...] = ()

    def __str__(self) -> str:
        rows = [f"  {n}. {each.line}" for n, each in enumerate(self.offers, 1)]
        return "\n".join(filter(None, [self.text, *([COULD] if rows else []), *rows]))


def guidance(world: World, turn: Pending, told: str = "") -> Guidance | None:
    """The answer to a line of which nothing comes here; None: it is a turn, play it.

    `told` is what was told last: things may be done to what it names, which the story does not.
    """
    return _Line(world, turn, told).answer()


@dataclass(frozen=True, slots=True)
class _Read:
    """A line as it was read."""

    acts: tuple[Act, ...]
    parts: Sequence[Utterance]
    beside: str  # what is said beside emotes
    calm: bool

    @property
    def asks(self) -> bool:
        """Whether it asks anything of anybody."""
        return any(part.asks for part in self.parts) or any(
            act.kind is ActKind.INQUIRY for act in self.acts
        )

    @property
    def speaks(self) -> bool:
        """Whether something is said in it, to whoever is there."""
        return bool(self.beside) or any(act.kind in SPEAKING for act in self.acts)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was understood of it."""
        return not self.acts and not self.beside


class _Line:
    """A line, and where it is typed."""

    def __init__(self, world: World, turn: Pending, told: str) -> None:
        self.world, self.turn, self.told = world, turn, told
        self.player, self.line = turn.player, turn.text
        self.names: Names = acquaintance(world, turn.player).names()

    def answer(self) -> Guidance | None:
        bare = self.line.strip().strip("/").casefold().rstrip(" .!?") or self.line.strip()
        now = in_turn(self.world, self.turn)
        inside, asides = without_asides(self.line)
        if (asides and not inside.strip()) or is_about_the_program(self.line):
            return Guidance(PROGRAM)
        read = self._read(now)
        found = outcome(self.world, self.turn, calm=read.calm)
        if self._is_over(found):
            return None if found.comes and read.acts and found.due is not None else Guidance(OVER)
        command = self._commanded(now, bare, read, found)
        if command is not None:
            return command
        if bare in GOING_ON:
            return None if found.due is not None else self._guided(
                "Nothing comes by itself here.", found, offers(now, self.told)
            )  # fmt: skip
        asked = None if read.beside else self._asked(read)
        waits = [act.act for act in read.acts] == ["wait"]
        if asked is not None and (waits or self._is_own_question(now, asked)):
            return self._replied(now, read, asked, found)
        swept = read.speaks and found.leads_away and found.only_shown
        passes = any(act.act in _PASSING for act in read.acts)
        if not read.is_empty and not swept and (found.comes or passes):
            return None
        if asked is not None:
            return self._replied(now, read, asked, found)
        return self._without_outcome(now, read, found)

    def _read(self, now: World) -> _Read:
        acts = lexicon(self.world.plan).acts_of(self.line, by=self.player, names=self.names)
        parts = utterances(self.line, self.names, company(now))
        beside = beside_emotes(self.line)
        calm = register_of(self.line, acts) is not Register.HOSTILE
        return _Read(acts, parts, beside, calm)

    def _is_over(self, found: Outcome) -> bool:
        """Whether an ending was told, and has no more to tell."""
        scene = self.world.plan.scenes.get(self.world.scene or "")
        over = scene is not None and scene.ending and found.due is None
        return over and bool(self.world.told)

    # ── commands ─────────────────────────────────────────────────────────────────────────────

    def _commanded(
        self, now: World, bare: str, read: _Read, found: Outcome
    ) -> Guidance | None:  # fmt: skip
        """What the commands of a text game answer."""
        if bare in TYPED:
            return Guidance(COMMANDS)
        if bare in HELP:
            return self._guided("", found, offers(now, self.told))
        if bare in HOLDING:
            return Guidance(held(now, self.player))
        if bare in SEEN_HERE:
            return Guidance(place(now, self.player))
        first = read.acts[0] if read.acts else None
        seen = first is not None and first.kind is ActKind.OBSERVATION
        if seen and bare.split()[-1] in ONESELF:
            return Guidance(oneself(now, self.player))
        taken = self._held_already(read.acts)
        return Guidance(f"You have {joined(taken)} already.") if taken else None

    def _held_already(self, acts: Sequence[Act]) -> list[str]:
        """What is to be taken, if nothing else is done and it is all held."""
        mine = held_by(self.world, self.player)
        taken = [act.to for act in acts if act.act == "take" and act.to in mine]
        named = [name_of(self.world, each) for each in taken if each]
        return named if len(taken) == len(acts) else []

    # ── where nothing comes of it ────────────────────────────────────────────────────────────

    def _without_outcome(self, now: World, read: _Read, found: Outcome) -> Guidance | None:
        if read.is_empty:
            return self._unread(now, read, found)
        if read.speaks and read.calm:
            return self._spoken(now, read, found)
        return self._deed(now, read, found)

    def _asked(self, read: _Read) -> Query | None:
        """The question of what is so, unless it is asked of somebody by name."""
        to = {act.to for act in read.acts if act.kind in SPEAKING} - {None}
        called = {act.target.entity for act in read.acts if act.target is not None} & to
        typed = any(act.verb in ("ask", "tell") and self._says(act.verb) for act in read.acts)
        if (called or typed) and any(act.act != "inquire" for act in read.acts):
            return None
        if "?" not in self.line and self._protests():
            return None
        return query(self.line, self.names)

    def _is_own_question(self, now: World, asked: Query) -> bool:
        """Whether nobody in the story is asked: the player's own eyes tell it."""
        if asked.asked not in (Asked.WHERE, Asked.SIGHT):
            return asked.asked in OWN
        seen = in_sight(now, self.player, known_to(now, self.player))
        return asked.about in (*seen, *others(now, self.player), *now.plan.settings)

    def _protests(self) -> bool:
        """Whether somebody says what they do not want, or wanted."""
        return bool(_PROTEST.search(self.line) and _MINE.search(self.line))

    def _says(self, verb: str) -> bool:
        return self.line.casefold().lstrip().startswith((verb, f"i {verb}"))

    def _replied(self, now: World, read: _Read, asked: Query, found: Outcome) -> Guidance | None:
        named = asked.about is not None and asked.asked in (Asked.WHO, Asked.WHAT)
        new = named and asked.about not in {*named_so_far(now), *last_named(now, self.told)}
        if new and self._bears(read, found):
            return None
        text = reply(now, asked, self._is_told_of)
        if asked.asked is Asked.TASK or not text:
            return self._guided(text, found, offers(now, self.told))
        about = () if asked.about is None else (asked.about,)
        more = nearest(now, self.line, self.told, to=about) if about else ()
        return Guidance(text, tuple(each for each in more if each.waited)[:2])

    def _unread(self, now: World, read: _Read, found: Outcome) -> Guidance | None:
        """A line in which nothing was found: prose, a protest, or nonsense."""
        asks = any(part.asks for part in read.parts)
        if not asks and self._protests():
            return self._guided(protested(now, self.player), found, ())
        if asks and others(now, self.player):
            if self._bears(read, found):
                return None
            return self._guided(
                unanswered(now, self.player, (), asks=True), found, self._near(now, read)
            )
        said = any(part.said for part in read.parts)
        heard = said and len(self.line.split()) > SHORTEST and bool(others(now, self.player))
        prose = heard or len(self.line.split()) >= LEAST_PROSE
        if prose and found.due is not None and not found.leads_away and not asks:
            return None
        if heard and not asks:
            text = unanswered(now, self.player, (), asks=False)
            return self._guided(text, found, self._near(now, read))
        return self._guided(f"{quoted(self.line)} is not understood.", found, self._near(now, read))

    def _spoken(self, now: World, read: _Read, found: Outcome) -> Guidance | None:
        """What is said to somebody, or to whoever is there, and gets no answer."""
        away = self._called_in_vain(now, read)
        if away:
            return self._guided(
                f"You do not see {joined(away)} here.", found, self._near(now, read)
            )
        if found.due is not None and others(now, self.player):
            goes_on = not read.asks and not _PROTEST.search(self.line)
            goes_on = goes_on or self._is_among_strangers(now)
            if (goes_on and not found.leads_away) or self._bears(read, found):
                return None
        said = unanswered(now, self.player, read.acts, asks=read.asks)
        return self._guided(said, found, self._near(now, read))

    def _called_in_vain(self, now: World, read: _Read) -> list[str]:
        """Whom the line turns to by name, and who is not here: first of all, or as who is asked."""
        first = next(iter(self.names.find(self.line)), None)
        begins = first is not None and first.start == 0
        if not begins and not any(self._says(act.verb) for act in read.acts if act.to is not None):
            return []
        to = {first.entity} if first is not None and begins else {act.to for act in read.acts}
        here = (None, self.player, *others(now, self.player))
        away = [each for each in to if each in now.plan.cast and each not in here]
        return [name_of(now, each) for each in away if each is not None]

    def _is_among_strangers(self, now: World) -> bool:
        """Whether the prose has named nobody yet of those who are here: it will."""
        named = {*named_so_far(now), *last_named(now, self.told)}
        return named.isdisjoint(others(now, self.player))

    def _deed(self, now: World, read: _Read, found: Outcome) -> Guidance | None:
        act = read.acts[0]
        absent = not_here(now, self.player, read.acts)
        if read.calm and not absent and self._bears(read, found):
            return None
        if act.act in _HEARING and found.due is not None:
            return None  # somebody tells, and goes on
        if act.act in LOOKING and act.target is None and act.to is None:
            return Guidance(place(now, self.player))
        seen = self._seen(now, act)
        if seen is not None:
            return seen
        if act.kind is ActKind.MOVEMENT and not self._is_own(act):
            after = None if act.target is None or act.to is not None else act.target.mention
            return self._no_more(after) or Guidance(no_way(now, self.player, act))
        own = read.calm and all(self._is_own(each) for each in read.acts)
        if own and found.due is not None:
            return None
        back = own_deed(self.line, read.acts) if own else ""
        if own:
            return self._guided(back or "Nothing comes of that here.", found, ())
        said = undone(now, self.player, self.line, read.acts, self._is_told_of)
        return self._guided(said, found, self._near(now, read))

    def _seen(self, now: World, act: Act) -> Guidance | None:
        """What there is to see of what is looked at."""
        if act.act not in _SEEING and act.kind is not ActKind.OBSERVATION:
            return None
        if act.to is not None and within_reach(now, self.player, act):
            return Guidance(look(now, self.player, act.to))
        if act.target is None or (act.to is not None and act.to in now.plan.cast):
            return None
        meant = self._by_head(now, act.target.mention.head)
        if meant is not None:
            return Guidance(look(now, self.player, meant))
        return self._no_more(act.target.mention)

    def _by_head(self, now: World, head: str) -> EntityId | None:
        """The one thing in sight whose name ends with a word: the pump is the yard pump."""
        seen = in_sight(now, self.player, known_to(now, self.player))
        last = {each: stems_of(name_of(now, each).split()[-1]) for each in seen}
        found = [each for each in seen if last[each] and last[each] == stems_of(head)]
        return found[0] if len(found) == 1 else None

    def _no_more(self, thing: Mention | None) -> Guidance | None:
        """That there is no more to something than was told; or that nothing was told of it."""
        if thing is None or thing.kind is MentionKind.PRONOUN or len(thing.head) < SHORTEST:
            return None
        more = "No more" if self._is_told_of(thing.head) else "Nothing"
        return Guidance(f"{more} is told of {definite(thing.text)} here.")

    # ── what it is weighed by ────────────────────────────────────────────────────────────────

    def _is_own(self, act: Act) -> bool:
        """Whether an act is a small thing of one's own, or goes on along the way."""
        if act.kind in SPEAKING:
            return False
        if act.kind is ActKind.EMOTE:
            return True  # a hand that is raised, a jig that is danced: it is their own
        if act.kind is ActKind.MOVEMENT:  # on, not to anywhere
            here = act.place in (None, self.world.places.get(self.player))
            onward = act.place is not None or act.where is None  # "to the moon" is nowhere
            onward = onward and (act.target is None or act.target.entity is not None)
            return here and onward and act.verb != "go" and not act.way and act.to is None
        if act.kind is ActKind.OBSERVATION:
            return act.target is None and act.to is None  # about oneself
        if act.kind is ActKind.INTERACTION or act.to is not None:
            return False
        return done_by(act, self._is_told_of)

    def _bears(self, read: _Read, found: Outcome) -> bool:
        """Whether the prose that is due tells of what the line names, and takes nobody away but on
        in a tale; somebody who is there counts if it is not said to them.
        """
        if found.due is None or (found.leads_away and not self.world.inside):
            return False
        heads = [each.mention.head for act in read.acts for each in (act.topic, act.target)
                 if each is not None and each.entity is None
                 and (each.mention.definite or each.possessor is not None)]  # fmt: skip
        heads += _LAST.findall(self.line) if read.is_empty else []
        people = others(self.world, self.player) if self.world.inside and not read.speaks else ()
        return tells_of(
            self.world, found.due[1], self.line, self.names, heads=heads, people=people
        )  # fmt: skip

    def _is_told_of(self, word: str) -> bool:
        """Whether the prose of this place, or what was told last, has a word."""
        setting = self.world.plan.settings.get(self.world.places.get(self.player) or "")
        told = self.told if setting is None else f"{self.told} {setting.description}"
        return bool(stems_of(word)) and stems_of(word) <= stems_of(told)

    def _near(self, now: World, read: _Read) -> tuple[Offer, ...]:
        return nearest(now, self.line, self.told, to=upon(read.acts))

    def _guided(self, text: str, found: Outcome, near: tuple[Offer, ...]) -> Guidance:
        """An answer with what could be tried, and first that the story can go on."""
        on = (Offer(NEXT, waited=True),) if found.due is not None else ()
        return Guidance(text, (*on, *near))
