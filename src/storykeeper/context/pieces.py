"""The past in pieces: what can be quoted of a turn, word for word, by itself.

A piece of a turn is a sentence, or several that must stay together: what stands inside one pair of
quotes, a question and its answer, a sentence and the one that takes it back. What the player typed
is one. For a character each event it perceived is one piece. A piece is named for where it is from
(`piece:12/3`, the third of turn 12; `atom:t12.3`) and is as open as that.

Some pieces lean on another: `She put it down` on whoever she is, and words in quotes on who says
them, unless the prose names its speaker. What leans is quoted less readily, and with what it leans
on (F6.10a; `passages` puts pieces together again).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from storykeeper.context.boundary import Boundary
from storykeeper.context.foreign import plain, safe
from storykeeper.context.history import PastTurn
from storykeeper.context.stances import short_name
from storykeeper.context.vocabulary import numbered
from storykeeper.events.atoms import Atom, PieceTold, Resolved, Role, Source, SpeechUttered
from storykeeper.memory.compaction.sentences import units
from storykeeper.memory.compaction.terms import Counted, counted, numbers, stem
from storykeeper.memory.items import Item
from storykeeper.units import SceneId, TurnNo

PIECE = "piece"
LONGEST = 480  # characters; a longer piece would take the room of several
SPOKEN, DENIED, TYPED, LEANING = 0.8, 1.2, 0.1, 0.8  # F6.10a
ENOUGH = 6  # content words that a quotation needs to say something by itself
_WORDS = re.compile(r"\w+")
_ASIDE = re.compile(r"\(\(.*?\)\)", re.DOTALL)  # a player's word to the table, not to the story
_QUOTED = re.compile(r"[\"“«][^\"”»]*[\"”»]")
_MARK = re.compile(r"[\"“”«»]")
_STANDS_IN = re.compile(  # a narrated sentence that begins with somebody or something said before
    r"[\s*(—–-]*(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|that|these|those|both|"
    r"neither|one|another|so|then|there)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"\n\s*\n")
_BLANK = "¶"  # for words in quotes
_ACTS = r"(?:^|[.!?…]\s+|¶[,\s]*(?:\w+\s+)?){}\b"  # begins a sentence, or stands behind such words
_ENDS = '.!?…*"”»)'
_OPENING, _CLOSING = '"“«', '"”»'
_CLOSED_BY = dict(zip(_OPENING, _CLOSING, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Something that can be quoted by itself. It is kept, and is equal to itself alone."""

    source: str
    turn: TurnNo
    scene: SceneId
    place: int  # in its turn
    text: str
    terms: frozenset[str]
    marked: frozenset[str]  # those of its terms that are names and numbers
    speech: float = 0.0  # the share of it that is spoken
    numbers: int = 0
    denied: bool = False  # it says that something is not so
    typed: bool = False  # it is the player's own line
    leans: bool = False  # by itself nobody can tell whom or what it is about, or who says it
    speaker: str = ""  # of bare words whose they are, where the prose names them
    paragraph: int = 0  # of its turn
    numbered: npt.NDArray[np.int64] = field(init=False, repr=False, compare=False)
    named: npt.NDArray[np.int64] = field(init=False, repr=False, compare=False)
    quoted: str = field(init=False, repr=False, compare=False)  # as a part of a paragraph
    tells: float = field(init=False, repr=False, compare=False)  # F6.10a

    @property
    def is_bare(self) -> bool:
        """Whether it is nothing but words in quotes."""
        return not self.typed and _is_bare(self.text)

    @property
    def narrated(self) -> str:
        """What of it stands in no quotes."""
        return _QUOTED.sub(" ", self.text)

    def __post_init__(self) -> None:
        """What is asked of thousands of pieces at once is found once."""
        object.__setattr__(self, "numbered", numbered(self.terms))
        object.__setattr__(self, "named", numbered(self.marked))
        object.__setattr__(self, "quoted", f" {self.text}")
        object.__setattr__(self, "tells", telling(self))


def telling(piece: Piece) -> float:
    """f = (1 + .8·speech)·√(1 + numbers)·(1.2 if denied)·(.1 if typed, .8 if leaning)·w.   F6.10a

    w = min(1, words/6). What is said, counted or denied is what is needed later. What the player
    typed the prose tells again. A crumb says nothing without what stood around it.
    """
    denied = DENIED if piece.denied else 1.0
    typed = TYPED if piece.typed else LEANING if piece.leans else 1.0
    whole = min(1.0, len(piece.terms) / ENOUGH)
    return (1 + SPOKEN * piece.speech) * sqrt(1 + piece.numbers) * denied * typed * whole


