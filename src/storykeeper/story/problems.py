"""Problems: what is wrong with a story, where, and what to do about it.

A check works on the story and knows only the *path* of what it found (`("cast", 2, "at")`); the
reader of the files knows the line. `Sources.locate` joins the two.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable
from enum import StrEnum

from msgspec import Struct

from storykeeper.units import MAX_ID_CHARS

Path = tuple[str | int, ...]  # from the story down, as the author's files name it

_MANY = 1_000  # beyond so many candidates only the alike are compared
_LONG = 80  # words longer than this are not worth a guess


class Severity(StrEnum):
    """How bad it is: errors stop loading, warnings do not, notes say what nothing reads yet."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is wrong: where, what, and what to do."""

    code: str  # stable and short, for programs: "unknown-key"
    what: str
    fix: str = ""
    severity: Severity = Severity.ERROR
    path: Path = ()
    file: str = ""  # relative to the story's folder
    line: int = 0  # from 1; 0 is "the file as a whole"
    column: int = 0
    also: Path | None = None  # the other place, where a problem has two

    def __str__(self) -> str:
        file = self.file.replace("\n", "␤")  # a name with a line end would make lines of ours
        where = ":".join(str(part) for part in (file, self.line, self.column) if part)
        if not where:
            where = dotted(self.path) or "story"
        text = f"{where}: {self.severity}: {self.what}"
        return f"{text} — {self.fix}" if self.fix else text


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Sorted by place, each once."""
    seen: dict[tuple[object, ...], Problem] = {}
    for p in problems:
        seen.setdefault((p.file, p.line, p.column, _RANK[p.severity], p.code, p.what, p.fix), p)
    return tuple(seen[key] for key in sorted(seen, key=_place_key))


def _place_key(key: tuple[object, ...]) -> tuple[object, ...]:
    """The key itself; `story.yaml` comes first, because everything begins there."""
    return (key[0] != "story.yaml", *key)


def dotted(path: Path) -> str:
    """`cast[2].at`: the path as people write it."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def nearest(word: str, known: Collection[str]) -> str | None:
    """The known word that is most like this one, if any is much like it."""
    if len(word) > _LONG or not word:
        return None
    candidates: Collection[str] = known
    if len(known) > _MANY:  # comparing is slow: keep those that begin or end the same
        candidates = [k for k in known if k[:2] == word[:2] or k[-2:] == word[-2:]]
    found = difflib.get_close_matches(word, candidates, n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, known: Collection[str], otherwise: str) -> str:
    """The advice that names the nearest known word, or else the one given."""
    found = nearest(word, known)
    return f"did you mean `{found}`?" if found else otherwise


def slug(text: str) -> str:
    """An id made of any text: lower case, digits and hyphens; "" if nothing is left of it."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    joined = re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).lstrip("0123456789-")
    return joined[:MAX_ID_CHARS].rstrip("-")


def shown(value: object) -> str:
    """What the author wrote, short enough to quote on one line."""
    text = str(value)
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return clean if len(clean) <= 60 else f"{clean[:57]}…"
