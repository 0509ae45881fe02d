"""Signs that somebody stops hearing, or hears again: ears covered or stopped, deaf, deafened."""

from __future__ import annotations

import re

_GEAR = (
    r"(?:head ?phones?|head ?sets?|ear ?phones?|ear ?buds?|ear ?pods?|air ?pods?|ear-?plugs?"
    r"|ear-? ?(?:defenders|protectors|muffs))"
)
_HIS = r"(?:my|your|his|her|their|both)"
_ENDS = r"(?= (?:and|while|as|to|again|so|over|tight)\b|[^\w ]|$)"
_PUTS = (
    r"(?:put(?:s|ting)?|pull(?:s|ed|ing)?|slip(?:s|ped|ping)?|slid(?:es?|ing)?|pop(?:s|ped|ping)?"
    r"|clap(?:s|ped|ping)?|clamp(?:s|ed|ing)?|jam(?:s|med|ming)?|stuff(?:s|ed|ing)?"
    r"|push(?:es|ed|ing)?|tug(?:s|ged|ging)?|place[sd]?|press(?:es|ed|ing)?|fit(?:s|ted)?)"
)
_STOPS = re.compile(
    rf"\b(?:{_PUTS} (?:\w+ )?(?:on|in) (?:[\w’'-]+ ){{0,3}}?{_GEAR}"
    rf"|(?:wears?|wore|wearing|dons?|donned|donning|inserts?|inserted) (?:[\w’'-]+ ){{0,3}}?{_GEAR}"
    rf"|(?:listen\w*|hear\w*) (?:[\w’'-]+ ){{0,4}}?(?:through|on|over|with) (?:\w+ )?{_GEAR}"
    rf"|{_GEAR} (?:back |still |clamped |firmly )*(?:on|in){_ENDS}"
    rf"|{_GEAR} (?:\w+ )?(?:over|on|in|into|onto|to) {_HIS} (?:ears?|head)"
    rf"|(?:wax|cotton|wool|fingers?|hands?|palms?|pillow) (?:\w+ )?(?:over|in|into|to|on|against)"
    rf" {_HIS} ears"
    rf"|(?:cover|stop|plug|block|stuff|clap|shield)\w* (?:up )?{_HIS} ears)\b",
    re.IGNORECASE,
)
_HEARS = re.compile(
    r"\b(?:(?:takes?|took|taking|pull\w*|slip\w*|tug\w*|yank\w*|pluck\w*|rip\w*|lift\w*|slid\w*"
    r"|push\w*|pop\w*|peel\w*) (?:[\w’'-]+ ){0,4}?(?:off|out|away|down|back|from)"
    r"(?: [\w’'-]+){0,4}?|(?:remov|doff|discard|unplug)\w*(?: [\w’'-]+){0,3}?"
    r"|puts? (?:down|away)(?: [\w’'-]+){0,3}?)\b",
    re.IGNORECASE,
)
_WORN = re.compile(rf"\b(?:{_GEAR}|ears|wax|hands|fingers)\b", re.IGNORECASE)
_FREE = re.compile(
    rf"\b(?:uncover(?:s|ed|ing)?|unstop(?:s|ped)?|unblock(?:s|ed)?) {_HIS} ears\b"
    rf"|\b(?:lower|drop|take|took|move)\w* {_HIS} hands\b"
    r"|\b(?:can|could) hear again\b"
    r"|\bhearing (?:\w+ )?(?:returns?|returned|comes? back|came back)\b"
    r"|\b(?:regain|recover)(?:s|ed)? (?:\w+ )?hearing\b|\bno longer deaf\b",
    re.IGNORECASE,
)
# In one ear, or to reason, one hears.
_DEAF = re.compile(
    r"^(?!half|a little|slightly|partly|almost|nearly)(?:\w+[ -])?deaf(?:ened)?\b", re.IGNORECASE
)
_PARTLY = re.compile(r"\bdeaf (?:to|in (?:one|the|his|her|my|your|their))\b", re.IGNORECASE)
_GOING = re.compile(
    r"\b(?:go(?:es)?|went|gone|turn(?:s|ed)?|struck|born) (?!a )(?:\w+ )?deaf\b(?! (?:to|in|ear))",
    re.IGNORECASE,
)


def stops_hearing(words: str, state: str = "") -> bool:
    """Whether somebody of whom a clause tells this hears nothing from now on."""
    if hears_again(words):
        return False
    deaf = _DEAF.search(state) is not None and not _PARTLY.search(words)
    return deaf or _GOING.search(words) is not None or _STOPS.search(words) is not None


def hears_again(words: str) -> bool:
    """Whether somebody who heard nothing hears from now on."""
    if _FREE.search(words):
        return True
    return _HEARS.search(words) is not None and _WORN.search(words) is not None
