"""In what way a clause is said: only what is asserted happened.

Every verb is asked what stands with it (not, would, if), what stands over it (imagined that, tried
to, as if), and, where neither says anything, takes after the clause that it hangs on.
"""

from __future__ import annotations

from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose.words import Word, Words
from storykeeper.language.reading import Modality

# What was nearly done was not done.
_DENIALS = frozenset({"not", "n't", "never", "hardly", "scarcely", "nor", "no", "neither", "nearly",
                      "almost"})  # fmt: skip
_NOBODY = frozenset({"nobody", "none", "nothing", "no-one", "noone"})
_AUXILIARIES = {
    "will": Modality.INTENDED, "shall": Modality.INTENDED, "'ll": Modality.INTENDED,
    "might": Modality.CONDITIONAL, "may": Modality.CONDITIONAL, "could": Modality.CONDITIONAL,
    "can": Modality.CONDITIONAL, "would": Modality.CONDITIONAL, "should": Modality.INTENDED,
    "must": Modality.INTENDED, "ought": Modality.INTENDED,
}  # fmt: skip
# A complement takes after the verb that governs it.
_GOVERNING: dict[Modality, str] = {
    Modality.IMAGINED: """
        imagine dream picture pretend remember recall envision fancy think believe suppose guess
        suspect assume claim say tell swear insist deny doubt expect visualise visualize reckon
        conjure daydream sure certain convinced confident positive doubtful
        """,
    Modality.FEARED: """
        hope fear wish want dread worry long yearn pray desire crave like love hate prefer need
        afraid hopeful desperate eager
        """,
    Modality.INTENDED: """
        try attempt intend mean plan prepare threaten promise offer agree decide go about ready
        strive seek aim struggle ask order command beg urge invite persuade warn reach arrange
        propose vow choose consider suggest
        """,
    Modality.NEGATED: "refuse fail decline forget avoid resist forbid prevent unable reluctant",
    Modality.ASKED: "wonder ask inquire enquire question whether",
}  # fmt: skip
_TO = {word: modality for modality, words in _GOVERNING.items() for word in words.split()}
# With an infinitive these say that it was done, or nothing at all.
_AFFIRMING = frozenset({"manage", "begin", "start", "continue", "have", "use", "happen", "come",
                        "seem", "appear", "get", "dare", "help", "make", "let", "able",
                        "like", "love", "hate", "turn", "cease", "keep"})  # fmt: skip
_SAYING_TO = frozenset({"ask", "tell", "order", "command", "beg", "urge", "invite", "persuade"})
_IMAGINING = frozenset({"imagine", "dream", "picture", "pretend", "envision", "fancy", "conjure",
                        "daydream", "visualise", "visualize"})  # fmt: skip
_WISHING = frozenset({"want", "need", "wish", "hope", "fear", "desire", "crave", "dread", "seek",
                      "long", "yearn", "expect", "lack", "remember", "prefer"})  # fmt: skip
_LACKING = frozenset({"lack"})
_DREAMS = frozenset(
    {"dream", "nightmare", "vision", "imagination", "fantasy", "daydream", "memory"}
)
_THOUGHTS = frozenset({"belief", "claim", "doubt", "fear", "hope", "idea", "impression", "notion",
                       "rumor", "rumour", "suspicion", "thought", "wish"})  # fmt: skip
_WHEN = frozenset({"before", "after", "when", "while", "until", "since", "because", "as", "once"})


def modalities(
    words: Words, verbs: list[int], quote_of: list[int | None], asked: set[int]
) -> dict[int, Modality]:
    """In what way each of these verbs is said; `asked` are the words of questions.

    Words in quotes stand for themselves: what is outside does not colour them.
    """
    found: dict[int, Modality] = {}
    known = set(verbs)
    for i in sorted(verbs, key=lambda v: _depth(words, v)):
        parent = next((w.i for w in words.above(i) if w.i in known), None)
        if parent is not None and quote_of[parent] != quote_of[i]:
            parent = None
        above = found.get(parent, Modality.ASSERTED) if parent is not None else Modality.ASSERTED
        found[i] = _of_verb(words, words[i], parent, above, asked)
    return found


def _depth(words: Words, i: int) -> int:
    return sum(1 for _ in words.above(i))


