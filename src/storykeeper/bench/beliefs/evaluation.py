"""`bench beliefs`: ToMi through the path of play: text, atoms, world, view.

Raw figures are against the labels of the set, corrected ones against those that follow by the
written rule (`reference`) where the set's label of a second-order question contradicts its story.
Beside it, on the same stories: that everyone knows what is so; that everyone thinks everyone thinks
what they think; and ours without supposing (F8.6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from storykeeper.bench.beliefs.data import Asked, tomi
from storykeeper.bench.beliefs.questions import Question, answer, understood
from storykeeper.bench.beliefs.reference import corrected
from storykeeper.bench.beliefs.tales import Tale, plain, told
from storykeeper.bench.registry import Figures, Setup

_QUICK = 60  # questions
_EVERY = 100  # stories
Answers = Callable[[Tale, Question], str]


def measure(setup: Setup) -> Figures:
    """Every question to every system; what could not be read is said."""
    asked = tomi(setup.data)[: _QUICK if setup.quick else None]
    tales = _tales(asked, setup)
    for sentence in sorted({each for tale in tales.values() for each in tale.unread}):
        setup.say(f"unread: {sentence}")
    figures: Figures = {}
    for name, system in SYSTEMS.items():
        setup.say(f"{name}: {len(asked):,} questions …")
        supposing = name != "seen_only"
        figures[name] = {"accuracy": accuracy(asked, tales, system, supposing=supposing)}
    figures["storykeeper"] |= {
        "stories": len(tales),
        "questions": len(asked),
        "unread": sum(len(tale.unread) for tale in tales.values()),
        "not_asked": sum(understood(each.question) is None for each in asked),
        "relabelled": sum(label(each) != _plain(each.gold) for each in asked),
        "reference_first_order": reference_agrees(asked),
    }
    return figures


def _tales(asked: Sequence[Asked], setup: Setup) -> dict[tuple[str, ...], Tale]:
    stories = dict.fromkeys(each.sentences for each in asked)
    tales: dict[tuple[str, ...], Tale] = {}
    for sentences in stories:
        tales[sentences] = told(sentences)
        if len(tales) % _EVERY == 0 or len(tales) == len(stories):
            setup.say(f"{len(tales):,} of {len(stories):,} stories told")
    return tales


# ── systems ──────────────────────────────────────────────────────────────────────────────────


def _everyone_knows(tale: Tale, question: Question) -> str:
    people = () if question.people else question.people
    return answer(tale, Question(question.thing, people, question.at_first))


def _no_nesting(tale: Tale, question: Question) -> str:
    return answer(tale, Question(question.thing, question.people[:1], question.at_first))


def _seen_only(tale: Tale, question: Question) -> str:
    return answer(tale, question, supposing=False)


SYSTEMS: Mapping[str, Answers] = {
    "storykeeper": answer,
    "seen_only": _seen_only,
    "everyone_knows": _everyone_knows,
    "no_nesting": _no_nesting,
}


# ── figures ──────────────────────────────────────────────────────────────────────────────────


def accuracy(
    asked: Sequence[Asked],
    tales: Mapping[tuple[str, ...], Tale],
    system: Answers,
    *,
    supposing: bool = True,
) -> Figures:
    """Shares of right answers, by label and by label corrected, in all and by kind."""
    raw: dict[str, list[bool]] = defaultdict(list)
    right: dict[str, list[bool]] = defaultdict(list)
    for each in asked:
        question = understood(each.question)
        given = "" if question is None else system(tales[each.sentences], question)
        kinds = ("", "_".join(each.kind.split("_")[:2]), each.kind)
        for kind in dict.fromkeys(kinds):
            raw[kind].append(given == _plain(each.gold))
            right[kind].append(given == label(each, supposing=supposing))
    kinds_found = sorted(kind for kind in raw if kind)
    return {
        "raw": share(raw[""]),
        "corrected": share(right[""]),
        **{
            kind: {"raw": share(raw[kind]), "corrected": share(right[kind])} for kind in kinds_found
        },
    }


def label(asked: Asked, *, supposing: bool = True) -> str:
    """The answer that must be given: the set's, or for second-order questions the rule's."""
    if not asked.kind.startswith("second"):
        return _plain(asked.gold)
    by_rule = corrected(asked.sentences, asked.trace, asked.kind, supposing=supposing)
    return _plain(asked.gold if by_rule is None else by_rule)


def reference_agrees(asked: Sequence[Asked]) -> float:
    """How often the rule of the reference gives the set's own label, where that is not in doubt."""
    first = [each for each in asked if each.kind.startswith("first")]
    return share([corrected(each.sentences, each.trace, each.kind) == each.gold for each in first])


def share(right: Sequence[bool]) -> float:
    """In percent, to two digits; 0 of nothing."""
    return round(100 * sum(right) / len(right), 2) if right else 0.0


def _plain(words: str) -> str:
    return plain(words).rstrip(".").casefold()
