"""How things on a field are said to whoever acts there: short lines, each with what it goes by."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.canon.brief import Available, Band, Bearing, Held, Point, Presence, Sense, Snippet
from storykeeper.canon.persona import PersonaCardV2
from storykeeper.canon.situation import EntityState, Happening, WorldRule, WorldState
from storykeeper.context.foreign import safe
from storykeeper.context.stances import measured
from storykeeper.context.words import listed
from storykeeper.story.people import Relation

_BANDS = {
    Band.HERE: "right here", Band.NEAR: "near", Band.MIDDLE: "some way off", Band.FAR: "far off",
    Band.UNKNOWN: "nobody knows where",
}  # fmt: skip
_BEARINGS = {
    Bearing.N: "north", Bearing.NE: "north-east", Bearing.E: "east", Bearing.SE: "south-east",
    Bearing.S: "south", Bearing.SW: "south-west", Bearing.W: "west", Bearing.NW: "north-west",
    Bearing.NONE: "",
}  # fmt: skip


def card_text(world: WorldState, card: PersonaCardV2, me: EntityState, place: Point | None) -> str:
    """Who they are, what they want, and how they are."""
    side = world.factions.get(card.faction or "", card.faction or "")
    lines = [f"You are {card.name}{f', of {side}' if side else ''}. {card.line}"]
    if card.speech:
        lines.append(f"You talk like this: {card.speech}")
    goals = sorted(card.goals, key=lambda each: -each.weight)
    if goals:
        lines.append("You want: " + " ".join(each.text for each in goals))
    if card.capabilities:
        lines.append(f"You can: {', '.join(card.capabilities)}.")
    state = [f"You are at {_at(place)}."] if place is not None else []
    if me.status:
        state.append(f"You are {listed([each.replace('-', ' ') for each in me.status])}.")
    if me.resources:
        state.append(f"You have {_amounts(me.resources)}.")
    return "\n".join((*lines, " ".join(state)) if state else lines)


def rules_text(card: PersonaCardV2, rules: Sequence[WorldRule]) -> str:
    """What binds them: their own rules, taboos and doctrine, and those of the world."""
    own = [*card.rules, *(f"Never: {each}" for each in card.taboos), *card.doctrine]
    told = [*(f"- {each}" for each in own), *(f"- [{each.id}] {each.text}" for each in rules)]
    return "\n".join(("What binds you:", *told)) if told else ""


def presence_text(each: Presence, side: str) -> str:
    """Somebody or something that they are aware of."""
    where = ", ".join(filter(None, (_BANDS[each.band], _BEARINGS[each.bearing])))
    if each.how is Sense.HEARD:
        return f"- [{each.handle}] heard, not seen: {each.looks}; {where}"
    called = each.name or each.handle
    said = f"- [{each.handle}] {called}{f', of {side}' if side else ''}: {where}"
    if each.at is not None:
        said += f", at {_at(each.at)}"
    if each.how is not Sense.SEEN:
        source = "last seen" if each.how is Sense.REMEMBERED else "reported"
        ago = "this turn" if not each.since else turns_ago(each.since)
        said += f"; {source} {ago}, {each.sure:.0%} sure"
    tail = [each.looks.rstrip("."), ", ".join(each.status).replace("-", " "), *each.details]
    said += "".join(f"; {part}" for part in tail if part)
    return said + marked(each.cites)


def turns_ago(count: int) -> str:
    """`1 turn ago`, `3 turns ago`."""
    return f"{count} turn{'' if count == 1 else 's'} ago"


def marked(cites: Sequence[str]) -> str:
    """What something comes from, as it stands behind it."""
    return "".join(f" [{cite}]" for cite in cites)


def happening_text(each: Happening, who: str) -> str:
    """Something that happened, as somebody perceived it."""
    words = f" “{safe(each.words)}”" if each.words else ""
    match each.perceived[who]:
        case Sense.SELF | Sense.WITNESSED:
            return f"{each.text}{words}"
        case Sense.HEARD:
            heard = each.heard_as or ("a voice" if words else "a sound")
            return f"You hear {heard}{':' if words else '.'}{words}"
        case Sense.CHANNEL:
            return f"{each.by or 'Somebody'} over {each.channel}:{words}"
        case _:
            return each.text


def belief_text(each: Held) -> str:
    """What they know or believe, and how they came by it."""
    how = (
        "" if each.how == "always" else f" ({each.how}{f', turn {each.turn}' if each.turn else ''})"
    )
    doubt = "" if each.sure >= SURE else f" You are {each.sure:.0%} sure."
    cites = marked(each.cites)
    return f"- [{each.id}] {each.text}{how}{doubt}{cites}"


SURE = 0.75


def relation_text(card: PersonaCardV2, relation: Relation) -> str:
    """How they stand to somebody; nothing if there is nothing to remark."""
    told = measured(relation, called=relation.to, again="them")
    said = f"{card.name} {listed(told)}." if told else ""
    return " ".join(filter(None, (said, relation.history)))


def snippet_text(each: Snippet) -> str:
    """A passage of canon, cited, and marked if another says otherwise."""
    under = f" ({' › '.join(each.heading)})" if each.heading else ""
    also = marked(each.also)
    against = f" — said otherwise in {', '.join(each.conflicts)}" if each.conflicts else ""
    return f"- [{each.id}] {each.kind}{under}: {each.text}{also}{against}"


def action_text(each: Available) -> str:
    """Something that can be done."""
    parts = [f"- [{each.verb}] {each.text.rstrip('.')}"]
    if each.targets:
        parts.append(f"to {', '.join(each.targets)}")
    if each.channels:
        parts.append(f"over {', '.join(each.channels)}")
    if each.costs:
        parts.append(f"costs {_amounts(each.costs)}")
    return "; ".join(parts)


def _at(place: Point) -> str:
    return f"({place.x:g}, {place.y:g})"


def _amounts(amounts: dict[str, float]) -> str:
    return listed(
        [f"{amount:g} {name.replace('-', ' ')}" for name, amount in sorted(amounts.items())]
    )
