"""The composition root: where the clock and randomness come in, and parts are wired together."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from msgspec import structs

from storykeeper.engine import Engine
from storykeeper.errors import (
    RunExists,
    RunNotFound,
    StoryNotFound,
)
from storykeeper.language.patience import Patience
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Reader
from storykeeper.language.tokens import counter
from storykeeper.ledger.address import Address, parse
from storykeeper.ledger.places import Place, is_there, open_at
from storykeeper.ledger.stories import require_story, story_of
from storykeeper.ledger.tabled import TabledLedger
from storykeeper.memory.compaction.compacting import Means
from storykeeper.memory.holding import FileShelf
from storykeeper.memory.meaning import Meaning
from storykeeper.models.embedders.named import embedder as embedder_named
from storykeeper.models.embedders.port import Embedder
from storykeeper.models.endpoint import Endpoint
from storykeeper.models.keys import allowed, api_key
from storykeeper.models.port import ChatModel
from storykeeper.models.settings import LOCAL, NOBODY, ModelSettings
from storykeeper.play.character_model import CharacterModel
from storykeeper.play.garbage import collect_meanwhile
from storykeeper.play.narrator import Narrator
from storykeeper.play.recalling import Recollection
from storykeeper.play.stage_call import INLINE, READER, StageCall, stage_call
from storykeeper.play.story_canon import StoryCanon
from storykeeper.play.summing import SHARE, Summing
from storykeeper.story.adopt import adoption
from storykeeper.story.loader import load_story
from storykeeper.story.model import Story
from storykeeper.units import MAIN, StoryId

PATIENCE_SECONDS = 30.0  # for one text; a chapter of ten thousand words takes a third of that


def clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def open_ledger(at: Place, *, create: bool = False, read_only: bool = False) -> TabledLedger:
    """A ledger with the real clock and real nonces.

    What is made from one in a database is kept below STORYKEEPER_CACHE, if that names a folder.
    """
    caches = os.environ.get("STORYKEEPER_CACHE")
    return open_at(
        at, clock=clock, nonces=os.urandom, create=create, read_only=read_only,
        caches=Path(caches) if caches else None,
    )  # fmt: skip


def model_endpoint(settings: ModelSettings) -> Endpoint:
    """The model of some settings: at a URL, or `local`, which comes with the extra of that name."""
    if settings.url == LOCAL:
        from storykeeper.models.local import served

        settings = structs.replace(settings, url=served())
    return settings.endpoint(api_key=api_key(file=settings.key_file, env=settings.key_env))


def model_narrator(settings: ModelSettings) -> Narrator:
    """A narrator that is a model."""
    return Narrator(
        model_endpoint(settings), name=settings.name, limit_tokens=settings.limit_tokens,
        temperature=settings.temperature, seed=settings.seed, cached=settings.cache_marks,
    )  # fmt: skip


def model_characters(settings: ModelSettings) -> CharacterModel | None:
    """A model that plays those whom nobody plays; None, if the rules do."""
    if settings.url in NOBODY:
        return None
    return CharacterModel(model_endpoint(settings), settings.name)


def model_reader(url: str, *, model: str) -> Reader:
    """A reader that asks a model, with the parser behind it."""
    from storykeeper.language.prose.unread import readable
    from storykeeper.models.extractor import ModelReader

    endpoint = Endpoint(url, model, api_key=api_key(), allow=allowed())
    return ModelReader(endpoint, ProseReader(), prose=lambda text: readable(text).text)


class Storykeeper(Engine):
    """The memory of one run of a story."""

    _shelf: FileShelf | None = None  # of vectors, if it recalls by meaning
    _stage_call: StageCall | None = None  # a model that declares what was told, if it is asked

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
        embedder: str | None = None,
        summaries: ChatModel | str | None = None,
        staging: str = READER,
        stager: ChatModel | str | None = None,
        characters: CharacterModel | ChatModel | str | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> Storykeeper:
        """Continue a run, or begin one with a story.

        A run carries the story it was begun with. If the files have changed since, it goes on with
        its own, and `story_changed` says so; `adopt=True` follows the edited one, on record.
        What is rendered is read by a parser that comes with us, or by `reader`. `recall` searches
        by words, and with an `embedder` (`minilm`, `fast`, or an endpoint) by meaning too. An
        endpoint is a URL, a space and its model. A model for `summaries` sums older turns up while
        the player reads; one for `characters` plays those whom nobody plays, each from its brief.
        `staging="inline"` has windows ask the narrator for a stage block behind its prose;
        `"call"` has the model `stager` asked for it in `read_ahead`.
        What takes more than `patience` seconds to read is kept and left unread, on record.
        """
        called = stage_call(staging, None if stager is None else _chat_model(stager))
        address, loaded = parse(str(run)), _loaded(story)
        ledger = _ledger(address, possible=loaded is not None, read_only=read_only)
        with ExitStack() as unless_good:
            unless_good.callback(ledger.close)
            _refuse_memory(ledger, address)
            if loaded is not None:
                _begin(ledger, address, loaded)
            keeper = cls(
                ledger, address.run, tokens=tokens, read_only=not ledger.writable,
                reader=_reader(reader), patience=Patience(patience, time.monotonic),
            )  # fmt: skip
            unless_good.callback(keeper._let_go)
            keeper.inline, keeper._stage_call = staging == INLINE, called
            keeper._remember(embedder, ledger)
            keeper._ask(summaries, characters)
            keeper._compare(loaded, adopt=adopt, source=story)
            unless_good.pop_all()
        return keeper

    def read_ahead(self) -> tuple[str, ...]:
        """Read what was shown while the player reads it, so that their answer need not wait; with
        `staging="call"` the model is asked first what it told.

        The answer is what could not be read or had, and why.
        """
        collect_meanwhile()
        said = () if self._stage_call is None else self.declare_by(self._stage_call)
        return (*said, *super().read_ahead())

    def follow(self, story: Story, *, source: Path | None = None) -> bool:
        """Follow an edited story from here on, on record; False: it is the one that is followed.

        `source` is its folder, if there is one: for what its characters may have read.
        """
        require_story(self.ledger, self.run, StoryId(story.id))
        before, self.scene_lost = self.world().plan.digest, None
        self._compare(story, adopt=True, source=source)
        return self.world().plan.digest != before

    def _remember(self, embedder: str | None, ledger: TabledLedger) -> None:
        """Keep what recalling needs beside the file; recall by meaning too, if that is wanted.

        What was embedded is kept in the file.
        """
        meaning = None
        found = None if embedder is None else named_embedder(embedder)
        if found is not None:
            vectors = ledger.vectors()
            vectors.writable = vectors.writable and not self.read_only
            self._shelf = FileShelf(vectors)
            meaning = Meaning(found, self._shelf)
        self._recollection = Recollection(
            meaning=meaning, shelf=self._shelf, folder=ledger.cache, read_only=self.read_only
        )

    def _ask(
        self, summaries: ChatModel | str | None, characters: CharacterModel | ChatModel | str | None
    ) -> None:
        """Have one model sum up, and one play characters, where they are given."""
        if summaries is not None and not self.read_only:
            self._summing = _summing(summaries, self.world().plan.story)
        if characters is not None and not self.read_only:
            if not isinstance(characters, CharacterModel):
                characters = CharacterModel(*_chat_model(characters))
            self._characters = characters

    def _let_go(self) -> None:
        if self._shelf is not None:
            self._shelf.vectors.close()
            self._shelf = None

    def close(self) -> None:
        """Commit what was shown, save a snapshot, and let go of the file."""
        try:
            super().close()
        finally:
            self._let_go()

    def _compare(
        self, story: Story | None, *, adopt: bool, source: str | Path | Story | None
    ) -> None:
        if story is None:
            return
        edited = adoption(story, turn=self.last_turn())
        self.story_changed = edited.digest != self.world().plan.digest
        if self.story_changed and adopt:
            stood = self.world().scene
            self.adopt(edited)
            self.story_changed = False
            if stood is not None and stood not in self.world().plan.scenes:
                self.scene_lost = stood
        if isinstance(source, (str, Path)):
            self.canon = StoryCanon(self.world().plan.story, Path(source))


def _ledger(address: Address, *, possible: bool, read_only: bool) -> TabledLedger:
    """The ledger at an address; a new one where there is none, if a story could begin it."""
    create = not is_there(address.place)
    if create:
        _refuse_creating(address, possible=possible and not read_only)
    return open_ledger(address.place, create=create, read_only=read_only)


def _refuse_creating(address: Address, *, possible: bool) -> None:
    """A file that is not there is made only for a story, and for its first run."""
    if not possible:
        raise StoryNotFound(
            f"there is no run at {address.place}; check the name, or say which story to begin"
        )
    if address.named:
        raise RunNotFound(f"there is no {address.place} yet, so no {address.run} in it to go on")


def _reader(reader: Reader | None) -> Reader:
    """What reads prose, and who came and went in it."""
    from storykeeper.staging.reader import LearnedReader, StagedProse

    plain = reader or ProseReader()
    return plain if hasattr(plain, "stager") else StagedProse(plain, LearnedReader())


def _refuse_memory(ledger: TabledLedger, address: Address) -> None:
    """A memory is a ledger too, but nobody plays it."""
    if not ledger.branches() or story_of(ledger, MAIN) is not None:
        return  # told at once; the other question is a scan of every record
    if ledger.last(MAIN, kind="embedder-chosen") is not None:
        raise StoryNotFound(f"{address.place} is a memory and follows no story; use Memory.open")


def _begin(ledger: TabledLedger, address: Address, story: Story) -> None:
    """Begin the run, unless it is begun; then it must be of this story."""
    if not ledger.branches() and not address.named:
        with suppress(RunExists):  # somebody else was quicker: it is theirs that we go on with
            ledger.begin(address.run, [adoption(story)])
    require_story(ledger, address.run, StoryId(story.id))


def _loaded(story: str | Path | Story | None) -> Story | None:
    if story is None or isinstance(story, Story):
        return story
    return load_story(story, counters=counter)


def named_embedder(embedder: str, model: str | None = None) -> Embedder | None:
    """The embedder of a name; of an endpoint the URL, and behind a space its model."""
    url, _, served = embedder.partition(" ")
    return embedder_named(url, model=model or served or None, api_key=api_key())


def _chat_model(model: ChatModel | str) -> tuple[ChatModel, str]:
    """A model, or the one at a URL, a space and its name; and what it is called on record."""
    if not isinstance(model, str):
        return model, type(model).__name__
    url, _, served = model.partition(" ")
    return Endpoint(url, served, api_key=api_key(), allow=allowed()), model


def _summing(model: ChatModel | str, story: Story) -> Summing:
    """What sums older turns up, and checks by MiniLM that it is about the same."""
    model, name = _chat_model(model)
    embedder = named_embedder("minilm")
    assert embedder is not None
    means = Means(
        embed=embedder.passages, count=counter(story.budget.encoding), model=model,
        share=SHARE,
    )  # fmt: skip
    return Summing(means, name=name)
