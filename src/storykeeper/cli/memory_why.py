"""Why something was found, in words: what its score is the sum and the product of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storykeeper.memory.found import Hit
from storykeeper.memory.signals.features import ABOUT
from storykeeper.memory.signals.learned import shipped
from storykeeper.scoring.hybrid import Hybrid
from storykeeper.scoring.two_pass import Final

_CLOSE = 1e-9  # two scores this near are one


def explained(hit: Hit) -> Iterator[str]:
    """The score, factor by factor; then its likeness, signal by signal."""
    match hit.terms:
        case Hybrid() as terms:
            yield _hybrid(terms, hit.score)
        case Final() as terms:
            yield _final(terms, hit.score)
        case None if hit.parent is None:
            yield f"score {hit.score:.3f}: said at the time that is asked for"
        case None:
            yield (
                f"score {hit.score:.3f}: brought in by {hit.parent}, which was found; a share of"
                " the score of that one"
            )
    if hit.signals and hit.terms is not None:
        yield from _likeness(hit.terms.likeness, hit.signals)


def _hybrid(terms: Hybrid, score: float) -> str:
    w = terms.weights
    return (
        f"score {score:.3f} = ({w.likeness:g} × likeness {terms.likeness:.3f}"
        f" + {w.recency:g} × recency {terms.recency:.3f}"
        f" + {w.nearness:g} × nearness {terms.nearness:.3f}) × quality {terms.quality:.3f}"
    )


def _final(terms: Final, score: float) -> str:
    gain = f"(1 + {terms.gain:g} × words {terms.keywords:.3f})/(1 + {terms.gain:g})"
    product = (
        f"authority {terms.authority:.3f} × likeness {terms.likeness:.3f} × {gain}"
        f" × quality {terms.quality:.3f}"
    )
    if abs(terms.score - score) > _CLOSE:
        return f"score {score:.3f}, from {terms.score:.3f} = {product}, for the times it adds"
    return f"score {score:.3f} = {product}"


def _likeness(value: float, signals: Mapping[str, float]) -> Iterator[str]:
    """The sum below is what σ makes the likeness of; what counts most comes first."""
    yield f"likeness {value:.3f} = σ of the sum of"
    yield f"  {shipped().bias:+7.2f}  to begin with"
    for name, part in sorted(signals.items(), key=lambda each: (-abs(each[1]), each[0])):
        yield f"  {part:+7.2f}  {ABOUT.get(name, name)}"
