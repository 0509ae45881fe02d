"""A reading out of a model's answer: what passes is in the text, what does not is counted.

The answer is believed in what it says *of* the text, never in what the text is: every mention,
time and phrase is a place of it, every verb one of its verbs, everything quoted stands in its
quotation marks, and all else is a word of a closed list or a number that points at one of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from storykeeper.language.reading import (
    Clause,
    Implied,
    Joint,
    Link,
    Mention,
    Modality,
    Quotation,
    Reading,
    TimeExpression,
)
from storykeeper.models.answers import Reason, Sieve
from storykeeper.models.named import MAX_PHRASE_CHARS, Given, mentions_of, modality, phrase
from storykeeper.models.parsed import Word
from storykeeper.models.prompt import IMPLIABLE
from storykeeper.models.spans import Finder, Span

_ROLES = ("actors", "targets", "subjects", "instruments", "locations")
# Before the verb that counts: in "did not sing", sing.
_BEFORE = frozenset(
    ["be", "am", "is", "are", "was", "were", "been", "being", "have", "has", "had", "do", "does",
     "did", "will", "would", "shall", "should", "can", "could", "may", "might", "must", "not",
     "n't", "never", "to"]
)  # fmt: skip
_PARTICLES = frozenset(
    ["about", "across", "after", "along", "apart", "around", "aside", "at", "away", "back", "by",
     "down", "for", "forward", "in", "into", "off", "on", "onto", "out", "over", "past",
     "through", "to", "together", "under", "up", "upon", "with"]
)  # fmt: skip


def checked(answer: Mapping[str, object], *, given: Given, sieve: Sieve) -> Reading:
    """What an answer says, as far as it can be checked."""
    mentions, places = mentions_of(answer.get("mentions"), given=given, sieve=sieve)
    quotations = _quotations(
        answer.get("quotations"), given=given, sieve=sieve, mentions=mentions, places=places
    )
    clauses, clause_places = _clauses(
        answer.get("clauses"),
        given=given,
        sieve=sieve,
        mentions=mentions,
        places=places,
        quotations=quotations,
    )
    implied = _implied(
        answer.get("implied"), given=given, sieve=sieve, clauses=clauses, places=clause_places
    )
    return Reading(
        given.prose.text,
        mentions=tuple(
            replace(m, quotation=_holding(Span(m.start, m.end), quotations)) for m in mentions
        ),
        clauses=clauses,
        links=tuple(_links(answer.get("links"), sieve=sieve, places=clause_places)),
        quotations=quotations,
        implied=tuple(implied),
        times=tuple(_times(answer.get("times"), given=given, sieve=sieve)),
        notes=sieve.notes(),
    )


def _clauses(
    part: object,
    *,
    given: Given,
    sieve: Sieve,
    mentions: tuple[Mention, ...],
    places: Mapping[int, int],
    quotations: tuple[Quotation, ...],
) -> tuple[tuple[Clause, ...], Mapping[int, int]]:
    """The clauses, in the order of the text, and where each number of the answer ended up."""
    taken: list[tuple[Word, int, Clause]] = []
    for number, fields in sieve.objects(part):
        roles = {name: sieve.numbers(fields.get(name), places) for name in _ROLES}
        involved = [mentions[place] for role in roles.values() for place in role]
        said = _verb_said(sieve.text(fields.get("verb")))
        word = _verb(said, [word for word, _, _ in taken], involved, given=given, sieve=sieve)
        if word is None:
            continue
        # Its verb says whether somebody says it: who says so may well stand outside the marks.
        spoken = _holding(word.span, quotations)
        near = [m for m in involved if _holding(Span(m.start, m.end), quotations) == spoken]
        span = _hull(word, near, given=given)
        particles = [p for p in said[1:3] if p in _PARTICLES and given.parsed.has(p)]
        clause = Clause(
            span.start,
            span.end,
            " ".join([word.plain, *particles]),
            modality=modality(fields.get("modality"), otherwise=_mood(word, given), sieve=sieve),
            actors=roles["actors"],
            targets=roles["targets"],
            subjects=roles["subjects"],
            instruments=roles["instruments"],
            locations=roles["locations"],
            state=phrase(fields.get("state"), given=given, sieve=sieve),
            quotation=spoken,
        )
        taken.append((word, number, clause))
    taken.sort(key=lambda each: each[0].span.start)
    return (
        tuple(clause for _, _, clause in taken),
        {number: place for place, (_, number, _) in enumerate(taken)},
    )


def _verb_said(verb: str) -> list[str]:
    """The words of a verb from the one that counts: "was picking up" → picking, up."""
    words = verb[:MAX_PHRASE_CHARS].lower().replace("’", "'").split()
    while len(words) > 1 and words[0] in _BEFORE and words[1] not in _PARTICLES - {"to"}:
        words = words[1:]
    return words


def _verb(
    said: list[str], taken: list[Word], involved: list[Mention], *, given: Given, sieve: Sieve
) -> Word | None:
    """The verb of the text that is meant: near those who take part, else the next one."""
    candidates = list(given.parsed.verbs(said[0])) if said else []
    free = [word for word in candidates if word not in taken]
    if not free:
        sieve.drop(Reason.REPEATED if candidates else Reason.VERBLESS)
        return None
    sentences = {given.parsed.sentence_at(mention.start) for mention in involved}
    after = taken[-1].span.start if taken else 0
    return min(
        free,
        key=lambda w: (
            bool(sentences) and w.sentence not in sentences,
            w.span.start < after,
            w.span.start,
        ),
    )


def _hull(word: Word, involved: list[Mention], *, given: Given) -> Span:
    """From the first to the last of a clause's words, in the sentence of its verb."""
    near = [m for m in involved if given.parsed.sentence_at(m.start) == word.sentence]
    return Span(
        min([word.span.start, *(m.start for m in near)]),
        max([word.span.end, *(m.end for m in near)]),
    )


