"""Makes the lexicon's files from WordNet and the census lists of first names.

    python -m storykeeper.bench.lexicon_fit.wordnet --wordnet DIR --female FILE --male FILE

Nouns get the sort that their senses weigh most for: a sense weighs what it was counted in tagged
text, a little by its rank where it was never counted. Verbs get a class from the file that their
main sense stands in. The output is text, one line per class, sorted; the same input gives the same
bytes.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from storykeeper.language import lexicon
from storykeeper.language.lexicon.classes import VerbClass
from storykeeper.language.reading import Gender, Sort

HERE = Path(lexicon.__file__).parent

# WordNet's lexicographer files, by number (lexnames(5WN)).
NOUN_FILES: Mapping[int, Sort] = {
    5: Sort.ANIMAL, 6: Sort.THING, 8: Sort.PART, 13: Sort.THING, 15: Sort.PLACE, 17: Sort.THING,
    18: Sort.PERSON, 19: Sort.MATTER, 20: Sort.THING, 27: Sort.MATTER, 28: Sort.TIME,
}  # fmt: skip
# A sense below one of these (word and number of its sense) is of that sort instead; the nearest
# one above it decides.
ABOVE: Mapping[tuple[str, int], Sort] = {
    ("structure", 1): Sort.PLACE, ("area", 5): Sort.PLACE, ("way", 6): Sort.PLACE,
    ("facility", 1): Sort.PLACE, ("obstruction", 1): Sort.THING, ("column", 7): Sort.THING,
    ("memorial", 3): Sort.THING, ("cross", 1): Sort.THING, ("support", 10): Sort.THING,
    ("geological_formation", 1): Sort.PLACE, ("body_of_water", 1): Sort.PLACE,
    ("land", 4): Sort.PLACE, ("ice", 1): Sort.MATTER, ("celestial_body", 1): Sort.MATTER,
    ("beverage", 1): Sort.MATTER, ("foodstuff", 2): Sort.MATTER, ("meat", 1): Sort.MATTER,
    ("fabric", 1): Sort.MATTER, ("covering", 1): Sort.MATTER, ("clothing", 1): Sort.THING,
    ("social_group", 1): Sort.GROUP, ("people", 1): Sort.GROUP, ("animal_group", 1): Sort.GROUP,
    ("document", 1): Sort.THING, ("coin", 1): Sort.THING,
    ("creation", 2): Sort.ABSTRACT, ("whole", 2): Sort.THING, ("artifact", 1): Sort.THING,
    ("covering", 2): Sort.THING, ("body_covering", 1): Sort.PART,
}  # fmt: skip
VERB_FILES: Mapping[int, VerbClass] = {
    31: VerbClass.THINK, 32: VerbClass.SAY, 35: VerbClass.HANDLE, 36: VerbClass.MAKE,
    37: VerbClass.FEEL, 38: VerbClass.MOVE, 39: VerbClass.PERCEIVE,
}  # fmt: skip
VERBS_ABOVE: Mapping[tuple[str, int], VerbClass] = {
    ("get", 1): VerbClass.TAKE, ("take", 8): VerbClass.TAKE, ("give", 3): VerbClass.GIVE,
    ("transfer", 5): VerbClass.GIVE, ("attack", 1): VerbClass.HARM, ("fight", 2): VerbClass.HARM,
    ("hit", 3): VerbClass.HARM, ("injure", 1): VerbClass.HARM, ("kill", 1): VerbClass.HARM,
    ("ask", 1): VerbClass.ASK, ("ask", 2): VerbClass.ASK, ("hide", 1): VerbClass.HIDE,
    ("put", 1): VerbClass.PUT, ("sleep", 1): VerbClass.SLEEP, ("help", 1): VerbClass.CARE,
    ("protect", 1): VerbClass.CARE, ("pay", 1): VerbClass.OWE,
}  # fmt: skip
GENDERS_ABOVE: Mapping[tuple[str, int], Gender] = {
    ("female", 2): Gender.SHE, ("woman", 1): Gender.SHE, ("male", 2): Gender.HE,
    ("man", 1): Gender.HE,
}  # fmt: skip
_ENOUGH = 0.8  # of the bearers of a first name, for a pronoun to fit it
_ARTIFACT = 6
_MADE = 2.0  # more for the sense that can be held: a teaspoon is a spoon before it is a measure
_MAIN = 0.3  # of a verb's weight, for a sense to class it


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a word: where it stands in the data file, and how much it weighs."""

    synset: str
    weight: float


