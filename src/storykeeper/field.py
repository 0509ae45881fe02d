"""`Field`: several who act on their own, a knowledge base, and what each of them is told.

    field = Field.open("examples/the-low-road", mode="neutral")
    briefing = field.brief("ana")                 # what Ana may know, in 2,500 tokens
    played = field.play(agents)                   # a turn of everybody, judged and done

What `engine` and `bootstrap` are to a story, this is to a field: the one object that is held, the
only file that orders its steps, and where its parts are wired.

    my-field/
      world.yaml               a WorldState
      personas/*.yaml          a PersonaCardV2 each
      canon_neutral/           a knowledge base; or private/, in fan mode
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import TurnBrief
from storykeeper.canon.files import loaded
from storykeeper.canon.knowledge_base import KnowledgeBase, Progress
from storykeeper.canon.modes import Mode, open_base, refuse_foreign
from storykeeper.canon.persona import PersonaCardV2
from storykeeper.canon.situation import WorldState
from storykeeper.canon.turn_log import LogHead
from storykeeper.canon.verdict import Played, Verdict
from storykeeper.context.field.assembly import BRIEF_TOKENS, Briefing, brief_of
from storykeeper.context.field.fog import Fog
from storykeeper.errors import CanonInvalid, ComplianceRefused, UnknownPerson
from storykeeper.language.tokens import counter
from storykeeper.memories import Memory
from storykeeper.memory.evidence import Evidence, evidence
from storykeeper.memory.library import Ingested, Library
from storykeeper.models.reranker import Reranker
from storykeeper.play.field_course import after, in_order, remembered
from storykeeper.play.judge import Judge as Laws
from storykeeper.story.tuning import Encoding

LIBRARY = ".library"  # beside the registry: made from the sources, and may be deleted
WORLD, PERSONAS = "world.yaml", "personas"
Agent = Callable[[TurnBrief], CharacterAction]
Judge = Callable[[CharacterAction, TurnBrief, WorldState], Verdict]


def open_library(
    base: KnowledgeBase, *, folder: Path | None = None, embedder: str = "none",
    progress: Progress | None = None,
) -> tuple[Library, Ingested]:  # fmt: skip
    """The passages of a knowledge base, up to date; what is new is taken in."""
    if base.local_only:
        refuse_elsewhere(embedder, what=f"the knowledge base {base.folder}")
    folder = folder or base.folder / LIBRARY
    folder.mkdir(parents=True, exist_ok=True)
    library = Library(Memory.open(folder / "passages.db", embedder=embedder))
    with ExitStack() as unless_good:
        unless_good.callback(library.close)
        done = library.fill(base, progress)
        unless_good.pop_all()
    return library, done


def refuse_elsewhere(model: str, *, what: str) -> None:
    """Refuse a model on another machine for what may not leave this one; a name is one of ours."""
    from storykeeper.models.network import is_loopback

    host = urlsplit(model).hostname
    if host is not None and not is_loopback(host):
        raise ComplianceRefused(
            f"{what} may not leave this machine, and {host} is another: its registry says"
            " distribution: local_only; name a model on this one"
        )


class Field:
    """A field under way."""

    def __init__(
        self, world: WorldState, cast: Sequence[PersonaCardV2], base: KnowledgeBase,
        library: Library, *, tokens: int = BRIEF_TOKENS, reranker: Reranker | None = None,
        judge: Judge | None = None,
    ) -> None:  # fmt: skip
        """Use `Field.open`, unless the parts are at hand."""
        self.cast: Mapping[str, PersonaCardV2] = {each.id: each for each in in_order(cast)}
        self.base = base
        self.library = library
        self.tokens = tokens
        self.reranker = reranker
        self.judge = judge or Laws(base.in_force)
        self._count = counter(Encoding.O200K)
        _refuse_unknown(world, self.cast)
        _refuse_private(world, base)
        self.world = remembered(world, self.cast)

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        mode: Mode | str = Mode.NEUTRAL,
        tokens: int = BRIEF_TOKENS,
        embedder: str = "none",
        reranker: Reranker | None = None,
        judge: Judge | None = None,
        library: Path | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """The field of a folder; every file is checked before anything is made.

        What is made of its sources is kept in `library`; beside the registry, if it is not said.
        """
        root = Path(folder)
        base = open_base(root, Mode(mode))
        world = loaded(WorldState, root / WORLD)
        files = sorted((root / PERSONAS).glob("*.yaml"))
        if not files:
            raise CanonInvalid(f"there is no card in {root / PERSONAS}; a field needs an actor")
        cast = [loaded(PersonaCardV2, each) for each in files]
        with ExitStack() as unless_good:
            shelf, _ = open_library(base, folder=library, embedder=embedder, progress=progress)
            unless_good.callback(shelf.close)
            made = cls(world, cast, base, shelf, tokens=tokens, reranker=reranker, judge=judge)
            unless_good.pop_all()
        return made

    def brief(self, who: str, *, tokens: int | None = None) -> Briefing:
        """What one of them gets this turn, and why."""
        if who not in self.cast:
            known = ", ".join(self.cast)
            raise UnknownPerson(f"nobody called {who!r} acts on this field; there are {known}")
        fog = Fog(self.world, self.cast[who], self.base.registry)
        made = brief_of(fog, count=self._count, ask=self._ask, tokens=tokens or self.tokens)
        return replace(made, local_only=self.base.local_only)

    def _ask(self, query: str, fog: Fog) -> Sequence[Evidence]:
        return evidence(self.library, query, fog.reads, reranker=self.reranker)

    def play(self, agents: Mapping[str, Agent] | Agent) -> list[Played]:
        """A turn of everybody: all are told of the same moment, then what they do is judged, and
        what is allowed happens.
        """
        briefs = {who: self.brief(who).brief for who in self.cast}
        played = []
        for who, brief in briefs.items():
            action = (agents[who] if isinstance(agents, Mapping) else agents)(brief)
            verdict = self.judge(action, brief, self.world)
            turn = self.world.turn
            played.append(Played(turn=turn, who=who, brief=brief, action=action, verdict=verdict))
        allowed = [each.verdict.action for each in played if each.verdict.action is not None]
        self.world = after(self.world, allowed, self.cast)
        return played

    def head(self, mode: Mode) -> LogHead:
        """What a log of it begins with."""
        return LogHead(
            field=self.world.id, mode=mode,
            distribution=self.base.registry.compliance.distribution,
            sources=tuple(sorted(self.base.in_force)),
        )  # fmt: skip

    def close(self) -> None:
        """Let go of the library."""
        self.library.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        where: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()


def _refuse_unknown(world: WorldState, cast: Mapping[str, PersonaCardV2]) -> None:
    there = {each.id for each in world.entities}
    missing = [who for who in cast if who not in there]
    if missing:
        raise UnknownPerson(
            f"{', '.join(missing)} act on no field: {world.id} has no such entity; add them to"
            " `entities` of world.yaml"
        )


def _refuse_private(world: WorldState, base: KnowledgeBase) -> None:
    """A world that holds what came from another knowledge base is not played with this one."""
    cites = [cite for each in world.happenings for cite in each.cites]
    cites += [cite for each in world.reports for cite in each.cites]
    cites += [cite for each in world.learned for cite in each.cites]
    refuse_foreign(cites, base, what=f"the world {world.id}")
