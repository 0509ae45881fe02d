"""What happens and what is so: one clause for every verb that says something.

"She picked up the cup, noticed the chip, and began to cry" is three: pick up, notice, cry. Verbs
that only start, help or colour another are read into it; who does it is found through and, who,
to, and by.
"""

from __future__ import annotations

from storykeeper.language.prose.drafts import Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.modality import modalities
from storykeeper.language.prose.phrases import LIGHT_NOUNS, LIGHT_VERBS
from storykeeper.language.prose.roles import Roles
from storykeeper.language.prose.words import Word, Words, listed
from storykeeper.language.reading import Modality, Sort

_HEADS = frozenset({"ROOT", "conj", "ccomp", "advcl", "relcl", "xcomp", "acl", "pcomp", "parataxis",
                    "csubj", "csubjpass", "dep", "intj", "appos", "prep"})  # fmt: skip
# With an infinitive or a participle these are not clauses of their own.
_COLOURING = listed(
    """
    begin start continue keep try attempt manage want intend mean plan hope decide prepare refuse
    fail happen seem appear use need wish long yearn dare tend proceed get go come have pretend
    threaten commence resume struggle help let make love like hate prefer
    """
)
_NOT_COLOURING_WITH_OBJECT = frozenset({"help", "let", "make", "get", "have", "want", "need"})
_OF_THOSE_PRESENT = frozenset({Modality.NEGATED, Modality.INTENDED, Modality.FEARED})
_ALWAYS_COLOURING = frozenset({"begin", "start", "continue", "try", "manage", "seem", "use"})


def find_clauses(
    words: Words, mentions: Mentions, quote_of: list[int | None], asked: set[int]
) -> list[Happening]:
    """Every clause of a text, in the order of its verbs, with its roles."""
    verbs = [w.i for w in words if _is_verb(words, w)]
    ways = modalities(words, verbs, quote_of, asked)
    spoken = [i for i in verbs if not _is_colouring(words, words[i])]
    roles = Roles(words, mentions, quote_of)
    owners = _owners(words, set(spoken), _coloured(words, verbs, spoken))
    found = []
    for i in spoken:
        happening = Happening(i, _verb(words, words[i]), ways[i], quotation=quote_of[i])
        roles.fill(happening)
        own = [w for w in owners.get(i, [i]) if quote_of[w] == quote_of[i]] or [i]
        happening.first, happening.last, happening.own = min(own), max(own), own
        found.append(happening)
    return found


def _is_verb(words: Words, word: Word) -> bool:
    if word.pos == "VERB":
        return word.dep in _HEADS or (word.dep == "amod" and word.i > word.head)
    return word.pos == "AUX" and word.dep not in ("aux", "auxpass")


def _is_colouring(words: Words, verb: Word) -> bool:
    if verb.lemma == "be" and _is_about_to(words, verb):
        return True
    if verb.lemma not in _COLOURING:
        return verb.lemma == "let" and _lets_go(words, verb) is not None
    below = words.first(verb.i, "xcomp")
    if below is None:
        below = words.first(verb.i, "ccomp")
        if below is None or verb.lemma not in ("let", "make", "help", "have"):
            return False
        if any(words[c].dep == "mark" for c in below.children):
            return False
    if below.pos not in ("VERB", "AUX"):
        return False
    if words.first(verb.i, "dobj") is not None and verb.lemma not in _ALWAYS_COLOURING:
        return verb.lemma in _NOT_COLOURING_WITH_OBJECT
    return True


def _is_about_to(words: Words, verb: Word) -> bool:
    """ "She was about to open the box": there is no being in it."""
    about = words.first(verb.i, "acomp", "advmod", "prep")
    if about is None or about.lower not in ("about", "able"):
        return False
    return words.first(about.i, "xcomp") is not None


def _lets_go(words: Words, verb: Word) -> Word | None:
    below = words.first(verb.i, "ccomp", "xcomp")
    return below if below is not None and below.lower == "go" else None


def _verb(words: Words, word: Word) -> str:
    if word.lemma == "go" and words[word.head].lemma == "let" and word.head != word.i:
        return "let go"
    particle = words.first(word.i, "prt")
    light = light_noun(words, word)
    if light is not None:
        return LIGHT_NOUNS[light.lemma]
    if particle is not None and particle.i > word.i:
        return f"{word.lemma} {particle.lower}"
    return word.lemma


def light_noun(words: Words, verb: Word) -> Word | None:
    """The noun that says what is done: "look", in "took a look"."""
    if verb.lemma not in LIGHT_VERBS:
        return None
    noun = words.first(verb.i, "dobj")
    if noun is None or noun.lemma not in LIGHT_NOUNS:
        return None
    return noun if any(words[c].lower in ("a", "an", "one", "another", "no", "the", "last")
                       for c in noun.children) else None  # fmt: skip


def _coloured(words: Words, verbs: list[int], spoken: list[int]) -> dict[int, int]:
    """For a verb that only colours another, that other."""
    found: dict[int, int] = {}
    for i in sorted(set(verbs) - set(spoken), reverse=True):
        below = words.first(i, "xcomp", "ccomp")
        if below is None:
            about = words.first(i, "acomp", "advmod", "prep")
            below = words.first(about.i, "xcomp") if about is not None else None
        if below is not None:
            found[i] = found.get(below.i, below.i)
    return found


def _owners(words: Words, verbs: set[int], coloured: dict[int, int]) -> dict[int, list[int]]:
    """The words of each clause: all that hang on its verb and on no verb in between."""
    owner: dict[int, int] = dict(coloured)

    def owner_of(i: int) -> int:
        trail = []
        while i not in owner and i not in verbs and words[i].head != i:
            trail.append(i)
            i = words[i].head
        found = owner.get(i, i if i in verbs else -1)
        for each in trail:
            owner[each] = found
        return found

    owned: dict[int, list[int]] = {}
    for word in words:
        if word.pos not in ("PUNCT", "SPACE", "CCONJ"):
            owned.setdefault(owner_of(word.i), []).append(word.i)
    return owned


def colour_mentions(mentions: Mentions, happenings: list[Happening]) -> None:
    """Let mentions take after the clause that they stand in."""
    where = {i: n for n, happening in enumerate(happenings) for i in happening.own}
    for index, draft in enumerate(mentions):
        place = where.get(draft.at)
        if place is None or draft.modality is not Modality.ASSERTED:
            continue
        happening = happenings[place]
        does = index in happening.actors or index in happening.subjects
        if does and draft.definite and happening.modality in _OF_THOSE_PRESENT:
            continue  # Mara, who did not answer, is there
        if draft.sort is not Sort.TIME:
            draft.modality = happening.modality
