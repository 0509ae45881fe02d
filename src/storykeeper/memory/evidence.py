"""Evidence: what of a knowledge base bears on a question, for somebody who has read some of it.

search      words, and meaning if there is an embedder, in the sources that they have read
rerank      a cross-encoder reads each with the question, if there is one
trust       times how far its source is believed
merge       the same words in two sources are one piece, which cites both
MMR         what says the same again comes later; what says otherwise comes along, marked
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from storykeeper.canon.provenance import joined
from storykeeper.canon.registry import CanonSource, SourceKind
from storykeeper.memory.compaction.terms import numbers, words
from storykeeper.memory.library import Found, Library
from storykeeper.memory.signals.words import terms
from storykeeper.models.reranker import Reranker
from storykeeper.scoring.trust import Standing, diverse, shares

MOST = 8
LOOKED_AT = 24
SAME_TOPIC = 0.5  # share of terms that two passages have in common to be about the same
_DENIES = frozenset({
    "cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere",
    "without",
})  # fmt: skip
Opposed = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that bears on a question."""

    id: str
    cites: tuple[str, ...]  # its source; of the same words in several, each
    kind: SourceKind
    text: str
    heading: tuple[str, ...]
    share: float  # of the best relevance
    trust: float
    score: float
    opposed: tuple[str, ...] = ()  # ids of what else was found that says otherwise


def evidence(
    library: Library,
    query: str,
    sources: Collection[CanonSource],
    *,
    most: int = MOST,
    reranker: Reranker | None = None,
    opposed: Opposed | None = None,
) -> list[Evidence]:
    """What of these sources bears on a question, by score; at most so many."""
    of = {source.cite: source for source in sources}
    found = library.search(query, cites=of, most=LOOKED_AT)
    if reranker is not None and found:
        relevances = reranker.relevance(query, [each.text for each in found])
    else:
        relevances = [each.relevance for each in found]
    pool = _merged(found, shares(relevances), of)
    against = opposed or says_otherwise
    held = [Standing(e.share, e.trust, _tie(e.id)) for e in pool]

    pairs = [(i, j) for i in range(len(pool)) for j in range(i)]
    near = {(i, j): alike(pool[i].text, pool[j].text) for i, j in pairs}
    apart = {
        (i, j) for i, j in pairs
        if not set(pool[i].cites) & set(pool[j].cites) and against(pool[i].text, pool[j].text)
    }  # fmt: skip

    def are_opposed(i: int, j: int) -> bool:
        return (max(i, j), min(i, j)) in apart

    def are_alike(i: int, j: int) -> float:
        return 1.0 if i == j else near[max(i, j), min(i, j)]

    chosen = diverse(held, are_alike, are_opposed, most=most)
    marked = {i: tuple(pool[j].id for j in chosen if are_opposed(i, j)) for i in chosen}
    return [_with(pool[i], marked[i]) for i in chosen]


def _merged(
    found: Sequence[Found], parts: Sequence[float], of: dict[str, CanonSource]
) -> list[Evidence]:
    """One for the same words, with all that they come from and the best that any of them has."""
    groups: dict[str, list[tuple[Found, float]]] = {}
    for each, share in zip(found, parts, strict=True):
        groups.setdefault(" ".join(each.text.split()).casefold(), []).append((each, share))
    made = []
    for group in groups.values():
        first, _ = min(group, key=lambda g: (-of[g[0].cite].trust, -g[1], _tie(g[0].id)))
        source, share = of[first.cite], max(share for _, share in group)
        every = joined([each.cite for each, _ in group])
        cites = (first.cite, *(cite for cite in every if cite != first.cite))
        made.append(
            Evidence(
                first.id, cites, source.kind, first.text, first.heading, share, source.trust,
                Standing(share, source.trust).score,
            )
        )  # fmt: skip
    return made


def _tie(passage: str) -> tuple[str, int]:
    cite, _, number = passage.partition("#")
    return cite, int(number) if number.isdecimal() else 0


def _with(found: Evidence, opposed: tuple[str, ...]) -> Evidence:
    return Evidence(
        found.id, found.cites, found.kind, found.text, found.heading, found.share, found.trust,
        found.score, opposed,
    )  # fmt: skip


# ── of two passages ──────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=16_384)
def _terms(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if not term.isdecimal())


@lru_cache(maxsize=16_384)
def _said(text: str) -> tuple[frozenset[str], bool]:
    """The numbers of a passage, and whether it denies."""
    said = words(text)
    denies = sum(word in _DENIES or word.endswith("n't") for word in map(str.lower, said))
    return frozenset(numbers(text)), denies % 2 == 1


def alike(one: str, other: str) -> float:
    """How much of what they are about two passages have in common."""
    first, second = _terms(one), _terms(other)
    both = len(first | second)
    return len(first & second) / both if both else 0.0


def says_otherwise(one: str, other: str) -> bool:
    """Whether two passages about the same differ in a number, or one denies what the other says.

    About the same: half of what they are about, or the same thing is counted and what is said of it
    has another word in common.
    """
    if _counts_otherwise(one, other):
        return True
    if alike(one, other) < SAME_TOPIC:
        return False
    (first, denied), (second, denies) = _said(one), _said(other)
    return denied != denies or (bool(first and second) and not first & second)


def _counts_otherwise(one: str, other: str) -> bool:
    first, second = _counted(one), _counted(other)
    common = _terms(one) & _terms(other)
    return any(
        not first[thing] & second[thing] and len(common - {thing}) > 0
        for thing in first.keys() & second.keys()
    )


@lru_cache(maxsize=16_384)
def _counted(text: str) -> dict[str, frozenset[str]]:
    """What is counted in a passage, and how many: the word behind each number."""
    found: dict[str, frozenset[str]] = {}
    said = words(text)
    for word, after in pairwise(said):
        count, things = numbers(word), terms(after)
        if count and things and not numbers(after):
            found[things[0]] = found.get(things[0], frozenset()) | count
    return found
