"""A player's line as acts: who is addressed, what is done, to what, about what.

Rules and names only, no model: an act is a verb, what stands after it is what it is done to, by the
small words between. Quoted words are speech, and so is what one tells somebody without quotation
marks. A line that says several things gives several acts, in order. What is not done (denied,
imagined, planned, asked) gives none, and what is said beside the story is kept apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from storykeeper.events.wording import CONTRASTS, contradicts
from storykeeper.language.acts import Act, ActKind, Line, Referred, Sorts
from storykeeper.language.asides import without_asides
from storykeeper.language.clauses import (
    Span,
    clauses_of,
    is_another,
    is_supposed,
    is_undone,
    wants_another,
)
from storykeeper.language.deeds import acts_for, phrasal, verbs_at
from storykeeper.language.framing import bare, only_place, says_nothing, unframed
from storykeeper.language.lexicon import is_quality, sort_of, verb_classes
from storykeeper.language.names import Found, Names
from storykeeper.language.patience import go_on
from storykeeper.language.phrases import ENDS, Phrases, Token, tokens_of
from storykeeper.language.reading import Modality, Sort
from storykeeper.language.registers import feeling_of, register_of
from storykeeper.language.roles import GIVING, act_with, each_of, is_person
from storykeeper.language.speech import (
    Called,
    Quote,
    Said,
    asks_the_game,
    is_greeting,
    is_question,
    quotes_in,
    spoken_to,
    wonders,
    words_said,
)
from storykeeper.language.topics import topic_of
from storykeeper.language.typed import as_typed
from storykeeper.language.verbs import base, is_verb, kind_of
from storykeeper.language.ways import is_going, only_way, way_after

__all__ = ["MAX_ACTS", "Act", "Line", "Sorts", "read_line"]

MAX_ACTS = 12  # of one line; more is a pasted text, not a turn
_MAX_WORDS = 120  # of one clause
_MAX_QUOTED = 1_000  # characters of what is said, to see what it is about
_MARKUP = re.compile(r"https?://\S+|www\.\S+|</?[a-z][^<>\n]{0,200}>", re.IGNORECASE)
_ME = frozenset({"i", "i'm", "i'll", "i've", "i'd"})
_CONTRASTING = frozenset().union(*CONTRASTS)
_SPEAKING = (ActKind.SPEECH, ActKind.INQUIRY)
_WHERE = frozenset({
    "the", "to", "into", "onto", "in", "on", "at", "toward", "towards", "through", "from",
})  # fmt: skip
_ADDRESSING = frozenset({"ask", "tell"})
_WHISPERING = frozenset({"whisper", "murmur"})
_PRIVATE = re.compile(
    r"\b(?:(?:only|just) (?:to|for)|low,? to|in (?:his|her|their|\w+'s) ear)\b", re.IGNORECASE
)
_OF_ME = frozenset({"tell", "show", "give", "hand", "pass", "bring"})  # "tell me": a request


def read_line(text: str, *, names: Names, sorts: Sorts, known: frozenset[str]) -> Line:
    """What a line comes to. `known` are the acts that the story asks about."""
    inside, asides = without_asides(_MARKUP.sub(lambda m: " " * len(m.group()), text))
    bare, quotes = quotes_in(inside)
    reader = _Reader(text, bare, names, sorts, known)
    acts = reader.acts(quotes)
    return Line(acts, register_of(inside, acts), feeling_of(inside, reader.others()), asides)


def mended(word: str, names: Names) -> str | None:
    """The name that a word misspells; what is a word of its own is never mended."""
    meant = names.mend(word)
    if meant is None or is_verb(word, frozenset()) or verb_classes(word) or word in ENDS:
        return None
    plainer = word.removesuffix("s")
    return meant if sort_of(word) is sort_of(plainer) is Sort.UNKNOWN else None


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause and all that is needed to read it."""

    span: Span
    text: str
    tokens: Sequence[Token]
    phrases: Phrases
    quoted: bool  # words in quotation marks belong to it


