"""The story that a passage is played in, as an author would have written it: names and places.

Nothing else is in it, so whatever a brief tells of the passage was told in play. All places have
ways to each other; who begins `away` or `unknown` is put nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as File

from storykeeper.bench.perception.data import Passage
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Path, Setting
from storykeeper.story.scenes import Scene, SceneCast
from storykeeper.story.writer import write_story

SCENE = "passage"
LINE = "Somebody in this story."


def write(passage: Passage, folder: File) -> File:
    """Write the author's files; the answer is the folder they are in."""
    for name, text in write_story(story(passage)).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def story(passage: Passage) -> Story:
    """One scene, where the played one begins; everybody is where the passage says."""
    at = settings(passage)
    places = {who: at.get(passage.start[who]) for who in passage.people}
    here = places[passage.played]
    there = tuple(w for w in passage.people if here is not None and places[w] == here)
    others = tuple(w for w in passage.people if w not in there)
    names = _Names()
    return Story(
        id="passage", title="A passage", players=(passage.played,), start=SCENE, voice="Plain.",
        cast=tuple(
            Character(
                id=person.id, name=(called := names.of(person.names))[0], aliases=called[1:],
                pronouns=person.pronouns, line=LINE, at=places[person.id],
            )
            for person in passage.cast
        ),
        settings=tuple(
            Setting(
                id=at[place.id], name=(called := names.of(place.names))[0], aliases=called[1:],
                paths=tuple(Path(to=at[other.id]) for other in passage.places[number + 1 :]),
            )
            for number, place in enumerate(passage.places)
        ),
        scenes=(
            Scene(
                id=SCENE, title="The passage", setting=here,
                cast=SceneCast(required=there, contingent=others),
            ),
        ),
    )  # fmt: skip


def settings(passage: Passage) -> dict[str, str]:
    """The id that each place has in the story: another, where one of the cast has it."""
    people = set(passage.people)
    return {p.id: f"{p.id}-place" if p.id in people else p.id for p in passage.places}


class _Names:
    """Names that are taken. Who is called like somebody before them goes by their other names."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, names: Iterable[str]) -> tuple[str, ...]:
        given = tuple(dict.fromkeys(names))
        free = tuple(name for name in given if name.casefold() not in self._taken)
        self._taken.update(name.casefold() for name in free)
        return free or given
