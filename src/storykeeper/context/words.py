"""What records and numbers are called in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec import structs

from storykeeper.context.foreign import safe
from storykeeper.context.lived import quoted_piece
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    EmotionShown,
    EntityChange,
    EntityChanged,
    EnvironmentChanged,
    Happening,
    Implicit,
    InformationTold,
    Moved,
    PieceTold,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    StateAsserted,
    Unresolved,
)
from storykeeper.events.changes import MoodDelta
from storykeeper.events.vocabulary import Awareness
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.story.people import Character
from storykeeper.world.calling import stands_in
from storykeeper.world.plan import Plan
from storykeeper.world.state import Feeling, Mood

# How a noun was found to mean something: by what was said before, and not by its name.
FOUND = frozenset({"anaphoric", "descriptive", "spatial", "possessive"})
SHIFT = 0.05  # so much of a mood or a standing has moved that it is said
OWNED = frozenset({Awareness.ARTICULATE, Awareness.RECOGNISABLE})
AWARE = {  # how far somebody knows what they feel, behind its name or behind what shows it
    Awareness.ARTICULATE: "and could say so",
    Awareness.RECOGNISABLE: "would know it if named",
    Awareness.PRECONSCIOUS: "without knowing it",
    Awareness.DEFENDED: "not a word of why",
    Awareness.STRUCTURAL: "as ever",
}

# Acts that take a small word before what they are done to.
_AT = {"look": "look at", "listen": "listen to", "talk": "talk to", "point": "point at"}

# A measure of a mood: what it is called when it rises and when it falls, when high and when low.
_MOODS = (
    ("valence", "lighter", "darker"),
    ("arousal", "more stirred", "calmer"),
    ("determination", "more resolved", "less sure"),
)
_TEMPERS = (
    ("valence", 0.3, "in good spirits", -0.3, "low"),
    ("arousal", 0.7, "stirred", 0.3, "calm"),
    ("determination", 0.7, "resolved", 0.3, "unsure"),
)


def name_of(plan: Plan, entity: str) -> str:
    """What an entity is called; its id where the author gave no name."""
    for kind in (plan.cast, plan.things, plan.settings):
        found = kind.get(entity)
        if found is not None:
            return found.name.strip() or entity
    return entity


def quoted(text: str) -> str:
    """A player's words, marked line by line, so that no line of theirs looks like one of ours."""
    return "\n".join(f"> {line}" for line in text.splitlines())


# ── what happened ────────────────────────────────────────────────────────────────────────────


_AUXILIARY = frozenset({"be", "have", "do", "not"})
_TALKING = frozenset({"ask", "tell", "talk", "answer", "say", "whisper", "inquire", "think"})
_LEADING = " ,;:–—-"  # of words behind who says them
_WORDS = _TALKING - {"think"}
_TRANSITIVE = frozenset({
    VerbClass.TAKE, VerbClass.GIVE, VerbClass.HANDLE, VerbClass.PUT, VerbClass.HARM, VerbClass.CARE,
})  # fmt: skip
_HANDING = frozenset({"give", "hand", "show"})  # "gives Mara the order", not "about" it


def told(
    plan: Plan,
    atom: Atom,
    known: Callable[[str], bool] | None = None,
    *,
    deeds: bool = False,
    as_said: bool = False,
    now: bool = True,
    mind: str | None = None, own: bool = False,
) -> str:  # fmt: skip
    """An atom as one sentence; empty for what nobody could perceive, or what was erased.

    Who is not `known` by name is called what the words called them. `deeds`: whether what prose
    told is told. `as_said` leaves out what is spoken of by a pronoun: whom it means is not for all
    who hear it. That somebody asks, about nothing, is told `now` alone. `own`: a turn of `mind`'s.
    """
    said = _Said(plan, atom, known)
    who, whom = said.called(Role.ACTOR), said.called(Role.TARGET)
    what = _safe(_as_overheard(atom) if as_said else atom.what)
    if _is_erased(what):
        return ""
    if atom.source is Source.NARRATOR and not isinstance(what, SpeechUttered | PieceTold):
        # What a parser made of prose is for finding things; of deeds, also for who only saw them.
        return _deed(plan, atom, known) if deeds else ""
    match what:
        case PieceTold():
            return quoted_piece(plan, what, mind=mind, known=known, own=own)
        case ActionTaken(act=act, about=None) if act in _WORDS and not (whom and now):
            return ""  # that somebody speaks says nothing; the words are an atom of their own
        case ActionTaken(act="go") if not whom:
            return ""  # that somebody went, and where, is an atom of its own
        case ActionTaken(act=act, about=about):
            whom = whom or said.unaware(act, about)
            topic = "" if act in _HANDING else "about "
            more = f" {topic}{said.name(about)}" if about else ""
            done = third_person(_AT.get(act, act) if whom else act)
            return _sentence(f"{who or 'Somebody'} {done} {whom}{more}")
        case SpeechUttered(words=words, written=True):
            thing = _written_on(atom) if as_said else said.called(Role.INSTRUMENT)
            return _written(words, f"{who} writes" if who else f"{thing or 'Something'} reads")
        case SpeechUttered(words=words, whispered=whispered, asleep=asleep):
            verb = "says in their sleep" if asleep else "whispers" if whispered else "says"
            to = f" to {whom}" if whom else ""
            return _written(words.lstrip(_LEADING), f"{who or 'Somebody'} {verb}{to}")
        case InformationTold(claim=claim):
            return _sentence(f"{who or 'Somebody'} tells {whom or 'those here'}: {claim}")
        case Moved(to=to):
            return _moved(said, who, to)
        case _:
            return _noticed(said, who)