class _Reader:
    """Reads one line."""

    def __init__(
        self, line: str, bare: str, names: Names, sorts: Sorts, known: frozenset[str]
    ) -> None:
        self._line, self._names, self._sorts, self._known = line, names, sorts, known
        self._typed = as_typed(bare, mend=lambda word: mended(word, names))
        text = self._typed.text
        self._found = tuple(
            f for f in names.find(text)
            if not (f.entity in sorts.places and _is_manner(text, f)) and _is_it(text, f, names)
        )  # fmt: skip
        self._starts = [f.start for f in self._found]
        self._others = sorts.people - sorts.players
        self._own = False  # whether *she* would be the player's character
        self._supposed = -1  # the sentence that is only supposed
        self._called: Referred | None = None  # who was spoken to by name alone: "PELL."
        self._first, self._more = True, False  # of several clauses

    def others(self) -> list[tuple[int, int]]:
        """Where people other than the player are named, in the line as typed."""
        named = (f for f in self._found if f.entity in self._others)
        return [self._typed.place(f.start, f.end) for f in named]

    def acts(self, quotes: Sequence[Quote]) -> tuple[Act, ...]:
        """What is done, in order; words come before the clause that says who says them."""
        spans = list(clauses_of(self._typed, self._found, self._known))
        left, self._more = list(reversed(quotes)), len(spans) > 1
        acts: list[Act] = []
        for i, span in enumerate(spans):
            go_on()
            if len(acts) >= MAX_ACTS:
                break
            after = spans[i + 1].start if i + 1 < len(spans) else len(self._typed.at)
            until = self._typed.at[after] if after < len(self._typed.at) else len(self._line)
            here: list[Quote] = []
            while left and left[-1].start < until:
                here.append(left.pop())
            clause = self._read(span, quoted=bool(here))
            done, apart = list(self._clause(clause)), self._apart(clause) if here else None
            began = self._typed.at[span.start]
            acts.extend(self._spoken(
                here, done, low=[apart if quote.start > began else None for quote in here]
            ))  # fmt: skip
        acts.extend(self._spoken([*reversed(left)], []))
        return tuple(acts[:MAX_ACTS])

    def _read(self, span: Span, *, quoted: bool) -> _Clause:
        first, last = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end)
        found = self._found[first:last]
        tokens = tokens_of(self._typed.text, span.start, span.end, found, most=_MAX_WORDS)
        meant = unframed(tokens, self._known)
        phrases = Phrases(self._typed, self._line, meant, self._sorts, asked=span.asked)
        text = self._typed.text[span.start : span.end]
        return _Clause(span, text, meant, phrases, quoted)

    def _clause(self, clause: _Clause) -> Iterator[Act]:
        tokens, span = clause.tokens, clause.span
        if not tokens or span.sentence == self._supposed or (self._more and says_nothing(tokens)):
            return
        if is_question(tokens, asked=span.asked, known=self._known):
            yield from self._question(clause)
            return
        if is_supposed(clause.text):
            self._supposed = span.sentence
            return
        way, place = self._led(clause)
        if way or place is not None:
            to = None if place is None else place.entity
            yield Act("go", place=to, kind=ActKind.MOVEMENT, verb="go", where=place, way=way)
        elif len(bare(tokens)) == 1 and bare(tokens)[0].entity in self._others:
            self._called = clause.phrases.named(tokens.index(bare(tokens)[0]))
        elif not clause.quoted and is_greeting(clause.text, tokens, self._known):
            yield self._greeting(clause)
        elif not is_another(tokens, self._others, own=self._own or span.starred):
            self._own = self._own or tokens[0].entity in self._sorts.players
            yield from self._doings(clause)
        else:
            self._own = self._own and tokens[0].entity is None

    def _led(self, clause: _Clause) -> tuple[str, Referred | None]:
        """The way that a whole clause is, or the place that it is, if it is all that is typed or
        comes first.
        """
        tokens, first = bare(clause.tokens), self._first and not self._typed.starred
        self._first = False
        to = only_place(tokens, self._sorts.places) if first and not clause.quoted else None
        place = None if to is None else clause.phrases.named(clause.tokens.index(to))
        return only_way(tokens), place

    # ── what is said ─────────────────────────────────────────────────────────────────────────

    def _question(self, clause: _Clause) -> Iterator[Act]:
        tokens = clause.tokens
        if "what if" in clause.text.casefold() or wonders(tokens):
            return
        called = spoken_to(tokens, self._others, self._known)
        phrases = clause.phrases.read(0)
        target = clause.phrases.named(called.at) if called is not None else self._called
        greeted = is_greeting(clause.text, tokens, self._known)
        if greeted:  # "hi mara, where is the key?"
            said = self._greeting(clause)
            yield said
            target = target or said.target
            phrases = [p for p in phrases if p.at > 0]
        you = next((p.what for p in phrases if p.what.mention.person == 2), None)
        target = target or you
        phrases = [p for p in phrases if p.what != target]
        topic = topic_of(phrases, self._sorts)
        ours = not greeted and target is None and topic is None and asks_the_game(tokens)
        yield _ask("inquire" if ours else "ask", target, topic)

    def _greeting(self, clause: _Clause) -> Act:
        others = [p.what for p in clause.phrases.read(0) if is_person(p.what, self._sorts)]
        others.sort(key=lambda who: who.entity is None)
        target = next((o for o in others if o.entity or o.mention.person == 2), None)
        return _say(self._words(clause, 0), target)

    def _words(self, clause: _Clause, first: int, end: int | None = None) -> str:
        """Words of a clause as they were typed, with the mark that ends them."""
        last = clause.tokens[-1 if end is None else end - 1]
        start, stop = self._typed.place(clause.tokens[first].start, last.end)
        while end is None and stop < len(self._line) and self._line[stop] in "!?.…":
            stop += 1
        return self._line[start:stop]

    def _apart(self, clause: _Clause) -> Referred | None:
        """Whom alone the words behind a clause are for: "only to her", "in his ear"."""
        if _PRIVATE.search(clause.text) is None:
            return None
        named = (p.what.possessor or p.what for p in clause.phrases.read(0))
        people = (each for each in named if is_person(each, self._sorts))
        return next((each for each in people if each.mention.person == 3), None)

    def _spoken(
        self, quotes: list[Quote], done: list[Act], low: Sequence[Referred | None] = ()
    ) -> Iterator[Act]:
        """Quoted words with what is done around them; they say what was asked or told about. Whom
        each of them is for alone is `low`.
        """
        if not quotes:
            yield from done
            return
        heard = next((a.target for a in done if a.kind in _SPEAKING and a.target), None)
        hushed = heard is not None and any(act.verb in _WHISPERING for act in done)
        read = [self._quote(quote) for quote in quotes]
        apart = low or (None,) * len(quotes)
        for quote, (called, _), whom in zip(quotes, read, apart, strict=True):
            yield _say(quote.words, whom or heard or called, low=hushed or whom is not None)
        called = next((who for who, _ in read if who is not None), None)
        topic = next((what for _, what in read if what is not None), None)
        yield from (_about(act, topic) for act in done)
        asked = any("?" in quote.words for quote in quotes)
        if asked and not any(act.act in _ADDRESSING for act in done):
            yield _ask("ask", heard or called, topic)

    def _quote(self, quote: Quote) -> tuple[Referred | None, Referred | None]:
        """Who is spoken to by name in quoted words, and what they are about."""
        typed = as_typed(quote.words[:_MAX_QUOTED], mend=lambda word: mended(word, self._names))
        typed.at = [at + quote.start + 1 for at in typed.at]
        found = self._names.find(typed.text)
        tokens = tokens_of(typed.text, 0, len(typed.text), found, most=_MAX_WORDS)
        phrases = Phrases(typed, self._line, tokens, self._sorts)
        called = spoken_to(tokens, self._others, self._known)
        rest = [p for p in phrases.read(0) if called is None or not p.at <= called.at < p.end]
        who = phrases.named(called.at) if called is not None else None
        return who, topic_of([p for p in rest if p.is_pointed], self._sorts)

    # ── what is done ─────────────────────────────────────────────────────────────────────────

    def _doings(self, clause: _Clause) -> Iterator[Act]:
        tokens, known = clause.tokens, self._known
        verbs = verbs_at(tokens, clause.phrases, known)
        if not verbs:
            return
        first, verb = verbs[0], base(tokens[verbs[0]].text, known)
        phrases = clause.phrases.read(first + 1, giving=_gives(verb))
        said = None if clause.quoted else words_said(tokens, first, phrases, known)
        stop = tokens[said.first].start - clause.span.start if said is not None else None
        if is_undone(clause.text[:stop], verb) or wants_another(tokens, self._others):
            return
        called = spoken_to(tokens, self._others, known)
        if called is not None and any(t.text in _ME for t in tokens[:first]):
            called = None
        if called is not None or _of_me(tokens, first, verb):
            yield self._request(clause, first, verb, called)
            return
        if said is not None:
            whom = said.to.what if said.to is not None else None
            yield _say(self._words(clause, said.first, said.until), whom, verb=verb)
        for at, end in zip(verbs, [*verbs[1:], len(tokens)], strict=True):
            yield from self._deed(clause, at, end, said)

    def _request(self, clause: _Clause, first: int, verb: str, called: Called | None) -> Act:
        """ "Tell me about the lens", "Mara, light the lamp": asked of somebody, not done."""
        target = clause.phrases.named(called.at) if called is not None else self._called
        rest = [
            p for p in clause.phrases.read(first + 1)
            if called is None or not p.at <= called.at < p.end
        ]  # fmt: skip
        ask = _ask("ask", target, topic_of(rest, self._sorts))
        telling = _of_me(clause.tokens, first, verb) and verb in ("tell", "show")
        return ask if telling else replace(ask, kind=ActKind.SPEECH, verb="tell")

    def _deed(self, clause: _Clause, at: int, end: int, said: Said | None) -> Iterator[Act]:
        tokens, known = clause.tokens, self._known
        verb = base(tokens[at].text, known)
        phrases = [p for p in clause.phrases.read(at + 1, giving=_gives(verb)) if p.at < end]
        if said is not None:
            phrases = [p for p in phrases if p.end <= said.first or p.at >= said.end]
        elif not phrases and kind_of(verb) is ActKind.MOVEMENT:  # "to the kitchen I go"
            phrases = [p for p in clause.phrases.read(0) if p.end <= at and p.before]
        way, there = way_after(tokens, at)
        phrases = [p for p in phrases if p.at != there]
        other = phrasal(tokens, at, known)
        names = [other] if other else acts_for(tokens[at].text, known)
        if "go" not in names and is_going(tokens, at, verb, self._sorts.places):
            names = [*(name for name in names if name in known), "go"]
        for name in names:
            act = act_with(name, verb, phrases, self._sorts)
            if act.kind is ActKind.MOVEMENT or act.act == "go":
                act = replace(act, way=way, kind=ActKind.MOVEMENT)
            if said is not None and act.topic is None:
                words = Quote(self._typed.at[tokens[said.first].start] - 1,
                              self._words(clause, said.first, said.until))  # fmt: skip
                act = _about(act, self._quote(words)[1])
            yield from each_of(act, phrases)