def _of_verb(
    words: Words, verb: Word, parent: int | None, above: Modality, asked: set[int]
) -> Modality:
    over = _from_above(words, verb, parent)
    if is_denied(words, verb):
        return over if over in (Modality.IMAGINED, Modality.CONDITIONAL) else Modality.NEGATED
    if over is not None:
        return over
    if verb.i in asked and (parent is None or above is Modality.ASKED):
        return Modality.ASKED
    own = _from_auxiliary(words, verb)
    if own is not None:
        return own
    if parent is None or above is Modality.ASSERTED:
        return Modality.ORDERED if parent is None and is_order(words, verb) else Modality.ASSERTED
    return above if _takes_after(words, verb, above) else Modality.ASSERTED


def is_denied(words: Words, verb: Word) -> bool:
    """Not, never, hardly; nobody does it; it is done to no key."""
    for child in verb.children:
        word = words[child]
        if word.dep == "neg" or (word.dep == "advmod" and word.lower in _DENIALS):
            return True
        if word.dep in ("nsubj", "nsubjpass", "dobj", "attr") and _is_none(words, word):
            return True
        if word.dep == "preconj" and word.lower == "neither":
            return True
        if word.lower == "longer" and _has(words, word, "no"):
            return True
    return any(words[c].lower in _DENIALS for c in verb.children if words[c].dep == "aux")


def _is_none(words: Words, word: Word) -> bool:
    if word.lower in _NOBODY or (word.lower == "one" and _has(words, word, "no")):
        return True
    return _has(words, word, "no") or _has(words, word, "neither")


def _has(words: Words, word: Word, determiner: str) -> bool:
    return any(words[c].lower == determiner for c in word.children)


def _from_above(words: Words, verb: Word, parent: int | None) -> Modality | None:
    marks = [words[c].lower for c in verb.children if words[c].dep in ("mark", "advmod", "prep")]
    if "if" in marks or "though" in marks or "like" in marks:
        return _from_if(words, verb, marks)
    if "unless" in marks:
        return Modality.CONDITIONAL
    if "whether" in marks:
        return Modality.ASKED
    if "lest" in marks:
        return Modality.FEARED
    if "maybe" in marks or "perhaps" in marks or "possibly" in marks:
        return Modality.CONDITIONAL
    if _is_in_a_dream(words, verb):
        return Modality.IMAGINED
    if verb.dep == "pcomp" and words[verb.head].lower in ("without", "than", "instead", "of"):
        governor = words[words[verb.head].head]
        if words[verb.head].lower in ("without", "than", "instead") or governor.lower == "instead":
            return Modality.NEGATED
    if verb.dep == "pcomp" and words[verb.head].lower == "like":
        return Modality.IMAGINED
    return _governed(words, verb) if parent is not None else None


def _is_in_a_dream(words: Words, verb: Word) -> bool:
    for preposition in words.under(verb.i, "prep"):
        inner = words.first(preposition.i, "pobj") if preposition.lower == "in" else None
        if inner is not None and inner.lemma in _DREAMS:
            return True
    return False


def _from_if(words: Words, verb: Word, marks: list[str]) -> Modality | None:
    """As if, as though, like: compared. If, alone: a condition; after asking, a question."""
    before = {words[c].lower for c in verb.children if c < verb.i}
    at = next((c for c in verb.children if words[c].lower in ("if", "though", "like")), verb.i)
    previous = words[at - 1].lower if at else ""
    if "as" in before or previous == "as" or ("like" in marks and words[at].dep == "mark"):
        return Modality.IMAGINED
    if words[at].lower != "if":
        return None
    governor = words[verb.head]
    return Modality.ASKED if _TO.get(governor.lemma) is Modality.ASKED else Modality.CONDITIONAL


