"""Who says the words in quotes, and to whom.

A verb of saying beside the quotes names the speaker. Where there is none, words in the same
paragraph are the same speaker's, whoever acts in the paragraph speaks in it, and in a dialogue of
two they take turns.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose.drafts import LIVING, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.quotes import Span
from storykeeper.language.prose.words import Words
from storykeeper.language.prose.writing import is_written
from storykeeper.language.reading import MentionKind, Quotation, Sort

_SPEAKING = frozenset({VerbClass.SAY, VerbClass.ASK})
_ALSO_SAID = frozenset({"smile", "laugh", "nod", "grin", "sob", "go", "begin", "manage", "chuckle",
                        "think", "cry", "gasp", "whimper", "scream"})  # fmt: skip
QUIET = frozenset({"whisper", "murmur", "mutter", "breathe", "mouth", "mumble"})
_UNDER_BREATH = ("under her breath", "under his breath", "under their breath", "under my breath",
                 "under your breath", "in a whisper", "in her ear", "in his ear",
                 "into her ear", "into his ear", "in an undertone")  # fmt: skip
_VOICES = frozenset({"voice", "tone"})  # whose it is that is flat, speaks beside it
_LEAD = re.compile(r"[^.!?…\n“”\"]*[,:][\s*_]*$")  # a sentence that goes on into the quotes
_BEFORE_A_TAG = frozenset(",!?—-…’'")
_SHORT_WORDS = 30  # of narration, that a dialogue goes on over
_PARAGRAPH = 800  # characters around the quotes in which whoever acts may be the speaker
_SOUNDING = frozenset({"sounds", "sounded"})  # "Hello?" Bea sounds sleepy: it is her voice
_TAG_WORDS = 4  # after the quotes, among which the verb of a tag stands
_OVER = frozenset({".", "!", "?", "…", ";"})
_NEAR = 60  # characters between the quotes and the verb that belongs to them


@dataclass(slots=True)
class _Said:
    span: Span
    speaker: int | None = None
    addressee: int | None = None
    whispered: bool = False
    written: bool = False  # nobody says them: they are read
    led: bool = False  # the words before it say who speaks, whether or not they were understood


def find_speakers(
    words: Words,
    mentions: Mentions,
    happenings: list[Happening],
    spans: tuple[Span, ...],
    text: str,
) -> list[Quotation]:
    """Every quotation with its speaker and whom it is said to."""
    said = [_Said(span) for span in spans]
    narrated = [h for h in happenings if h.quotation is None]
    starts = [words[h.at].start for h in narrated]
    for n, each in enumerate(said):
        near = narrated[
            bisect_left(starts, each.span.start - _PARAGRAPH) : bisect_left(
                starts, each.span.end + _PARAGRAPH
            )
        ]
        each.written = each.led = is_written(words, mentions, near, each.span, text)
        if each.written:
            continue
        _from_tag(words, mentions, near, said, n, text)
        if each.speaker is None:
            _from_tail(words, mentions, each, text)
        if each.speaker is None:
            _from_lead(words, mentions, each, text)
        if each.speaker is None and not each.led:
            _from_paragraph(words, mentions, near, said, n, text)
    _by_turns(mentions, said, text)
    for n, each in enumerate(said):
        if each.addressee is None and not each.written:
            each.addressee = _called(words, mentions, each, n, text)
        if each.addressee is None:
            each.addressee = _other_speaker(mentions, said, n)
    return [_quotation(each, text) for each in said]


def _quotation(said: _Said, text: str) -> Quotation:
    words = text[said.span.inner_start : said.span.inner_end].strip()
    return Quotation(
        said.span.start,
        said.span.end,
        words,
        said.speaker,
        said.addressee,
        said.whispered,
        said.written,
    )


def _from_tag(
    words: Words,
    mentions: Mentions,
    narrated: list[Happening],
    said: list[_Said],
    n: int,
    text: str,
) -> None:
    """She said, said she, beside the quotes with no full stop between."""
    span = said[n].span
    # "Once Tom had gone, Mara said": who plainly says it comes before who may be meant to.
    for happening in sorted(narrated, key=lambda h: not _SPEAKING & verb_classes(h.verb)):
        verb = words[happening.at]
        if verb.start > span.end + _NEAR or verb.end < span.start - _NEAR:
            continue
        if not _belongs(verb.start, verb.end, span, text):
            continue
        if not _says(happening) and not _must_be_a_tag(verb.start, span, text):
            continue
        speaker = next((a for a in happening.actors if _narrated(mentions, a)), None)
        if speaker is None and not _is_by_things(mentions, happening):
            speaker = _beside(words, mentions, happening.at)
        if speaker is None:
            continue
        said[n].speaker = speaker
        people = (p for p in happening.targets if p != speaker and _can_speak(mentions, p))
        said[n].addressee = next(people, None)
        near = text[words[happening.first].start : words[happening.last].end].casefold()
        said[n].whispered = happening.verb in QUIET or any(u in near for u in _UNDER_BREATH)
        return


def _from_tail(words: Words, mentions: Mentions, said: _Said, text: str) -> None:
    """ "…!" mutters Tom, a voice mutters: a tag of which the parser made a noun.

    If it is not known who that is, it is nobody else, as with what leads to the words.
    """
    first = bisect_left(words, said.span.end, key=lambda word: word.start)
    near = [*words[first : first + _TAG_WORDS]]
    stop = next((i for i, w in enumerate(near) if not w.text[0].isalnum()), len(near))
    near = near[:stop]
    if not near or text[said.span.end : near[0].start].strip(" *_"):
        return
    at = next((i for i, w in enumerate(near) if _tells_of_a_voice(w.lower)), None)
    if at is None:
        return
    verb, said.led = near[at].lower, near[0].text.islower()
    beside = mentions.at(near[1 - at].i) if at < 2 <= len(near) else None
    # "…" Tom and Mara say nothing: who begins a new sentence says what is in its own tense.
    tag = said.led or verb != _verb(verb) or verb in _SOUNDING
    if tag and beside is not None and _narrated(mentions, beside):
        said.speaker, said.whispered = beside, _verb(verb) in QUIET


def _tells_of_a_voice(verb: str) -> bool:
    return verb in _SOUNDING or bool(_SPEAKING & verb_classes(_verb(verb)))


def _from_lead(words: Words, mentions: Mentions, said: _Said, text: str) -> None:
    """ "Greta whispers to you, …" where the parser took two names, or a noun, for it.

    If it is not known who that is, it is nobody else: words must not be laid in another's mouth.
    """
    start = said.span.start
    lead = _LEAD.search(text[max(0, start - _PARAGRAPH) : start])
    if lead is None:
        return
    begin = start - len(lead.group())
    first = bisect_left(words, begin, key=lambda word: word.start)
    last = bisect_left(words, start, key=lambda word: word.start)
    if lead.group().strip(" *_\t").endswith(":"):
        _from_name(words, mentions, said, range(first, last))
    for at in range(first + 1, last):
        verb, name = words[at], words[at - 1]
        if name.text[:1].isupper() and _SPEAKING & verb_classes(_verb(verb.lower)):
            said.led = True
            place = mentions.at(name.i)
            if place is not None and _narrated(mentions, place):
                said.speaker = place
            said.whispered = _verb(verb.lower) in QUIET
            return


def _from_name(words: Words, mentions: Mentions, said: _Said, lead: range) -> None:
    """As in a play, "Mara: “…”": a name, a colon, and nothing else on the line before them."""
    own = [i for i in lead if any(c.isalnum() for c in words[i].text)]
    place = mentions.at(own[-1]) if own else None
    if place is None or mentions[place].kind is not MentionKind.NAME:
        return
    if mentions[place].first <= own[0] and _narrated(mentions, place):
        said.speaker, said.led = place, True


def _verb(word: str) -> str:
    """The verb that a word may be a form of: whispers, whispered."""
    forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ed"),
             word.removesuffix("d"))  # fmt: skip
    return next((form for form in forms if _SPEAKING & verb_classes(form)), word)


def _must_be_a_tag(start: int, span: Span, text: str) -> bool:
    """ "Ye-es," he returned: after a comma in the quotes, whatever follows says who spoke."""
    closing = text[span.inner_start : span.inner_end].rstrip()[-1:]
    return start >= span.end and closing == "," and start - span.end < _NEAR // 2


def _narrated(mentions: Mentions, place: int) -> bool:
    """Somebody outside all quotes: "You young dog," said the man."""
    return mentions[place].quotation is None and _can_speak(mentions, place)


def _says(happening: Happening) -> bool:
    return bool(_SPEAKING & verb_classes(happening.verb)) or (
        happening.verb.split()[0] in _ALSO_SAID
    )


def _belongs(start: int, end: int, span: Span, text: str) -> bool:
    """After the quotes, if they end in a comma or a mark that a tag may follow; or before them."""
    if start >= span.end:
        between = text[span.end : start]
        closing = text[span.inner_start : span.inner_end].rstrip()[-1:]
        return closing in _BEFORE_A_TAG and not any(c in between for c in '.!?\n“"')
    between = text[end : span.start]
    return (
        end <= span.start
        and not any(c in between for c in '.!?\n”"')
        and any(c in between for c in ",:;")
    )


def _is_by_things(mentions: Mentions, happening: Happening) -> bool:
    """The leaves whisper as Mara says it: whoever is named beside that does not whisper."""
    return bool(happening.subjects) and all(
        mentions[i].sort in (Sort.THING, Sort.PLACE, Sort.MATTER) and mentions[i].possessor is None
        for i in happening.subjects
    )


def _beside(words: Words, mentions: Mentions, at: int) -> int | None:
    """The name just after or before a verb of saying that the parser left without a subject."""
    for i in (at + 1, at - 1, at + 2, at + 3):
        if any(words[j].text in _OVER for j in range(at + 1, min(i, len(words)))):
            return None  # whoever begins the next sentence does not say it
        place = mentions.at(i) if 0 <= i < len(words) else None
        if place is not None and words[i].dep == "poss":
            place = mentions.at(words[i].head)  # said his wife
        if place is not None and _narrated(mentions, place):
            return place
    return None


def _can_speak(mentions: Mentions, place: int) -> bool:
    draft = mentions[place]
    if draft.kind is MentionKind.PRONOUN:
        return draft.head not in ("it", "itself", "its")
    return draft.sort in LIVING or (
        draft.kind is MentionKind.NAME and draft.sort in (Sort.UNKNOWN, Sort.PERSON)
    )


def _from_paragraph(
    words: Words,
    mentions: Mentions,
    narrated: list[Happening],
    said: list[_Said],
    n: int,
    text: str,
) -> None:
    span = said[n].span
    previous = said[n - 1] if n else None
    if (
        previous is not None
        and previous.span.paragraph == span.paragraph
        and previous.speaker is not None
        and text[previous.span.end : span.start].strip()  # quotes back to back are an exchange
    ):
        other = _who_acts_between(words, mentions, narrated, previous.span, span, text)
        if other is not None and _who(mentions, other) != _who(mentions, previous.speaker):
            said[n].speaker, said[n].addressee = other, previous.speaker
            return
        said[n].speaker, said[n].addressee = previous.speaker, previous.addressee
        said[n].whispered = previous.whispered
        return
    start = text.rfind("\n", 0, span.start) + 1
    stop = text.find("\n", span.end)
    stop = len(text) if stop < 0 else stop
    doers = [
        (abs(words[h.at].start - span.start), actor)
        for h in narrated
        if start <= words[h.at].start < stop
        for actor in h.actors
        if _narrated(mentions, actor)
    ]
    doers = doers or [
        (abs(words[h.at].start - span.start), owner)
        for h in narrated
        if start <= words[h.at].start < stop
        for owner in (mentions[i].possessor for i in h.subjects if mentions[i].head in _VOICES)
        if owner is not None and _narrated(mentions, owner)
    ]
    if doers and len({_who(mentions, a) for _, a in doers}) == 1:
        said[n].speaker = min(doers)[1]


def _who_acts_between(
    words: Words,
    mentions: Mentions,
    narrated: list[Happening],
    before: Span,
    after: Span,
    text: str,
) -> int | None:
    """ "Whose boat is that?" you ask. She shrugs. "His.": a sentence of its own names the next."""
    stop = re.search(r"[.!?]\s", text[before.end : after.start])
    if stop is None:
        return None
    start = before.end + stop.end()
    doers = [
        actor
        for h in narrated
        if start <= words[h.at].start < after.start
        for actor in h.actors
        if _narrated(mentions, actor)
    ]
    return doers[-1] if len({_who(mentions, d) for d in doers}) == 1 else None


def _who(mentions: Mentions, place: int) -> tuple[str, int]:
    draft = mentions[place]
    return ("", draft.cluster) if draft.cluster is not None else (draft.head, -1)


def _by_turns(mentions: Mentions, said: list[_Said], text: str) -> None:
    """Where neighbours in a dialogue are named, the one between them is the other.

    Who answers a whisper is whom it was for, if anybody knows: the others did not hear it.
    """
    for n, each in enumerate(said):
        if each.speaker is not None or each.led or n < 2:
            continue
        before, earlier = said[n - 1], said[n - 2]
        if before.speaker is None or earlier.speaker is None:
            continue
        if _who(mentions, before.speaker) == _who(mentions, earlier.speaker):
            continue
        between = text[before.span.end : each.span.start]
        another = before.span.paragraph < each.span.paragraph or not between.strip()
        if another and len(between.split()) < _SHORT_WORDS:
            each.speaker = before.addressee if before.whispered else earlier.speaker
            each.addressee = before.speaker


def _called(words: Words, mentions: Mentions, said: _Said, n: int, text: str) -> int | None:
    """ "Mara, wait": a name set off by commas inside the quotes."""
    first = bisect_left(mentions, said.span.inner_start, key=lambda d: words[d.at].start)
    for place in range(first, len(mentions)):
        draft = mentions[place]
        start, end = words[draft.first].start, words[draft.last].end
        if end > said.span.inner_end:
            break
        if draft.kind is not MentionKind.NAME and words[draft.at].dep != "npadvmod":
            continue
        before = text[said.span.inner_start : start].rstrip()
        after = text[end : said.span.inner_end].lstrip()
        opens = not before or before[-1] in ",.!?—"
        closes = not after or after[0] in ",.!?—"
        own = said.speaker is not None and _who(mentions, place) == _who(mentions, said.speaker)
        if opens and closes and not own and _can_speak(mentions, place):
            return place
    return None


def _other_speaker(mentions: Mentions, said: list[_Said], n: int) -> int | None:
    """In a dialogue, whoever spoke last before."""
    speaker = said[n].speaker
    if speaker is None:
        return None
    for m in range(n - 1, max(-1, n - 4), -1):
        other = said[m].speaker
        if other is not None and _who(mentions, other) != _who(mentions, speaker):
            return other
    return None
