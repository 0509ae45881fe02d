"""Marks that mean something to a model or to us: written with a look-alike that means nothing.

    <|im_start|>  →  ‹|im_start|›        System:  →  System∶        # Rules  →  ＃ Rules

All of these are closed classes; who adds to one says which program reads it.
"""

from __future__ import annotations

import re

from storykeeper.canon.sanitiser.findings import Finding, Trick, finding

_ROLES = (
    "system|assistant|user|human|developer|tool|model|ai|bot|chatbot|chatgpt|gpt|llm|function|"
    "instructions?|response|prompt"
)
_TAGS = (
    f"{_ROLES}|s|bos|eos|pad|unk|mask|stage|rules|context|documents?|think(?:ing)?|"
    r"scratchpad|sys|inst|im_start|im_end|endoftext|system[-_ ]prompt|system[-_]message|"
    r"(?:start|end)_of_turn|tool_(?:calls?|responses?|results?|use)|function_(?:calls?|results?)|"
    r"invoke|parameter|artifact|antml:\w+|\w*_?header_id"
)
_TOKEN = re.compile(
    r"<\|[^|<>\n]{0,60}\|>|<｜[^｜<>\n]{0,60}｜>|<<\s*/?\s*SYS\s*>>|"
    rf"<\s*/?\s*(?:{_TAGS})(?:[\s:=][^<>\n]{{0,200}})?/?\s*>|"
    r"\[\s*/?\s*(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|BOS|EOS|SEP|CLS)"
    r"\s*\]|\{\{\s*#?/?(?:system|user|assistant)~?\s*\}\}",
    re.IGNORECASE,
)
# What stands before a role is bounded: of a text of nothing but brackets each begins anew.
_ROLE = re.compile(
    r"(?:^|(?<=[\n\[(<]))(?P<before>[ \t]{0,64}[*_#>\[(\"'-]{0,64}[ \t]{0,64}"
    rf"(?:{_ROLES})[ \t]*[\])*_\"']*[ \t]*)(?P<colon>[:：])",
    re.IGNORECASE | re.MULTILINE,
)
_JSON_ROLE = re.compile(
    r"([\"'])role\1(\s*:\s*)([\"'])(?:system|assistant|user|tool|developer)\3", re.IGNORECASE
)
_HEADING = re.compile(r"^([^\S\n]*(?:[-*>›][^\S\n]*)*)(#{1,6})(?=\s|$)", re.MULTILINE)
_RULE = re.compile(r"^[^\S\n]*={3,}[^\S\n]*$", re.MULTILINE)
_FENCE = re.compile(r"`{3,}|~{3,}")
_QUOTE = re.compile(r"^([^\S\n]*)(>+)", re.MULTILINE)
_HANDLE = re.compile(r"\[(F\d{1,4})\]")
_ALIKE = str.maketrans("<>[]{}#=`~:：", "‹›［］❴❵＃＝'∼∶∶")
# What any rule needs at the least: most texts have none of it.
_ANY = re.compile(r"[<>\[{#=`~]|[:：]")


def plain_markup(text: str) -> tuple[str, list[Finding]]:
    """A text in which no mark means anything, and which were there."""
    found: list[Finding] = []
    if not _ANY.search(text):
        return text, found
    for trick, pattern, group in _RULES:

        def write(match: re.Match[str], trick: Trick = trick, group: int | str = group) -> str:
            now = _written(match, group)
            found.append(finding(trick, match[0].strip(), now.strip()))
            return now

        text = pattern.sub(write, text)
    return text, found


def is_plain(text: str) -> bool:
    """Whether no line of it looks like a heading, a fence or a token of a chat template."""
    return not (_HEADING.search(text) or _FENCE.search(text) or _TOKEN.search(text))


def _written(match: re.Match[str], group: int | str) -> str:
    """A match with look-alikes in one of its groups; 0 is all of it."""
    start, end = match.start(group) - match.start(), match.end(group) - match.start()
    whole = match[0]
    return whole[:start] + whole[start:end].translate(_ALIKE) + whole[end:]


_RULES: tuple[tuple[Trick, re.Pattern[str], int | str], ...] = (
    (Trick.FENCE, _FENCE, 0),
    (Trick.TOKEN, _TOKEN, 0),
    (Trick.ROLE, _JSON_ROLE, 0),
    (Trick.ROLE, _ROLE, "colon"),
    (Trick.QUOTE, _QUOTE, 2),
    (Trick.HEADING, _HEADING, 2),
    (Trick.HEADING, _RULE, 0),
    (Trick.HANDLE, _HANDLE, 0),
)
