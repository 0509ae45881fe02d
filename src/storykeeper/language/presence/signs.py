"""What one utterance says of coming and going: of its speaker, and of others named in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from storykeeper.language.presence.books import book
from storykeeper.language.presence.departures import answers, closing, departure, farewell, goodbye
from storykeeper.language.presence.naming import Cast, Named, many
from storykeeper.language.presence.values import Kind, Sign
from storykeeper.language.presence.wording import Span, Wording

_PRONOUNS = ("he", "she", "they")


@dataclass(frozen=True, slots=True)
class Heard:
    """An utterance as it is understood: who speaks, to whom, and the signs in it."""

    speakers: tuple[str, ...]
    addressed: frozenset[str]
    company: int  # how many others an address to all of them counts on; 0 without one
    counted: bool  # whether it says the number
    closes: bool  # holds words that close the talk
    answers: bool  # may be said to somebody who goes
    asks: bool  # holds a question
    signs: tuple[Sign, ...]

    def of(self, who: str, *kinds: Kind, sure: bool = True) -> bool:
        """Whether a sign of these kinds says so of somebody; unsure ones too, if asked for."""
        return any(s.who == who and s.kind in kinds and s.sure >= sure for s in self.signs)


def signs(
    text: str, *, speaker: str, cast: Iterable[str] | Mapping[str, Iterable[str]]
) -> tuple[Sign, ...]:
    """Who comes and who goes by these words, each with the words it rests on, in their order.

    The speaker leaves, arrives or returns; others are welcomed, said goodbye to, or spoken of as
    gone. `speaker` may be joint ("Ana and Bo"); `cast` as for `Cast.of`.
    """
    people = Cast.of(cast)
    return hear(text, speakers=people.speakers(speaker), cast=people).signs


def hear(text: str, *, speakers: Sequence[str], cast: Cast) -> Heard:
    """Understand an utterance."""
    wording = Wording(text)
    named = cast.named(wording)
    going = departure(wording, joint=len(speakers) > 1)
    found = [*_own(wording, speakers, going), *_told(wording, named, speakers, going)]
    return Heard(
        tuple(speakers),
        frozenset(name.who for name in named if name.addressed and name.who not in speakers),
        *many(wording),
        closing(wording) is not None,
        answers(wording) and not _of_absent(wording),
        "?" in wording.plain,
        tuple(sorted(set(found), key=lambda sign: (sign.start, sign.end, sign.kind, sign.who))),
    )


def _own(wording: Wording, speakers: Sequence[str], going: Span | None) -> Iterator[Sign]:
    """What the speaker says of coming and going."""
    if going is not None:
        yield from _signs(Kind.LEAVES, speakers, wording, going)
        return
    if (bye := goodbye(wording)) is not None:
        yield from _signs(Kind.LEAVES, speakers, wording, bye, sure=False)
    for name, kind, sure in _COMINGS:
        for span in book("coming", name).find(wording)[:1]:
            yield from _signs(kind, speakers, wording, span, sure=sure)
            return


_COMINGS: tuple[tuple[str, Kind, bool], ...] = (
    ("returning", Kind.RETURNS, True),
    ("missed", Kind.ARRIVES, True),
    ("arriving", Kind.ARRIVES, True),
    ("greeting", Kind.ARRIVES, False),
)
_WELCOMES: tuple[tuple[str, Kind, bool], ...] = (
    ("welcome back", Kind.RETURNS, True),
    ("welcome", Kind.ARRIVES, True),
    ("greeting", Kind.ARRIVES, False),
)


def _told(
    wording: Wording, named: Sequence[Named], speakers: Sequence[str], going: Span | None
) -> Iterator[Sign]:
    """What is said of others: to their faces, or of them."""
    others = [name for name in named if name.who not in speakers]
    to_faces = _to_faces(wording) if any(name.addressed for name in others) else []
    for name in others:
        if name.addressed:
            sentence = wording.sentence_at(name.start)
            for kind, span, sure in to_faces:
                if wording.sentence_at(span[0]) == sentence:
                    yield from _signs(kind, [name.who], wording, span, sure=sure)
                    break
        elif going is not None and _and_i(wording.plain[name.end : going[0]]):
            yield from _signs(Kind.LEAVES, [name.who], wording, (name.start, going[1]))
        else:
            yield from _of(wording, name)


def _to_faces(wording: Wording) -> list[tuple[Kind, Span, bool]]:
    """Welcomes and goodbyes, wherever they stand."""
    ends = farewell(wording)
    return [
        *(
            (kind, span, sure)
            for name, kind, sure in _WELCOMES
            for span in book("coming", name).find(wording)
        ),
        *([(Kind.LEAVES, ends, True)] if ends else []),
    ]


def _of(wording: Wording, name: Named) -> Iterator[Sign]:
    """What is said of somebody who is not spoken to."""
    here, gone = _here(wording, name.end), _gone(wording, name.end)
    if here is not None:
        kind = Kind.AWAY if book("telling", "not yet").before(wording, name.start) else Kind.ARRIVES
        yield from _signs(kind, [name.who], wording, (name.start, here[1]))
    elif gone is not None:
        yield from _signs(Kind.AWAY, [name.who], wording, (name.start, gone[1]))
    elif _ends_clause(wording.plain[name.end :]):
        for words, kind in (("where", Kind.AWAY), ("comes", Kind.ARRIVES)):
            if (head := book("telling", words).before(wording, name.start)) is not None:
                yield from _signs(kind, [name.who], wording, (head[0], name.end))


def _here(wording: Wording, place: int) -> Span | None:
    """What says behind a name that its bearer is here now."""
    return book("telling", "here").at(wording, place)


def _gone(wording: Wording, place: int) -> Span | None:
    return book("telling", "gone").at(wording, place)


def _of_absent(wording: Wording) -> bool:
    """Whether somebody unnamed is spoken of as gone: "while she's away", "just the two of us"."""
    if book("telling", "fewer").find(wording):
        return True
    for pronoun in _PRONOUNS:
        for end in (f"{pronoun}'s", f"{pronoun}'re", pronoun):
            for word in wording.places.get(end, ()):
                place = word.start + len(pronoun)
                if _gone(wording, place) or _here(wording, place):
                    return True
    return False


def _and_i(between: str) -> bool:
    """Whether "Ana" and what follows make "Ana and I"."""
    return between.strip().lower() in ("and", "&")


def _ends_clause(rest: str) -> bool:
    rest = rest.lstrip()
    return not rest or not (rest[0].isalnum() or rest[0] in "'’-")


def _signs(
    kind: Kind, people: Iterable[str], wording: Wording, span: Span, *, sure: bool = True
) -> Iterator[Sign]:
    words, start, end = wording.as_written(span)
    return (Sign(kind, who, words, start, end, sure) for who in people)
