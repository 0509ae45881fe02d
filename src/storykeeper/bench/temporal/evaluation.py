"""`bench temporal`: questions of pure time, in R-precision, beside BM25 in the same run.

R-precision is the share of the first R answers that are right, R being how many right ones there
are; a kind's figure is the mean over its questions, `mean` the mean over the kinds. Beside it:
the same questions asked over several lines (`dialogues`), questions with a time and a subject
(`mixed`, recall of the answering turns among the first ten), and on LoCoMo how often a filter
would have kept the answering turns out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from statistics import fmean
from typing import Protocol

from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.temporal.chats import Chat, Question, locomo, questions, zyphra
from storykeeper.bench.temporal.rankers import Bm25, Timed
from storykeeper.language.time import Use, narrow

_QUICK = 1  # chats
_TOP = 10


class Ranker(Protocol):
    """Answers a question with the numbers of turns, best first."""

    def rank(self, question: str) -> list[int]:
        """All that it would answer with."""
        ...


Make = Callable[[Chat], Ranker]
Asked = Mapping[str, list[Question]]


def measure(setup: Setup) -> Figures:
    """Ours, BM25, and BM25 that is told every turn's date and session in words."""
    chats = dict(list(zyphra(setup.data).items())[: _QUICK if setup.quick else None])
    sets = {name: questions(setup.data, f"{name}_qs") for name in _SETS}
    systems: dict[str, Make] = {
        "storykeeper": Timed,
        "bm25": Bm25,
        "bm25_dated": lambda chat: Bm25(chat, dated=True),
    }
    figures: Figures = {}
    for name, make in systems.items():
        setup.say(f"{name}: {len(chats)} chats …")
        figures[name] = _system(make, chats, sets)
    setup.say("locomo: what filters would keep out …")
    figures["storykeeper"]["locomo"] = excluded(locomo(setup.data))
    return figures


_SETS = ("time", "ambiguous_time", "content_time")


def _system(make: Make, chats: Mapping[str, Chat], sets: Mapping[str, Asked]) -> Figures:
    rankers = {name: make(chat) for name, chat in chats.items()}
    found: Figures = {
        "r_precision": _by_kind(rankers, sets["time"], r_precision),
        "dialogues": _by_kind(rankers, sets["ambiguous_time"], r_precision),
    }
    mixed = _by_kind(rankers, sets["content_time"], recall)
    return found | {"mixed": mixed["mean"]} if mixed else found


def _by_kind(
    rankers: Mapping[str, Ranker],
    asked: Asked,
    score: Callable[[list[int], frozenset[int]], float],
) -> dict[str, float]:
    scores: dict[str, list[float]] = defaultdict(list)
    for name, ranker in rankers.items():
        for question in asked.get(name, ()):
            if question.gold:
                scores[question.kind].append(score(ranker.rank(question.text), question.gold))
    kinds = {kind: _share(scores[kind]) for kind in sorted(scores)}
    return {"mean": round(fmean(kinds.values()), 2), **kinds} if kinds else {}


def r_precision(ranked: list[int], gold: frozenset[int]) -> float:
    """|first R ∩ gold|/R, R = |gold|."""
    return len(gold.intersection(ranked[: len(gold)])) / len(gold)


def recall(ranked: list[int], gold: frozenset[int]) -> float:
    """|first ten ∩ gold|/|gold|."""
    return len(gold.intersection(ranked[:_TOP])) / len(gold)


def excluded(samples: Iterable[tuple[Chat, list[Question]]]) -> dict[str, float]:
    """How many questions are filtered or raised, and for how many a gold turn lies outside.

    And what of the gold turns is among the first ten for those questions, by words alone and with
    the time in them.
    """
    counts = dict.fromkeys(
        ("questions", "filtered", "filtered_losing", "raised", "raised_outside", "event"), 0.0
    )
    plain: list[float] = []
    timed: list[float] = []
    for chat, asked in samples:
        words, ours = Bm25(chat), Timed(chat)
        for question in (q for q in asked if q.gold):
            names = _counted(chat, question)
            for name in names:
                counts[name] += 1
            if "filtered" in names or "raised" in names:
                plain.append(recall(words.rank(question.text), question.gold))
                timed.append(recall(ours.rank(question.text), question.gold))
    if not plain:
        return counts
    return counts | {"recall": _share(timed), "recall_bm25": _share(plain)}


def _share(values: list[float]) -> float:
    return round(100 * fmean(values), 2)


def _counted(chat: Chat, question: Question) -> list[str]:
    found = narrow(question.text, now=chat.asked_ms, sessions=chat.timeline, names=chat.speakers)
    gold = [said for said in chat.said if said.place in question.gold]
    names = ["questions"]
    if found.when is not None:
        kept = [found.when.holds(at_ms=s.at_ms, session=s.session) for s in gold]
        names += ["filtered"] + ["filtered_losing"] * (not all(kept))
    if found.boost is not None:
        near = [found.boost.at(at_ms=s.at_ms, session=s.session) >= 1 for s in gold]
        names += ["raised"] + ["raised_outside"] * (not all(near))
    return names + ["event"] * (found.kind is Use.EVENT)