@dataclass(frozen=True, slots=True)
class Synset:
    """A meaning: the file it stands in, its words as written, what lies above it."""

    file: int
    words: tuple[str, ...]
    above: tuple[str, ...]
    named: bool  # an instance: Paris, not city


class WordNet:
    """The nouns or the verbs of a WordNet directory."""

    def __init__(self, directory: Path, part: str) -> None:
        self.synsets = dict(_synsets(directory / f"data.{part}"))
        self.senses = dict(_senses(directory, part))

    def at(self, word: str, number: int) -> str | None:
        """The synset of a word's nth sense."""
        senses = self.senses.get(word, ())
        return senses[number - 1].synset if len(senses) >= number else None

    def lineage(self, synset: str) -> Iterator[str]:
        """A synset and all above it, nearest first."""
        seen = {synset}
        row = [synset]
        while row:
            yield from row
            row = sorted({a for s in row for a in self.synsets[s].above} - seen)
            seen.update(row)


def _synsets(path: Path) -> Iterator[tuple[str, Synset]]:
    for line in path.read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        words = tuple(fields[4 + 2 * i] for i in range(count))
        rest = fields[4 + 2 * count :]
        pointers = [rest[1 + 4 * i : 5 + 4 * i] for i in range(int(rest[0]))]
        above = tuple(p[1] for p in pointers if p[0] in ("@", "@i"))
        yield fields[0], Synset(int(fields[1]), words, above, any(p[0] == "@i" for p in pointers))


