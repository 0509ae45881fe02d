"""What lies ahead, and how near it is: images, tone, stakes, and who here is bound up with it.

Nothing here names a scene. The nearer it is, the more is said: from afar an image, and of what
pulls hardest what is at stake; on the way either, and who here has to do with it; close to it both,
and its tone. A tone alone is an omen of nothing: where there is no more to say, that of what pulls
hardest is a way to lean, and of the others nothing is said. Themes are weighed and never said.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.leaning import NEARNESS
from storykeeper.context.sources.proposing import ANEW_TURNS, image_now, line, proposed
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
APART = 3  # turns between the scenes whose stakes are said
LIVE_FROM = 0.02  # a pull below this is not felt at all
_IMAGES = {  # before an image, by how near it is
    Band.DISTANT: "From far off, where it fits",
    Band.APPROACHING: "To let in where it fits",
    Band.IMMINENT: "Close now",
}
_TOWARD, _LEANING = "What this moves toward", "Let the telling lean that way"

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
    image = _part(boundary, scene, "images", _image(boundary, scene, attractor.band))
    image = _behind(_IMAGES[attractor.band], image)
    tone = _part(boundary, scene, "tone", scene.tone)
    stakes = _part(boundary, scene, "stakes", scene.stakes)
    gates = [_gate(boundary, gate) for gate in landscape.gates if gate.scene == scene.id]
    strongest = landscape.strongest == attractor
    seen = image
    if not image[0] and stakes[0]:
        said = attractor.band is Band.IMMINENT or _in_its_turn(boundary, scene)
        seen = _behind(_TOWARD, stakes) if said else ("", ())
    elif not image[0] and strongest and attractor.band is not Band.DISTANT:
        seen = _behind(_LEANING, tone)
    company = _company(boundary, scene) if seen[0] else ("", ())
    hint = [seen, *gates]  # a gate nearly open is said anyhow
    brief = [seen, company, *gates]
    full = brief
    if image[0] or stakes[0]:
        air, owed = _behind("The air of it", tone), _behind("At stake", _lower(stakes))
        full = [image, air, owed, company, *gates]
    spoken = {
        Band.DISTANT: ([], [], hint if strongest else [image, *gates]),
        Band.APPROACHING: ([], brief, hint),
    }.get(attractor.band, (full, brief, hint))
    used = max(spoken, key=len)
    themes = scene.themes if boundary.open(f"ahead:{scene.id}/themes") else ()
    return proposed(
        f"{GRAVITY}:{scene.id}", origin=GRAVITY, klass=Class.GRAVITY,
        sources=(f"ahead:{scene.id}/{NEARNESS}", *(s for _, sources in used for s in sources)),
        full=_line(spoken[0]), brief=_line(spoken[1]), hint=_line(spoken[2]),
        themes=themes, scenes=(scene.id,), valence=Valence.TENSION,
        terms=Terms(relevance=relevance(attractor.pull)),
    )  # fmt: skip


def _in_its_turn(boundary: Boundary, scene: Scene) -> bool:
    """Whether it is the one turn in ten in which what a scene turns on is said from further off."""
    place = list(boundary.plan.scenes).index(scene.id)
    return (boundary.present.turn + APART * place) % ANEW_TURNS == 0


def _image(boundary: Boundary, scene: Scene, band: Band) -> str:
    """What is seen or heard of it now, by how near it is; of what is nearer, what is further."""
    by_band = {
        Band.DISTANT: scene.images.distant,
        Band.APPROACHING: scene.images.approaching or scene.images.distant,
    }
    nearest = scene.images.imminent or scene.images.approaching or scene.images.distant
    return image_now(by_band.get(band, nearest), boundary.present.turn)


def _line(said: list[Said]) -> str:
    return line(*(text for text, _ in said))


def _behind(head: str, said: Said) -> Said:
    return (f"{head}: {said[0]}", said[1]) if said[0] else said


def _lower(said: Said) -> Said:
    return f"{said[0][:1].lower()}{said[0][1:]}", said[1]


def _part(boundary: Boundary, scene: Scene, name: str, text: str) -> Said:
    """A part of what the author says of a scene, unless it is withheld."""
    source = f"ahead:{scene.id}/{name}"
    said = text.strip().rstrip(".")
    if not said or not boundary.open(source):
        return "", ()
    return said, (source,)


def _company(boundary: Boundary, scene: Scene) -> Said:
    """Who is here and will be there."""
    cast = dict.fromkeys((*scene.cast.required, *scene.cast.contingent))
    here = [who for who in cast if who in boundary.here and who not in boundary.minds]
    names = listed([name_of(boundary.plan, who) for who in here])
    return (f"Here, and bound up with it: {names}" if here else ""), tuple(
        f"cast:{who}" for who in here
    )


def _gate(boundary: Boundary, gate: Proximity) -> Said:
    """What a gate means and would change, once it is nearly open."""
    known, source = boundary.plan.gates[gate.gate], f"gate:{gate.gate}"
    if not gate.close or not boundary.open(source):
        return "", ()
    said = (("Nearly come about", known.means), ("What it would change", known.changes))
    words = [f"{head}: {text.strip().rstrip('.')}" for head, text in said if text.strip()]
    return ". ".join(words), (source,) if words else ()
