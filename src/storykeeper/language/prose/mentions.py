"""Noun phrases, names and pronouns: what each is of, how many, and how it is described."""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.language.lexicon import gender_of_name, gender_of_noun, sort_of
from storykeeper.language.prose.drafts import Draft
from storykeeper.language.prose.phrases import (
    COUNTING,
    HOLDING,
    IDIOM_BEFORE,
    IDIOM_IF_OF,
    IDIOMS,
    LONGEST_BEFORE,
    PIECES,
    PLURAL_ABSTRACT,
    TITLES,
)
from storykeeper.language.prose.stand_ins import stand_in, stands_in
from storykeeper.language.prose.words import NOMINAL, Word, Words, listed
from storykeeper.language.reading import Gender, MentionKind, Modality, Somebody, Sort


@dataclass(frozen=True, slots=True)
class _Pronoun:
    gender: Gender
    person: int = 3
    plural: bool = False
    sort: Sort = Sort.PERSON


def _pronouns() -> dict[str, _Pronoun]:
    rows: tuple[tuple[str, _Pronoun], ...] = (
        ("she her hers herself", _Pronoun(Gender.SHE)),
        ("he him his himself", _Pronoun(Gender.HE)),
        ("it its itself", _Pronoun(Gender.IT, sort=Sort.UNKNOWN)),
        (
            "they them their theirs themselves em 'em",
            _Pronoun(Gender.THEY, plural=True, sort=Sort.UNKNOWN),
        ),
        ("i me my mine myself", _Pronoun(Gender.UNKNOWN, person=1)),
        ("we us our ours ourselves", _Pronoun(Gender.UNKNOWN, person=1, plural=True)),
        (
            "you your yours yourself yourselves ya thou thee thy thine",
            _Pronoun(Gender.UNKNOWN, person=2),
        ),
        ("someone somebody anyone anybody everyone everybody", _Pronoun(Gender.THEY)),
        ("nobody no-one noone", _Pronoun(Gender.THEY)),
    )
    return {word: pronoun for words, pronoun in rows for word in words.split()}


PRONOUNS = _pronouns()
_INDEFINITE = frozenset({"someone", "somebody", "anyone", "anybody", "everyone", "everybody",
                         "nobody", "no-one", "noone"})  # fmt: skip
