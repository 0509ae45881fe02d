"""The composition root: where the clock and randomness come in, and parts are wired together."""

from __future__ import annotations

import os
import re
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from storykeeper.engine import Engine
from storykeeper.errors import (
    MemoryProblem,
    ModelUnavailable,
    RunExists,
    RunNotFound,
    StoryNotFound,
)
from storykeeper.events.remembered import EmbedderChosen
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Reader
from storykeeper.language.tokens import Counter, counter
from storykeeper.ledger.address import Address, parse
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.ledger.sqlite_file import CACHE_SUFFIX
from storykeeper.ledger.stories import require_story, story_of
from storykeeper.ledger.vectors import SqliteVectors
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.memory import Memory as MemoryOfItems
from storykeeper.memory.store import LEXICAL_SPACE, FileShelf, Store
from storykeeper.models.embedders.cache import Progress
from storykeeper.models.embedders.named import DEFAULT
from storykeeper.models.embedders.named import embedder as embedder_named
from storykeeper.models.embedders.port import Embedder
from storykeeper.story.adopt import adoption
from storykeeper.story.loader import load_story
from storykeeper.story.model import Story
from storykeeper.units import MAIN, StoryId, TurnNo


def clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def open_ledger(path: Path, *, create: bool = False, read_only: bool = False) -> SqliteLedger:
    """A ledger file with the real clock and real nonces."""
    return SqliteLedger.open(
        path, clock=clock, nonces=os.urandom, create=create, read_only=read_only
    )


def model_reader(url: str, *, model: str) -> Reader:
    """A reader that asks a model, with the parser behind it.

    The key, if the endpoint wants one, is taken from STORYKEEPER_API_KEY.
    """
    from storykeeper.language.prose.unread import readable
    from storykeeper.models.endpoint import Endpoint
    from storykeeper.models.extractor import ModelReader

    endpoint = Endpoint(url, model, api_key=os.environ.get("STORYKEEPER_API_KEY"))
    return ModelReader(endpoint, ProseReader(), prose=lambda text: readable(text).text)


class Storykeeper(Engine):
    """The memory of one run of a story."""

    @classmethod
    def open(
        cls,
        run: str | Path,
        *,
        story: str | Path | Story | None = None,
        tokens: int | None = None,
        adopt: bool = False,
        read_only: bool = False,
        reader: Reader | None = None,
    ) -> Storykeeper:
        """Continue a run, or begin one with a story.

        A run carries the story it was begun with. If the files have changed since, it goes on with
        its own, and `story_changed` says so; `adopt=True` follows the edited one, on record.
        What is rendered is read by a parser that comes with us, or by `reader`.
        """
        address = parse(str(run))
        loaded = _loaded(story)
        create = not address.path.exists()
        if create and (loaded is None or read_only):
            raise StoryNotFound(
                f"there is no run at {address.path}; check the name, or say which story to begin"
            )
        if create and address.named:
            raise RunNotFound(f"there is no {address.path} yet, so no {address.run} in it to go on")
        ledger = open_ledger(address.path, create=create, read_only=read_only)
        with ExitStack() as unless_good:
            unless_good.callback(ledger.close)
            if loaded is not None:
                _begin(ledger, address, loaded)
            keeper = cls(
                ledger, address.run, tokens=tokens, read_only=not ledger.writable,
                reader=reader or ProseReader(),
            )  # fmt: skip
            if loaded is not None:
                keeper._compare(loaded, adopt=adopt)
            unless_good.pop_all()
        return keeper

    def _compare(self, story: Story, *, adopt: bool) -> None:
        edited = adoption(story, turn=self.last_turn())
        self.story_changed = edited.digest != self.world().plan.digest
        if self.story_changed and adopt:
            stood = self.world().scene
            self.adopt(edited)
            self.story_changed = False
            if stood is not None and stood not in self.world().plan.scenes:
                self.scene_lost = stood


def _begin(ledger: SqliteLedger, address: Address, story: Story) -> None:
    """Begin the run, unless it is begun; then it must be of this story."""
    if not ledger.runs() and not address.named:
        with suppress(RunExists):  # somebody else was quicker: it is theirs that we go on with
            ledger.begin(address.run, [adoption(story)])
    require_story(ledger, address.run, StoryId(story.id))


def _loaded(story: str | Path | Story | None) -> Story | None:
    if story is None or isinstance(story, Story):
        return story
    return load_story(story, counters=counter)


# ── a memory without a story ─────────────────────────────────────────────────────────────────


class Memory(MemoryOfItems):
    """The memory of any chat or agent; no story is needed."""

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        embedder: str | None = None,
        model: str | None = None,
        namespace: str = "",
        session: str = "",
        encoding: str = "o200k",
        progress: Progress | None = None,
    ) -> Memory:
        """Open a memory, or begin one.

        `embedder` is `minilm` (which comes with us), `fast`, `none`, or the URL of an endpoint
        with its `model`; a memory goes on with the one it has unless another is named, and then
        what it holds is embedded again, which `progress` hears of. The key of an endpoint is
        taken from STORYKEEPER_API_KEY.
        """
        file = Path(path)
        ledger = open_ledger(file, create=not file.exists())
        with ExitStack() as unless_good:
            unless_good.callback(ledger.close)
            begin_memory(ledger)
            if story_of(ledger, MAIN) is not None:
                raise MemoryProblem(f"{file} is a run of a story; open it with Storykeeper.open")
            made = cls(
                _opened_store(ledger, file, embedder, model, counter(encoding), progress),
                namespace=namespace, session=session,
            )  # fmt: skip
            unless_good.pop_all()
        return made


def begin_memory(ledger: SqliteLedger) -> None:
    """Begin the one run of a memory, unless it is begun."""
    if not ledger.runs():
        with suppress(RunExists):
            ledger.begin(MAIN, [])


def _opened_store(
    ledger: SqliteLedger, file: Path, name: str | None, model: str | None, count: Counter,
    progress: Progress | None,
) -> Store:  # fmt: skip
    chosen = ledger.last(MAIN, kind="embedder-chosen")
    before = chosen.record if chosen is not None else None
    assert before is None or isinstance(before, EmbedderChosen)
    wanted = name or (before.embedder if before is not None else "") or DEFAULT
    url, _, served = wanted.partition(" ")
    found = embedder_named(
        url, model=model or served or None, api_key=os.environ.get("STORYKEEPER_API_KEY")
    )
    shelf = FileShelf(SqliteVectors.open(file))
    store, problem = _store(ledger, file, found, shelf, count)
    store.catch_up(progress)
    called = f"{url} {model or served}".strip()
    if not problem and ledger.writable and (before is None or before.space != store.space):
        store.append(lambda n: [EmbedderChosen(TurnNo(n - 1), store.space, called)])
    store.unavailable = problem or store.unavailable
    return store


def _store(
    ledger: SqliteLedger, file: Path, found: Embedder | None, shelf: FileShelf, count: Counter
) -> tuple[Store, str]:
    """A store in an embedder's space; by words alone, and why, if the embedder cannot be asked."""
    problem = ""
    meaning = None if found is None else Meaning(found, shelf)
    try:
        space = LEXICAL_SPACE if meaning is None else meaning.space
    except ModelUnavailable as error:
        meaning, space, problem = None, LEXICAL_SPACE, str(error)
    folder = file.with_name(file.name + CACHE_SUFFIX) / re.sub(r"[^a-zA-Z0-9.@+-]+", "-", space)
    return Store(ledger, MAIN, folder=folder, meaning=meaning, shelf=shelf, count=count), problem
