"""Carriers of what leans on the story: scenes ahead, gates, prophecies, tales within the tale.

All of it is the narrator's, as far as it may be felt by then, and no character's. Two events of the
script move it: at the sign prophecies are born; at the coming one is fulfilled, a gate opens, a
hidden tale comes to be known of, and a dream becomes one with the story. A third never happens.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import structs

from storykeeper.bench.leaks.secrets import NARRATOR, MayHave, between, from_turn, nobody, only
from storykeeper.bench.leaks.stage import Stage, Step
from storykeeper.bench.leaks.vocabulary import Wording, capital
from storykeeper.story.conditions import At, Condition, Did
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.layers import Layer, LayerKind, Prophecy
from storykeeper.story.places import Form, Thing
from storykeeper.story.scenes import Gate, Scene, Withheld
from storykeeper.story.tuning import SceneOverride

SIGN, COMING, NEVER = "sign", "coming", "never"
OPEN, CLOSED, BURIED, SUNKEN, DREAM = "open", "closed", "buried", "sunken", "dream"
_NEAR = (0.05, 0.05, 0.05, 0.3, 0.8)  # distances: close, on the way, far off
_MASS = 0.8


def gravity(stage: Stage, carrier: str) -> None:
    """Tone and stakes of a scene ahead; of one whose author withholds them; and gates of it."""
    told, kept = stage.wording(NARRATOR), stage.wording()
    stage.keep(carrier, told, only(NARRATOR), *_parts(OPEN, "tone", "stakes"))
    stage.keep(carrier, kept, nobody, *_parts(CLOSED, "tone", "stakes"))
    theme = stage.wording(NARRATOR)  # a theme is of the landscape, which the narrator may feel
    stage.keep(carrier, theme, nobody, *_parts(CLOSED, "themes"))
    gates = tuple(_gate(stage, carrier, name) for name in (NEVER, COMING, "far"))
    _ahead(stage, OPEN, told, gates=gates)
    _ahead(stage, CLOSED, kept, themes=(theme.said,), withheld=tuple(Withheld))


def prophecy(stage: Stage, carrier: str) -> None:
    """What was foretold and may yet come; what nobody has foretold yet; and what has come."""
    born, come = _at(stage, SIGN), _at(stage, COMING)
    _event(stage, NEVER)
    _foretold(stage, carrier, "live", source=SIGN, may_have=from_turn(born, NARRATOR))
    _foretold(stage, carrier, "unborn", source=NEVER, may_have=nobody)
    may_have = between(born, come, NARRATOR)
    _foretold(stage, carrier, "fulfilled", source=SIGN, may_have=may_have, by=COMING)


def hidden_tale(stage: Stage, carrier: str) -> None:
    """What a tale nobody knows of puts in another light, and the scenes of it; one is revealed."""
    for name, event, may_have in (
        (BURIED, COMING, from_turn(_at(stage, COMING), NARRATOR)),
        (SUNKEN, NEVER, nobody),
    ):
        known = (NARRATOR,) if event == COMING else ()
        anew, scene = stage.wording(*known), stage.wording(*known)
        _event(stage, event)
        stage.layers.append(
            Layer(
                id=name, name=f"The {name} tale", kind=LayerKind.MEMORY, scenes=(f"in-{name}",),
                hidden=True, revealed_by=Condition(happened=event), reinterprets=_both(anew),
            )
        )  # fmt: skip
        stage.keep(carrier, anew, may_have, f"layer:{name}", f"reread:{name}")
        _ahead(stage, f"in-{name}", scene)
        stage.keep(carrier, scene, may_have, *_parts(f"in-{name}", "tone", "stakes"))


def bridge(stage: Stage, carrier: str) -> None:
    """What a thing in the hall is in a dream and in a tale, and the themes of the dream.

    The dream becomes one with the story at the coming; the tale is never entered.
    """
    come = from_turn(_at(stage, COMING), NARRATOR)
    form, symbol, theme = (stage.wording(NARRATOR) for _ in range(3))
    never, thing = stage.wording(), stage.words.noun()
    stage.others.noun()
    described = {DREAM: _form(form), "tale": _form(never)}
    stage.things.append(
        Thing(
            id=thing, name=f"the {thing}", at=stage.hall, description=f"An old {thing}",
            symbolism=_both(symbol), forms=described,
        )
    )  # fmt: skip
    stage.layers.append(
        Layer(
            id=DREAM, name="A dream", kind=LayerKind.DREAM, scenes=("in-dream",), base_mass=0.9,
            themes=(theme.said, theme.otherwise),
        )
    )  # fmt: skip
    stage.scenes.append(Scene(id="in-dream", title="Dream"))
    event = _event(stage, COMING)
    stage.events[COMING] = structs.replace(event, permeability={DREAM: 1.0})
    for wording in (form, symbol):
        stage.keep(carrier, wording, come, f"bridge:{thing}/{DREAM}")
    stage.keep(carrier, theme, come, f"layer:{DREAM}")
    stage.keep(carrier, never, nobody, f"bridge:{thing}/tale", "layer:tale")


# ── scenes and gates ─────────────────────────────────────────────────────────────────────────


def _ahead(
    stage: Stage, name: str, wording: Wording, *, gates: tuple[Gate, ...] = (),
    themes: tuple[str, ...] = (), withheld: tuple[Withheld, ...] = (),
) -> None:  # fmt: skip
    """A scene that is never reached, and how near it is."""
    stage.scenes.append(
        Scene(
            id=name, title=name, tone=capital(wording.said), stakes=capital(wording.otherwise),
            gates=gates, themes=themes, withheld=withheld,
        )
    )  # fmt: skip
    stage.ahead[name] = SceneOverride(mass=_MASS, distance=stage.random.choice(_NEAR))


def _parts(scene: str, *parts: str) -> tuple[str, ...]:
    return tuple(f"ahead:{scene}/{part}" for part in parts)


def _gate(stage: Stage, carrier: str, name: str) -> Gate:
    """One that stays nearly open; one that is, until it opens at the coming; one that is far."""
    so = tuple(
        Condition(at=At(who=who.id, place=who.at))
        for who in (stage.friend, stage.bystander, stage.listener)  # who never go anywhere
    )
    may_have: MayHave = nobody
    wanting = tuple(map(_undone, ("sing", "dance", "weep")))
    wording = stage.wording(*(() if name == "far" else (NARRATOR,)))
    if name != "far":
        wanting = (Condition(happened=name),)
        may_have = between(lambda: 0, _at(stage, name), NARRATOR)
    stage.keep(carrier, wording, may_have, f"gate:{name}")
    said = capital(wording.said), capital(wording.otherwise)
    return Gate(id=name, conditions=(*so, *wanting), means=said[0], changes=said[1])


# ── what happens, and what was foretold of it ────────────────────────────────────────────────


def _foretold(
    stage: Stage, carrier: str, name: str, *, source: str, may_have: MayHave, by: str = NEVER
) -> None:
    _event(stage, source)
    _event(stage, by)
    wording = stage.wording(*(() if may_have is nobody else (NARRATOR,)))
    stage.prophecies.append(
        Prophecy(
            id=name, source=source, target=OPEN, fulfilled_by=Condition(happened=by),
            imagery=(capital(wording.said), capital(wording.otherwise)),
        )
    )  # fmt: skip
    stage.keep(carrier, wording, may_have, f"prophecy:{name}")


def _event(stage: Stage, name: str) -> StoryEvent:
    """An event of the story; its turn has its name, and one never comes."""
    if name not in stage.events:
        when = _undone("sing")
        if name != NEVER:
            thing = stage.words.noun()
            stage.others.noun()
            stage.asked_once.append(Thing(id=thing, name=f"the {thing}", at=stage.hall))
            line = f"I ask {stage.other.name} about the {thing}."
            stage.steps.append(Step(stage.hall, line, f"{stage.other.name} shrugs.", mark=name))
            when = Condition(did=Did(who="player", act="ask", about=thing))
        stage.events[name] = StoryEvent(id=name, summary=f"The {name}.", when=when)
    return stage.events[name]


def _at(stage: Stage, event: str) -> Callable[[], int | None]:
    """The turn in which it happens, once that is played."""
    _event(stage, event)
    return lambda: stage.turns.get(event)


def _undone(act: str) -> Condition:
    return Condition(did=Did(who="player", act=act))


def _both(wording: Wording) -> str:
    return f"{capital(wording.said)}. {capital(wording.otherwise)}."


def _form(wording: Wording) -> Form:
    return Form(name=wording.said, description=capital(wording.otherwise))