def _safe(what: Happening) -> Happening:
    """What happened, with the words in it as they may stand in a window."""
    match what:
        case SpeechUttered(words=words) if (clean := safe(words)) != words:
            return structs.replace(what, words=clean)
        case InformationTold(claim=claim) if (clean := safe(claim)) != claim:
            return structs.replace(what, claim=clean)
        case PieceTold(text=text, words=words) if (clean := safe(text)) != text:
            return structs.replace(what, text=clean, words=safe(words))
        case _:
            return what


def _written(words: str, on: str) -> str:
    quoted = " ".join(words.split())
    return f"{capital(on)}: “{quoted}”" if quoted else ""


def _as_overheard(atom: Atom) -> Happening:
    """What happened, without what is spoken of by a pronoun, or by a noun that had to be found."""
    what = atom.what
    if not isinstance(what, ActionTaken) or what.about is None or what.act in _HANDING:
        return what
    refs = (p.entity for p in atom.participants if p.role is Role.SUBJECT)
    said = [r for r in refs if isinstance(r, Resolved) and r.entity == what.about and r.mention]
    spoken = any(stands_in(r.mention) or r.by in FOUND for r in said)
    return structs.replace(what, about=None) if spoken else what


def _written_on(atom: Atom) -> str:
    """What words stand on, as they were told: which one that is may have had to be found."""
    refs = (p.entity for p in atom.participants if p.role is Role.INSTRUMENT)
    return next((r.mention for r in refs if isinstance(r, Resolved | Unresolved) and r.mention), "")


def _deed(plan: Plan, atom: Atom, known: Callable[[str], bool] | None) -> str:
    """What prose told that somebody did; things are called as it called them."""

    def by_name(entity: str) -> bool:
        return entity in plan.cast and (known is None or known(entity))

    said, what = _Said(plan, atom, by_name), atom.what
    who, whom, thing = (said.called(r) for r in (Role.ACTOR, Role.TARGET, Role.SUBJECT))
    if not who:
        return ""
    match what:
        case ActionTaken(act=act) if act not in _TALKING and act != "be":
            classes = verb_classes(act)
            object_ = whom if classes & _TRANSITIVE or act in _AT else ""
            given = thing if object_ and VerbClass.GIVE in classes else ""
            done = third_person(_AT.get(act, act) if object_ else act)
            return _sentence(" ".join(filter(None, (who, done, object_, given))))
        case Moved(to=to):
            return _sentence(f"{who} goes to {name_of(plan, to)}")
        case _:
            return ""


def _is_erased(what: Happening) -> bool:
    """Whether the words are gone that it was told in."""
    match what:
        case (
            ActionTaken(act="")
            | StateAsserted(state="")
            | InformationTold(claim="")
            | SpeechUttered(words="")
            | EnvironmentChanged(change="")
        ):
            return True
    return False


def _moved(said: _Said, who: str, to: str) -> str:
    thing, plan = said.called(Role.SUBJECT), said.plan
    if thing:
        where = f"is {name_of(plan, to)}’s now" if to in plan.cast else f"is at {name_of(plan, to)}"
        return _sentence(f"{thing} {where}")
    return _sentence(f"{who or 'Somebody'} goes to {name_of(plan, to)}")


def _noticed(said: _Said, who: str) -> str:
    subject = who or said.called(Role.SUBJECT)
    match said.atom.what:
        case EmotionShown(feeling=feeling, awareness=awareness) if awareness in OWNED:
            return _sentence(f"{subject or 'Somebody'} shows {feeling}")
        case StateAsserted(state=text) | EnvironmentChanged(change=text):
            return _sentence(text)
        case EntityChanged(change=EntityChange.APPEARED):
            return _sentence(f"{said.called(Role.SUBJECT) or 'Something'} comes to light")
        case EntityChanged(change=change):
            return _sentence(f"{subject or 'Something'} is {change.value}")
        case _:
            return ""  # a shift of feeling or of scene is not an event that one perceives


