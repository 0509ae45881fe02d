"""What a player asks nobody in the story: what they have, who is there, where they can go.

A closed set of kinds of question, by the words that English asks them with. Names stand for
whatever they name; what is asked of somebody by name, or says *you*, is for them and none of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from storykeeper.language.names import Names
from storykeeper.language.verbs import plain
from storykeeper.units import EntityId


class Asked(StrEnum):
    """What a question is about."""

    COMPANY = "company"  # who is here
    HOLDING = "holding"  # what have I got
    HAVING = "having"  # do I have the key
    WHEREABOUTS = "whereabouts"  # where am I, what is here
    WHERE = "where"  # where is the key
    ROUTE = "route"  # how do I get to the tower
    WAYS = "ways"  # where can I go
    SELF = "self"  # who am I
    WHO = "who"  # who is Orme
    WHOSE = "whose"  # whose coat is it
    SIGHT = "sight"  # is the key in there
    LOOKS = "looks"  # what is in the crock
    WHAT = "what"  # what is the Perpetua, what happened to Abel
    KNOWN = "known"  # what do I know of the lamp
    TASK = "task"  # what do I do
    MAY = "may"  # can I sit down
    PROGRAM = "program"  # is this an AI


@dataclass(frozen=True, slots=True)
class Query:
    """A question, and whom or what it names."""

    asked: Asked
    about: EntityId | None = None
    words: str = ""  # what it asks about, if that is no name: "the bicycle"


_LEADING = frozenset({
    "so", "and", "but", "ok", "okay", "well", "um", "uh", "wait", "hey", "hmm", "now", "then", "oh",
    "please", "lol", "sorry", "right", "fine", "actually", "just", "hang", "hold", "on", "yes",
    "no", "alright", "great", "tell", "me",
})  # fmt: skip
_SHORT = {
    "whats": "what is", "what's": "what is", "wheres": "where is", "where's": "where is",
    "whos": "who is", "who's": "who is", "hows": "how is", "how's": "how is", "im": "i am",
    "i'm": "i am", "ive": "i have", "i've": "i have", "theres": "there is", "there's": "there is",
    "r": "are", "cant": "can not", "can't": "can not", "dont": "do not", "don't": "do not",
    "anybody": "anyone", "somebody": "anyone", "someone": "anyone", "nobody": "anyone",
    "gotta": "have to", "whose": "whose", "we": "i", "us": "me",
}  # fmt: skip
_HERE = r"(?: (?:here|there|around|about|with me|near me|nearby|present|in (?:here|the room)|now))*"
_AT_HAND = r"(?: (?:got|on|with|me|now|in|my|pockets?|bag|case|hands?|so|far|left|still|right))*"
_BE = r"(?:is|are|was|were)"
_DET = r"(?:(?:the|a|an|this|that|these|those|my|his|her|their|its|some|any) )?"
_IN = r"(?:in|on|under|inside|behind|beneath|underneath|at|over|with)"
_MAY = r"(?:can|could|may|should|must|shall|do|will|am) i"
_TO = r"(?: (?:in|on|up|down|out|over))?(?: (?:to|into|onto|toward|towards))"
_HOW = r"(?:how|which way|where|what is the way)(?: (?:do|can|could|would|should|to|i|is))*"
_GET = r"(?: (?:get|go|come|walk|reach|return|find))*(?: (?:my way|the way))?(?: back)?"
_HAVE = r"(?: (?:have|got|carry|carrying|hold|holding|own|use|bring))+"
_WHERE = r"(?:is|are|was|were|do|did|does|has|have|would|can|could|might|i|find|exactly)"
_WAY = r"(?:leave|(?:get|go) (?:out|away|off|back|home|on))(?: of)?(?: here)?"
_DOING = r"(?: (?:do|say|try|ask|type|supposed|meant|to|even|possibly))+"
_SEEN = r"(?: (?:here|there|in|inside|under|on|behind|visible|around)%)?"
# The first that fits decides; @ is a name, and what comes after % anything.
_FORMS: Sequence[tuple[Asked, str]] = (
    (Asked.COMPANY, rf"{_BE} (?:there )?(?:anyone|people|others)(?: else)?{_HERE}"),
    (Asked.COMPANY, rf"who(?: else)?(?: all)? {_BE}(?: (?:else|all))?{_HERE}"),
    (Asked.COMPANY, r"(?:who(?: else)? (?:do|can) i see|am i (?:all )?alone)%"),
    (Asked.HOLDING, rf"what(?: else| things?)? (?:do|have|am|did|can) i{_HAVE}{_AT_HAND}"),
    (Asked.HOLDING, rf"what have i{_AT_HAND}"),
    (Asked.HOLDING, r"what is in my (?:\w+ )?(?:pockets?|bag|case|hands?|inventory)"),
    (Asked.HAVING, rf"(?:do|have|am) i(?: (?:still|already|even))?{_HAVE} {_DET}(?P<what>@|\w+)%"),
    (Asked.WHEREABOUTS, r"where (?:am i|are i|is this)%"),
    (Asked.WHEREABOUTS, rf"what (?:is|do i see|can i see|else is){_HERE}(?: to see)?{_HERE}"),
    (Asked.WHEREABOUTS, r"what (?:is this (?:place|room)|(?:place|room) (?:is this|am i in))%"),
    (Asked.WAYS, r"where (?:can|could|do|should|may) i (?:go|get|walk|leave)(?!.*@)%"),
    (Asked.WAYS, r"(?:what|which|where) (?:are )?(?:the |my )?(?:exits?|ways?|doors?)(?!.*@)%"),
    (Asked.WAYS, rf"how (?:do|can|could|would|to) (?:i )?{_WAY}"),
    (Asked.KNOWN, rf"what (?:do|have) i (?:know|learned|heard) (?:about|of) {_DET}(?P<what>@)%"),
    (Asked.ROUTE, rf"is there (?:a|any) way{_TO} {_DET}(?P<place>@)%"),
    (Asked.ROUTE, rf"{_HOW}{_GET}{_TO} {_DET}(?P<place>@)%"),
    (Asked.ROUTE, rf"(?:can|may) i (?:get|go|walk|come)(?: back)?{_TO} {_DET}(?P<place>@)%"),
    (Asked.SELF, r"who (?:am|are) i%"),
    (Asked.SELF, rf"am i {_DET}(?:@|\w+)(?: (?:now|then|here|or what))*"),
    (Asked.TASK, rf"what (?:do|can|could|should|shall|must|would|am) i{_DOING}(?!.*@)%"),
    (Asked.TASK, r"what (?:now|next|else|is next|do|happens (?:now|next)|are my options)"),
    (Asked.TASK, r"(?:i am |i )?(?:stuck|lost|confused|do not know what to do)"),
    (Asked.TASK, r"(?:how do (?:i|this)|what is)(?: \w+)? (?:play|goal|point|aim|game|work)%"),
    (Asked.MAY, rf"{_MAY} (?:not )?(?:(?:have|need|supposed|allowed|going) to )?(?!be\b)\w+%"),
    (Asked.WHERE, rf"where(?: {_WHERE})+ {_DET}(?P<what>@|\w+)%"),
    (Asked.WHOSE, rf"whose (?:{_BE} )?{_DET}(?:\w+ )*?(?P<what>@)%"),
    (Asked.WHOSE, rf"who (?:owns|has|holds|is holding|does) {_DET}(?P<what>@)%"),
    (Asked.WHO, rf"who {_BE} (?:this |that |the )?(?P<what>@)(?: (?:again|then|to me))*"),
    (Asked.SIGHT, rf"(?:{_BE}|can i see|do i see) {_DET}(?P<what>@)(?: still)?{_SEEN}"),
    (Asked.LOOKS, rf"what(?: is| are|'s)? (?:there )?{_IN} {_DET}(?P<what>@)%"),
    (Asked.LOOKS, rf"what (?:do|does|is|are) {_DET}(?P<what>@) (?:looks?|says?|made|like|read)%"),
    (Asked.LOOKS, r"(?:what (?:colou?r|size|kind)|how (?:big|old|heavy)) .*?(?P<what>@)%"),
    (Asked.WHAT, r"(?:what|who|why|when|how) .*?(?P<what>@)%"),
    (Asked.WHAT, rf"what {_BE} (?:the|this|that|these|those) (?P<what>\w+)(?: \w+)?"),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile(form.replace("%", r"(?!\w).*"))) for kind, form in _FORMS)
_MACHINE = frozenset({
    "ai", "bot", "chatbot", "chatgpt", "gpt", "llm", "computer", "program", "software", "robot",
    "canned", "machine", "algorithm", "parser", "game",
})  # fmt: skip
_OF_IT = frozenset({"you", "u", "this", "it", "there", "i", "am", "talking"})
_YOU = frozenset({"you", "your", "yours", "you're", "u", "ur"})
_WORD = re.compile(r"@|[a-z]+(?:'[a-z]+)*")
_POINTED = frozenset({
    "the", "this", "that", "these", "those", "a", "an", "my", "his", "her", "their",
})  # fmt: skip
_SWORN = re.compile(r" (?:the (?:hell|heck|devil|fuck)|on earth|in the world)\b")


def query(line: str, names: Names) -> Query | None:
    """The question of one of these kinds that a line is; of several sentences the first that is."""
    if any(mark in line for mark in '"“”*'):
        return None  # it is said to somebody
    sentences = re.split(r"(?<=[.!?;])\s+|\n", line)
    clauses = (part for each in sentences for part in each.split(",")[1:])
    found = (_in_sentence(each, names) for each in (*sentences, *clauses))
    return next((each for each in found if each is not None), None)


def is_about_the_program(line: str) -> bool:
    """Whether a question is about what answers it: a machine, a game."""
    said = set(_WORD.findall(_folded(line)))
    return bool(said & _MACHINE) and bool(said & _OF_IT) and _is_asked(line, said)


def _is_asked(line: str, said: set[str]) -> bool:
    return "?" in line or not said.isdisjoint({"is", "are", "am"})


def _in_sentence(sentence: str, names: Names) -> Query | None:
    found = names.find(sentence)
    at, said = 0, ""
    for each in found:
        said += _folded(sentence[at : each.start]) + " @ "
        at = each.end
    text = [word for part in _WORD.findall(said + _folded(sentence[at:]))
            for word in _SHORT.get(part, part).split()]  # fmt: skip
    while text and text[0] in _LEADING:
        text = text[1:]
    if not text or not _YOU.isdisjoint(text):
        return None
    plain_text = re.sub(r"(?:\b(?:the|a|an|my) )+(?=@)", "", " ".join(text))
    plain_text = re.sub(r"@ 's?\b", "@", plain_text)
    return _of_form(_SWORN.sub("", plain_text), [each.entity for each in found])


def _of_form(text: str, entities: Sequence[EntityId]) -> Query | None:
    for kind, form in _COMPILED:
        match = form.fullmatch(text)
        if match is None:
            continue
        group = next((name for name in ("what", "place") if name in form.groupindex), None)
        if group is None:
            return Query(kind)
        word, start = match.group(group), match.start(group)
        if word == "@":
            nth = text[:start].count("@")
            return Query(kind, entities[nth] if nth < len(entities) else None)
        if text[:start].split()[-1:][0:1] and text[:start].split()[-1] in _POINTED:
            return Query(kind, words=word)
    return None


def _folded(text: str) -> str:
    return text.casefold().replace("’", "'")


def is_question(line: str) -> bool:
    """Whether a line asks at all."""
    first = next((w for w in _WORD.findall(_folded(line)) if w not in _LEADING), "")
    return "?" in line or plain(first) == "ask"
