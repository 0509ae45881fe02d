"""Where the small parser always errs in the same way, its parse is put right before it is read."""

from __future__ import annotations

from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose.words import NOMINAL, Word, Words

_SPEAKING = frozenset({VerbClass.SAY, VerbClass.ASK})
_NOT_NOUNS = frozenset(
    {"yes", "no", "oh", "ah", "hey", "hello", "well", "please", "okay", "ok", "aye", "alas", "hush",
     "ha", "hm", "hmm", "ugh", "wow", "thanks", "goodbye", "maybe", "perhaps", "so", "then"}
)  # fmt: skip


# Past forms that the parser takes for nouns at the end of a short sentence: "A key fell."
_PAST = {
    "fell": "fall", "rang": "ring", "hung": "hang", "stood": "stand", "sat": "sit", "lay": "lie",
    "came": "come", "went": "go", "ran": "run", "broke": "break", "shook": "shake", "woke": "wake",
    "slept": "sleep", "wept": "weep", "swung": "swing", "sang": "sing", "flew": "fly",
    "grew": "grow", "rose": "rise", "sank": "sink", "shone": "shine", "spoke": "speak",
    "left": "leave", "burnt": "burn", "waited": "wait", "creaked": "creak", "opened": "open",
    "closed": "close", "answered": "answer", "nodded": "nod", "laughed": "laugh",
    "hangs": "hang", "stands": "stand", "sits": "sit", "lies": "lie", "glows": "glow",
    "burns": "burn", "leans": "lean", "rests": "rest", "waits": "wait", "falls": "fall",
    "opens": "open", "creaks": "creak", "rings": "ring", "hums": "hum", "flickers": "flicker",
    "drank": "drink", "ate": "eat", "wrote": "write", "drove": "drive", "took": "take",
    "began": "begin", "threw": "throw", "knelt": "kneel", "hid": "hide", "fled": "flee",
    "trembled": "tremble", "rattled": "rattle", "glowed": "glow", "flickered": "flicker",
}  # fmt: skip


def repair(words: Words, quote_of: list[int | None]) -> None:
    """Put right what can be."""
    for word in words:
        _interjections(word)
        _names_of_nothing(words, word)
        _verbs_taken_for_nouns(words, word)
        _stood_there(words, word)
        if quote_of[word.i] is None and word.dep in ("nsubj", "dobj"):
            _said_by(words, word, quote_of)
    for word in words:
        if word.lower == "lay" and words.first(word.i, "dobj") is not None:
            word.lemma = "lay"  # and not the past of lie


_BESIDE = frozenset({"beside", "behind", "under", "near", "above", "below", "inside", "beneath",
                     "underneath", "opposite", "around"})  # fmt: skip
_STANDING = frozenset({"lie", "stand", "sit", "hang", "come", "rest", "hover", "float"})


def _stood_there(words: Words, word: Word) -> None:
    """ "Beside it lay a phone": what lies there passes for what is done to."""
    verb = words[word.head]
    if word.dep not in ("dobj", "attr") or verb.lemma not in _STANDING or word.i < verb.i:
        return
    beside = words[verb.i - 2] if verb.i >= 2 else verb
    if beside.lower in _BESIDE and words[verb.i - 1].dep == "nsubj" and beside.head == verb.i:
        beside.pos, beside.dep = "ADP", "prep"  # "Beside it lay a phone": it lies not
        words.move(verb.i - 1, head=beside.i, dep="pobj")
    before = [words[c] for c in verb.children if c < verb.i]
    if any(w.dep in ("prep", "advmod") for w in before) and not any(
        w.dep in ("nsubj", "nsubjpass", "expl") for w in before
    ):
        word.dep = "nsubj"


def _verbs_taken_for_nouns(words: Words, word: Word) -> None:
    if word.lower not in _PAST or word.pos not in NOMINAL or word.i == 0:
        return
    if word.dep == "conj" and words[word.i - 1].lower in ("and", ",", "then", "but"):
        above = next((w for w in words.above(word.i) if w.pos == "VERB"), None)
        if above is not None:  # "picked up the cup and drank": not the cup and a drank
            word.pos, word.tag, word.lemma = "VERB", "VBD", _PAST[word.lower]
            words.move(word.i, head=above.i, dep="conj")
    subject = words[word.i - 1]
    follows = word.i + 1 >= len(words) or words[word.i + 1].pos in ("ADP", "ADV", "PUNCT", "CCONJ")
    if word.pos == "VERB" or subject.head != word.i or not follows:
        return
    if subject.pos not in ("NOUN", "PROPN", "ADJ") or subject.dep not in ("compound", "amod"):
        return
    word.pos, word.tag, word.lemma = "VERB", "VBD", _PAST[word.lower]
    word.dep = "ROOT" if word.dep == "ROOT" else "parataxis"
    if subject.pos == "ADJ":
        subject.pos, subject.tag = "NOUN", "NN"
    subject.dep = "nsubj"
    for child in list(word.children):
        if child < subject.i:
            words.move(child, head=subject.i, dep=words[child].dep)


def _interjections(word: Word) -> None:
    """ "Yes" and "Oh" at the head of a sentence pass for names."""
    if word.lower in _NOT_NOUNS and word.pos in ("PROPN", "NOUN"):
        word.pos, word.tag = "INTJ", "UH"


def _names_of_nothing(words: Words, word: Word) -> None:
    """A noun with a capital after a full stop is a noun: "Coffee steamed in the cup."""
    if word.pos != "PROPN" or not word.text[:1].isupper():
        return
    first = (
        word.i == 0
        or words[word.i - 1].text in '.!?\n"“”—:'
        or (words[word.i - 1].sentence != word.sentence)
    )
    if first and any(w.lower == word.lower and w.pos == "NOUN" for w in words[word.i + 1 :][:400]):
        word.pos, word.lemma = "NOUN", word.lower


def _said_by(words: Words, word: Word, quote_of: list[int | None]) -> None:
    """ "Go," said Mara: after a verb of saying, the speaker passes for what is said."""
    verb = words[word.head]
    if word.dep != "dobj" or quote_of[verb.i] is not None or verb.i + 1 != word.i:
        return
    says = bool(_SPEAKING & verb_classes(verb.lemma)) and verb.tag in ("VBD", "VBZ", "VBP")
    opened = verb.i > 0 and words[verb.i - 1].text in '"”’»,—!?'
    if says and opened and words.first(verb.i, "nsubj") is None:
        word.dep = "nsubj"
