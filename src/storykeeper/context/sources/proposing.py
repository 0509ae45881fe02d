"""What every source makes: candidates of tier 3, and the words they have in common."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Tier
from storykeeper.context.words import capital
from storykeeper.story.places import Form, Thing
from storykeeper.world.state import in_scene

ANEW_TURNS = 10  # the same image is not shown twice within so many


def proposed(item_id: str, **fields: object) -> Candidate:
    """A candidate of tier 3; its own source, unless it names others."""
    given = {"tier": Tier.RETRIEVED, "sources": (item_id,)} | fields
    return Candidate(id=item_id, **given)  # type: ignore[arg-type]


def image_now(images: Sequence[str], turn: int) -> str:
    """The image whose turn it is, if it is one's: each stands once in ten turns, spread evenly."""
    said = [image.strip().rstrip(".") for image in images if image.strip()]
    if not said:
        return ""
    apart = max(1, ANEW_TURNS // len(said))
    place, left = divmod(turn % max(ANEW_TURNS, len(said)), apart)
    return said[place] if not left and place < len(said) else ""


def sentences(*said: str) -> str:
    """What there is to say, each a sentence."""
    return ". ".join(capital(text.strip().rstrip(".")) for text in said if text.strip())


def line(*said: str) -> str:
    """One line of a list from what there is to say; nothing, if that is nothing."""
    words = sentences(*said)
    return f"- {words}" if words else ""


def form_here(boundary: Boundary, thing: Thing) -> tuple[str, Form] | None:
    """The form that a thing of two worlds has in the tale that they are in, and of which tale."""
    world, me = boundary.world, boundary.minds[0]
    scene = boundary.plan.scenes.get(world.scene or "")
    if not (thing.forms and world.inside and scene is not None):
        return None
    there = in_scene(world, me) if boundary.narrator else world.places.get(me) == scene.setting
    form = thing.forms.get(world.inside[-1].layer) if there else None
    return None if form is None else (world.inside[-1].layer, form)


def just_told(boundary: Boundary, text: str) -> bool:
    """Whether it stands word for word in the turn told last, which every window has whole."""
    if not (boundary.narrator and boundary.recent and text.strip()):
        return False
    last = boundary.recent[-1]
    mine = last.player in boundary.minds  # what another player was told may not be in it
    return mine and " ".join(text.split()) in " ".join(last.prose.split())
