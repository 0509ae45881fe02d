"""Words that are sent in writing: texted, typed, mailed, messaged, posted. Nobody says them.

Whether quoted words are sent goes by the verb they belong to: the last one that leads to them, of
those that send and those that say, or else the first after them.
"""

from __future__ import annotations

import re

_PLAIN = (
    r"(?:text|txt|message|dm|im|sms|e-?mail|mail|type|tweet|retweet|telegraph|telegram|wire|cable"
    r"|fax|ping|blog|post|whatsapp|tap out|key in)"
)
_THIRD = (
    r"(?:texts|txts|messages|dms|e-?mails|mails|types|tweets|retweets|telegraphs|wires|cables|faxes"
    r"|pings|blogs|posts|whatsapps|taps out|keys in)"
)
_DONE = (
    r"(?:text|messag|e-?mail|mail|typ|tweet|retweet|telegraph|wir|cabl|fax|blog|post)(?:ed|ing)"
    r"|tapp(?:ed|ing) out|key(?:ed|ing) in"
)
_MAIL = (
    r"(?:text|texts|messages?|e-?mails?|mails?|sms|dms?|tweets?|telegrams?|wire|cable|fax|letter"
    r"|post|postcard|note|instant message|direct message|chat|line)"
)
# What stands before a verb, and not before a noun: "I text", "Cora texts", "and quickly text".
_SUBJECT = (
    r"(?:^\W*|[,;:—–|]\s*|\b(?:(?i:i|you|he|she|we|they|and|then|to|who|or|but|thumbs|fingers|just"
    r"|\w+ly|now|again|finally|do|did|[’']ll|will)"
    r"|(?!(?:The|An?|My|His|Her|Its|Our|Their|Your|This|That|No)\b)[A-Z][\w’'-]*(?<![’']s))\s+)"
)
_OBJECT = r"(?=\s+(?:(?i:him|her|them|me|you|us|back)\b|[A-Z])|[\s,:—–-]*(?:\||$))"
_NOT_A_NOUN = r"(?<!\bthe )(?<!\bmy )(?<!\bhis )(?<!\bher )(?<!\ba )(?<!\bof )(?<!\btheir )"
_SEND = (
    rf"(?:{_SUBJECT}(?i:{_PLAIN}|{_THIRD})\b|{_NOT_A_NOUN}\b(?i:{_THIRD})\b{_OBJECT}"
    rf"|{_NOT_A_NOUN}\b(?i:{_DONE})\b"
    r"|\b(?i:send(?:s|ing)?|sent|fir(?:e|es|ed|ing) off|shoot(?:s|ing)?|shot|dash(?:es|ed)? off"
    r"|compos\w+|draft\w*)\s+(?:[\w’'-]+\s+){0,5}?"
    rf"(?i:{_MAIL})\b|\b(?i:send(?:s|ing)?|sent)(?:\s+[\w’'-]+)?[\s,:—–-]*(?=\|)"
    rf"|\b(?i:repl\w+|answer\w*|respond\w*)\s+to\s+[\w’'-]+\s+(?:\w+\s+)?(?i:{_MAIL})\b)"
)
# By what words go, whatever their verb is: "he says by text", "she answers in an e-mail".
_BY = re.compile(
    r"\b(?:by|via|over|in|through)\s+(?:(?:an?|the|his|her|my|your|their)\s+)?(?:\w+\s+)?"
    r"(?:text|sms|e-?mail|mail|post|telegram|dm|instant message|direct message|text message|fax"
    r"|chat|group chat)\b(?! (?:office|room))",
    re.IGNORECASE,
)
_WHOM = r"(?!him\b|her\b|them\b|me\b|you\b|us\b)[A-Z][\w’'-]*"
_SAY = (
    r"(?i:says?|said|tells?|told|asks?|asked|call(?:s|ed)?(?: out)?|shout(?:s|ed)?|yell(?:s|ed)?"
    r"|whisper(?:s|ed)?|murmur(?:s|ed)?|mutter(?:s|ed)?|answers?|answered|repl(?:y|ies|ied)"
    r"|add(?:s|ed)?|announce[sd]?|explain(?:s|ed)?|warn(?:s|ed)?|cr(?:y|ies|ied)|declare[sd]?)"
)
_VERB = re.compile(rf"(?P<sent>{_SEND})|(?P<said>\b{_SAY})\b")
_ASIDE = re.compile(
    r"\b(?:while|as|whilst|after|before|when|without|not|never|n[’']t)\s*$", re.IGNORECASE
)
_POSTED = re.compile(
    r"\b(?:post|mail|wire|cable|type)\w*\s+(?:the|a|an|my|his|her)\s", re.IGNORECASE
)
# Words of saying after a verb of sending are aloud only if they are for somebody else, or so told.
_ANEW = re.compile(
    rf"(?i:\bthen\s+(?:\w+ly\s+)?)(?P<then>{_SAY})|{_SAY}\s+(?:(?:to|at)\s+)?{_WHOM}"
    rf"|{_SAY}\b[^|]*\b(?i:aloud|out loud|to\s+(?:the|my|his|her|every\w+|all)\b)"
    rf"|(?i:\b(?:while|as|but|when)\b[^|]*?){_SAY}\b|[.;]\s[^|]*?{_SAY}\b"
    rf"|\b(?:he|she|they|I|you|[A-Z]\w+)\s+{_SAY}\b"
)

# A thing that is sent may well be none of what is said then: "he sends a letter and says".
_THING_SENT = re.compile(r"\b(?:letter|note|postcard|post|telegram|mail|fax)$", re.IGNORECASE)
_COORDINATE = re.compile(rf"(?<!\bto )\b{_SAY}\b")


def is_sent(beside: str) -> bool:
    """Whether quoted words, a bar in their place, are sent in writing and not said."""
    led, _, rest = beside.partition("|")
    if _BY.search(beside):
        return True
    verbs = _verbs(f"{led}|")
    if not verbs:
        after = _verbs(f"|{rest}")
        return bool(after) and after[0][0]
    last = next((i for i in range(len(verbs) - 1, -1, -1) if verbs[i][0]), None)
    if last is None:
        return False
    at = verbs[last][1]
    if last == len(verbs) - 1:
        return True
    anew = _THING_SENT.search(led[:at]) and _COORDINATE.search(led, at)
    return not anew and _ANEW.search(led, at) is None


def _verbs(words: str) -> list[tuple[bool, int]]:
    """The verbs of some words that send or say: whether they send, and where they end."""
    found: list[tuple[bool, int]] = []
    for each in _VERB.finditer(words):
        sent = each["sent"] is not None
        if sent and (_is_aside(words[: each.start("sent")] + each["sent"])):
            continue
        if sent and found and not found[-1][0] and each["sent"].lower().startswith("to "):
            continue  # "I ask Ben to text Dov": they are said to Ben
        if sent and _POSTED.match(words, words.rfind(each["sent"].split()[-1], 0, each.end())):
            continue  # "I post the letter and say": a thing is sent, and not these words
        found.append((sent, each.end()))
    return found


def _is_aside(words: str) -> bool:
    """Whether a verb at the end of some words stands in an aside: "as I text Dov"."""
    return any(_ASIDE.search(" ".join(words.split()[:-n])) for n in (1, 2, 3))
