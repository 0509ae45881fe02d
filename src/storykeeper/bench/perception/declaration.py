"""The labels of a passage as a narrator would declare them (`render(stage=…)`).

By the rule of the data's README: every event but `aside` and `tells` is a move, and its words are
the text of its segment; every speech that not all of the cast perceive is an aside to those who do;
where everyone is afterwards is `at`. Who speaks is not labelled: it is said of an aside where an
event of its segment says it, and left out elsewhere.
"""

from __future__ import annotations

from typing import Any

from storykeeper.bench.perception.data import Event, Passage
from storykeeper.bench.perception.story import settings

_NO_MOVES = frozenset({"aside", "tells"})


def declaration(passage: Passage) -> dict[str, Any]:
    """What a narrator who did all of this would have declared."""
    at = settings(passage)
    moves = [_move(passage, event) for event in passage.events if event.kind not in _NO_MOVES]
    asides = [
        _aside(passage, number)
        for number, segment in enumerate(passage.segments)
        if segment.kind == "speech" and set(passage.people) - set(segment.perceivers)
    ]
    after = {who: at.get(place, place) for who, place in passage.after.items()}
    return {"moves": moves, "asides": asides, "at": after}


def _move(passage: Passage, event: Event) -> dict[str, Any]:
    to = settings(passage).get(event.to, event.to) if isinstance(event.to, str) else event.to
    said = {"to": to, "with": event.with_, "what": event.what}
    return {
        "who": event.who,
        "kind": event.kind,
        **{key: value for key, value in said.items() if value is not None},
        "words": passage.segments[event.segment].text.strip(),
    }


def _aside(passage: Passage, number: int) -> dict[str, Any]:
    segment = passage.segments[number]
    told = (e for e in passage.events if e.segment == number and e.kind in _NO_MOVES)
    speakers = list(dict.fromkeys(who for event in told for who in event.who))
    by = {"by": speakers[0]} if len(speakers) == 1 else {}
    return {**by, "to": segment.perceivers, "words": segment.text.strip()}
