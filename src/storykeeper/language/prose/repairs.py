"""Where the small parser always errs in the same way, its parse is put right before it is read."""

from __future__ import annotations

from storykeeper.language.lexicon import VerbClass, gender_of_name, sort_of, verb_classes
from storykeeper.language.prose.words import NOMINAL, Word, Words
from storykeeper.language.reading import Sort

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


def repair(
    words: Words, quote_of: list[int | None], *, names: frozenset[str] = frozenset()
) -> None:
    """Put right what can be; `names` are the words that people's names begin with, in small."""
    for word in words:
        _deeds_taken_for_nouns(words, word, names)
        _beckoned(words, word, names)
        _drawn_near(words, word)
        _tags_taken_for_nouns(words, word, names)
        _names_taken_for_others(words, word, names)
        _moved_there(words, word)
        _interjections(word)
        _names_of_nothing(words, word)
        _verbs_taken_for_nouns(words, word)
        _nouns_taken_for_others(words, word)
        _stood_there(words, word)
        if quote_of[word.i] is None and word.dep in ("nsubj", "dobj"):
            _said_by(words, word, quote_of)
    for word in words:
        if word.lower == "lay" and words.first(word.i, "dobj") is not None:
            word.lemma = "lay"  # and not the past of lie


_THINKING = frozenset({VerbClass.THINK, VerbClass.SAY})
_CLOSING = frozenset("\"”’»,—!?'") | {"''"}
_GESTURES = frozenset(
    {"shrugs", "smirks", "squints", "fidgets", "stiffens", "slouches", "bristles"}
)
_RIDING = frozenset({"rides", "rode", "riding", "ridden"})


def _deeds_taken_for_nouns(words: Words, word: Word, names: frozenset[str]) -> None:
    """ "Tom faints": he does, and has none; "with Tom gone": he is; "rides" is not of "rid"."""
    if word.lower in _RIDING:
        word.lemma = "ride"
    name = words[word.i - 1] if word.i else word
    if name.lower not in names or not name.text[:1].isupper() or name.head != word.i:
        return
    before = words[name.i - 1] if name.i else name
    if word.lower == "gone" and before.lower == "with" and word.pos in NOMINAL:
        word.pos, word.tag, word.lemma = "VERB", "VBN", "go"
        words.move(word.i, head=before.head, dep="advcl")
        words.move(name.i, head=word.i, dep="nsubj")
    elif word.tag == "NN" and word.dep == "conj" and before.lower == "and":
        _said_by_two(words, word, name, names)
    elif word.tag == "NNS" and word.dep == "ROOT" and (lemma := _plain_form(word)):
        word.pos, word.tag, word.lemma = "VERB", "VBZ", lemma
        name.pos, name.tag, name.lemma = "PROPN", "NNP", name.text
        words.move(name.i, head=word.i, dep="nsubj")
        if verb_classes(word.lemma) & _THINKING:
            _what_is_thought(words, word)


_NEAR = frozenset({"close", "closer", "near", "nearer", "aside", "apart"})
_WHOM = frozenset({"him", "her", "them", "you", "me", "us"})


def _beckoned(words: Words, word: Word, names: frozenset[str]) -> None:
    """ "Mara beckons Tom nearer": she does, and there is nobody called all that."""
    if word.tag != "NNS" or not word.text.islower() or not 0 < word.i < len(words) - 1:
        return
    name, whom = words[word.i - 1], words[word.i + 1]
    known = name.lower in names and name.text[:1].isupper() and name.head == word.i
    somebody = (whom.lower in names and whom.text[:1].isupper()) or whom.lower in _WHOM
    if not known or not somebody or not (lemma := _plain_form(word)):
        return
    word.pos, word.tag, word.lemma = "VERB", "VBZ", lemma
    after = words[word.i + 2] if word.i + 2 < len(words) else whom
    if after.lower in _NEAR or after.tag == "RP":
        after.pos, after.tag = "ADV", "RB"
        words.move(after.i, head=word.i, dep="advmod")
    for each, part in ((name, "nsubj"), (whom, "dobj")):
        words.move(each.i, head=word.i, dep=part)
        if each.lower in names:
            each.pos, each.tag, each.lemma = "PROPN", "NNP", each.text