class Speakers(dict[str, str]):
    """What those are called who speak, of whom an audience knows; empty of others."""

    def __init__(self, boundary: Boundary) -> None:
        super().__init__()
        self.boundary = boundary

    def __missing__(self, who: str) -> str:
        """Each is asked for in many turns, and found once."""
        plan = self.boundary.plan
        known = who in plan.cast and self.boundary.open(f"cast:{who}")
        self[who] = short_name(plan, who) if known else ""
        return self[who]


def of_turn(
    boundary: Boundary, turn: PastTurn, names: Mapping[str, str] | None = None
) -> tuple[Piece, ...]:
    """All pieces of a turn told, in order: the player's words first."""
    called = Speakers(boundary) if names is None else names
    said, who = _said(turn.atoms)
    player = short_name(boundary.plan, turn.player)
    names_of = tuple([called[each] for each in who])
    return _cut(turn.turn, turn.scene, player, turn.text, turn.prose, said, names_of)


def of_event(turn: PastTurn, atom: Atom, text: str) -> Piece:
    """An event that somebody perceived, in words."""
    speech = 1.0 if isinstance(atom.what, SpeechUttered) else 0.0
    return _perceived(atom.id, turn.turn, turn.scene, text, speech)


_DIGITS = 10


@lru_cache(maxsize=16_384)
def _perceived(name: str, turn: TurnNo, scene: SceneId, text: str, speech: float) -> Piece:
    """The piece of an event. It is a value: what is found once is kept."""
    text = plain(text)  # names are the author's, and may look like anything
    number, found = name.rpartition(".")[2], counted(text)
    place = int(number) if number.isdecimal() and len(number) < _DIGITS else 0  # anybody's ledger
    return Piece(
        f"atom:{name}", turn, scene, place, text, found.terms, _marked(found), speech,
        len(found.numbers), found.denies, leans=_stands_in(text),
    )  # fmt: skip


_Texts = tuple[str, ...]
_SAID: dict[int, tuple[tuple[Atom, ...], tuple[_Texts, _Texts]]] = {}
_MOST_SAID = 192  # turns of a window or two; runs that are closed are held by it, too


def _said(atoms: tuple[Atom, ...]) -> tuple[_Texts, _Texts]:
    """What is said in these events, and by whom each. The same events are asked in every turn: so
    it is kept by which events they are, and they with it, that no others can be taken for them.
    """
    kept = _SAID.get(id(atoms))
    if kept is not None and kept[0] is atoms:
        return kept[1]
    told = [a.what for a in atoms if isinstance(a.what, PieceTold)]  # none in older ledgers
    found = [(_plain(each.words), str(each.speaker)) for each in told if each.speaker]
    for atom in () if told else atoms:
        if isinstance(atom.what, SpeechUttered) and atom.source is not Source.PLAYER:
            actors = (p.entity for p in atom.participants if p.role is Role.ACTOR)
            who = next((ref.entity for ref in actors if isinstance(ref, Resolved)), "")
            if who:
                found.append((_plain(atom.what.words), str(who)))
    if len(_SAID) >= _MOST_SAID:
        del _SAID[next(iter(_SAID))]  # the oldest
    both = tuple(said for said, _ in found), tuple(who for _, who in found)
    _SAID[id(atoms)] = atoms, both
    return both


@lru_cache(maxsize=4_096)
def _cut(
    number: TurnNo, scene: SceneId, player: str, line: str, prose: str,
    said: _Texts, names: _Texts,
) -> tuple[Piece, ...]:  # fmt: skip
    """The pieces of a turn. It is a value: what is found once is kept."""
    speakers = [(words, name) for words, name in zip(said, names, strict=True) if name]
    closed = line.rfind("))") + 2  # what is open behind that never closes
    line = _ASIDE.sub(" ", line[:closed]) + line[closed:] if closed > 1 else line
    line, prose = safe(line), safe(prose)
    typed = [(f"{player}’s player: {_ended(_even(line))}", line)] if line.strip() else []
    found = [Piece(
        f"{PIECE}:{number}/0", number, scene, 0, plain(text), words.terms, _marked(words),
        _spoken(text), len(words.numbers), words.denies, typed=True,
    ) for text, words in ((text, counted(said)) for text, said in typed)]  # fmt: skip
    for text, paragraph in _passages(prose):
        words, bare = counted(text), _is_bare(text) and len(_QUOTED.findall(text)) < 2
        who = _speaker(text, paragraph.text, speakers) if bare else ""
        found.append(Piece(
            f"{PIECE}:{number}/{len(found)}", number, scene, len(found), plain(text), words.terms,
            _marked(words), _spoken(text), len(words.numbers), words.denies,
            leans=_stands_in(text) or (bare and not who), speaker=who, paragraph=paragraph.place,
        ))  # fmt: skip
    return tuple(found)