@dataclass(frozen=True, slots=True)
class _Said:
    """What those of an atom are called when it is told."""

    plan: Plan
    atom: Atom
    known: Callable[[str], bool] | None

    def called(self, role: Role) -> str:
        """Those in a role."""
        names = []
        for part in self.atom.participants:
            if part.role is role:
                match part.entity:
                    case Resolved(entity=entity):
                        names.append(self.name(entity))
                    case Unresolved(mention=words) | Implicit(implied=words):
                        names.append(words)
        return ", ".join(names)

    def name(self, entity: str) -> str:
        """By the author's name, or by the words it was read from."""
        plan, known = self.plan, self.known
        authored = entity in plan.cast or entity in plan.things or entity in plan.settings
        name = name_of(plan, entity) if authored else "it"
        if authored and (known is None or known(entity)):
            return name
        refs = (p.entity for p in self.atom.participants if isinstance(p.entity, Resolved))
        return next((r.mention for r in refs if r.entity == entity and r.mention), name)

    def unaware(self, act: str, about: str | None) -> str:
        """Whom something is done to that does not perceive it; not whom it is only about."""
        if act in _TALKING:
            return ""
        found = (p.entity for p in self.atom.participants if p.role is Role.SUBJECT)
        people = (e.entity for e in found if isinstance(e, Resolved) and e.entity in self.plan.cast)
        return next((self.name(who) for who in people if who != about), "")


def third_person(act: str) -> str:
    """A verb in its plain form as one says it of another: ask, asks; carry, carries."""
    verb, _, rest = act.partition(" ")
    if re.search(r"[^aeiou]y$", verb):
        verb = verb[:-1] + "ies"
    else:
        verb += "es" if re.search(r"(s|x|z|ch|sh|o)$", verb) else "s"
    return f"{verb} {rest}".strip()


def capital(text: str) -> str:
    """A text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    text = capital(" ".join(text.split()))
    return text if not text or text[-1] in '.!?…”"' else f"{text}."


def wants(aims: Sequence[str]) -> str:
    """What somebody wants, from aims as authors write them: `Be asked`, `Not be seen`, `Peace`."""
    if not aims:
        return ""
    first = [aim.split(None, 1) for aim in aims]
    if not all(_is_done(words[0].casefold()) for words in first):
        return f"Wants: {listed(aims)}"
    return f"Wants {listed([f'{_to(words)}' for words in first])}"


def _is_done(word: str) -> bool:
    return word in _AUXILIARY or bool(verb_classes(word))


def _to(words: Sequence[str]) -> str:
    """An aim behind `wants`."""
    if words[0] == "Not" and len(words) > 1:
        return f"not to {words[1]}"
    return " ".join(("to", words[0].casefold(), *words[1:]))


# ── how people feel ──────────────────────────────────────────────────────────────────────


def feelings(mood: Mood) -> tuple[str, ...]:
    """Named if their owner could name them; otherwise as the behaviour they show themselves in."""
    return tuple(
        text
        for f in mood.feelings
        if (text := (f.name if f.awareness in OWNED else f.shown_as).strip())
    )


def feeling(felt: Feeling, *, toward: str = "") -> str:
    """A feeling with whom it is for and how far its owner knows it; one that they do not own as
    the behaviour it shows itself in, and nothing else of it.
    """
    if felt.awareness in OWNED:
        whom = f" toward {toward}" if toward else ""
        return f"{felt.name.strip()}{whom} ({AWARE[felt.awareness]})" if felt.name.strip() else ""
    shown = felt.shown_as.strip().rstrip(".")
    return f"{shown} ({AWARE[felt.awareness]})" if shown else ""


def temper(mood: Mood) -> str:
    """A mood in words; empty where there is nothing to remark."""
    values = {name: float(getattr(mood, name)) for name, *_ in _TEMPERS}
    said = [
        above if values[name] >= high else below
        for name, high, above, low, below in _TEMPERS
        if not low < values[name] < high
    ]
    return listed(said)


def which_way(by: float, *, up: str, down: str) -> str:
    """Which way a measure has gone, in words; empty if by less than is said.

    Rounded first: else what remains of a sum of floats would decide whether .05 is .05.
    """
    by = round(by, 6)
    return "" if abs(by) < SHIFT else up if by > 0 else down


def grown(deltas: Sequence[MoodDelta]) -> str:
    """Where a mood has gone, in words; empty if nowhere."""
    sums = {name: sum(float(getattr(d, name)) for d in deltas) for name, _, _ in _MOODS}
    return listed([way for n, up, down in _MOODS if (way := which_way(sums[n], up=up, down=down))])


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def person(character: Character) -> str:
    """A name with its pronouns."""
    return f"{character.name.strip() or character.id} ({character.pronouns})"
