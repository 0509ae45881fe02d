"""Facts told word for word: what somebody says outright of what the author wrote (F8.9).

No likeness is measured, so that an author can see why: the content words of the fact's text, or of
one of its `said`, stand in what is said in the same order, denied as often, and neither asked nor
supposed. Who knows or believes it tells it. Who does not only guesses: it is a claim for the author
to see, and no window shows it, or a player could try words until one of them sticks. What a player
has guessed a narrator may have from them: said again, it is told only by who affirms it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.events.atoms import (
    Atom,
    InformationTold,
    Participant,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.events.changes import FactGuessed
from storykeeper.events.records import AnyRecord
from storykeeper.language.names import Names
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.play.unfolding import Unfolding
from storykeeper.staging.facts import has_to_tell
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.plan import Plan
from storykeeper.world.state import World

LEAST = 2  # content words; a phrase of fewer must be said as it stands
MAX_SENTENCES = 60  # of one utterance
_END = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.!?…;]+[\"”’']*(?=\s|$)|\n")
_NOT = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|nor|neither|without|hardly|cannot|no one)\b|n['’]t\b",
    re.IGNORECASE,
)
# Said so, a thing is not said to be so.
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|maybe|perhaps|possibly|might|may|could|would|should|suppos\w*"
    r"|imagin\w*|pretend\w*|wish\w*|hop(?:e|es|ed|ing)|dream\w*|guess\w*|wonder\w*|think|thinks"
    r"|thought|believ\w*|doubt\w*|suspect\w*|as though|ask\w*|lies?|lied|says?|said|claim\w*"
    r"|tells?|told|rumou?r\w*|false|untrue|refus\w*|den(?:y|ies|ied)|accus\w*|alleg\w*)\b",
    re.IGNORECASE,
)
_VOUCHING = re.compile(
    r"\b(?:yes|yeah|yep|aye|indeed|true|truth|right|correct|exactly|precisely|certainly|of course"
    r"|I(?:['’](?:ve|d))?(?: \w+){0,2} (?:know|knew|saw|seen|watched|witnessed|remember|swear"
    r"|swore|admit|admitted|confess|confessed|vouch))\b",
    re.IGNORECASE,
)
# Who is told to do it by a narrator says that it is so.
TELLING = frozenset({
    "tell", "say", "explain", "confess", "admit", "whisper", "murmur", "mutter", "warn", "remind",
    "inform", "assure", "swear", "reply", "answer", "mention", "reveal", "repeat", "add", "confide",
    "announce", "insist", "text", "write",
})  # fmt: skip
_THAT = re.compile(r"\bthat (?P<claim>[^.!?;\n“”\"]+)", re.IGNORECASE)
_MOST_TYPED = 4_000  # characters of a line
SPREAD_LINES = 2  # before the last one, over which a guess may be spread
SPREAD_LEAST = 3  # content words: two of them come up in any talk
_ANYBODY = frozenset(
    ["you", "your", "yourself", "he", "him", "his", "himself", "she", "her", "herself", "they",
     "them", "their", "who", "somebody", "someone", "one"]
)  # fmt: skip
_ME = frozenset({"i", "me", "my", "mine", "myself"})
_YOU = frozenset({"you", "your", "yours", "yourself"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """What must be said, as content words in order."""

    fact: str
    terms: tuple[str, ...]
    sentences: int
    denials: int
    supposed: bool
    whole: bool  # the fact's own text: whoever hears it has heard all of it
    verbatim: tuple[str, ...] = ()  # all its words, if few of them are content


def tell_facts(
    unfolding: Unfolding, names: Names, *, guessed: Collection[str] = (), before: str = ""
) -> None:
    """Decide which facts the words told that were said last; to those who heard them.

    In prose `guessed` are facts that its narrator may have from the player, `before` is what the
    speaker said before in it.
    """
    said = unfolding.records[-1]
    told = _told_in(said)
    if not isinstance(said, Atom) or not told:
        return
    written = isinstance(said.what, SpeechUttered) and said.what.written
    by = next(iter(those(said, Role.ACTOR)), None)
    heard = Heard(
        by, those(said, Role.TARGET), tuple(w for w in those(said, Role.WITNESS) if w != by)
    )
    if by is None and written:
        _read_facts(unfolding, names, told, heard.others, guessed)
    else:
        tell_words(unfolding, names, told, heard, guessed=guessed, before=before)


@dataclass(frozen=True, slots=True)
class Heard:
    """Who says some words, to whom, and who else perceives them."""

    by: EntityId | None
    to: tuple[EntityId, ...]
    others: tuple[EntityId, ...]


def tell_words(
    unfolding: Unfolding, names: Names, told: str, heard: Heard, *,
    guessed: Collection[str] = (), before: str = "",
) -> None:  # fmt: skip
    """Decide which facts some words tell, that somebody says or is told to have said."""
    plan, speaker = unfolding.world.plan, heard.by
    if speaker is None or speaker not in plan.cast or not (heard.to or heard.others):
        return
    to = heard.to[0] if len(heard.to) == 1 else None
    parts = [Participant(Role.ACTOR, Resolved(speaker))]
    parts += [Participant(Role.TARGET, Resolved(who)) for who in heard.to]
    for phrase in said_in(told, phrases(plan, names), names, speaker=speaker, to=to):
        guess = not has_to_tell(unfolding.world, speaker, phrase.fact)
        vouched = guess or affirms(f"{before} {told}", phrase, speaker=speaker)
        if phrase.fact in guessed and not vouched:
            continue
        if phrase.whole or not guess:  # by a guess nobody learns more than was said
            unfolding.take_place(
                InformationTold("", fact=phrase.fact, guessed=guess), parts,
                source=Source.RULE, seen_by=heard.others,
            )  # fmt: skip


def _read_facts(
    unfolding: Unfolding, names: Names, told: str, by: Sequence[EntityId], guessed: Collection[str]
) -> None:
    """What stands written, by nobody who is told of: no secret, which only who has it can tell."""
    plan = unfolding.world.plan
    for phrase in said_in(told, phrases(plan, names), names, speaker=None, to=None):
        readers = (who for who in by if not has_to_tell(unfolding.world, who, phrase.fact))
        parts = [Participant(Role.TARGET, Resolved(who)) for who in readers]
        if parts and not plan.facts[phrase.fact].secret and phrase.fact not in guessed:
            unfolding.take_place(
                InformationTold("", fact=phrase.fact), parts, source=Source.RULE, seen_by=()
            )


def tell_reported(
    unfolding: Unfolding, names: Names, sentence: str, heard: Heard, *, player: EntityId
) -> None:
    """The facts that a narrator says somebody tells: "Dov tells you that it is in the fire"."""
    said = _THAT.search(sentence)
    if said is not None:
        guessed = guessed_by(unfolding.world, player) if heard.by != player else frozenset()
        tell_words(unfolding, names, said["claim"], heard, guessed=guessed)


def _told_in(record: AnyRecord) -> str:
    """The words of what was said last, or told of."""
    what = record.what if isinstance(record, Atom) else None
    if isinstance(what, SpeechUttered):
        return what.words
    return what.claim if isinstance(what, InformationTold) else ""


# ── what was guessed ─────────────────────────────────────────────────────────────────────────


def guess_facts(
    unfolding: Unfolding, text: str, names: Names, *, player: EntityId, before: Sequence[str] = ()
) -> None:
    """Note which facts a player's line says, asks or supposes that they do not have.

    `before` are their last lines: who says a fact in pieces has said it.
    """
    world, plan = unfolding.world, unfolding.world.plan
    found = {*guessed_in(text[:_MOST_TYPED], plan, names, player=player)}
    if before:
        every = " ".join(line[:_MOST_TYPED] for line in (*before, text))
        found.update(guessed_in(every, plan, names, player=player, least=SPREAD_LEAST))
    for fact in sorted(found):
        if fact not in world.tried.get(player, ()) and not has_to_tell(world, player, fact):
            unfolding.add(FactGuessed(unfolding.turn, player, fact))


def guessed_in(
    text: str, plan: Plan, names: Names, *, player: EntityId, least: int = 0
) -> list[str]:
    """The facts whose content words all stand in a line, in whatever order and mood; of texts of
    at least so many.

    A pronoun may be anybody: more is taken for a guess than is one, and less for a telling.
    """
    text = text[: _MOST_TYPED * (1 + SPREAD_LINES)]
    typed = words(text)
    said, every = {*_terms(text, names, me=player)}, {*map(stem, typed)}
    anybody = not _ANYBODY.isdisjoint(typed)
    if anybody or any(term.startswith("@") for term in said):
        every |= _ANYBODY

    def is_said(phrase: Phrase) -> bool:
        if len(phrase.terms) < least:
            return False
        terms = (t in said or (anybody and t.startswith("@")) for t in phrase.terms)
        return all(terms) and every.issuperset(map(stem, phrase.verbatim))

    asked = _by_last_word(plan, names)
    return sorted({p.fact for term in said for p in asked.get(term, ()) if is_said(p)})


def guessed_by(world: World, player: EntityId) -> frozenset[str]:
    """The facts that a narrator may have from a player who has them not."""
    tried = world.tried.get(player, ())
    return frozenset(fact for fact in tried if not has_to_tell(world, player, fact))


def affirms(text: str, phrase: Phrase, *, speaker: EntityId) -> bool:
    """Whether who says a fact vouches for it: says yes to it, saw it, or owns that it was they."""
    own = f"@{speaker}" in phrase.terms or not _ME.isdisjoint(phrase.verbatim)
    return own or vouches(text)


def vouches(text: str) -> bool:
    """Whether some words say that what they say is so: yes, indeed, I saw it."""
    return any(
        _VOUCHING.search(each) and not _doubts(each) for each in _sentences(text)[:MAX_SENTENCES]
    )


def _doubts(sentence: str) -> bool:
    return "?" in sentence or bool(_NOT.search(sentence) or _SUPPOSED.search(sentence))


# ── what is said ─────────────────────────────────────────────────────────────────────────────

Index = Mapping[str, Sequence[Phrase]]  # by the first content word


def said_in(
    text: str, index: Index, names: Names, *, speaker: EntityId | None, to: EntityId | None
) -> Iterator[Phrase]:
    """The facts that are said outright in some words, each once."""
    sentences = _sentences(text)[:MAX_SENTENCES]
    terms = [_terms(each, names, me=speaker, you=to) for each in sentences]
    found: set[str] = set()
    for first, mine in enumerate(terms):
        candidates = dict.fromkeys(p for term in mine for p in index.get(term, ()))
        for phrase in sorted(candidates, key=lambda each: (not each.whole, each.fact)):
            some = sentences[first : first + phrase.sentences]
            spoken = [term for each in terms[first : first + phrase.sentences] for term in each]
            if phrase.fact not in found and _says(phrase, " ".join(some), spoken):
                found.add(phrase.fact)
                yield phrase


def _says(phrase: Phrase, text: str, spoken: Sequence[str]) -> bool:
    """Whether it is said: in order, denied as often, neither asked nor supposed."""
    if "?" in text or len(_NOT.findall(text)) % 2 != phrase.denials % 2:
        return False
    if _SUPPOSED.search(text) and not phrase.supposed:
        return False
    if phrase.verbatim:
        return f" {' '.join(phrase.verbatim)} " in f" {' '.join(words(text))} "
    return _in_order(phrase.terms, spoken)


def _in_order(wanted: Sequence[str], spoken: Sequence[str]) -> bool:
    """Whether words stand among others in their order, with no more others between them."""
    for start, term in enumerate(spoken):
        if term == wanted[0]:
            at = start
            for each in wanted[1:]:
                at = next((i for i in range(at + 1, len(spoken)) if spoken[i] == each), -1)
                if at < 0:
                    break
            else:
                if at - start < 2 * len(wanted):
                    return True
    return False


# ── what there is to say ─────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=16)
def phrases(plan: Plan, names: Names) -> Index:
    """What says each fact of a story; a plan is the same object as long as its story is."""
    found: dict[str, list[Phrase]] = defaultdict(list)
    for fact in plan.story.facts:
        for number, text in enumerate((fact.full, *fact.said)):
            terms = tuple(_terms(text, names))
            if len(terms) >= (LEAST if number == 0 else 1):
                verbatim = tuple(words(text)) if len(terms) < LEAST else ()
                found[terms[0]].append(Phrase(
                    fact.id, terms, len(_sentences(text)), len(_NOT.findall(text)),
                    _SUPPOSED.search(text) is not None, number == 0, verbatim,
                ))  # fmt: skip
    return dict(found)


@lru_cache(maxsize=16)
def _by_last_word(plan: Plan, names: Names) -> Index:
    """The same phrases by the last of their words that names nobody."""
    found: dict[str, list[Phrase]] = defaultdict(list)
    for phrase in (each for some in phrases(plan, names).values() for each in some):
        last = next((t for t in reversed(phrase.terms) if not t.startswith("@")), phrase.terms[-1])
        found[last].append(phrase)
    return dict(found)


def _sentences(text: str) -> list[str]:
    starts = [0, *(each.end() for each in _END.finditer(text))]
    parts = (text[a:b].strip() for a, b in zip(starts, (*starts[1:], len(text)), strict=True))
    return [each for each in parts if each]


def _terms(
    text: str, names: Names, *, me: EntityId | None = None, you: EntityId | None = None
) -> list[str]:
    """The content words in order, without endings; whoever is named, or is "I" or "you", by id."""
    found: list[str] = []
    at = 0
    for name in names.find(text):
        found += _plain(text[at : name.start], me, you)
        found.append(f"@{name.entity}")
        at = name.end
    return found + _plain(text[at:], me, you)


def _plain(text: str, me: EntityId | None, you: EntityId | None) -> list[str]:
    found: list[str] = []
    for word in words(text):
        if me is not None and word in _ME:
            found.append(f"@{me}")
        elif you is not None and word in _YOU:
            found.append(f"@{you}")
        elif word not in STOP and word not in ("s", "never", "nobody", "nothing", "cannot"):
            found.append(stem(word))
    return found
