"""Mentions out of a model's answer: each a place of the text, each field checked by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from storykeeper.language.lexicon import sort_of
from storykeeper.language.reading import Gender, Mention, MentionKind, Modality, Reading, Sort
from storykeeper.models.answers import Reason, Sieve
from storykeeper.models.parsed import Parsed
from storykeeper.models.spans import Finder, Prose, Span

MAX_MENTION_CHARS = 200
MAX_PHRASE_CHARS = 160
MAX_DESCRIPTORS = 12
_FIRST = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"})
_SECOND = frozenset({"you", "your", "yours", "yourself", "yourselves"})
_THIRD = frozenset(
    ["he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself",
     "they", "them", "their", "theirs", "themselves", "themself", "this", "that", "these",
     "those", "one", "who", "whom", "whose", "which"]
)  # fmt: skip
_POINTING = frozenset(
    ["the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their"]
)  # fmt: skip
_JOINTS = ("possessor", "whole", "near")


@dataclass(frozen=True, slots=True)
class Given:
    """What an answer is checked against: the text, its words, and how the rules read it."""

    prose: Prose
    parsed: Parsed
    other: Reading

    def at(self, span: Span) -> Mention | None:
        """What the rules found at the very same place."""
        found = (m for m in self.other.mentions if (m.start, m.end) == (span.start, span.end))
        return next(found, None)


def mentions_of(
    part: object, *, given: Given, sieve: Sieve
) -> tuple[tuple[Mention, ...], Mapping[int, int]]:
    """The mentions, in the order of the text, and where each number of the answer ended up."""
    found = []
    finder = Finder(given.prose)
    for number, fields in sieve.objects(part):
        span = _found(sieve.text(fields.get("text")), finder, sieve)
        if span is not None:
            found.append((span, number, fields))
    found.sort(key=lambda each: (each[0].start, -each[0].end))
    places = {number: place for place, (_, number, _) in enumerate(found)}
    bare = [_mention(span, fields, given=given, sieve=sieve) for span, _, fields in found]
    fields_of = [fields for _, _, fields in found]
    possessors, wholes, nears = (
        _joints([fields.get(name) for fields in fields_of], places, sieve) for name in _JOINTS
    )
    clusters = _clusters(fields_of, sieve)
    if not any(cluster is not None for cluster in clusters):
        same = [given.at(span) for span, _, _ in found]
        clusters = [other.cluster if other else None for other in same]
    return tuple(
        replace(
            mention, possessor=possessors[place], whole=wholes[place], near=nears[place],
            definite=mention.definite or possessors[place] is not None, cluster=clusters[place],
        )
        for place, mention in enumerate(bare)
    ), places  # fmt: skip


def phrase(value: object, *, given: Given, sieve: Sieve) -> str:
    """Words of the text, as they stand there; nothing if it does not have them."""
    words = sieve.text(value)
    if not words:
        return ""
    short = len(words) <= MAX_PHRASE_CHARS
    span = next(given.prose.spans(words), None) if short else None
    if span is None:
        sieve.drop(Reason.FOREIGN if short else Reason.TOO_MUCH)
        return ""
    return given.prose.original(span)


def modality(value: object, *, otherwise: Modality, sieve: Sieve) -> Modality:
    """In what way something is said. What we do not understand we do not take for a fact."""
    if value is None or value == "":
        return otherwise
    return sieve.named(value, Modality) or Modality.IMAGINED


def _found(words: str, finder: Finder, sieve: Sieve) -> Span | None:
    if len(words) > MAX_MENTION_CHARS:
        sieve.drop(Reason.TOO_MUCH)
        return None
    span = finder.find(words) if any(char.isalnum() for char in words) else None
    if span is None:
        sieve.drop(Reason.REPEATED if finder.prose.has(words) else Reason.INVENTED)
    return span


def _mention(span: Span, fields: Mapping[str, object], *, given: Given, sieve: Sieve) -> Mention:
    text = given.prose.original(span)
    same = given.at(span)
    kind = _kind(text, sieve.named(fields.get("kind"), MentionKind), same)
    head = _head(span, kind, sieve.text(fields.get("head")), given=given, sieve=sieve)
    sort = sieve.named(fields.get("sort"), Sort) or Sort.UNKNOWN
    if sort is Sort.UNKNOWN and same is not None:
        sort = same.sort
    if sort is Sort.UNKNOWN and kind is MentionKind.NOUN:
        sort = sort_of(head)
    gender = sieve.named(fields.get("gender"), Gender)
    plural = sieve.truth(fields.get("plural"))
    return Mention(
        span.start, span.end, text, head, kind, sort,
        gender=gender or (same.gender if same else Gender.UNKNOWN),
        plural=plural if plural is not None else same is not None and same.plural,
        definite=_definite(text, kind),
        person=_person(text),
        descriptors=_descriptors(fields.get("descriptors"), given=given, sieve=sieve),
        place=phrase(fields.get("place"), given=given, sieve=sieve),
        modality=modality(
            fields.get("modality"),
            otherwise=same.modality if same else Modality.ASSERTED,
            sieve=sieve,
        ),
    )  # fmt: skip


def _kind(text: str, said: MentionKind | None, same: Mention | None) -> MentionKind:
    """How something is referred to; a word we know is what we know it to be."""
    word = text.lower()
    if word in _FIRST or word in _SECOND or word in _THIRD:
        return MentionKind.PRONOUN
    if said is None:
        return same.kind if same is not None else _kind_by_capitals(text)
    if said is MentionKind.PRONOUN and (" " in word or sort_of(word) is not Sort.UNKNOWN):
        return MentionKind.NOUN
    return MentionKind.NOUN if said is MentionKind.NAME and text.islower() else said


def _kind_by_capitals(text: str) -> MentionKind:
    words = text.split()
    named = all(word[0].isupper() for word in words) and words[0].lower() not in _POINTING
    return MentionKind.NAME if named else MentionKind.NOUN


def _head(span: Span, kind: MentionKind, said: str, *, given: Given, sieve: Sieve) -> str:
    """The word that says what it is: the one the model names if the mention has it, or ours."""
    text = given.prose.original(span)
    if kind is MentionKind.PRONOUN:
        return text.lower()
    found = _named_head if kind is MentionKind.NAME else _noun_head
    head = found(span, said, given) if said else None
    if said and head is None:
        sieve.drop(Reason.FOREIGN)
    if head is not None:
        return head
    if kind is MentionKind.NAME:
        return text[4:] if text.lower().startswith("the ") else text
    same = given.at(span)
    return same.head if same is not None else _own_head(span, given)


def _named_head(span: Span, said: str, given: Given) -> str | None:
    """A name within the mention."""
    places = given.prose.spans(said, start=span.start)
    return next((given.prose.original(p) for p in places if p.within(span)), None)


def _noun_head(span: Span, said: str, given: Given) -> str | None:
    """A noun of the mention, in its plain form; another word only where it has no noun."""
    words = given.parsed.inside(span)
    last = said.lower().split()[-1]
    nouns = [word for word in words if word.noun] or words
    return next((word.plain for word in nouns if last in (word.form, word.plain)), None)


def _own_head(span: Span, given: Given) -> str:
    """The last noun before anything that is none: "the cup of coffee" is a cup."""
    head = ""
    for word in given.parsed.inside(span):
        if word.noun:
            head = word.plain
        elif head:
            break
    return head or given.prose.original(span).lower()


def _definite(text: str, kind: MentionKind) -> bool:
    words = text.lower().replace("’", "'").split()
    return kind is not MentionKind.NOUN or words[0] in _POINTING or words[0].endswith(("'s", "s'"))


def _person(text: str) -> int:
    word = text.lower()
    return 1 if word in _FIRST else 2 if word in _SECOND else 3


def _descriptors(value: object, *, given: Given, sieve: Sieve) -> tuple[str, ...]:
    kept: dict[str, None] = {}
    for each in sieve.listed(value):
        word = sieve.text(each).lower()
        if not word:
            continue
        if len(word) > MAX_PHRASE_CHARS or len(kept) >= MAX_DESCRIPTORS:
            sieve.drop(Reason.TOO_MUCH)
        elif given.parsed.has(word):
            kept[" ".join(word.split())] = None
        else:
            sieve.drop(Reason.FOREIGN)
    return tuple(kept)


def _joints(said: list[object], places: Mapping[int, int], sieve: Sieve) -> list[int | None]:
    """Which mention each belongs to; none, through others, to itself: whoever follows them ends."""
    joints = [sieve.number(value, places) for value in said]
    for place in range(len(joints)):
        seen: set[int] = set()
        at = joints[place]
        while at is not None and at != place and at not in seen:
            seen.add(at)
            at = joints[at]
        if at == place:
            sieve.drop(Reason.NOWHERE)
            joints[place] = None
    return joints


def _clusters(found: list[Mapping[str, object]], sieve: Sieve) -> list[int | None]:
    """The answer's clusters, numbered anew in the order of the text."""
    new: dict[int, int] = {}
    clusters: list[int | None] = []
    for fields in found:
        said = fields.get("cluster")
        if isinstance(said, int) and not isinstance(said, bool):
            clusters.append(new.setdefault(said, len(new)))
            continue
        if said is not None:
            sieve.drop(Reason.MISSHAPEN)
        clusters.append(None)
    return clusters
