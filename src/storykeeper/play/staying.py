"""Who did not come along with a player who set out, as the prose then told.

A player's line only says with whom they mean to go. It is told otherwise where the player goes
alone or without somebody, leaves them where they are, or where they are the subject of a verb of
staying, not coming or seeing the player off, or say themselves that they stay. Who stays *with the
player*, or *in the place gone to*, has come. Closed: a going along must be told again (`company`)
to undo it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storykeeper.events.vocabulary import Gender
from storykeeper.language.names import Names
from storykeeper.language.quoted import Quoted, blanked, quoted_in
from storykeeper.play.going import HABIT, MOTION, NOT_NOW
from storykeeper.units import EntityId
from storykeeper.world.authored import gender_of
from storykeeper.world.state import World

_WHOLE = r"(?=\s*(?:$|[.,;:!?…\"“”—–)])|\s+(?:and|but|or|while|as|so|then|with|to|too)\b)"
_THE = r"(?:the|his|her|their|its|an?|this|that)\s+(?!(?:\w+\s+)?(?:moods?|temper|loss|way)\b)"
_US = r"(?:you|your|me|my|us|our)\b"
_AT = r"(?:in|inside|at|by|on|beside|near|under|behind|among|with|over|opposite|outside)"
_HOW = r"(?:(?:\w+ly|still|right|just|well|alone|up|down|over)\s+)*"
_WHERE = (
    rf"{_HOW}(?:(?:behind|back)\b(?!\s+{_US})|put\b|here\b|there\b|where\s+(?!{_US})|indoors\b"
    rf"|seated\b|sitting\b|{_AT}\s+(?:{_THE}|[A-Z]|bed\b|home\b|table\b))"
)
# One is told to stay by a verb of it, if nothing follows, or where; "stays calm" is none.
_STAYS = re.compile(
    rf"\b(?:stay|remain|linger)(?:s|ed|ing)?(?:\s+{_WHERE}|{_WHOLE}(?!\s+with\s+{_US}))"
    rf"|\b(?:wait(?:s|ed|ing)?)\s+{_HOW}(?:behind\b(?!\s+{_US})|here\b|where\s+(?!{_US}))"
    r"|\b(?:hangs?|hung|lags?|lagged|holds?|held|drops?|dropped|falls?|fell)\s+(?:back|behind)\b"
    rf"(?!\s+{_US})|\b(?:keep|keeps|kept)\s+(?:to\s+)?(?:his|her|their)\s+"
    r"(?:seat|chair|place|post|bed|room|stool|bench|corner)\b"
    rf"|\b(?:is|are|was|were|sits?|sat|stands?|stood|lies|lay)\s+still\s+(?:\w+ing\s+)?{_AT}\s+{_THE}"
)
_REFUSES = re.compile(
    r"\b(?:refus(?:es|ed|ing)|declin(?:es|ed|ing))\b"
    rf"(?!\s+to\s+(?:stay|remain|wait|linger|be\s+left|let\s+go|leave\s+{_US}))"
    r"|(?:\b(?:do|does|did|will|would|is|are|was|were)\s*(?:not|n[’']t)|\bwon[’']t)\s+"
    r"(?:(?:even|ever|want|wish|care|like|choose|dare|offer|mean|to)\s+){0,3}(?:com(?:e|ing)|follow(?:ing)?|go(?:ing)?|move|moving|budg(?:e|ing)|join(?:ing)?|stir)\b"
    r"|\b(?:is|are|was|were)\s+left\s+behind\b"
    r"|\b(?:makes?|made)\s+no\s+(?:move|sign|effort|attempt)\b(?!\s+to\s+(?:stay|speak|answer))"
    r"|\b(?:watch(?:es|ed)|sees|saw|waves?|waved)\s+(?:you|me)\s+(?:go|leave|off|out|depart|walk)\b"
)
_IN_PLACE = re.compile(
    r"^\W+(?:\w+\W+){0,2}?(?:is|are|was|were|sits?|sat|stands?|stood|lies|lay|waits?|waited)\b"
    r"[^,;]*\b(?:in|inside|at)\s+(?:the\s+)?$"
)
_NOT_STAYING = re.compile(
    r"\b(?:not|never|no|cannot|hardly|refus\w+|declin\w+|if|unless|whether|though|could|might)\b"
    r"|n[’']t\b"
)
_NAME = r"(?:[A-Z][\w-]+(?:\s+[A-Z][\w-]+)*|the\s+[a-z]+)"
_WHOM = (
    rf"(?P<whom>him|her|them|company|any(?:one|body)|{_NAME}(?:(?:,|,?\s+(?:and|or))\s+{_NAME})*)"
)
_WITHOUT = re.compile(
    rf"\bwithout\s+{_WHOM}"
    rf"(?:{_WHOLE}|(?=\s+(?:into|through|down|up|out|across|for|this)\b))"
)
_LEAVING = re.compile(
    rf"\b(?:leave|leaves|left|leaving)\s+{_WHOM}\s+"
    rf"(?={_WHERE}|(?:to\s+(?:his|her|their|it)|alone|asleep|standing)\b)"
)
_SELF = r"(?:yourself|myself|himself|herself|themself|themselves)"
_ALONE = re.compile(
    rf"\b(?:[Aa]lone|unaccompanied|by\s+{_SELF}|on\s+(?:your|my|his|her|their)\s+own)\b"
    r"(?!\s+(?:with|together)\b)"
)
_NOT_ALONE = re.compile(
    r"\b(?:not|never|no\s+longer|hardly|cannot|feel|feels|felt|seem\w*|if|would|could|both|together)\b"
    r"|n[’']t\b|\b(?:leave|leaves|left|leaving|let|lets|letting)\s+(?:\w+\s+){1,2}$",
    re.IGNORECASE,
)
_GOES = (
    rf"(?:{MOTION}|comes?|came|leaves?|left|climb\w*|cross\w*|enters?|entered|makes?|made|do|does)"
)
_ONLY_ONE = re.compile(
    rf"\b(?:[Oo]nly|[Jj]ust)\s+(?P<who>you|I|[A-Z]\w+)\s+{_GOES}\b"
    rf"|\b(?P<one>you|I)\s+alone\s+{_GOES}\b"
)
_NOBODY = re.compile(
    r"\b(?:nobody|no\s+one|none\s+of\s+(?:them|the\s+\w+)|neither(?:\s+of\s+them)?)\s+(?:else\s+)?"
    r"(?:(?:comes?|came|goes?|went)\s+(?:with|along)\b|joins?\b|joined\b|accompan\w+)"
    r"|\b(?:none|neither)(?:\s+of\s+them)?\s+follow(?:s|ed)?\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|cannot|would|could|if|unless)\b|n[’']t\b", re.IGNORECASE)
_SAYS_SO = re.compile(
    rf"\bI\b[^.;?]*?\b(?:stay|remain|wait|linger)(?:ing)?\s*(?:$|[.,;!—–]|{_WHERE})"
    r"|\bI(?:[’']m|\s+am)\s+not\s+(?:coming|going|moving)\b|\bI\s+(?:won[’']t|will\s+not)\s+(?:come|go)\b"
    r"|\bwithout\s+me\b|^\W*[Yy]ou\s+go(?:\s+(?:on|ahead|alone|then|first))?\s*(?:$|[.,;!—–])"
)
_SUBJECT = re.compile(
    r"\b(?:[Yy]ou|I|[Hh]e|[Ss]he|[Tt]hey|[Tt]he\s+(?:others|rest)|[Ee]very(?:one|body)(?:\s+else)?)\b"
)
_OPENS = re.compile(
    r"(?:^|[,;:—–\"])\s*(?:(?:and|but|then|so|only|though|with|while)\s+)*$"
    r"|\b(?:and|but|while|as|though|because|since|that|where|then|only|with)\s+$",
    re.IGNORECASE,
)
_RIGHT_BEFORE = re.compile(r"(?:\s+(?:\w+ly|just|still|has|have|had))*\s+")
_JOINED = re.compile(r"\s*(?:,|,?\s+and|,?\s+nor)\s+")
# Words of habit that are of now: "at once", "as always", "would rather".
_NOW = re.compile(
    r"\b(?:at\s+once|as\s+(?:always|usual|ever)|would\s+(?:rather|sooner|prefer|not)|every\s+(?:one|body))\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"the\s+(?:others|rest)|every(?:one|body)\s+else")  # than those named so far
_ALL = re.compile(rf"they|them|company|any(?:one|body)|every(?:one|body)|{_OTHERS.pattern}")
_MARK = '"'
_GENDER = {"he": Gender.HE, "him": Gender.HE, "she": Gender.SHE, "her": Gender.SHE}


@dataclass(frozen=True, slots=True)
class _Subject:
    """Who does what the clause after it says; nobody is whom it could be of besides."""

    start: int
    end: int
    who: tuple[EntityId, ...]


class Staying:
    """Those who stay behind, in one prose."""

    def __init__(
        self, world: World, names: Names, along: Sequence[EntityId], *,
        who: EntityId, to: EntityId, prose: str,
    ) -> None:  # fmt: skip
        """`along` would go with the player `who` to a place, had nothing been told of it."""
        self._world, self._along, self._player, self._to = world, along, who, to
        self._prose, self._quotes = prose, quoted_in(prose)
        self._text = blanked(prose)
        for each in self._quotes:
            marks = _MARK * (each.end - each.start)
            self._text = self._text[: each.start] + marks + self._text[each.end :]
        self._found = names.find(self._text)

    def all(self) -> set[EntityId]:
        """Everybody of those who stays behind."""
        out = {who for each in self._quotes for who in self._says_so(each)}
        for start, end in self._sentences():
            if not self._is_idle(start, end):
                out |= self._of(start, end)
        return out & {*self._along}

    def _of(self, start: int, end: int) -> set[EntityId]:
        """Those of whom one sentence tells it."""
        if self._alone(start, end):
            return {*self._along}
        out: set[EntityId] = set()
        for pattern in (_WITHOUT, _LEAVING):
            for found in pattern.finditer(self._text, start, end):
                if not _DENIED.search(self._text, start, found.start()):
                    out |= self._meant(*found.span("whom"))
        for pattern in (_STAYS, _REFUSES):
            for found in pattern.finditer(self._text, start, end):
                out |= self._doing(found, start, end)
        return out | self._left_there(start, end)

    # ── of the player ────────────────────────────────────────────────────────────────────────

    def _alone(self, start: int, end: int) -> bool:
        """Whether the player goes by themselves."""
        if _NOBODY.search(self._text, start, end):
            return True
        only = _ONLY_ONE.search(self._text, start, end)
        if only is not None and self._player in self._whom(*only.span("who" if only["who"] else 2)):
            return True
        for found in _ALONE.finditer(self._text, start, end):
            subject = self._subject(found.start(), start) or self._subject(end, found.end())
            between = self._text[start : found.start()]
            mine = subject is not None and subject.who == (self._player,)
            if mine and not _NOT_ALONE.search(between):
                return True
        return False

    # ── of the others ────────────────────────────────────────────────────────────────────────

    def _doing(self, found: re.Match[str], start: int, end: int) -> set[EntityId]:
        """Those whom a verb of staying is of."""
        subject = self._subject(found.start(), start)
        stop = re.compile(r"[,;]|\b(?:and|but|while)\b").search(self._text, found.end(), end)
        rest = found.start(), stop.start() if stop else end
        if subject is None or self._names_goal(*rest):
            return set()
        denied = _NOT_STAYING.search(self._text, subject.end, found.start())
        odd = re.compile(r"\b(?:if|unless|whether|until)\s*$", re.IGNORECASE)
        if found.re is _STAYS and (denied or odd.search(self._text[start : subject.start])):
            return set()
        return {*subject.who}

    def _left_there(self, start: int, end: int) -> set[EntityId]:
        """Those told to be, sit or do something in the place that the player has left."""
        left = self._world.places.get(self._player)
        out: set[EntityId] = set()
        for each in self._found:
            inside = start <= each.start < end and each.entity == left != self._to
            subject = self._subject(each.start, start) if inside else None
            if subject and _IN_PLACE.search(self._text[subject.end : each.start]):
                out |= {*subject.who}
        return out

    def _says_so(self, said: Quoted) -> set[EntityId]:
        """Who says that they stay: whom the sentence around their words names, next to them."""
        meant = _SAYS_SO.search(said.words)
        if meant is None or re.search(rf"\bwith\s+{_US}", said.words):
            return set()
        if re.match(r"[^.!]*\?", said.words[meant.end() - 1 :]):
            return set()
        after = re.compile(r"\W*(?:\w+\s+)?(?=[A-Z])").match(self._text, said.end)
        next_to = [f for f in self._found if after and f.start == after.end()]
        begin = max(self._text.rfind(mark, 0, said.start) for mark in '.!?;\n"') + 1
        if not self._text[begin : said.start].strip():  # “No,” says Tom. “I'm staying.”
            begin = max(self._text.rfind(mark, 0, max(0, begin - 1)) for mark in '!?;\n"') + 1
        before = [f for f in self._found if begin <= f.start < said.start]
        return {f.entity for f in (next_to or before[:1])[:1]}

    # ── who ──────────────────────────────────────────────────────────────────────────────────

    def _subject(self, before: int, begin: int) -> _Subject | None:
        """The last subject of a clause of the sentence that begins there, before some place."""
        cast = self._world.plan.cast
        named = [(f.start, f.end) for f in self._found if f.entity in cast]
        said = [m.span() for m in _SUBJECT.finditer(self._text, begin, before)]
        spans = sorted(s for s in {*named, *said} if begin <= s[0] and s[1] <= before)
        opening: list[tuple[int, int]] = []
        for i, each in enumerate(spans):  # "to Mara and Tom": no subject is joined to an object
            joined = i > 0 and _JOINED.fullmatch(self._text[spans[i - 1][1] : each[0]])
            opens = _OPENS.search(self._text[begin : each[0]])
            right_before = _RIGHT_BEFORE.fullmatch(self._text[each[1] : before])
            if (opens and (not joined or spans[i - 1] in opening)) or right_before:
                opening.append(each)
        if not opening:
            return None
        start, end = opening[-1]
        who = {*self._whom(start, end)}
        for s in reversed(spans):
            if s[1] <= start and _JOINED.fullmatch(self._text[s[1] : start]):
                who |= self._whom(*s)
                start = s[0]
        return _Subject(start, end, tuple(sorted(who)))

    def _meant(self, start: int, end: int) -> set[EntityId]:
        """Those whom an object means: names, or a pronoun."""
        inside = {f.entity for f in self._found if start <= f.start and f.end <= end}
        return inside or self._whom(start, end)

    def _whom(self, start: int, end: int) -> set[EntityId]:
        """Those whom a name or a pronoun means; of a pronoun, whom it fits and was named last."""
        exact = {f.entity for f in self._found if f.start == start}
        words = self._text[start:end].casefold()
        if exact or words in ("you", "i"):
            return exact or {self._player}
        gender = _GENDER.get(words)
        before = self._named(start)
        if gender is None:
            named = before if _OTHERS.fullmatch(words) else ()
            return {*self._along} - {*named} if _ALL.fullmatch(words) else set()
        fit = [who for who in before if self._gender(who) is gender]
        return {fit[-1]} if fit else {w for w in self._along if self._gender(w) is gender}

    def _named(self, before: int) -> list[EntityId]:
        """Those of the cast who are named before some place, the last at the end."""
        cast = self._world.plan.cast
        return [f.entity for f in self._found if f.end <= before and f.entity in cast]

    def _gender(self, who: EntityId) -> Gender:
        return gender_of(self._world.plan.cast[who].pronouns)

    # ── whether ──────────────────────────────────────────────────────────────────────────────

    def _names_goal(self, start: int, end: int) -> bool:
        """Whether some words name the place gone to: who stays there has come."""
        return any(f.entity == self._to and start <= f.start < end for f in self._found)

    def _is_idle(self, start: int, end: int) -> bool:
        """Whether a sentence tells of what is done now and then, or was once."""
        words = _NOW.sub(" ", self._text[start:end])
        return bool(HABIT.search(words) or NOT_NOW.search(words))

    def _sentences(self) -> Iterator[tuple[int, int]]:
        start = 0
        for found in re.finditer(r"[.!?…;\n]+|$", self._text):
            if found.start() > start:
                yield start, found.start()
            start = found.end()
