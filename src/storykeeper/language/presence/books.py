"""The phrases of coming and going, read from `phrases.txt` when first needed.

What people say is data: a phrase added there is understood. What makes it no leaving after all (a
habit, a condition, a report) is judged in `departures`.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from importlib.resources import files

from storykeeper.language.presence.phrasebook import Phrasebook

_FILE = "phrases.txt"
_EVERYWHERE = "all"
_COMMENT, _SCOPE, _BOOK, _LIST = "# ", "== ", "-- ", "> ="
_SEVERAL = (
    ("I've", "we've"), ("I'm", "we're"), ("I'd", "we'd"), ("I'll", "we'll"), ("I am", "we are"),
    ("I ", "we "), ("my", "our"),
)  # fmt: skip
_SPEAKER = ("I-must", "I-have-to", "I've", "I'm", "I'll", "I", "my")  # lists that say who goes

Sections = dict[tuple[str, str], str]  # scope and name, of a list or a book


@lru_cache(maxsize=64)
def book(scope: str, name: str, *, joint: bool = False) -> Phrasebook:
    """A book of some scope, as one speaker says its phrases or as several do at once."""
    lists, books = _sections()
    own = {which: phrases for (where, which), phrases in lists.items() if where == _EVERYWHERE}
    if joint:
        own |= {which: _of_us(own[which]) for which in _SPEAKER}
    own |= {which: phrases for (where, which), phrases in lists.items() if where == scope}
    return Phrasebook(books[scope, name], own)


@lru_cache(maxsize=1)
def _sections() -> tuple[Sections, Sections]:
    """All lists and all books."""
    lists: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    books: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    scope, into = _EVERYWHERE, list[str]()
    for line in files(__package__).joinpath(_FILE).read_text("utf-8").splitlines():
        if line.startswith(_SCOPE):
            scope = line.removeprefix(_SCOPE)
        elif line.startswith(_BOOK):
            into = books[scope, line.removeprefix(_BOOK)]
        elif line.endswith(_LIST):
            into = lists[scope, line.removesuffix(_LIST).removeprefix("<")]
        elif line.strip() and not line.startswith(_COMMENT):
            into.append(line.strip())
    return _joined(lists), _joined(books)


def _joined(some: dict[tuple[str, str], list[str]]) -> Sections:
    return {where: "\n".join(lines) for where, lines in some.items()}


def _of_us(phrases: str) -> str:
    """The same said by several at once."""
    for one, several in _SEVERAL:
        phrases = phrases.replace(one, several)
    return "we" if phrases == "I" else phrases