def _drawn_near(words: Words, word: Word) -> None:
    """ "Pulls Tom close", "pulls the lamp close": no close of his, nor a close for lamps."""
    if word.lower not in _NEAR or word.i == 0 or words[word.head].pos != "VERB":
        return
    what, verb = words[word.i - 1], words[word.head]
    if word.pos not in NOMINAL or what.dep != "compound" or what.head != word.i:
        return
    for child in [c for c in word.children if c < what.i]:
        words.move(child, head=what.i, dep=words[child].dep)
    words.move(what.i, head=verb.i, dep="dobj")
    word.pos, word.tag, word.lemma = "ADV", "RB", word.lower
    words.move(word.i, head=verb.i, dep="advmod")


def _said_by_two(words: Words, word: Word, name: Word, names: frozenset[str]) -> None:
    """ "Mara and Tom huddle", whisper together: both do, and there is no whisper beside her."""
    first = words[word.head]
    lone = first.lower in names and first.dep == "ROOT" and first.i == name.i - 2
    if not lone or not word.text.islower() or not verb_classes(word.lower):
        return
    word.pos, word.tag, word.lemma = "VERB", "VBP", word.lower
    words.move(word.i, head=word.i, dep="ROOT")
    words.move(first.i, head=word.i, dep="nsubj")
    words.move(name.i, head=first.i, dep="conj")
    words.move(name.i - 1, head=first.i, dep="cc")


def _plain_form(word: Word) -> str:
    """The verb of which a word may be a form; of "imagines", no imago."""
    if word.lower in _GESTURES:
        return word.lower.removesuffix("s")
    return next((v for v in (word.lower.removesuffix("s"), word.lemma) if verb_classes(v)), "")


def _tags_taken_for_nouns(words: Words, word: Word, names: frozenset[str]) -> None:
    """ "Go," mutters Mara: she does, and there are no mutters; "Mara: “Go.”" is a name, too."""
    after = words[word.i + 1] if word.i + 1 < len(words) else word
    if word.lower in names and word.text[:1].isupper() and after.text == ":":
        word.pos, word.tag, word.lemma = "PROPN", "NNP", word.text
        return
    opened = word.i > 0 and words[word.i - 1].text in _CLOSING
    if not opened or word.tag != "NNS" or after.lower not in names:
        return
    verb = _plain_form(word)
    if after.text[:1].isupper() and verb_classes(verb) & _SPEAKING:
        word.pos, word.tag, word.lemma = "VERB", "VBZ", verb
        after.pos, after.tag, after.lemma = "PROPN", "NNP", after.text
        if after.head == word.i:
            words.move(after.i, head=word.i, dep="nsubj")


def _what_is_thought(words: Words, verb: Word) -> None:
    """ "Ann imagines that Tom comes in": it is what she imagines, and tells of no imagines."""
    for below in words.under(verb.i, "relcl"):
        that = words[verb.i + 1]
        if that.lower == "that":
            words.move(that.i, head=below.i, dep="mark")
            words.move(below.i, head=verb.i, dep="ccomp")


_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_MOVING = frozenset({"move", "shift", "transfer", "return", "carry", "bring"})


def _names_taken_for_others(words: Words, word: Word, names: frozenset[str]) -> None:
    """ "Emily entered": not how somebody entered; "Hunter is here": not a hunter."""
    known = word.lower in names or (word.pos == "ADV" and gender_of_name(word.text))
    named = known and word.text[:1].isupper()
    if not (named or (word.pos == "PROPN" and word.dep == "advmod")) or word.i + 1 >= len(words):
        return
    verb = words[word.i + 1]
    subject = words.first(verb.i, "nsubj", "nsubjpass", "expl")
    if verb.tag not in _FINITE or (subject is not None and subject.i != word.i):
        return
    if word.head not in (verb.i, word.i):
        return
    word.pos, word.tag, word.lemma = "PROPN", "NNP", word.text
    words.move(word.i, head=verb.i, dep="nsubj")