def _governed(words: Words, verb: Word) -> Modality | None:
    """Tried to open: meant. Imagined that he opened: imagined. Began to open: opened."""
    governor = words[verb.head]
    if verb.dep == "pcomp":
        governor = words[governor.head]
    elif verb.dep not in ("xcomp", "ccomp", "advcl", "acl"):
        return None
    infinitive = any(words[c].tag == "TO" for c in verb.children)
    if verb.dep == "advcl":
        if not infinitive:
            return None
        return (
            None
            if governor.pos == "VERB" and governor.lemma not in _SAYING_TO
            else _TO.get(governor.lemma)
        )
    if infinitive and any(words[c].lower == "too" for c in governor.children):
        return Modality.NEGATED
    if verb.dep == "acl" and not infinitive and governor.pos != "VERB":
        return Modality.IMAGINED if _is_content(words, verb, governor) else None
    if governor.lemma == "be" and not infinitive:
        governor = words.first(governor.i, "acomp") or governor
    if verb.dep == "acl":
        return Modality.INTENDED if governor.lemma in ("way", "attempt", "plan", "chance") else None
    if infinitive and governor.lemma in _SAYING_TO:
        return Modality.INTENDED
    if governor.lemma in _AFFIRMING and (infinitive or governor.lemma not in _TO):
        return None
    if governor.lemma == "go":
        return Modality.INTENDED if governor.lower == "going" and infinitive else None
    if (
        governor.lemma in ("say", "tell", "ask")
        and not infinitive
        and _is_tag(words, governor, verb)
    ):
        return None
    return _TO.get(governor.lemma)


def _is_content(words: Words, verb: Word, noun: Word) -> bool:
    """A dream that the king died, the belief that he lives: what is dreamed, what is believed."""
    that = any(words[c].lower == "that" and words[c].dep == "mark" for c in verb.children)
    return that and noun.lemma in _DREAMS | _THOUGHTS


def _is_tag(words: Words, governor: Word, verb: Word) -> bool:
    """ "The key is gone," she said: direct speech, which its quotes already set apart."""
    return any(words[c].pos == "PUNCT" and words[c].text in "\"”“’‘,?!—–-»" for c in range(
        min(governor.i, verb.i) + 1, max(governor.i, verb.i)))  # fmt: skip


def _from_auxiliary(words: Words, verb: Word) -> Modality | None:
    auxiliaries = [words[c] for c in verb.children if words[c].dep in ("aux", "auxpass")]
    for word in auxiliaries:
        modality = _AUXILIARIES.get(word.lemma) or _AUXILIARIES.get(word.lower)
        if modality is None or (word.lower == "'d" and _is_perfect(verb)):
            continue
        if word.lemma in ("can", "could") or word.lower == "could":
            return None if VerbClass.PERCEIVE in verb_classes(verb.lemma) else modality
        return modality
    return None


def _is_perfect(verb: Word) -> bool:
    return verb.tag == "VBN"


def is_order(words: Words, verb: Word) -> bool:
    """Give me the key: a bare verb with nobody before it."""
    if verb.tag not in ("VB", "VBP") or verb.pos != "VERB":
        return False
    with_it = {words[c].dep for c in verb.children}
    return not with_it & {"nsubj", "nsubjpass", "csubj", "aux", "expl"}


def _takes_after(words: Words, verb: Word, above: Modality) -> bool:
    if verb.dep == "conj":
        alone = not any(words[c].dep in ("nsubj", "nsubjpass") for c in verb.children)
        head = words[verb.head]
        if above in (Modality.NEGATED, Modality.INTENDED, Modality.CONDITIONAL, Modality.FEARED):
            return alone and (verb.tag == head.tag or verb.tag == "VB") and verb.tag != "VBD"
        return alone or above in (Modality.ASKED, Modality.ORDERED)
    if verb.dep in ("advcl", "relcl", "acl"):
        if _stands_by_itself(words, verb):
            return False
        return above in (Modality.IMAGINED, Modality.CONDITIONAL, Modality.FEARED)
    return True


def _stands_by_itself(words: Words, verb: Word) -> bool:
    """The letter that she wrote, before the storm came: so, whatever hangs on it."""
    marks = {words[c].lower for c in verb.children if words[c].dep in ("mark", "advmod")}
    if verb.dep == "advcl":
        return bool(marks & _WHEN) and verb.tag in ("VBD", "VBZ", "VBN")
    return any(words[c].lower in ("the", "that", "this") or words[c].dep == "poss"
               for c in words[verb.head].children)  # fmt: skip


def of_object(verb: str, *, definite: bool) -> Modality | None:
    """In what way the object of a verb is there: imagined, wished for, lacking; or it is there."""
    if verb in _IMAGINING:
        return Modality.IMAGINED
    if verb in _LACKING and not definite:
        return Modality.NEGATED
    if verb in _WISHING and not definite:
        return Modality.IMAGINED if verb == "remember" else Modality.FEARED
    return None
