"""Characters that nobody sees: taken out, unless the script they stand in needs them.

They hide words from a person that a model reads (tag characters, variation selectors), part words
so that no filter finds them, or show them in another order than they are in.
"""

from __future__ import annotations

import re

from storykeeper.canon.sanitiser.findings import Finding, Trick, finding

_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Joiners and marks of direction belong to the scripts that need them.
_JOINED = (
    r"[\u0590-\u08ff\u0900-\u109f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufefc]"
)
_PICTURE = r"[\u2190-\u2bff\u3030-\u303d\U0001f000-\U0001faff\ufe0f]"
_KEPT = (
    rf"(?<={_JOINED})[\u200b-\u200f\u061c]+(?={_JOINED})"
    rf"|(?<={_JOINED})[\u200c-\u200f]|[\u200e\u200f](?={_JOINED})"
    rf"|(?<={_PICTURE})\u200d(?={_PICTURE})"
    r"|(?<=[\S])[\ufe0e\ufe0f](?![\ufe00-\ufe0f])"
    r"|\U0001f3f4[\U000e0061-\U000e007a]{2,6}\U000e007f"
)
_UNSEEN = (
    r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    r"\U000e0000-\U000e0fff\U0001d173-\U0001d17a"
)
_INVISIBLE = re.compile(
    rf"(?P<kept>{_KEPT})|[{_UNSEEN}]+|[\u0334-\u0338]+|(?<=[\u0300-\u036f]{{2}})[\u0300-\u036f]+"
)
_SUSPECT = re.compile(rf"[{_UNSEEN}\u0300-\u036f]")
_TAGS = re.compile(r"[\U000e0020-\U000e007e]+")


def visible(text: str) -> tuple[str, list[Finding]]:
    """A text without what nobody sees, and what that was."""
    if text.isascii() and text.isprintable():
        return text, []
    text = _LINE_ENDS.sub("\n", text)
    if not _SUSPECT.search(text):
        return text, []
    taken: list[str] = []

    def take(found: re.Match[str]) -> str:
        if found["kept"] is not None:
            return found[0]
        taken.append(found[0])
        return ""

    clean = _INVISIBLE.sub(take, text)
    if not taken:
        return clean, []
    return clean, [finding(Trick.INVISIBLE, _named("".join(taken)))]


def _named(taken: str) -> str:
    """What was taken out, so that a person can read it; words that were hidden in it as well."""
    hidden = "".join(chr(ord(c) - 0xE0000) for part in _TAGS.findall(taken) for c in part)
    points = " ".join(dict.fromkeys(f"U+{ord(c):04X}" for c in taken))
    said = f', reading "{hidden}"' if hidden else ""
    return f"{len(taken)} characters{said}: {points}"
