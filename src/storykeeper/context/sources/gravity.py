"""What lies ahead, and how near it is: images, tone, stakes, and who here is bound up with it.

Nothing here names a scene. The nearer it is, the more is said: from afar an image, and of what
pulls hardest its tone; on the way both, and who here has to do with it; close to it what is at
stake as well. Themes are weighed and never said: a list of them is nothing that a writer can use.
Where there is nothing to say, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.leaning import NEARNESS
from storykeeper.context.sources.proposing import image_now, proposed
from storykeeper.context.words import listed, name_of
from storykeeper.gravity.gates import Proximity
from storykeeper.gravity.landscape import Attractor, Landscape
from storykeeper.gravity.pull import Band
from storykeeper.gravity.temperature import Valence
from storykeeper.scoring.composite import Terms
from storykeeper.story.scenes import Scene

GRAVITY = "gravity"
LEAST, PER_PULL, MOST = 0.1, 0.3, 0.9
MOST_ATTRACTORS = 6
LIVE_FROM = 0.02  # a pull below this is not felt at all
_HEADS = {
    Band.DISTANT: "Far off",
    Band.APPROACHING: "Drawing near",
    Band.IMMINENT: "Close now",
}

Said = tuple[str, tuple[str, ...]]  # words, and what they rest on


def relevance(pull: float) -> float:
    """min(.9, .1 + .3·pull).   F3c"""
    return min(MOST, LEAST + PER_PULL * pull)


def attractors(boundary: Boundary, landscape: Landscape) -> Iterator[Candidate]:
    """One for each of the strongest attractors."""
    live = [each for each in landscape.attractors if each.pull >= LIVE_FROM]
    for each in live[:MOST_ATTRACTORS]:
        yield _ahead(boundary, landscape, each)


def _ahead(boundary: Boundary, landscape: Landscape, attractor: Attractor) -> Candidate:
    scene = boundary.plan.scenes[attractor.scene]
    head = _HEADS[attractor.band]
    image = _part(boundary, scene, "images", _image(boundary, scene, attractor.band))
    tone = _part(boundary, scene, "tone", scene.tone)
    stakes = _part(boundary, scene, "stakes", scene.stakes, "at stake: ")
    gates = [_gate(boundary, gate) for gate in landscape.gates if gate.scene == scene.id]
    company = _company(boundary, scene) if image[0] or tone[0] else ("", ())
    hint = [image if image[0] else tone, *gates]  # a gate nearly open is said anyhow
    brief = [image, tone, company, *gates]
    faint = hint if landscape.strongest == attractor else [image, *gates]
    spoken = {
        Band.DISTANT: ([], [], faint),
        Band.APPROACHING: ([], brief, hint),
    }.get(attractor.band, ([image, tone, stakes, company, *gates], brief, hint))
    used = max(spoken, key=len)
    themes = scene.themes if boundary.open(f"ahead:{scene.id}/themes") else ()
    return proposed(
        f"{GRAVITY}:{scene.id}", origin=GRAVITY, klass=Class.GRAVITY,
        sources=(f"ahead:{scene.id}/{NEARNESS}", *(s for _, sources in used for s in sources)),
        full=_line(head, spoken[0]), brief=_line(head, spoken[1]), hint=_line(head, spoken[2]),
        themes=themes, scenes=(scene.id,), valence=Valence.TENSION,
        terms=Terms(relevance=relevance(attractor.pull)),
    )  # fmt: skip


def _image(boundary: Boundary, scene: Scene, band: Band) -> str:
    """What is seen or heard of it now, by how near it is; of what is nearer, what is further."""
    by_band = {
        Band.DISTANT: scene.images.distant,
        Band.APPROACHING: scene.images.approaching or scene.images.distant,
    }
    nearest = scene.images.imminent or scene.images.approaching or scene.images.distant
    return image_now(by_band.get(band, nearest), boundary.present.turn)


def _line(head: str, said: list[Said]) -> str:
    words = [text for text, _ in said if text]
    return f"- {head}: {'; '.join(words)}" if words else ""


def _part(boundary: Boundary, scene: Scene, name: str, text: str, before: str = "") -> Said:
    """A part of what the author says of a scene, unless it is withheld."""
    source = f"ahead:{scene.id}/{name}"
    said = text.strip().rstrip(".")
    if not said or not boundary.open(source):
        return "", ()
    return f"{before}{said[:1].lower()}{said[1:]}" if before else said, (source,)


def _company(boundary: Boundary, scene: Scene) -> Said:
    """Who is here and will be there."""
    cast = dict.fromkeys((*scene.cast.required, *scene.cast.contingent))
    here = [who for who in cast if who in boundary.here and who not in boundary.minds]
    names = listed([name_of(boundary.plan, who) for who in here])
    return (f"bound up with it: {names}" if here else ""), tuple(f"cast:{who}" for who in here)


def _gate(boundary: Boundary, gate: Proximity) -> Said:
    """What a gate means and would change, once it is nearly open."""
    known, source = boundary.plan.gates[gate.gate], f"gate:{gate.gate}"
    if not gate.close or not boundary.open(source):
        return "", ()
    said = (("nearly so", known.means), ("it would change", known.changes))
    words = [f"{head}: {text.strip().rstrip('.')}" for head, text in said if text.strip()]
    return "; ".join(words), (source,) if words else ()
