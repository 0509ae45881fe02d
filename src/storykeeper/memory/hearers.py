"""Who heard each line of a chat among several, where the chat itself does not say.

People join a talk, leave it and come back, and say so: whoever was not there did not hear. Each
session is a talk of its own, read when it is over (docs/reference/presence.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from storykeeper.language.presence import Cast, Utterance, perceivers
from storykeeper.memory.chats import Said


def heard(said: Sequence[Said]) -> tuple[Said, ...]:
    """The same lines, each for those of its session who were there; where it says for whom, as is.

    Whoever speaks in a session is of its talk. A line that nobody says is for all of it; where
    nobody is named, nothing is known of who heard, and the lines stay as open as they were.
    """
    found = list(said)
    talks: dict[str, list[int]] = {}
    for place, line in enumerate(said):
        talks.setdefault(line.session, []).append(place)
    for places in talks.values():
        spoken = [place for place in places if said[place].speaker]
        cast = _cast(said[place].speaker for place in spoken)
        utterances = [Utterance(said[place].speaker, said[place].text) for place in spoken]
        audiences = dict(zip(spoken, perceivers(utterances, cast=cast), strict=True))
        for place in places:
            if said[place].audience is None:
                by = frozenset(audiences.get(place, cast))
                found[place] = replace(found[place], audience=by or None)
    return tuple(found)


def _cast(heads: Iterable[str]) -> tuple[str, ...]:
    """The people of a talk by its lines' heads; "Ana and Bo" and "All" are no more people."""
    names = tuple(dict.fromkeys(heads))
    others = {name: Cast.of(other for other in names if other != name) for name in names}
    return tuple(name for name in names if len(others[name].speakers(name)) == 1)