def _senses(directory: Path, part: str) -> Iterator[tuple[str, tuple[Sense, ...]]]:
    counts = _counts(directory / "cntlist.rev", "1" if part == "noun" else "2")
    for line in (directory / f"index.{part}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split()
        word, offsets = fields[0], fields[-int(fields[2]) :]
        yield (
            word,
            tuple(
                Sense(offset, counts.get((word, rank), 0) + 1 / (1 + rank))
                for rank, offset in enumerate(offsets, 1)
            ),
        )


def _counts(path: Path, part: str) -> dict[tuple[str, int], int]:
    """How often each sense of a word was tagged: the key names the part of speech after `%`."""
    counts: dict[tuple[str, int], int] = {}
    for line in path.read_text("utf-8").splitlines():
        key, rank, count = line.split()
        word, _, rest = key.partition("%")
        if rest.startswith(part):
            counts[word, int(rank)] = int(count)
    return counts


def noun_sorts(net: WordNet) -> dict[str, Sort]:
    """Every single common noun, and every named place, with its sort."""
    anchors = {net.at(*where): sort for where, sort in ABOVE.items()}
    sorts: dict[str, Sort] = {}
    for word, senses in net.senses.items():
        if not word.isalpha() or not word.isascii() or len(word) < 2:
            continue
        weights: dict[Sort, float] = defaultdict(float)
        as_artifact = 0.0
        for rank, sense in enumerate(senses, 1):
            sort = _sort_of_synset(net, sense.synset, anchors)
            if not _only_a_name(net.synsets[sense.synset], word, sort):
                weights[sort] += sense.weight
                if sort is Sort.THING and net.synsets[sense.synset].file == _ARTIFACT:
                    as_artifact += sense.weight + _MADE / (1 + rank)
        if weights:
            best = max(weights, key=lambda s: (weights[s], s))
            is_vague = best in (Sort.ABSTRACT, Sort.GROUP, Sort.MATTER)
            sorts[word] = Sort.THING if is_vague and as_artifact > weights[best] else best
    return sorts


def _sort_of_synset(net: WordNet, synset: str, anchors: Mapping[str | None, Sort]) -> Sort:
    own = NOUN_FILES.get(net.synsets[synset].file, Sort.ABSTRACT)
    if own in (Sort.PERSON, Sort.ANIMAL, Sort.PART, Sort.PLACE, Sort.TIME):
        return own
    return next((anchors[s] for s in net.lineage(synset) if s in anchors), own)


def _only_a_name(synset: Synset, word: str, sort: Sort) -> bool:
    """Names say nothing of the noun; but Paris is a place, and a German is somebody."""
    if sort is Sort.PLACE:
        return False
    return synset.named or (word not in synset.words and sort is not Sort.PERSON)


def noun_genders(net: WordNet) -> dict[str, Gender]:
    """Nouns whose main sense is a woman or a man."""
    anchors = {net.at(*where): gender for where, gender in GENDERS_ABOVE.items()}
    genders: dict[str, Gender] = {}
    for word, senses in net.senses.items():
        if not word.isalpha() or net.synsets[senses[0].synset].file != 18:
            continue
        if _only_a_name(net.synsets[senses[0].synset], word, Sort.PERSON):
            continue
        found = next((anchors[s] for s in net.lineage(senses[0].synset) if s in anchors), None)
        if found is not None:
            genders[word] = found
    return genders


def verb_classes(net: WordNet) -> dict[str, frozenset[VerbClass]]:
    """Verbs, and verbs with a particle, with the classes of their main senses."""
    anchors = {net.at(*where): named for where, named in VERBS_ABOVE.items()}
    classes: dict[str, frozenset[VerbClass]] = {}
    for word, senses in net.senses.items():
        total = sum(sense.weight for sense in senses)
        weights: dict[VerbClass, float] = defaultdict(float)
        for sense in senses:
            above = next((anchors[s] for s in net.lineage(sense.synset) if s in anchors), None)
            named = above or VERB_FILES.get(net.synsets[sense.synset].file)
            if named is not None:
                weights[named] += sense.weight
        found = frozenset(c for c, weight in weights.items() if weight >= _MAIN * total)
        if found and word.replace("_", "").isalpha() and word.count("_") <= 1:
            classes[word.replace("_", " ")] = found
    return classes


def qualities(directory: Path) -> dict[str, str]:
    """Adjectives and adverbs that were met in tagged text: late, silent, soon."""
    parts = {"3": "adjective", "4": "adverb", "5": "adjective"}  # 5: near another adjective
    return {
        word: name
        for part, name in parts.items()
        for word, _ in _counts(directory / "cntlist.rev", part)
        if word.isalpha() and word.isascii() and len(word) > 1
    }


def name_genders(female: Path, male: Path) -> dict[str, Gender]:
    """First names that are mostly women's, or mostly men's."""
    shares = (_shares(female), _shares(male))
    genders: dict[str, Gender] = {}
    for name in sorted({*shares[0], *shares[1]}):
        hers, his = (share.get(name, 0.0) for share in shares)
        if hers >= _ENOUGH * (hers + his):
            genders[name] = Gender.SHE
        elif his >= _ENOUGH * (hers + his):
            genders[name] = Gender.HE
    return genders


def _shares(path: Path) -> dict[str, float]:
    rows = (line.split() for line in path.read_text("utf-8").splitlines() if line.strip())
    return {row[0].casefold(): float(row[1]) + 0.0005 for row in rows}


def written(groups: Mapping[str, str]) -> str:
    """Words by their class, as a file: `class word word …`, sorted."""
    by_class: dict[str, list[str]] = defaultdict(list)
    for word, name in groups.items():
        by_class[name].append(word.replace(" ", "_"))
    return "".join(f"{name} {' '.join(sorted(ws))}\n" for name, ws in sorted(by_class.items()))


def build(*, wordnet: Path, female: Path, male: Path, out: Path) -> None:
    """Write the lexicon's five files."""
    nouns, verbs = WordNet(wordnet, "noun"), WordNet(wordnet, "verb")
    files: dict[str, Mapping[str, str]] = {
        "nouns.txt": noun_sorts(nouns),
        "genders.txt": noun_genders(nouns),
        "verbs.txt": {v: "+".join(sorted(found)) for v, found in verb_classes(verbs).items()},
        "first_names.txt": name_genders(female, male),
        "qualities.txt": qualities(wordnet),
    }
    for name, groups in files.items():
        (out / name).write_text(written(groups), "utf-8")


def main() -> None:
    """The command."""
    raw = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--wordnet", type=Path, required=True, help="where data.noun stands")
    parser.add_argument("--female", type=Path, required=True, help="census list of women's names")
    parser.add_argument("--male", type=Path, required=True, help="census list of men's names")
    parser.add_argument("--out", type=Path, default=HERE)
    chosen = parser.parse_args()
    build(wordnet=chosen.wordnet, female=chosen.female, male=chosen.male, out=chosen.out)


if __name__ == "__main__":
    main()
