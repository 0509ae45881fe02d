"""Memories without a story, wired together: a file, or nothing but this process's own memory."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from pathlib import Path

from storykeeper.bootstrap import clock, named_embedder, open_ledger
from storykeeper.errors import MemoryProblem, ModelUnavailable, RunExists, SettingsInvalid
from storykeeper.events.remembered import EmbedderChosen
from storykeeper.language.tokens import Counter, counter
from storykeeper.ledger.memory import MemoryLedger
from storykeeper.ledger.places import Place, is_there, place_of
from storykeeper.ledger.port import Ledger
from storykeeper.ledger.stories import story_of
from storykeeper.ledger.tabled import TabledLedger
from storykeeper.memory.holding import LEXICAL_SPACE, FileShelf
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.memory import Memory as MemoryOfItems
from storykeeper.memory.naming import folder_of, name_or_refuse
from storykeeper.memory.opened import Opened
from storykeeper.memory.reembedding import Reembedding, Unchanged
from storykeeper.memory.store import Store
from storykeeper.models.embedders.cache import Drawer, Progress, Shelf
from storykeeper.models.embedders.named import DEFAULT
from storykeeper.models.embedders.port import Embedder
from storykeeper.scoring.settings import STORY, SearchSettings, chosen
from storykeeper.story.tuning import MemoryTuning, Preset
from storykeeper.units import MAIN, TurnNo

IN_MEMORY = ":memory:"


class Memory(MemoryOfItems):
    """The memory of any chat or agent; no story is needed."""

    @classmethod
    def open(
        cls,
        path: str | Place,
        *,
        embedder: str | None = None,
        model: str | None = None,
        namespace: str = "",
        session: str = "",
        encoding: str = "o200k",
        preset: str = Preset.STORY,
        diversity: float = STORY.diversity,
        progress: Progress | None = None,
    ) -> Memory:
        """Open a memory, or begin one. `":memory:"` is one that is gone when it is closed.

        `embedder` is `minilm` (which comes with us), `fast`, `none`, or the URL of an endpoint
        with its `model`; a memory goes on with the one it has unless another is named. Then what
        it holds is embedded again in the background, which `progress` hears of, and searched as
        before until that is done; `settle(wait=True)` waits for it. The key of an endpoint is
        taken from STORYKEEPER_API_KEY. `preset` names the constants of its searches, `story` or
        `seed`; with a `diversity` below 1, a prompt puts what is unlike what it has first.
        """
        at = place_of(path)
        settings = _settings(preset, diversity)
        name_or_refuse(namespace, what="a namespace")  # before there is a file
        name_or_refuse(session, what="a session")
        if str(path) == IN_MEMORY:
            opened = Opened(_in_memory(embedder, model, counter(encoding)), clock=clock)
            return cls(opened, namespace=namespace, session=session, settings=settings)
        ledger = open_ledger(at, create=not is_there(at))
        with ExitStack() as unless_good:
            unless_good.callback(ledger.close)
            begin_memory(ledger)
            if story_of(ledger, MAIN) is not None:
                raise MemoryProblem(f"{at} is a run of a story; open it with Storykeeper.open")
            store, after = _opened_store(ledger, embedder, model, counter(encoding))
            opened = Opened(store, clock=clock)
            made = cls(opened, namespace=namespace, session=session, settings=settings)
            unless_good.pop_all()
        if after is None:
            store.catch_up(progress)
            if store.tables.pending:  # what could not be embedded then, perhaps can be now
                store.rebuild(progress)
        else:
            made._change(at, *after, encoding=encoding, progress=progress)
        return made

    def _change(
        self, at: Place, found: Embedder | None, called: str, *, encoding: str,
        progress: Progress | None,
    ) -> None:  # fmt: skip
        """Embed again in another space, on a thread with connections of its own."""
        shelf = FileShelf((ledger := open_ledger(at)).vectors())
        store, problem = _store(ledger, ledger.cache, found, shelf, counter(encoding))
        if problem:
            store.close()
            self.opened.reembedding = Unchanged(problem)
        else:
            self.opened.reembedding = Reembedding(store, called=called, progress=progress)


def _settings(preset: str, diversity: float) -> SearchSettings:
    if preset not in tuple(Preset):
        raise SettingsInvalid(f"preset is {preset!r}; it must be one of {', '.join(Preset)}")
    return chosen(MemoryTuning(preset=Preset(preset), diversity=diversity))


def begin_memory(ledger: TabledLedger) -> None:
    """Begin the one run of a memory, unless it is begun."""
    if not ledger.branches():
        with suppress(RunExists):
            ledger.begin(MAIN, [])


def _in_memory(embedder: str | None, model: str | None, count: Counter) -> Store:
    """A store of which nothing is ever on disk."""
    wanted = " ".join(filter(None, (embedder, model))) or DEFAULT
    found = named_embedder(wanted)
    ledger = MemoryLedger(clock=clock, nonces=os.urandom)
    ledger.begin(MAIN, [])
    store, problem = _store(ledger, None, found, Drawer(), count)
    store.unavailable = problem
    store.append(lambda n: [EmbedderChosen(TurnNo(n - 1), store.space, wanted)])
    return store


def _opened_store(
    ledger: TabledLedger, name: str | None, model: str | None, count: Counter
) -> tuple[Store, tuple[Embedder | None, str] | None]:
    """The store in the space in force; and the embedder to change to, if another was asked for.

    One that goes by the same name and has another space now (a server with another model behind it)
    is another too. What made the old vectors is gone: until the new ones are there, words do.
    """
    chosen = ledger.last(MAIN, kind="embedder-chosen")
    before = chosen.record if chosen is not None else None
    assert before is None or isinstance(before, EmbedderChosen)
    known = before.embedder if before is not None else ""
    wanted = " ".join(filter(None, (name, model))) or known or DEFAULT
    found = named_embedder(wanted)  # refused before anything is opened
    shelf = FileShelf(ledger.vectors())
    if known and wanted != known:
        store, problem = _store(ledger, ledger.cache, named_embedder(known), shelf, count)
        store.unavailable = problem
        return store, (found, wanted)
    store, problem = _store(ledger, ledger.cache, found, shelf, count)
    store.unavailable = problem
    if not problem and ledger.writable and before is None:
        store.append(lambda n: [EmbedderChosen(TurnNo(n - 1), store.space, wanted)])
    elif not problem and ledger.writable and before is not None and before.space != store.space:
        store.index.close()
        store, _ = _store(ledger, ledger.cache, None, shelf, count)
        store.unavailable = f"{wanted} gives other vectors than before; they are being made anew"
        return store, (found, wanted)
    return store, None


def _store(
    ledger: Ledger, cache: Path | None, found: Embedder | None, shelf: Shelf, count: Counter
) -> tuple[Store, str]:
    """A store in an embedder's space; by words alone, and why, if the embedder cannot be asked."""
    problem = ""
    meaning = None if found is None else Meaning(found, shelf)
    try:
        space = LEXICAL_SPACE if meaning is None else meaning.space
    except ModelUnavailable as error:
        meaning, space, problem = None, LEXICAL_SPACE, str(error)
    folder = cache and cache / folder_of(space)
    ours = shelf if isinstance(shelf, FileShelf) else None
    return Store(ledger, MAIN, folder=folder, meaning=meaning, shelf=ours, count=count), problem