def _ended(line: str) -> str:
    """A line that the prose can go on behind."""
    return line if line[-1:] in _ENDS else f"{line}."


def _stands_in(text: str) -> bool:
    """Whether it begins with a word for somebody or something that was named before."""
    return _STANDS_IN.match(text) is not None


def _plain(words: str) -> str:
    return " ".join(_WORDS.findall(words))


def _even(text: str) -> str:
    return " ".join(text.split())


class _Paragraph(NamedTuple):
    place: int
    text: str


def _passages(prose: str) -> list[tuple[str, _Paragraph]]:
    """What must stay together, and the paragraph it begins in; a passage that is too long to,
    sentence by sentence.
    """
    found: list[str] = []
    for unit in units([Item("prose", prose, 0)]) if prose.strip() else ():
        whole = len(unit.text) <= LONGEST
        found += [unit.text] if whole else [sentence for _, sentence in unit.parts]
    begun = list(_paragraphs(prose, found))
    return list(zip(_in_quotes(found) if prose.count('"') % 2 == 0 else found, begun, strict=True))


def _paragraphs(prose: str, passages: Iterable[str]) -> Iterator[_Paragraph]:
    """The paragraph that each of these begins in, in order."""
    paragraphs = [_even(each) for each in _BREAK.split(prose) if each.strip()]
    starts = list(accumulate((len(each) + 1 for each in paragraphs), initial=0))
    flat, at = " ".join(paragraphs), 0
    for text in passages:
        at = max(at, flat.find(text, at))
        place = min(bisect_right(starts, at), len(paragraphs)) - 1
        yield _Paragraph(place, paragraphs[place])


def _in_quotes(passages: Sequence[str]) -> list[str]:
    """Passages with their quotation closed where it goes on in the next, and opened there again."""
    found, mark = [], ""
    for text in passages:
        begun = "" if text[:1] in _OPENING else mark
        mark = begun
        for char in _MARK.findall(text):
            if char in _OPENING and not (char == '"' and mark):
                mark = char
            elif char in _CLOSING:
                mark = ""
        found.append(f"{begun}{text}{_CLOSED_BY.get(mark, '')}")
    return found


def _speaker(text: str, paragraph: str, speakers: Sequence[tuple[str, str]]) -> str:
    """Whose bare words these are, if that is sure: the paragraph names them, and no other who
    speaks in the turn, as who says or does something.
    """
    inside = f" {' '.join(_WORDS.findall(text))} "
    of = ((f" {said} ", name) for said, name in speakers if said)
    who = next((name for said, name in of if said in inside or inside in said), "")
    told = _QUOTED.sub(_BLANK, paragraph)
    acting = {name for _, name in speakers if re.search(_ACTS.format(re.escape(name)), told)}
    return who if acting == {who} else ""


def _is_bare(text: str) -> bool:
    """Whether it is nothing but words in quotes."""
    quoted = text[:1] in _OPENING and text[-1:] in _CLOSING
    return quoted and not _QUOTED.sub("", text).strip()


def _marked(found: Counted) -> frozenset[str]:
    """Those of its terms that are names and numbers."""
    named = {stem(name) for name in found.names}
    return frozenset(term for term in found.terms if term in named or _is_number(term))


@lru_cache(maxsize=65_536)
def _is_number(term: str) -> bool:
    return bool(numbers(term))


def _spoken(text: str) -> float:
    """The share of a text that stands in quotes, about."""
    if not text:
        return 0.0
    inside, said, last = False, 0, 0
    for mark in _MARK.finditer(text):
        said += mark.start() - last if inside else 0
        last = mark.start()
        inside = mark.group() in "“«" or (mark.group() == '"' and not inside)
    return (said + (len(text) - last if inside else 0)) / len(text)
