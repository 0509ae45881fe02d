"""A scripted actor that keeps to its brief: it does what doctrine and its own beliefs ask for, with
what it is aware of, and cites what it leans on. It knows nothing but the brief.
"""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import (
    Available,
    Held,
    Point,
    Presence,
    Sense,
    Snippet,
    TurnBrief,
)
from storykeeper.canon.registry import SourceKind

HURT, SEARCHED, MARKED, TENDED = "wounded", "searched", "marked", "tended"
REPORT_AGAIN = 6  # turns
REPORT_EVERY = 3
SPEAK_EVERY = 4
_ROUND = ((-18.0, 12.0), (-4.0, 8.0), (6.0, -4.0), (-10.0, -8.0))
PATROL = tuple(Point(x=x, y=y) for x, y in _ROUND)


@dataclass(frozen=True, slots=True)
class _Wish:
    """Something to do: to whom, where, and in which words."""

    verb: str
    because: str
    target: Presence | None = None
    to: Point | None = None
    words: str = ""
    channel: str | None = None


def faithful(brief: TurnBrief) -> CharacterAction:
    """What somebody does who keeps to what they were told."""
    can = {each.verb: each for each in brief.actions}
    wish = next((w for w in _wishes(brief, can) if w is not None), None)
    if wish is None:
        wish = _Wish("hold", "I stay and watch.")
    belief, passage = _belief(brief), _passage(brief)
    reasons = [wish.because]
    rests = [] if wish.target is None else [wish.target.handle]
    if belief is not None:
        reasons.append(belief.text)
        rests.append(belief.id)
    if passage is not None:
        reasons.append(passage.text)
        rests.append(passage.id)
    return CharacterAction(
        who=brief.who, turn=brief.turn, verb=wish.verb,
        target=None if wish.target is None else wish.target.handle, to=wish.to,
        channel=wish.channel, words=wish.words, spends=can[wish.verb].costs,
        justification=" ".join(reasons),
        cites=() if passage is None else (passage.cite,), rests_on=tuple(rests),
    )  # fmt: skip


def _wishes(brief: TurnBrief, can: dict[str, Available]) -> list[_Wish | None]:
    return [
        _tends(brief, can), _reports(brief, can), _marks(brief, can), _searches(brief, can),
        _speaks(brief, can), _walks(brief, can),
    ]  # fmt: skip


def _reachable(brief: TurnBrief, can: dict[str, Available], verb: str) -> list[Presence]:
    targets = can[verb].targets if verb in can else ()
    return [each for each in brief.visible if each.handle in targets]


def _tends(brief: TurnBrief, can: dict[str, Available]) -> _Wish | None:
    for each in _reachable(brief, can, "tend"):
        if HURT in each.status and TENDED not in each.status:
            return _Wish("tend", f"{each.name} is hurt and within reach.", target=each)
    return None


def _reports(brief: TurnBrief, can: dict[str, Available]) -> _Wish | None:
    """Somebody of another side in sight, who was not reported lately; one turn in three."""
    if (brief.turn + len(brief.who)) % REPORT_EVERY:
        return None
    near = (p for p in brief.past if p.how is Sense.SELF and brief.turn - p.turn < REPORT_AGAIN)
    lately = " ".join(each.text for each in near)
    for each in _reachable(brief, can, "report"):
        if each.faction not in (None, brief.faction) and f"“{each.name}," not in lately:
            words = f"{each.name}, {each.band}: {each.looks}."
            channel = next(iter(can["report"].channels), None)
            because = f"{each.name} is in sight and my side should know."
            return _Wish("report", because, target=each, words=words, channel=channel)
    return None


def _marks(brief: TurnBrief, can: dict[str, Available]) -> _Wish | None:
    for each in _reachable(brief, can, "mark"):
        if "crate" in each.handle and MARKED not in each.status:
            return _Wish("mark", f"{each.name} lies here unmarked.", target=each)
    return None


def _searches(brief: TurnBrief, can: dict[str, Available]) -> _Wish | None:
    for each in _reachable(brief, can, "search"):
        if each.faction is None and SEARCHED not in each.status:
            return _Wish("search", f"{each.name} is within reach and not searched.", target=each)
    return None


def _speaks(brief: TurnBrief, can: dict[str, Available]) -> _Wish | None:
    """Every few turns its side hears what doctrine says of this."""
    passage, radio = _passage(brief), can.get("radio")
    if passage is None or radio is None or not radio.channels or brief.turn % SPEAK_EVERY:
        return None
    return _Wish(
        "radio", "My side should keep it in mind.", words=passage.text,
        channel=radio.channels[0],
    )  # fmt: skip


def _walks(brief: TurnBrief, can: dict[str, Available]) -> _Wish | None:
    """To what it has not searched yet, or to the next of a round of points."""
    if "go" not in can or brief.at is None:
        return None
    hurt = [e for e in brief.visible if HURT in e.status and TENDED not in e.status and e.at]
    if hurt and "tend" in {v.verb for v in brief.actions} | _able(brief):
        return _Wish("go", f"{hurt[0].name} is hurt and I go to them.", target=None, to=hurt[0].at)
    things = [
        each for each in brief.visible
        if each.faction is None and each.at is not None and each.how is not Sense.HEARD
        and SEARCHED not in each.status and each.how is Sense.SEEN
    ]  # fmt: skip
    if things and brief.turn % 3:
        return _Wish("go", f"I go to look at {things[0].name}.", to=things[0].at)
    place = PATROL[(brief.turn // 5 + len(brief.who)) % len(PATROL)]
    return _Wish("go", "I walk my round.", to=place)


def _able(brief: TurnBrief) -> set[str]:
    """Verbs for which it has what they cost, though nobody is in reach."""
    return {"tend"} if brief.resources.get("bandages", 0) else set()


def _belief(brief: TurnBrief) -> Held | None:
    """The firmest of its beliefs, another each turn among those as firm as that."""
    own = [each for each in brief.beliefs if each.how == "always"]
    return own[brief.turn % len(own)] if own else None


def _passage(brief: TurnBrief) -> Snippet | None:
    """The best passage of doctrine that nothing found with it speaks against."""
    sound = [e for e in brief.snippets if e.kind is SourceKind.DOCTRINE and not e.conflicts]
    return sound[0] if sound else None
