"""A memory as functions that a model calls: their schemas, and what answers a call.

    tools = MemoryTools(memory, audience="ana")
    client.chat.completions.create(…, tools=tools.schemas)
    answer = tools.call(call.function.name, call.function.arguments)

Everything is done as the audience: what it may not see, no call finds, changes or deletes, and an
id of it is as one that is none. What cannot be done is an answer that says why, which a model can
read, and not an error that ends its run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from storykeeper.errors import UNREADABLE, NoSuchItem, StorykeeperError
from storykeeper.memories import Memory
from storykeeper.memory.items import Item
from storykeeper.memory.moments import shown

MOST_FOUND = 20


class Remember(msgspec.Struct, forbid_unknown_fields=True):
    """Remember something for later: a fact, a wish, what was decided. Answers its id."""

    text: str
    metadata: dict[str, str | int | float | bool | list[str]] = {}


class Recall(msgspec.Struct, forbid_unknown_fields=True):
    """Find what answers a question among what is remembered, the best first."""

    query: str
    k: int = 5


class Update(msgspec.Struct, forbid_unknown_fields=True):
    """Correct something that is remembered, by its id."""

    id: str
    text: str


class Delete(msgspec.Struct, forbid_unknown_fields=True):
    """Take something that is wrong or no longer wanted out of what is remembered, by its id."""

    id: str


ABOUT = {
    ("Remember", "text"): "What to remember, as a sentence that says all by itself.",
    ("Remember", "metadata"): "Named values to find it by later, such as a project or a topic.",
    ("Recall", "query"): "What is asked, in plain words.",
    ("Recall", "k"): f"How many at most, up to {MOST_FOUND}.",
    ("Update", "id"): "Of what recall found: m12.",
    ("Update", "text"): "What it says from now on.",
    ("Delete", "id"): "Of what recall found: m12.",
}
FUNCTIONS: Mapping[str, type[msgspec.Struct]] = {
    "remember": Remember,
    "recall": Recall,
    "update_memory": Update,
    "delete_memory": Delete,
}


def schema_of(name: str) -> dict[str, Any]:
    """The JSON Schema of a function's arguments."""
    found = msgspec.json.schema(FUNCTIONS[name])
    own: dict[str, Any] = found["$defs"][FUNCTIONS[name].__name__]
    for field_name, each in own["properties"].items():
        each["description"] = ABOUT[FUNCTIONS[name].__name__, field_name]
    return {key: own[key] for key in ("type", "properties", "required", "additionalProperties")}


@dataclass(frozen=True, slots=True)
class MemoryTools:
    """A memory's functions, for one audience."""

    memory: Memory
    audience: str | None = None  # as whom everything is done; None: nobody in particular
    # Who may know what is remembered; everybody, unless an audience or others are named.
    shared_with: frozenset[str] | None = None
    speaker: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)  # only what has these metadata

    @property
    def schemas(self) -> list[dict[str, Any]]:
        """Of all functions, as a chat completion takes them."""
        return [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": kind.__doc__,
                    "parameters": schema_of(name),
                },
            }
            for name, kind in FUNCTIONS.items()
        ]

    def call(self, name: str, arguments: str | Mapping[str, Any]) -> str:
        """The answer to a call, as JSON; {"error": …} says what to do instead."""
        kind = FUNCTIONS.get(name)
        if kind is None:
            return _error(f"there is no function {name!r}; there are {', '.join(FUNCTIONS)}")
        try:
            if isinstance(arguments, str):
                wanted: Any = msgspec.json.decode(arguments or "{}", type=kind)
            else:
                wanted = msgspec.convert(dict(arguments), type=kind)
            return msgspec.json.encode(self._answers[name](wanted)).decode()
        except msgspec.ValidationError as error:
            return _error(f"{name}: {error}")
        except UNREADABLE as error:
            return _error(f"{name}: the arguments are no JSON: {error}")
        except StorykeeperError as error:
            return _error(f"{name}: {error}")

    @property
    def _answers(self) -> Mapping[str, Callable[[Any], dict[str, Any]]]:
        return {
            "remember": self._remember,
            "recall": self._recall,
            "update_memory": self._update,
            "delete_memory": self._delete,
        }

    def _remember(self, wanted: Remember) -> dict[str, Any]:
        item = self.memory.add(
            wanted.text, speaker=self.speaker, audience=self._known_to(), once=True,
            metadata=wanted.metadata | dict(self.where),
        )  # fmt: skip
        return {"id": item}

    def _known_to(self) -> Iterable[str] | None:
        if self.shared_with is not None:
            return self.shared_with | ({self.audience} if self.audience is not None else set())
        return None if self.audience is None else {self.audience}

    def _recall(self, wanted: Recall) -> dict[str, Any]:
        found = self.memory.search(
            wanted.query, audience=self.audience, k=max(1, min(wanted.k, MOST_FOUND)),
            where=dict(self.where),
        )  # fmt: skip
        return {"found": [_told(hit.item) for hit in found], "notes": list(found.notes)}

    def _update(self, wanted: Update) -> dict[str, Any]:
        self._own(wanted.id)
        self.memory.update(wanted.id, text=wanted.text, audience=self.audience)
        return {"id": wanted.id}

    def _delete(self, wanted: Delete) -> dict[str, Any]:
        self._own(wanted.id)
        return {"deleted": self.memory.delete(wanted.id, audience=self.audience)}

    def _own(self, item: str) -> None:
        """Refuse what is not among what these tools find."""
        found = self.memory.get(item, audience=self.audience)
        if any(found.metadata.get(name) != value for name, value in self.where.items()):
            raise NoSuchItem(f"nothing is called {item}")


def _told(item: Item) -> dict[str, Any]:
    found: dict[str, Any] = {"id": item.id, "text": item.text}
    if item.speaker:
        found["speaker"] = item.speaker
    if item.at_ms is not None:
        found["at"] = f"{shown(item.at_ms):%Y-%m-%dT%H:%M}"
    return found | ({"metadata": item.metadata} if item.metadata_json else {})


def _error(says: str) -> str:
    return msgspec.json.encode({"error": says}).decode()