def _gives(verb: str) -> bool:
    return verb in GIVING or verb in _ADDRESSING


def _is_manner(text: str, found: Found) -> bool:
    """Whether a word of somebody's own line says how they are, and not where: "I go white"; the
    place is called the white.
    """
    word, before = text[found.start : found.end].casefold(), text[: found.start].casefold().split()
    alone = word.isalpha() and len(before) > 1 and before[0] in _ME and before[-1] not in _WHERE
    return alone and is_quality(word)


def _is_it(text: str, found: Found, names: Names) -> bool:
    """Whether a name may be of what bears it: a bone key is no brass key, though both are keys."""
    before = text[max(0, found.start - 24) : found.start].casefold().split()[-1:]
    if not _CONTRASTING.issuperset(before) or not before:
        return True
    called = (name.casefold().split() for each, known in names.called for name in known
              if each == found.entity)  # fmt: skip
    return not contradicts(before, [word for name in called for word in name])


def _of_me(tokens: Sequence[Token], first: int, verb: str) -> bool:
    after = tokens[first + 1].text if first + 1 < len(tokens) else ""
    return verb in _OF_ME and after in ("me", "us")


def _say(words: str, target: Referred | None, *, low: bool = False, verb: str = "say") -> Act:
    """Words said; `to` only if nobody else is to hear them."""
    low = target is not None and (low or verb in _WHISPERING)
    return Act(
        "say", to=target.entity if low and target else None, words=words, whispered=low,
        kind=ActKind.SPEECH, verb=verb, target=target,
    )  # fmt: skip


def _ask(act: str, target: Referred | None, topic: Referred | None) -> Act:
    if topic is not None:
        topic = replace(topic, mention=replace(topic.mention, modality=Modality.ASKED))
    return Act(
        act, to=target.entity if target else None, about=topic.entity if topic else None,
        kind=ActKind.INQUIRY, verb="ask", target=target, topic=topic,
    )  # fmt: skip


def _about(act: Act, topic: Referred | None) -> Act:
    """An act of asking or telling, with what the words it goes with are about."""
    if topic is None or act.act not in _ADDRESSING or act.about is not None:
        return act
    same = topic.entity is not None and topic.entity == act.to
    return act if same else replace(act, topic=topic, about=topic.entity)
