"""`Memory`: what was said, kept and found again, for any chat or agent. No story is needed.

    memory = Memory.open("chat.db")
    memory.add("I moved the meeting to Friday", speaker="Ana", at="2024-05-07T10:00")
    memory.search("when is the meeting", now="2024-05-09")

Everything added is a record of an append-only ledger, durable when `add` returns; the index beside
it is made from the ledger and can be deleted. Nothing is rewritten: only `forget` takes words away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from storykeeper.events.remembered import MemoryShown
from storykeeper.memory.additions import Additions, Line, lines_or_refuse, loaded
from storykeeper.memory.asker import OWNER, Asker, any_asker_or_refuse, asker_or_refuse
from storykeeper.memory.assembly import Assembled, assembled
from storykeeper.memory.chats import Said
from storykeeper.memory.compaction.compacting import Means
from storykeeper.memory.deletions import deduplicated, deleted, forgotten, versions_of
from storykeeper.memory.documents import Passage
from storykeeper.memory.expiry import AS_IT_IS, Expiry, Kept, until_or_refuse, until_or_same
from storykeeper.memory.exports import SAID, exported
from storykeeper.memory.filters import where_or_refuse
from storykeeper.memory.found import Results, packed
from storykeeper.memory.hooks import Doing, Happened, Hook
from storykeeper.memory.items import Item
from storykeeper.memory.metadata import Value, written
from storykeeper.memory.moments import moment
from storykeeper.memory.naming import name_or_refuse
from storykeeper.memory.opened import Opened, embedder_notes
from storykeeper.memory.pages import Page, page, pages
from storykeeper.memory.profile import Profile, profile
from storykeeper.memory.reach import Reach, wanted
from storykeeper.memory.reembedding import Reembedding, Unchanged
from storykeeper.memory.refusing import (
    most_or_refuse,
    names_or_refuse,
    query_or_refuse,
    room_or_refuse,
    weight_or_refuse,
)
from storykeeper.memory.remembering import names
from storykeeper.memory.search import Asked, search
from storykeeper.memory.sharing import one_at_a_time
from storykeeper.memory.store import Store
from storykeeper.memory.summing import Compacted, sum_up
from storykeeper.memory.versions import Change, Revision, history, revised
from storykeeper.models.embedders.cache import Progress
from storykeeper.models.port import ChatModel
from storykeeper.scoring.reserve import Reserve
from storykeeper.scoring.settings import STORY, SearchSettings
from storykeeper.story.tuning import Policy
from storykeeper.units import TurnNo

if TYPE_CHECKING:
    from datetime import datetime

    Moment = str | float | datetime
    Where = Mapping[str, Any]
    Items = str | Iterable[str]
    Ids = list[str]  # in the class, `list` is the method

__all__ = ["Compacted", "Memory"]

LEAST_CLUSTER = 10  # fewer are left until there are more: a summary of one says nothing new
PAGE = 100  # items of a page, unless it is said


class Memory:
    """Things remembered, in order, each for those who may know them.

    Threads may share one: their calls are answered one after another.
    """

    def __init__(
        self, opened: Opened | Store, *, namespace: str = "", session: str = "",
        settings: SearchSettings = STORY,
    ) -> None:  # fmt: skip
        """Use `Memory.open`. `namespace`: whose durable memory; `session`: the active one."""
        self.opened = opened if isinstance(opened, Opened) else Opened(opened)
        self.settings = settings
        self.namespace = name_or_refuse(namespace, what="a namespace")
        self.session = name_or_refuse(session, what="a session")

    def within(self, *, namespace: str | None = None, session: str | None = None) -> Self:
        """The same memory for another namespace or session, as of one user among many."""
        space = self.namespace if namespace is None else namespace
        talk = self.session if session is None else session
        return type(self)(self.opened, namespace=space, session=talk, settings=self.settings)

    @property
    def store(self) -> Store:
        """Where the items are."""
        return self.opened.store

    @property
    def reembedding(self) -> Reembedding | Unchanged | None:
        """A change of embedder under way, or one that could not be begun."""
        return self.opened.reembedding

    @one_at_a_time
    def settle(self, *, wait: bool = False) -> bool:
        """Search in the new space from here on, if one is being made and it is whole.

        Every method does so first; with `wait` it waits for it. Whether no change is under way.
        """
        return self.opened.settle(wait=wait)

    @one_at_a_time
    def __len__(self) -> int:
        """How many things were added, with summaries, later versions and deleted ones."""
        return self.opened.up_to_date().rows

    def on(self, what: str, hook: Hook) -> Callable[[], None]:
        """Tell `hook` after each `add`, `update`, `delete`, `forget` or `search`.

        What is given back takes it off again. What it raises, whoever called gets; what was done
        is done.
        """
        return self.opened.hooks.on(what, hook)

    def _tell(self, what: Doing, items: Iterable[str], **more: Any) -> None:
        """Nothing is told of what changed nothing; a search that found nothing is one."""
        if (ids := tuple(items)) or what is Doing.SEARCH:
            self.opened.hooks.tell(Happened(what, ids, self.namespace, **more))

    def reach(self) -> Reach:
        """What is reached in it as it stands now."""
        return Reach(self.opened.up_to_date(), self.namespace)

    # ── adding ───────────────────────────────────────────────────────────────────────────────

    @one_at_a_time
    def add(
        self, text: str, *, speaker: str = "", at: Moment | None = None,
        audience: Iterable[str] | None = None, session: str | None = None,
        metadata: Mapping[str, Value] | None = None, expires: Expiry | None = None,
        entities: Iterable[str] = (), weight: float = 0.0, once: bool = False,
    ) -> str:  # fmt: skip
        """Remember something; its id. Without an audience it is open to everybody.

        Without a session it is of the active one, or of that before it unless six hours passed.
        From `expires` on, a moment or a timedelta, it is not found. With `once`, what says the same
        as something remembered is not added: its id is given, and the repeat is on record.
        """
        at_ms = None if at is None else moment(at)
        said = Said(
            text, speaker, at_ms, session or "",
            None if audience is None else frozenset(names(audience) or ()), metadata or {},
            until_or_refuse(expires, at_ms=at_ms, now_ms=self.opened.now_ms()),
            tuple(names_or_refuse(entities, what="an entity")), weight_or_refuse(weight),
        )  # fmt: skip
        return self.add_all([said], once=once)[0]

    @one_at_a_time
    def add_all(
        self, lines: Iterable[Line], *, once: bool = False, progress: Progress | None = None
    ) -> Ids:
        """Remember many things, in their order; their ids. Those before a failure are kept.

        A line is a text, a dict as in a chat (`text`, `speaker`, `at`, `metadata` …), or a `Said`.
        """
        self.opened.settle()
        some = lines_or_refuse(lines)
        now_ms, talk = self.opened.now_ms(), self.session
        batch = Additions(self.store, self.namespace, once=once, session=talk, alive_ms=now_ms)
        ids: Ids = []
        for added in batch.added(some, progress=progress):
            self._tell(Doing.ADD, added)
            ids += added
        return ids

    @one_at_a_time
    def load(
        self, passages: Iterable[Passage], *, audience: Iterable[str] | None = None,
        metadata: Mapping[str, Value] | None = None,
    ) -> Ids:  # fmt: skip
        """Remember the passages of documents.

        Those that the same audience had of an earlier version are retired.
        """
        self.opened.settle()
        eyes, some, about = (self.namespace, names(audience)), list(passages), written(metadata)
        ids = loaded(self.store, some, eyes=eyes, metadata=about)
        self._tell(Doing.ADD, ids)
        return list(ids)

    # ── finding ──────────────────────────────────────────────────────────────────────────────

    @one_at_a_time
    def search(
        self, query: str, *, audience: str | None = None, where: Where | None = None,
        now: Moment | None = None, k: int | None = None, budget: int | None = None,
        policy: Policy = Policy.FILL,
    ) -> Results:  # fmt: skip
        """What answers a query, the best first, from what the audience may know.

        The best ten, or `k`; of a question of time alone all that was said then. With a budget, as
        much as fits into so many tokens. Without an audience, what is open to everybody; with a
        filter, what it lets through. `now` is when it is asked: "last Tuesday" has a meaning then.
        """
        asked, most = self._asked(query, audience, now, where), most_or_refuse(k)
        room = None if budget is None else room_or_refuse(budget)
        store = self.opened.up_to_date()
        if room is not None:
            most = max(most or 0, 1 + room // 8)
        found = search(store, query, asked, most=most, looked_at=k or 0)
        found = replace(found, notes=(*found.notes, *embedder_notes(self.opened, asked)))
        if room is not None:
            found = packed(found, budget=room, count=store.count, policy=policy)
        self._tell(Doing.SEARCH, found.ids, query=query, audience=audience)
        return found

    @one_at_a_time
    def context(
        self, query: str, *, tokens: int, audience: str | None = None, where: Where | None = None,
        now: Moment | None = None, reserve: Reserve | None = None, policy: Policy = Policy.FILL,
    ) -> Assembled:  # fmt: skip
        """A whole prompt: rules, settings, recent turns, and what answers the query (L §7.8)."""
        asked, room = self._asked(query, audience, now, where), room_or_refuse(tokens)
        store, shares = self.opened.up_to_date(), reserve or Reserve()
        made = assembled(store, query, asked, tokens=room, reserve=shares, policy=policy)
        self._tell(Doing.SEARCH, made.found.ids, query=query, audience=audience)
        return replace(made, notes=(*made.notes, *embedder_notes(self.opened, asked)))

    def _asked(
        self, query: str, audience: str | None, now: Moment | None, where: Where | None
    ) -> Asked:
        query_or_refuse(query)
        now_ms = None if now is None else moment(now)
        return Asked(
            audience=asker_or_refuse(audience), namespace=self.namespace, session=self.session,
            now_ms=now_ms, settings=self.settings, where=where_or_refuse(where),
            alive_ms=self.opened.now_ms(now_ms),
        )  # fmt: skip

    @one_at_a_time
    def get(self, item: str, *, audience: Asker = OWNER, now: Moment | None = None) -> Item:
        """One item, by its id: as the owner of the file, or as far as an audience may see."""
        reach, alive_ms = self.reach(), self._alive_ms(now)
        row = reach.row(item, audience=any_asker_or_refuse(audience), alive_ms=alive_ms)
        return reach.item(row)

    @one_at_a_time
    def list(
        self, *, audience: Asker = None, where: Where | None = None, now: Moment | None = None,
        limit: int = PAGE, after: str | None = None, newest: bool = False,
    ) -> Page:  # fmt: skip
        """Items in the order in which they were told, a page at a time.

        `page.next` leads to the next page: give it as `after`. OWNER sees everything in the file.
        """
        who, most, reach = any_asker_or_refuse(audience), most_or_refuse(limit), self.reach()
        view = reach.view(who, where_or_refuse(where), alive_ms=self._alive_ms(now))
        return page(reach, view, most=most or PAGE, after=after, newest=newest, audience=who)

    @one_at_a_time
    def history(self, item: str, *, audience: Asker = OWNER) -> tuple[Change, ...]:
        """What an item was and what became of it, oldest first; of deleted ones, too."""
        reach = self.reach()
        reach.refuse_unseen(item, audience=any_asker_or_refuse(audience))
        return tuple(history(reach.store, item).changes)

    @one_at_a_time
    def profile(self, *, audience: Asker = OWNER, now: Moment | None = None) -> Profile:
        """How much of what there is, as far as an audience may see; all of it to the owner."""
        who, reach = any_asker_or_refuse(audience), self.reach()
        return profile(reach, who, alive_ms=self._alive_ms(now))

    @one_at_a_time
    def expand(self, item: str, *, audience: Asker = OWNER) -> tuple[Item, ...]:
        """What a summary was made from in the end, word for word, in order.

        What was deleted since is left out, as everywhere.
        """
        reach = self.reach()
        return reach.expanded(reach.row(item, audience=any_asker_or_refuse(audience)))

    def export(self) -> Iterator[dict[str, Any]]:
        """What was said in this namespace, whoever may know it, as dicts that `add_all` takes."""
        some = pages(lambda after: self.list(audience=OWNER, where=SAID, after=after))
        return (exported(item) for item in some if item.namespace == self.namespace)

    # ── changing what is found ───────────────────────────────────────────────────────────────

    @one_at_a_time
    def update(
        self, items: Items | None = None, *, text: str | None = None, speaker: str | None = None,
        at: Moment | None = None, metadata: Mapping[str, Value | None] | None = None,
        expires: Expiry | Kept | None = AS_IT_IS, weight: float | None = None,
        where: Where | None = None, audience: Asker = OWNER,
    ) -> tuple[str, ...]:  # fmt: skip
        """Another version of an item, under its id; or of all that a filter lets through.

        New metadata are put among the old, and a name that is given None goes. `expires=None`:
        never. `history` has what it was. The ids.
        """
        which = wanted(items, where, audience=any_asker_or_refuse(audience))
        which.refuse_text(text)
        at_ms, now_ms = None if at is None else moment(at), self.opened.now_ms()
        until = until_or_same(expires, at_ms=at_ms, now_ms=now_ms)
        share = None if weight is None else weight_or_refuse(weight)
        revision = Revision(text, speaker, metadata, at_ms, until, share)
        reach = self.reach()
        ids = revised(self.store, lambda: which.rows(reach), revision)
        self._tell(Doing.UPDATE, ids)
        return ids

    @one_at_a_time
    def used(self, items: Iterable[str], *, audience: str) -> None:
        """Say that these were shown to somebody: to them, what is used often counts for more."""
        shown, reach = tuple(items), self.reach()
        to = name_or_refuse(audience, what="an audience")
        if shown:
            self.store.append(lambda n: [MemoryShown(TurnNo(n - 1), reach.numbers(shown), to)])

    @one_at_a_time
    def delete(
        self, items: Items | None = None, *, where: Where | None = None, audience: Asker = OWNER
    ) -> int:
        """Take these out of every search, by id or by a filter; how many. They stay on record."""
        which, reach = wanted(items, where, audience=any_asker_or_refuse(audience)), self.reach()
        ids = deleted(self.store, lambda: which.rows(reach))
        self._tell(Doing.DELETE, ids)
        return len(ids)

    @one_at_a_time
    def forget(
        self, items: Items | None = None, *, where: Where | None = None, why: str = "",
        audience: Asker = OWNER,
    ) -> int:  # fmt: skip
        """Remove the words of these for good, of all their versions and of summaries made of them.

        By id or by a filter, deleted ones included; how many records changed.
        """
        which = wanted(items, where, audience=any_asker_or_refuse(audience))
        found = versions_of(self.reach(), which)
        changed = forgotten(self.store, found.values(), why=why)
        self._tell(Doing.FORGET, found)
        return changed

    @one_at_a_time
    def sweep(self, *, now: Moment | None = None) -> int:
        """Forget what has expired in this namespace; how many items."""
        ids = self.reach().expired(self._alive_ms(now))
        self.forget(ids, why="expired")
        return len(ids)

    @one_at_a_time
    def deduplicate(self) -> dict[str, tuple[str, ...]]:
        """Keep one of what was said more than once in this namespace; what went is on record.

        By the id of what stays, the ids of what went. `add(…, once=True)` keeps it so.
        """
        kept = deduplicated(self.reach())
        self._tell(Doing.DELETE, (item for gone in kept.values() for item in gone))
        return kept

    @one_at_a_time
    def compact(
        self, *, model: ChatModel | None = None, progress: Progress | None = None
    ) -> Compacted:
        """Sum up what is older than the recent turns, each group for its own audience.

        Each summary is on record as soon as it is made; going on after a stop makes none twice.
        What was said stays, and stays searchable. What expires is not summed up.
        """
        self.opened.settle()
        self.store.catch_up()
        means = Means(
            embed=self.store.embedded, count=self.store.count, model=model, least=LEAST_CLUSTER
        )
        return sum_up(self.store, means, progress=progress)

    # ── the file ─────────────────────────────────────────────────────────────────────────────

    def _alive_ms(self, now: Moment | None) -> int | None:
        return self.opened.now_ms(None if now is None else moment(now))

    @one_at_a_time
    def rebuild(self, *, progress: Progress | None = None) -> None:
        """Make the index again from the ledger."""
        self.opened.settle()
        self.store.rebuild(progress)

    @one_at_a_time
    def close(self) -> None:
        """Let go of the file; a change of embedder under way goes on the next time it is asked."""
        self.opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