NOBODY = frozenset({"nobody", "no-one", "noone"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both"})
_LEFT = frozenset({"det", "amod", "compound", "poss", "nummod", "quantmod", "nmod", "predet",
                   "case", "advmod", "punct"})  # fmt: skip
# Adjectives that describe nothing.
_EMPTY = listed(
    """
    own same such only very many much few several more most certain whole entire all each every
    different various
    """
)
# Parts, unless there are several or another noun says of what kind: data chips.
_THINGS_TOO = frozenset({"chip", "horn", "scale", "cover", "stem", "splinter", "fragment", "light"})
# What lives is none of this.
_MADE_OF = listed(
    """
    rocking toy neon wooden stuffed glass china clay stone bronze plastic paper porcelain brass
    plush tin marble plaster clockwork cardboard straw wax carved painted ceramic origami inflatable
    """
)
# With a person's, these are of the body.
_OF_BODIES = frozenset({"chest", "nail", "temple", "trunk", "crown", "pupil", "lash", "bridge"})


class Mentions(list[Draft]):
    """The mentions of a text in order, and which word heads which."""

    def __init__(self) -> None:
        super().__init__()
        self.by_word: dict[int, int] = {}

    def at(self, i: int) -> int | None:
        """The mention that a word heads, or by which it takes part."""
        return self.by_word.get(i)

    def put(self, draft: Draft) -> None:
        """Add a mention."""
        self.by_word[draft.at] = len(self)
        if draft.outer >= 0:
            self.by_word[draft.outer] = len(self)
        self.append(draft)


def find_mentions(words: Words, text: str, cast: tuple[Somebody, ...]) -> Mentions:
    """Everything that a text refers to."""
    known = {part.casefold(): who.gender for who in cast for n in who.names for part in n.split()}
    found = Mentions()
    swallowed: set[int] = set()
    for word in words:
        if word.i in swallowed or word.pos == "PUNCT":
            continue
        draft = None
        if word.lower in PRONOUNS and word.pos in ("PRON", "DET", "PROPN", "NOUN"):
            draft = _pronoun(words, word)
        elif stands_in(words, word):
            draft = stand_in(words, word, found)
        elif word.pos in NOMINAL and _is_a_noun(words, word) and not _inside_another(words, word):
            draft = _noun(words, word, text, known, swallowed)
        if draft is not None:
            found.put(draft)
    return found


def _is_a_noun(words: Words, word: Word) -> bool:
    """Not "peppery" in "thin and peppery", nor "bolt" in "bolt upright"."""
    if not word.text[0].isalnum() or (len(word.text) == 1 and word.pos != "PROPN"):
        return False
    if word.dep == "conj" and words[word.head].pos == "ADJ" and not word.children:
        return False
    after = words[word.i + 1].lower if word.i + 1 < len(words) else ""
    return after not in IDIOM_BEFORE.get(word.lower, ())


def _inside_another(words: Words, word: Word) -> bool:
    """A noun that only modifies the next: "coffee" in "coffee cup"."""
    if word.dep in ("compound", "nmod", "amod", "quantmod") and words[word.head].pos in NOMINAL:
        return word.head > word.i
    return word.dep == "meta"


def _pronoun(words: Words, word: Word) -> Draft | None:
    if word.lower == "it" and _says_nothing(words, word):
        return None
    pronoun = PRONOUNS[word.lower]
    return Draft(
        at=word.i,
        first=word.i,
        last=word.i,
        head=word.lower,
        kind=MentionKind.PRONOUN,
        sort=pronoun.sort,
        gender=pronoun.gender,
        plural=pronoun.plural,
        definite=word.lower not in _INDEFINITE,
        person=pronoun.person,
        modality=Modality.NEGATED if word.lower in NOBODY else Modality.ASSERTED,
    )


_WEATHER = frozenset({"rain", "snow", "hail", "drizzle", "thunder", "pour", "freeze", "dawn"})
_SEEMING = frozenset({"seem", "appear", "happen", "turn", "take", "matter", "follow", "occur"})
_OF_WEATHER_AND_TIME = listed(
    """
    late early cold warm hot dark light quiet time night morning noon midnight dawn dusk evening
    day winter summer spring autumn monday tuesday wednesday thursday friday saturday sunday
    raining snowing true possible impossible clear obvious strange odd likely unlikely easy hard
    difficult nice good bad better best important necessary useless pity shame wonder o'clock past
    nearly
    """
)


def _says_nothing(words: Words, word: Word) -> bool:
    """It rained, it seems, it is late, it was Mara who …: an "it" that stands for nothing."""
    if word.dep == "expl":
        return True
    if word.dep not in ("nsubj", "nsubjpass"):
        return False
    verb = words[word.head]
    if verb.lemma in _WEATHER and words.first(verb.i, "dobj") is None:
        return True
    if verb.lemma in _SEEMING and words.first(verb.i, "ccomp", "xcomp", "advcl") is not None:
        return words.first(verb.i, "dobj") is None or verb.lemma == "take"
    if verb.lemma != "be":
        return False
    what = words.first(verb.i, "acomp", "attr", "npadvmod", "advmod")
    if what is None:
        return False
    if what.pos == "NUM":
        return True
    later = words.first(verb.i, "ccomp", "xcomp") or words.first(what.i, "relcl", "xcomp", "ccomp")
    if what.pos in ("ADJ", "NOUN", "PROPN", "PRON") and later is not None and later.i > what.i:
        return what.lower in _OF_WEATHER_AND_TIME or what.pos == "ADJ" or later.dep == "relcl"
    return what.lower in _OF_WEATHER_AND_TIME or (
        what.pos == "NOUN" and sort_of(what.lemma) is Sort.TIME
    )


def _noun(
    words: Words, word: Word, text: str, known: dict[str, Gender], swallowed: set[int]
) -> Draft | None:
    inner = _counted(words, word)
    outer = word
    if inner is not None:
        swallowed.add(inner.i)
        if PRONOUNS.get(inner.lower) is not None:
            return None  # "one of them", "the rest of it": the pronoun speaks for itself
        word = inner
    first = _left_edge(words, outer)
    kind = MentionKind.NAME if word.pos == "PROPN" and _is_name(word) else MentionKind.NOUN
    draft = Draft(
        at=word.i,
        first=min(first, _left_edge(words, word)),
        last=word.i,
        head=_name_of(words, word) if kind is MentionKind.NAME else word.lemma.lower(),
        kind=kind,
        sort=Sort.UNKNOWN,
        plural=word.tag in ("NNS", "NNPS") or (inner is not None and outer.lemma == "pair"),
        outer=outer.i if inner is not None else -1,
    )
    number = _number_of(words, word)
    if number is not None:
        draft.kind, draft.last = MentionKind.NAME, number.i
        draft.head = f"{word.text} {number.text}"
    draft.descriptors = _descriptors(words, word, kind, draft.head)
    draft.definite = draft.kind is MentionKind.NAME or _definite(words, word, outer)
    draft.sort = _sort(words, word, draft, text)
    draft.gender = _gender(words, word, draft, known)
    if _is_denied(words, word) or _is_denied(words, outer):
        draft.modality = Modality.NEGATED
    return draft


def _number_of(words: Words, word: Word) -> Word | None:
    """Locker nineteen, Gate 4: with a number after it, a noun is a name."""
    after = words[word.i + 1] if word.i + 1 < len(words) else word
    together = after.head == word.i or word.head in (after.i, after.head)
    named = word.text[:1].isupper() and after.pos == "NUM" and together
    return after if named and sort_of(word.lower) in (Sort.THING, Sort.PLACE) else None


def _is_name(word: Word) -> bool:
    return word.text[:1].isupper() or not word.text.isascii()


def _counted(words: Words, word: Word) -> Word | None:
    """What is counted by a word that only counts: boots, in "a pair of boots"."""
    if word.lower not in COUNTING and word.lemma not in COUNTING:
        return None
    of = next((words[c] for c in word.children if words[c].lower == "of" and c > word.i), None)
    inner = words.first(of.i, "pobj") if of is not None else None
    if inner is None or (inner.pos not in NOMINAL and inner.pos != "PRON"):
        return None
    if word.lemma in PIECES:
        return inner if sort_of(inner.lemma) in (Sort.THING, Sort.MATTER, Sort.PART) else None
    return inner


def _left_edge(words: Words, word: Word) -> int:
    edge = word.i
    for child in reversed([c for c in word.children if c < word.i]):
        if words[child].dep not in _LEFT or words[child].lower in ("not", "even", "only"):
            break
        if words[child].dep == "punct":
            continue  # a comma between two adjectives is inside, whatever stands before is not
        edge = min(words.subtree(child)[0], child)
    return edge


def _name_of(words: Words, word: Word) -> str:
    parts = [c for c in word.children if words[c].dep in ("compound", "nmod") and c < word.i]
    names = [words[c].text for c in parts if words[c].pos == "PROPN"] + [word.text]
    while len(names) > 1 and names[0].casefold() in TITLES:
        names.pop(0)
    return " ".join(names)


def _descriptors(words: Words, word: Word, kind: MentionKind, head: str) -> list[str]:
    found: list[str] = []
    for child in word.children:
        part = words[child]
        if child < word.i and part.dep in ("compound", "nmod") and part.pos in NOMINAL:
            if kind is MentionKind.NAME and part.text in head.split():
                continue
            found.append(part.lemma.lower())
        elif part.dep == "amod" and part.lower not in _EMPTY:
            found.extend(_whole_word(words, w) for w in _adjectives(words, part))
        elif part.lower == "of" and word.lemma in HOLDING and child > word.i:
            held = words.first(child, "pobj")
            if held is not None and held.pos == "NOUN":
                found.append(held.lemma.lower())
    return found


def _whole_word(words: Words, word: Word) -> str:
    """The parser parts "broad-shouldered" at its hyphen."""
    first = word.i
    while first >= 2 and words[first - 1].text == "-":
        first -= 2
    return "".join(words[i].lower for i in range(first, word.i + 1))


def _adjectives(words: Words, word: Word) -> list[Word]:
    return [word, *(w for c in words.under(word.i, "conj", "amod") for w in _adjectives(words, c))]


def _definite(words: Words, word: Word, outer: Word) -> bool:
    for i in dict.fromkeys((word.i, outer.i)):
        for child in words.under(i, "det", "poss", "predet"):
            if child.dep == "poss" or child.lower in _DEFINITE:
                return True
    return False


def _is_denied(words: Words, word: Word) -> bool:
    return any(
        c.lower in ("no", "neither", "nor") for c in words.under(word.i, "det", "preconj")
    ) or (word.lower == "none")


def _sort(words: Words, word: Word, draft: Draft, text: str) -> Sort:
    if draft.kind is MentionKind.NAME:
        return _sort_of_name(words, word, draft)
    sort = sort_of(draft.head)
    if sort is Sort.UNKNOWN and word.tag.endswith("S"):
        sort = sort_of(word.lower)
    if sort in (Sort.ABSTRACT, Sort.TIME):
        return sort
    if draft.plural and draft.head in PLURAL_ABSTRACT:
        return Sort.ABSTRACT
    if _is_idiom(words, word, text):
        return Sort.ABSTRACT
    if sort is Sort.MATTER and draft.outer >= 0 and words[draft.outer].lemma in PIECES:
        return Sort.THING  # cloth at large is matter, a strip of it is not
    if sort is Sort.THING and not draft.plural and _is_contents(words, word):
        return Sort.MATTER  # of a cup of coffee the thing is the cup
    named = any(w.pos in NOMINAL for w in words.under(word.i, "compound", "nmod"))
    if draft.head in _THINGS_TOO and (named or (draft.plural and sort is Sort.PART)):
        return Sort.THING  # data chips, a strip light
    of_it = any(w.lower == "of" for w in words.under(word.i, "prep"))
    if word.lemma in PIECES and draft.outer < 0 and of_it:
        return Sort.ABSTRACT  # a piece of work
    if draft.head == "thing" and not draft.descriptors and not draft.definite:
        return Sort.ABSTRACT  # such a thing, one thing
    if sort in (Sort.ANIMAL, Sort.PERSON) and _MADE_OF.intersection(draft.descriptors):
        return Sort.THING  # a rocking horse, a tin soldier
    if draft.head in _OF_BODIES and _of_somebody(words, word):
        return Sort.PART
    return sort


def _is_contents(words: Words, word: Word) -> bool:
    of = words[word.head]
    return word.dep == "pobj" and of.lower == "of" and words[of.head].lemma in HOLDING


def _sort_of_name(words: Words, word: Word, draft: Draft) -> Sort:
    """A name's last word may say what it is of: Harrow Point, the Black Tower."""
    if gender_of_name(draft.head.split()[0]) is not Gender.UNKNOWN:
        return Sort.PERSON
    sort = sort_of(word.text)
    if draft.last > draft.at:
        return sort  # Locker nineteen
    has_article = any(c.lower == "the" for c in words.under(word.i, "det"))
    if sort in (Sort.PLACE, Sort.GROUP, Sort.ANIMAL, Sort.TIME) or has_article:
        return sort
    if " " in draft.head and sort is Sort.THING:
        return sort
    return Sort.PERSON if sort is Sort.PERSON or draft.descriptors else Sort.UNKNOWN


def _of_somebody(words: Words, word: Word) -> bool:
    owner = words.first(word.i, "poss")
    return owner is not None and (owner.pos == "PROPN" or owner.lower in PRONOUNS)


def _is_idiom(words: Words, word: Word, text: str) -> bool:
    pattern = IDIOMS.get(word.lemma)
    if pattern is not None and not any(words[c].dep in ("amod", "relcl") for c in word.children):
        before = text[max(0, word.start - LONGEST_BEFORE) : word.start]
        if pattern.search(before):
            return True
    return word.lemma in IDIOM_IF_OF and any(
        words[c].lower == "of" and c == word.i + 1 for c in word.children
    )


def _gender(words: Words, word: Word, draft: Draft, known: dict[str, Gender]) -> Gender:
    if draft.kind is MentionKind.NAME:
        for part in draft.head.split():
            if known.get(part.casefold()):
                return known[part.casefold()]
        titles = [w for w in draft.descriptors if gender_of_noun(w.strip("."))]
        if titles:
            return gender_of_noun(titles[0].strip("."))
        return gender_of_name(draft.head.split()[0])
    if draft.sort in (Sort.PERSON, Sort.ANIMAL):
        return gender_of_noun(draft.head)
    if draft.sort in (Sort.GROUP, Sort.UNKNOWN):
        return Gender.THEY if draft.sort is Sort.GROUP else Gender.UNKNOWN
    return Gender.THEY if draft.plural else Gender.IT
