"""Who does what to what, with what and where.

Actor: who or what does it. Target: what it is done to; of giving and telling, the person. Subject:
what is given or told, and what a state or a mere happening is of ("the lamp is cold", "the door
opened"). Instrument: with what. Location: where, whence, whither.
"""

from __future__ import annotations

from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose.drafts import LIVING, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.phrases import LIGHT_NOUNS, LIGHT_VERBS
from storykeeper.language.prose.words import NOMINAL, Word, Words, listed
from storykeeper.language.reading import MentionKind, Sort

_SUBJECT = ("nsubj", "nsubjpass")
_RELATIVE = frozenset({"who", "which", "that", "whom"})
_TELLING = frozenset({VerbClass.SAY, VerbClass.ASK})
_PERCEIVED_BY = frozenset({"at", "to", "into", "over", "for", "through", "on", "upon", "after"})
_TOPIC = frozenset({"about", "of", "concerning", "regarding"})
_AIMED = frozenset({"at", "for", "of", "on", "upon", "after"})
_AIMING = listed(
    """
    reach search look hunt grope fumble wait ask care think dream speak point aim knock tap pull
    tug rap bang press lean smile laugh nod wave shout spit swing lunge grab snatch clutch play
    work tread step stumble trip let rid dispose beat call pay hope wish listen tend brush rub run
    chew sip draw
    """
)
_OBJECT_DOES = frozenset({"see", "watch", "hear", "feel", "make", "let", "help", "have", "want",
                          "tell", "ask", "order", "force", "get", "allow", "beg", "persuade",
                          "invite", "expect", "find", "notice", "catch", "leave",
                          "send"})  # fmt: skip
_BEING = frozenset({"be", "seem", "become", "remain", "stay", "look", "feel", "sound", "smell",
                    "taste", "appear", "grow", "turn", "go", "lie", "stand", "keep"})  # fmt: skip


_POSTURE = frozenset({"stand", "sit", "lie", "lean", "rest", "hang", "kneel", "crouch"})
_USING = frozenset({VerbClass.HANDLE, VerbClass.HARM, VerbClass.MAKE, VerbClass.TAKE, VerbClass.PUT,
                    VerbClass.CARE, VerbClass.HIDE, VerbClass.PERCEIVE})  # fmt: skip


_OF_PEOPLE = frozenset({VerbClass.SAY, VerbClass.ASK, VerbClass.THINK, VerbClass.FEEL,
                        VerbClass.PERCEIVE, VerbClass.SLEEP, VerbClass.WAKE})  # fmt: skip