def _mood(word: Word, given: Given) -> Modality:
    """How the rules say that a verb is meant, for where the model does not say."""
    for clause in given.other.clauses:
        within = clause.start <= word.span.start < clause.end
        if within and clause.verb.split(" ")[0] == word.plain:
            return clause.modality
    return Modality.ASSERTED


def _quotations(
    part: object,
    *,
    given: Given,
    sieve: Sieve,
    mentions: tuple[Mention, ...],
    places: Mapping[int, int],
) -> tuple[Quotation, ...]:
    """Everything in quotation marks, with the model's speakers where it names them."""
    spans = {(m.start, m.end): place for place, m in enumerate(mentions)}
    quotations = [_moved(quotation, given, spans) for quotation in given.other.quotations]
    finder = Finder(given.prose)
    answered: set[int] = set()
    for _, fields in sieve.objects(part):
        span = finder.find(sieve.text(fields.get("words")))
        place = None if span is None else _holding(span, quotations)
        if place is None:
            sieve.drop(Reason.UNQUOTED if span else Reason.FOREIGN)
        elif place not in answered:
            answered.add(place)
            quotations[place] = _spoken(quotations[place], fields, sieve, mentions, places)
    return tuple(quotations)


def _moved(quotation: Quotation, given: Given, spans: Mapping[tuple[int, int], int]) -> Quotation:
    """A quotation of the rules' reading, pointing at mentions of this one."""

    def here(place: int | None) -> int | None:
        if place is None:
            return None
        other = given.other.mentions[place]
        return spans.get((other.start, other.end))

    return replace(quotation, speaker=here(quotation.speaker), addressee=here(quotation.addressee))


def _holding(span: Span, quotations: Sequence[Quotation]) -> int | None:
    """The quotation that a span stands in."""
    for place, quotation in enumerate(quotations):
        if span.within(Span(quotation.start, quotation.end)):
            return place
    return None


def _spoken(
    quotation: Quotation,
    fields: Mapping[str, object],
    sieve: Sieve,
    mentions: tuple[Mention, ...],
    places: Mapping[int, int],
) -> Quotation:
    if quotation.written:
        return quotation  # nobody says it, whoever a model would have say it
    speaker = sieve.number(fields.get("speaker"), places)
    if speaker is not None and _named_in(quotation, mentions[speaker]):
        sieve.drop(Reason.NOWHERE)  # whoever is named in the words is spoken to or of
        speaker = None
    addressee = sieve.number(fields.get("addressee"), places)
    whispered = sieve.truth(fields.get("whispered"))
    return replace(
        quotation,
        speaker=quotation.speaker if speaker is None else speaker,
        addressee=quotation.addressee if addressee is None else addressee,
        whispered=quotation.whispered or bool(whispered),
    )


def _named_in(quotation: Quotation, mention: Mention) -> bool:
    inside = quotation.start <= mention.start and mention.end <= quotation.end
    return inside and mention.person != 1


def _links(part: object, *, sieve: Sieve, places: Mapping[int, int]) -> Iterator[Link]:
    for _, fields in sieve.objects(part):
        joint = sieve.named(fields.get("joint"), Joint)
        first = sieve.number(fields.get("first"), places)
        second = sieve.number(fields.get("second"), places)
        if joint is None or first is None or second is None:
            continue
        if first == second:
            sieve.drop(Reason.NOWHERE)
        else:
            yield Link(joint, first, second)


def _implied(
    part: object,
    *,
    given: Given,
    sieve: Sieve,
    clauses: tuple[Clause, ...],
    places: Mapping[int, int],
) -> Iterator[Implied]:
    """Things that what really happened cannot do without, and that its sentence does not name."""
    for _, fields in sieve.objects(part):
        what = sieve.text(fields.get("what")).lower()
        because = phrase(fields.get("because"), given=given, sieve=sieve)
        place = sieve.number(fields.get("clause"), places)
        if what not in IMPLIABLE:
            sieve.drop(Reason.STRANGE)
        elif place is None or not because:
            continue
        elif clauses[place].modality is not Modality.ASSERTED:
            sieve.drop(Reason.UNDONE)
        elif given.parsed.names(what, sentence=given.parsed.sentence_at(clauses[place].start)):
            sieve.drop(Reason.REPEATED)
        else:
            yield Implied(what, because, place)


def _times(part: object, *, given: Given, sieve: Sieve) -> Iterator[TimeExpression]:
    finder = Finder(given.prose)
    found = []
    for each in sieve.listed(part):
        words = sieve.text(each)
        span = finder.find(words) if 0 < len(words) <= MAX_PHRASE_CHARS else None
        if span is not None:
            found.append(span)
        elif words:
            sieve.drop(Reason.REPEATED if given.prose.has(words) else Reason.FOREIGN)
    for span in sorted(found, key=lambda s: (s.start, s.end)):
        yield TimeExpression(span.start, span.end, given.prose.original(span))
