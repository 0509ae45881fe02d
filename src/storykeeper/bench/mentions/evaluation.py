"""LitBank: how many mentions are found, and how well they are joined.

With what ships, or with `--fit` refitted leave-books-out: each fifth of the books is read by a
model that was fitted on the other four, so that no book is read by what was learned from it.
Beside it two ways without learning, in the same run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from storykeeper.bench.mentions.baselines import string_match, string_match_pronouns
from storykeeper.bench.mentions.examples import Example
from storykeeper.bench.mentions.fitting import FOLDS, Fitting, examples_in
from storykeeper.bench.mentions.scores import Score, Span, score
from storykeeper.bench.registry import Figures, Setup
from storykeeper.language.coref.model import shipped
from storykeeper.language.coref.referent import Referent
from storykeeper.language.coref.resolver import read

Joined = list[frozenset[Span]]
_QUICK = 10  # books


def measure(setup: Setup) -> Figures:
    """Ours and the two baselines, per book and overall."""
    setup.say("parsing …")
    examples = examples_in(setup.data)[: _QUICK if setup.quick else None]
    if setup.fit:
        fitted = f"leave-books-out, {FOLDS} folds of {len(examples)} books"
        setup.say(f"refitting {fitted} …")
        found = _refitted(examples, setup)
    else:
        fitted = _as_shipped(examples)
        setup.say(fitted)
        found = {e.book.name: joined(read(e.doc, shipped())) for e in examples}
    return {
        "fitted": fitted,
        "storykeeper": _figures(examples, lambda e: found[e.book.name]),
        "string_match": _figures(examples, lambda e: string_match(e.doc)),
        "string_match_pronouns": _figures(examples, lambda e: string_match_pronouns(e.doc)),
    }


def _as_shipped(examples: Sequence[Example]) -> str:
    """What a figure of the shipped model is worth on these books."""
    known = sum(e.book.name in shipped().seen for e in examples)
    if not known:
        return f"as shipped; none of the {len(examples)} books was fitted on"
    return (
        f"as shipped; {known} of the {len(examples)} books were fitted on: a TRAINING-SET figure, "
        "use --fit for an honest one"
    )


def _refitted(examples: Sequence[Example], setup: Setup) -> dict[str, Joined]:
    fitting = Fitting(examples, say=setup.say)
    found: dict[str, Joined] = {}
    for number in range(FOLDS):
        model = fitting.model(frozenset({number}))
        found |= {e.book.name: joined(read(e.doc, model)) for e in fitting.fold(number)}
        done = _scored([(e, found[e.book.name]) for e in fitting.fold(number)])
        setup.say(f"  fold {number}: {done.figures()}")
    return found


def joined(referents: Iterable[Referent]) -> Joined:
    """Referents as clusters of spans."""
    clusters: dict[int, set[Span]] = defaultdict(set)
    for r in referents:
        clusters[r.cluster].add((r.start, r.end))
    return [frozenset(clusters[c]) for c in sorted(clusters)]


def _scored(pairs: Iterable[tuple[Example, Joined]]) -> Score:
    total = Score()
    for one, found in pairs:
        total += score(gold=one.book.gold, found=found, pronouns=one.book.pronouns)
    return total


def _figures(examples: Sequence[Example], system: Callable[[Example], Joined]) -> Figures:
    """Overall and by book. Counts are added over books, then the shares taken."""
    results = [(one, system(one)) for one in examples]
    overall: Figures = _scored(results).figures()
    overall["books"] = {one.book.name: _scored([(one, found)]).figures() for one, found in results}
    return overall
