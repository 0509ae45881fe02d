"""Makes `senses.npz`: what WordNet says a noun may be, as shares of its senses.

    python -m storykeeper.bench.lexicon_fit.senses --wordnet DIR

For every single noun, and for every anchor below, the share of the noun's senses (weighed by how
often each was tagged) that stand under the anchor. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from storykeeper.bench.lexicon_fit.wordnet import WordNet
from storykeeper.language import coref
from storykeeper.language.coref.network import save_arrays

HERE = Path(coref.__file__).parent
# Word and number of its sense; what stands under it is of that sort.
ANCHORS: tuple[tuple[str, int], ...] = (
    ("person", 1), ("adult", 1), ("child", 1), ("relative", 1), ("worker", 1), ("leader", 1),
    ("male", 2), ("female", 2), ("friend", 1), ("unfortunate", 1), ("native", 1),
    ("spiritual_being", 1), ("animal", 1), ("social_group", 1), ("organization", 1),
    ("people", 1), ("military_unit", 1), ("family", 1), ("artifact", 1), ("instrumentality", 3),
    ("structure", 1), ("building", 1), ("housing", 1), ("room", 1), ("area", 5), ("way", 6),
    ("facility", 1), ("establishment", 4), ("vehicle", 1), ("craft", 2), ("location", 1),
    ("region", 3), ("district", 1), ("city", 1), ("country", 2), ("land", 4), ("tract", 1),
    ("geological_formation", 1), ("body_of_water", 1), ("plant", 2), ("body_part", 1),
    ("clothing", 1), ("furniture", 1), ("substance", 1), ("food", 1), ("abstraction", 6),
    ("attribute", 2), ("act", 2), ("event", 1), ("state", 2), ("time_period", 1),
    ("communication", 2), ("feeling", 1), ("point", 2), ("boundary", 1), ("imaginary_place", 1),
)  # fmt: skip
_STEPS = 15  # shares are kept in fifteenths


def noun_shares(net: WordNet) -> dict[str, list[int]]:
    """Every single noun with its share under each anchor, in fifteenths."""
    places = {net.at(*anchor): at for at, anchor in enumerate(ANCHORS)}
    assert None not in places, "an anchor is not in this WordNet"
    under = {s: sorted({places[a] for a in net.lineage(s) if a in places}) for s in net.synsets}
    shares = {}
    for word, senses in net.senses.items():
        if not word.isalpha() or not word.isascii() or len(word) < 2:
            continue
        row = [0.0] * len(ANCHORS)
        for sense in senses:
            for at in under[sense.synset]:
                row[at] += sense.weight**0.5
        whole = sum(sense.weight**0.5 for sense in senses)
        steps = [round(_STEPS * value / whole) for value in row]
        if any(steps):
            shares[word] = steps
    return shares


def main() -> None:
    """The command."""
    raw = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--wordnet", type=Path, required=True, help="where data.noun stands")
    parser.add_argument("--out", type=Path, default=HERE / "senses.npz")
    chosen = parser.parse_args()
    shares = noun_shares(WordNet(chosen.wordnet, "noun"))
    words = sorted(shares)
    text = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    save_arrays(chosen.out, words=text, shares=np.array([shares[w] for w in words], np.uint8))


if __name__ == "__main__":
    main()
