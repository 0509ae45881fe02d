"""The tools of a memory graph by the names that agents know: entities, observations, relations.

Each entity, observation and relation is an item of a memory, told apart by metadata. So writes of
two processes are two appends, and neither takes the other's away; nothing is rewritten, and what is
deleted stays on record.

    entity       kind, name, type                   text: the name
    observation  kind, name                         text: what was observed
    relation     kind, name (from), to, type        text: from type to
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from mcp.server.mcpserver import Context
from typing_extensions import TypedDict

from storykeeper.memories import Memory
from storykeeper.memory.items import Item
from storykeeper.serve.mcp.calling import Calling

if TYPE_CHECKING:
    from mcp.server import MCPServer

Answer = TypeVar("Answer")
GRAPH = "graph"  # the memory
ENTITY, OBSERVATION, RELATION = "entity", "observation", "relation"
MOST_FOUND = 50


class Entity(TypedDict):
    """Somebody or something, and what is known of it."""

    name: str
    entityType: str
    observations: list[str]


Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})


class Observations(TypedDict):
    """What is known of an entity."""

    entityName: str
    contents: list[str]


class Unobserved(TypedDict):
    """What is not known of an entity any more."""

    entityName: str
    observations: list[str]


class Graph(TypedDict):
    """All of it, or what was found."""

    entities: list[Entity]
    relations: list[Relation]


def offer(server: MCPServer, calling: Calling) -> None:
    """Add the tools."""
    _writing(server, calling)
    _deleting(server, calling)
    _reading(server, calling)


def _writing(server: MCPServer, calling: Calling) -> None:
    @server.tool()
    async def create_entities(context: Context, entities: list[Entity]) -> list[Entity]:
        """Add entities to the graph; of one that is there, what is new of it."""
        return await _changed(calling, context, lambda m: [_created(m, each) for each in entities])

    @server.tool()
    async def create_relations(context: Context, relations: list[Relation]) -> list[Relation]:
        """Add relations between entities, in the active voice; those that are new are answered."""
        return await _changed(
            calling, context, lambda m: [each for each in relations if _related(m, each)]
        )

    @server.tool()
    async def add_observations(
        context: Context, observations: list[Observations]
    ) -> list[Observations]:
        """Add what was observed of entities; what is new is answered."""
        return await _changed(
            calling, context,
            lambda m: [
                {"entityName": each["entityName"],
                 "contents": _observed(m, each["entityName"], each["contents"])}
                for each in observations
            ],
        )  # fmt: skip


def _deleting(server: MCPServer, calling: Calling) -> None:
    @server.tool()
    async def delete_entities(context: Context, entityNames: list[str]) -> str:  # noqa: N803
        """Take entities out of the graph, with what is observed of them and their relations."""
        where = {"$or": [{"name": {"$in": entityNames}}, {"to": {"$in": entityNames}}]}
        return await _taken(calling, context, [where])

    @server.tool()
    async def delete_observations(context: Context, deletions: list[Unobserved]) -> str:
        """Take what was observed of entities out of the graph."""
        wanted = [(each["entityName"], text) for each in deletions for text in each["observations"]]

        def work(memory: Memory) -> str:
            ids = [item.id for item in _items(memory, OBSERVATION)
                   if (item.metadata["name"], item.text) in wanted]  # fmt: skip
            return _count(memory.delete(ids) if ids else 0)

        return await _changed(calling, context, work)

    @server.tool()
    async def delete_relations(context: Context, relations: list[Relation]) -> str:
        """Take relations out of the graph."""
        return await _taken(calling, context, [_of(each) for each in relations])


def _reading(server: MCPServer, calling: Calling) -> None:
    @server.tool()
    async def read_graph(context: Context) -> Graph:
        """All entities and relations."""
        return await calling.memory(context, GRAPH, lambda m: _graph(m, None))

    @server.tool()
    async def search_nodes(context: Context, query: str) -> Graph:
        """Entities that a query is about, by words and meaning, and the relations between them."""

        def work(memory: Memory) -> Graph:
            found = memory.search(query, k=MOST_FOUND) if len(memory) else []
            names = {str(hit.item.metadata.get("name", "")) for hit in found}
            return _graph(memory, names)

        return await calling.memory(context, GRAPH, work)

    @server.tool()
    async def open_nodes(context: Context, names: list[str]) -> Graph:
        """Entities of these names, and the relations between them."""
        return await calling.memory(context, GRAPH, lambda m: _graph(m, set(names)))


async def _changed(calling: Calling, context: Context, work: Callable[[Memory], Answer]) -> Answer:
    return await calling.memory(context, GRAPH, work, writes=True)


async def _taken(calling: Calling, context: Context, wheres: Sequence[dict[str, Any]]) -> str:
    return await _changed(
        calling, context, lambda m: _count(sum(m.delete(where=each) for each in wheres))
    )


def _count(number: int) -> str:
    return "nothing of that was there" if not number else f"{number} taken out; they stay on record"


def _items(memory: Memory, kind: str, **where: str) -> Iterator[Item]:
    after: str | None = None
    while True:
        page = memory.list(where={"kind": kind, **where}, after=after)
        yield from page.items
        after = page.next
        if after is None:
            return


def _created(memory: Memory, entity: Entity) -> Entity:
    name, kind = entity["name"], entity["entityType"]
    if not any(_items(memory, ENTITY, name=name)):
        memory.add(name, metadata={"kind": ENTITY, "name": name, "type": kind})
    return {"name": name, "entityType": kind,
            "observations": _observed(memory, name, entity.get("observations", []))}  # fmt: skip


def _observed(memory: Memory, name: str, contents: Sequence[str]) -> list[str]:
    known = {item.text for item in _items(memory, OBSERVATION, name=name)}
    new = [text for text in dict.fromkeys(contents) if text.strip() and text not in known]
    for text in new:
        memory.add(text, speaker=name, metadata={"kind": OBSERVATION, "name": name})
    return new


def _of(relation: Relation) -> dict[str, Any]:
    return {"kind": RELATION, "name": relation["from"], "to": relation["to"],
            "type": relation["relationType"]}  # fmt: skip


def _related(memory: Memory, relation: Relation) -> bool:
    said = _of(relation)
    if memory.list(where=said).items:
        return False
    memory.add(f"{said['name']} {said['type']} {said['to']}", metadata=said)
    return True


def _graph(memory: Memory, names: set[str] | None) -> Graph:
    seen: dict[str, list[str]] = {}
    for item in _items(memory, OBSERVATION):
        seen.setdefault(str(item.metadata["name"]), []).append(item.text)
    entities = {
        str(item.metadata["name"]): str(item.metadata["type"]) for item in _items(memory, ENTITY)
    }
    chosen = [name for name in entities if names is None or name in names]
    relations: list[Relation] = [
        {"from": str(said["name"]), "to": str(said["to"]), "relationType": str(said["type"])}
        for said in (item.metadata for item in _items(memory, RELATION))
        if names is None or {said["name"], said["to"]} & set(chosen)
    ]
    return {
        "entities": [
            {"name": name, "entityType": entities[name], "observations": seen.get(name, [])}
            for name in chosen
        ],
        "relations": relations,
    }