class Roles:
    """Fills the roles of clauses from what hangs on their verbs."""

    def __init__(self, words: Words, mentions: Mentions, quote_of: list[int | None]) -> None:
        self.words = words
        self.quote_of = quote_of
        self.mentions = mentions

    def fill(self, happening: Happening) -> None:
        """Find everybody and everything that takes part."""
        verb = self.words[happening.at]
        doers = self._doers(verb, 0)
        passive = self._is_passive(verb)
        objects = self._objects(verb)
        if passive:
            objects, doers = doers, self._agents(verb)
        givens = self._recipients(verb)
        if self.words.first(verb.i, "expl") is not None:
            happening.subjects.extend(self._of(self.words.first(verb.i, "attr", "nsubj", "dobj")))
            objects = []
        self._objects_into(happening, objects, givens)
        self._prepositions(happening, verb)
        self._doers_into(happening, verb, doers)
        self._outside_quotes(happening)
        happening.state = self._state(verb)

    def _outside_quotes(self, happening: Happening) -> None:
        """Who speaks takes part in the speaking, what is spoken of does not."""
        here = self.quote_of[happening.at]
        for role in (
            happening.actors,
            happening.targets,
            happening.subjects,
            happening.instruments,
            happening.locations,
        ):
            role[:] = [p for p in role if self.quote_of[self.mentions[p].at] == here]

    def _of(self, word: Word | None) -> list[int]:
        """The mentions of a word and of those joined to it."""
        if word is None:
            return []
        places = (self.mentions.at(w.i) for w in self.words.joined(word.i))
        return [p for p in places if p is not None]

    def _is_passive(self, verb: Word) -> bool:
        if self.words.first(verb.i, "nsubjpass", "auxpass") is not None:
            return True
        if verb.dep == "conj" and verb.tag == "VBN" and self.words.first(verb.i, "aux") is None:
            head = self.words[verb.head]
            return self.words.first(verb.i, *_SUBJECT) is None and self._is_passive(head)
        return verb.dep == "acl" and verb.tag == "VBN"

    def _doers(self, verb: Word, depth: int) -> list[int]:
        """The subject: its own, the antecedent's, or that of the verb it hangs on."""
        subject = self.words.first(verb.i, *_SUBJECT)
        if subject is not None:
            if subject.lower in _RELATIVE and verb.dep == "relcl":
                return self._of_noun(self.words[verb.head])
            found = self._of(subject)
            if found or subject.pos != "PRON" or subject.lower == "it":
                return found
        if depth > 6 or verb.head == verb.i:
            return []
        above = self.words[verb.head]
        if verb.dep == "acl":
            return self._of_noun(above) if verb.tag in ("VBG", "VBN") else []
        if verb.dep == "pcomp":
            above = self.words[above.head]
        if self.quote_of[verb.i] != self.quote_of[above.i]:
            return []  # "Wait," said Tom: it is not Tom who waits
        if verb.dep in ("conj", "xcomp", "advcl", "ccomp", "pcomp", "dep") and subject is None:
            if verb.dep == "ccomp" and above.lemma not in _OBJECT_DOES:
                return []
            return self._from_above(verb, above, depth)
        return []

    def _from_above(self, verb: Word, above: Word, depth: int) -> list[int]:
        if above.pos not in ("VERB", "AUX"):
            return self._of_noun(above) if above.pos in NOMINAL else self._climb(above, depth)
        if verb.dep in ("xcomp", "ccomp") and above.lemma in _OBJECT_DOES:
            objects = self._of(self.words.first(above.i, "dobj", "dative"))
            if objects:
                return objects
        if verb.dep == "conj" and self.words.first(verb.i, "expl") is not None:
            return []
        return self._doers(above, depth + 1)

    def _climb(self, word: Word, depth: int) -> list[int]:
        """Ready to leave: who is ready, leaves."""
        above = self.words[word.head]
        return self._doers(above, depth + 1) if above.pos in ("VERB", "AUX") else []

    def _of_noun(self, word: Word) -> list[int]:
        place = self.mentions.at(word.i)
        return [place] if place is not None else []

    def _agents(self, verb: Word) -> list[int]:
        by = self.words.first(verb.i, "agent")
        return self._of(self.words.first(by.i, "pobj")) if by is not None else []

    def _objects(self, verb: Word) -> list[int]:
        light = self.words.first(verb.i, "dobj")
        if light is not None and verb.lemma in LIGHT_VERBS and light.lemma in LIGHT_NOUNS:
            return self._aimed_at(light)
        found = self._of(light)
        if light is not None and light.lower not in _RELATIVE:
            return found
        where = any(self.words[c].tag == "WRB" for c in verb.children)
        if (
            verb.dep == "relcl"
            and not where
            and verb.lemma != "be"
            and not self._has_antecedent_as_subject(verb)
        ):
            return self._of_noun(self.words[verb.head])
        return []

    def _aimed_at(self, noun: Word) -> list[int]:
        found = []
        for preposition in (
            *self.words.under(noun.i, "prep"),
            *self.words.under(noun.head, "prep"),
        ):
            if preposition.lower in ("at", "of", "to", "from"):
                found.extend(self._of(self.words.first(preposition.i, "pobj")))
        return found

    def _has_antecedent_as_subject(self, verb: Word) -> bool:
        subject = self.words.first(verb.i, *_SUBJECT)
        return subject is None or subject.lower in _RELATIVE

    def _recipients(self, verb: Word) -> list[int]:
        found: list[int] = []
        for child in self.words.under(verb.i, "dative"):
            inner = self.words.first(child.i, "pobj") if child.pos == "ADP" else child
            found.extend(self._of(inner))
        return found

    def _objects_into(self, happening: Happening, objects: list[int], people: list[int]) -> None:
        classes = verb_classes(happening.verb)
        gives = VerbClass.GIVE in classes or VerbClass.SAY in classes or bool(people)
        if not people and gives:
            people = self._to_whom(self.words[happening.at])
        if people and gives:
            happening.targets.extend(people)
            happening.subjects.extend(objects)
        else:
            happening.targets.extend(objects)

    def _to_whom(self, verb: Word) -> list[int]:
        for preposition in self.words.under(verb.i, "prep"):
            if preposition.lower in ("to", "with"):
                found = self._of(self.words.first(preposition.i, "pobj"))
                if any(self._is_somebody(p) for p in found):
                    return found
        return []

    def _is_somebody(self, place: int) -> bool:
        draft = self.mentions[place]
        if draft.kind is MentionKind.PRONOUN:
            return draft.head not in ("it", "itself")
        return draft.sort in LIVING or (
            draft.kind is MentionKind.NAME and draft.sort in (Sort.UNKNOWN, Sort.PERSON)
        )

    def _prepositions(self, happening: Happening, verb: Word) -> None:
        chains = [*self.words.under(verb.i, "prep"), *self._through_let(verb)]
        for adverb in self.words.under(verb.i, "advmod"):
            chains.extend(self.words.under(adverb.i, "prep"))  # next to, close to
        for preposition in chains:
            inner = self.words.first(preposition.i, "pobj")
            word = preposition.lower
            if inner is None:
                deeper = self.words.first(preposition.i, "prep")
                inner = self.words.first(deeper.i, "pobj") if deeper is not None else None
            places = [p for p in self._of(inner) if self.mentions[p].sort is not Sort.TIME]
            self._preposition(happening, word, places)

    def _through_let(self, verb: Word) -> list[Word]:
        """She let go of the rope: the parser hangs "of" on let or on go."""
        above = self.words[verb.head]
        return (
            self.words.under(above.i, "prep") if above.lemma == "let" and verb.i != above.i else []
        )

    def _preposition(self, happening: Happening, word: str, places: list[int]) -> None:
        taken = {*happening.targets, *happening.subjects}
        places = [p for p in places if p not in taken]
        if not places:
            return
        classes = verb_classes(happening.verb)
        base = happening.verb.split()[0]
        somebody = self._is_somebody(places[0])
        if word in _TOPIC and classes & {*_TELLING, VerbClass.THINK}:
            happening.subjects.extend(places)
        elif (
            (word in _PERCEIVED_BY and VerbClass.PERCEIVE in classes)
            or (word in _AIMED and (base in _AIMING or (somebody and word in ("at", "for"))))
            or (word in ("to", "with", "from", "against", "toward", "towards") and somebody)
        ):
            happening.targets.extend(places)
        elif word in ("with", "using"):
            self._with(happening, places)
        elif word in ("like", "than", "as", "of", "for", "about", "without", "except", "but"):
            return
        else:
            happening.locations.extend(places)

    def _with(self, happening: Happening, places: list[int]) -> None:
        """Cut with a knife: a tool. Stood there with a knife, with a chip: neither."""
        idle = happening.verb.split()[0] in _POSTURE and not happening.targets
        uses = not idle and bool(_USING & verb_classes(happening.verb))
        for place in places:
            draft = self.mentions[place]
            handy = draft.sort in (Sort.THING, Sort.MATTER, Sort.PART)
            if uses and handy and (draft.whole is None or draft.possessor is not None):
                happening.instruments.append(place)

    def _doers_into(self, happening: Happening, verb: Word, doers: list[int]) -> None:
        """Whoever lives, acts; a thing acts only upon something."""
        classes = verb_classes(happening.verb)
        for place in doers:
            if place in happening.targets or place in happening.subjects:
                continue
            draft = self.mentions[place]
            lives = draft.sort in LIVING or draft.kind is not MentionKind.NOUN
            if draft.kind is MentionKind.PRONOUN and draft.head in ("it", "they"):
                lives = bool(happening.targets) or draft.sort is Sort.PERSON
                lives = lives or (draft.head == "they" and bool(_OF_PEOPLE & classes))
            acts = lives or (bool(happening.targets) and verb.lemma not in _BEING)
            (happening.actors if acts else happening.subjects).append(place)

    def _state(self, verb: Word) -> str:
        if verb.lemma not in _BEING:
            return ""
        what = self.words.first(verb.i, "acomp", "attr", "oprd")
        if what is None or self.words.first(verb.i, "expl") is not None:
            return ""
        below = [w for c in what.children if c < what.i for w in self.words.subtree(c)]
        first = min([what.i, *below])
        parts = [
            self.words[i].text for i in range(first, what.i + 1) if self.words[i].pos != "SPACE"
        ]
        return " ".join(parts)
