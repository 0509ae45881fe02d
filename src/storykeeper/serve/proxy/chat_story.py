"""The story of a chat that has none: who is in it, and one place; no gates, nothing withheld.

Names come from what clients send: the sentence by which SillyTavern asks for a reply, `name`
fields, and names before a colon where several characters answer. A client's own prompt is no part
of it: it goes upstream as it came.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storykeeper.serve.proxy.transcript import Transcript, said_in
from storykeeper.story.model import RESERVED, Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting
from storykeeper.story.scenes import Scene, SceneCast

PLAYER, CHARACTER = "User", "Assistant"
SCENE = "chat"
MOST_CAST = 24
_NAME = r"[^\W\d_][\w .'’-]{0,58}"
_ASKED = (
    re.compile(rf"\bWrite (?P<who>{_NAME})['’]s next reply in a fictional chat between"
               rf" (?P<cast>{_NAME}(?:, {_NAME})*) and (?P<player>{_NAME})[.\n]"),
    re.compile(rf"\[Write the next reply only as (?P<who>{_NAME})\.?\]"),
)  # fmt: skip
_PREFIX = re.compile(rf"(?P<who>{_NAME}): ")


@dataclass(frozen=True, slots=True)
class Company:
    """Who is in a chat; whose reply is asked for, if it is one of several."""

    player: str
    others: tuple[str, ...]
    asked: str | None = None

    @property
    def is_group(self) -> bool:
        """Whether several characters answer."""
        return len(self.others) > 1


def company(messages: Sequence[Mapping[str, Any]], said: Transcript) -> Company:
    """Who is in a chat, as far as its messages say."""
    player, others, asked = "", [], None
    for text in (*said.system, *(said_in(m) for m in said.after if m.get("role") == "system")):
        for found in (m for pattern in _ASKED for m in pattern.finditer(text)):
            parts = found.groupdict()
            asked = parts["who"].strip()
            others += [asked, *(each.strip() for each in (parts.get("cast") or "").split(","))]
            player = (parts.get("player") or player).strip()
    for message in messages:
        named = message.get("name")
        if not isinstance(named, str) or not re.fullmatch(_NAME, named):
            continue
        if message.get("role") == "user":
            player = player or named
        elif message.get("role") == "assistant":
            others.append(named)
    others += _prefixes(messages)
    named_once = [each for each in dict.fromkeys(others) if each and each != player]
    return Company(player or PLAYER, tuple(named_once[:MOST_CAST]) or (CHARACTER,), asked)


def _prefixes(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names that stand before a colon, where all answers begin so."""
    said = [said_in(m) for m in messages if m.get("role") == "assistant"]
    names = [found["who"] for text in said if (found := _PREFIX.match(text))]
    return names if len(names) > 1 and len(names) == len(said) else []


def chat_story(people: Company) -> Story:
    """A story for them to play in."""
    names = (people.player, *people.others)
    ids = dict(zip(names, _ids(names), strict=True))
    player = ids[people.player]
    cast = tuple(
        Character(id=id_, name=name, line="Played by the one who types." if id_ == player else "")
        for name, id_ in ids.items()
    )
    return Story(
        id=SCENE,
        title=f"A chat of {' and '.join(names)}",
        players=(player,),
        start=SCENE,
        voice="As in what was told last; what stands above these notes says how to write.",
        cast=cast,
        settings=(Setting(id="here", name="where the chat began"),),
        scenes=(
            Scene(
                id=SCENE, title="The chat", setting="here",
                cast=SceneCast(required=tuple(ids.values())),
            ),
        ),
    )  # fmt: skip


def joined(story: Story, people: Company) -> Story | None:
    """The story with those who have joined since; None, if nobody has."""
    known = {each.name for each in story.cast}
    new = [name for name in people.others if name not in known]
    if not new or len(story.cast) >= MOST_CAST:
        return None
    player = next(each.name for each in story.cast if each.id == story.players[0])
    others = [each.name for each in story.cast if each.name != player]
    return chat_story(Company(player, (*others, *new)))


def _ids(names: Sequence[str]) -> list[str]:
    """An id for each name; a number tells apart what comes out the same."""
    given: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "somebody"
        plain = plain if plain[0].isalpha() else f"n{plain}"
        taken = [*given, *RESERVED]
        number = next(n for n in range(1, len(names) + 2) if _numbered(plain, n) not in taken)
        given.append(_numbered(plain, number))
    return given


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