def _moved_there(words: Words, word: Word) -> None:
    """ "Moved the tie to the crate": it is moved there, and no tie to a crate."""
    thing = words[word.head]
    if word.lower not in ("to", "into", "onto") or word.dep != "prep" or thing.dep != "dobj":
        return
    verb = words[thing.head]
    if verb.lemma in _MOVING and thing.pos in NOMINAL and thing.i < word.i:
        words.move(word.i, head=verb.i, dep="prep")


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
    if word.pos not in NOMINAL or word.i == 0:
        return
    if word.dep == "conj" and (word.lower in _PAST or _has_object(words, word)):
        _drank(words, word)
    lemma = _PAST.get(word.lower) or _done_by_the_noun_before(words, word)
    subject = words[word.i - 1]
    follows = word.i + 1 >= len(words) or words[word.i + 1].pos in _AFTER_VERBS
    if not lemma or word.pos == "VERB" or subject.head != word.i or not follows:
        return
    if subject.pos not in ("NOUN", "PROPN", "ADJ") or subject.dep not in _BEFORE_VERBS:
        return
    word.tag = "VBD" if word.lower in _PAST else "VBZ"
    word.pos, word.lemma = "VERB", lemma
    word.dep = "ROOT" if word.dep == "ROOT" else "parataxis"
    if subject.pos == "ADJ":
        subject.pos, subject.tag = "NOUN", "NN"
    subject.dep = "nsubj"
    for child in list(word.children):
        if child < subject.i and words[child].dep not in ("prep", "advmod", "punct", "cc"):
            words.move(child, head=subject.i, dep=words[child].dep)


_NOUNS_DO = frozenset({"dobj", "pobj", "nsubj", "nsubjpass", "attr", "conj"})
_NO_NOUNS = frozenset({"ADJ", "VERB", "ADV", "INTJ", "X"})


def _nouns_taken_for_others(words: Words, word: Word) -> None:
    """ "The blind is down", "lose the token": with an article, and nothing to describe."""
    if word.pos not in _NO_NOUNS or word.dep not in _NOUNS_DO or word.i == 0:
        return
    article = words[word.i - 1]
    if article.pos == "DET" and article.head == word.i and sort_of(word.lower) is Sort.THING:
        word.pos, word.tag, word.lemma = "NOUN", "NN", word.lower


def _drank(words: Words, word: Word) -> None:
    """ "Picked up the cup and drank": not the cup and a drank."""
    above = next((w for w in words.above(word.i) if w.pos == "VERB"), None)
    if above is not None and words[word.i - 1].lower in ("and", ",", "then", "but"):
        word.pos, word.tag, word.lemma = "VERB", "VBD", _PAST.get(word.lower, word.lemma)
        words.move(word.i, head=above.i, dep="conj")


def _has_object(words: Words, word: Word) -> bool:
    """ "He grins and fastens it": no noun stands before an "it"."""
    after = words[word.i + 1].lower if word.i + 1 < len(words) else ""
    return word.tag == "NNS" and after in ("it", "them", "him") and bool(verb_classes(word.lemma))


_BEFORE_VERBS = frozenset({"compound", "amod", "nsubj"})
_AFTER_VERBS = frozenset({"ADP", "ADV", "PUNCT", "CCONJ", "SCONJ"})
_ONE_OF_THEM = frozenset({"a", "an", "this", "that", "another", "each", "every"})


def _done_by_the_noun_before(words: Words, word: Word) -> str:
    """The verb, if it is one: "a cart rattles in" is no rattle, since a cart is not several."""
    subject = words[word.i - 1]
    if word.tag != "NNS" or subject.tag not in ("NN", "NNP") or not verb_classes(word.lemma):
        return ""
    articles = {w.lower for i in (word.i, subject.i) for w in words.under(i, "det")}
    plainly = subject.dep == "nsubj" or articles & _ONE_OF_THEM
    alone = word.dep == "ROOT" and articles and sort_of(word.lemma) is not Sort.THING
    return word.lemma if plainly or alone else ""


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
