"""Generated memories: what one audience sees, and what it does not, told to `Memory` in order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

import msgspec
import numpy as np
import pytest
from hypothesis import strategies as st
from msgspec import structs

from storykeeper.errors import NoSuchItem
from storykeeper.ledger.memory import MemoryLedger
from storykeeper.memory import memory as memory_module
from storykeeper.memory.compaction.compacting import Means
from storykeeper.memory.documents import passages_of
from storykeeper.memory.items import Kind
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.memory import Memory
from storykeeper.memory.search import Asked
from storykeeper.memory.store import Store
from storykeeper.models.embedders.cache import Drawer
from storykeeper.models.embedders.endpoint import EmbeddingEndpoint
from storykeeper.models.embedders.port import quantised
from storykeeper.models.embedders.wordpiece import pieces, words
from storykeeper.models.posting import Answered, Post
from storykeeper.scoring.settings import STORY
from storykeeper.units import MAIN

ME, OTHERS = "ana", ("ben", "carol")
MINE, THEIRS = "diary", "ledger"  # namespaces
NAMES = ("Ana", "Ben", "May", "")
HIDDEN_NAMES = (*NAMES, "Oak", "Pond", "Key", "Wedding Lamp")  # words of queries, too
SIZES = (0, 3, 10, 24, 36, 48)
# Words that say when, who and what; names are among them.
WORDS = ("oak", "bean", "pond", "may", "ben", "wedding", "key", "lamp", "planted", "friday",
         "two", "漢字", "we", "?")  # fmt: skip
METADATA = ({}, {}, {}, {"topic": "oak"}, {"topic": "pond", "stars": 2}, {"tags": ["key", "oak"]})
WHERES = (
    {"topic": "oak"}, {"stars": {"$gte": 1}}, {"tags": "key"}, {"topic": {"$exists": False}},
    {"$or": [{"topic": {"$ne": "oak"}}, {"@speaker": "Ben"}]}, {"@kind": "said"},
    {"@session": "one"},
)  # fmt: skip
UNSPEAKABLE = "漢字"  # to the server
FILLING = (
    "harbour", "candle", "marble", "orchid", "violin", "thistle", "copper", "saddle", "walnut",
    "ribbon", "glacier", "parsley", "anvil", "meadow", "lantern", "quarry", "hammock", "sparrow",
    "cellar", "mustard", "barley", "chimney", "ferry", "gravel",
)  # fmt: skip
SAYINGS = (
    "We planted the oak by the pond", "The key is under the lamp", "When is the wedding?",
    "The wedding was on Friday", "Ben put two beans into the pond", "I lost the key yesterday",
)  # fmt: skip
QUERIES = (
    "oak", "where is the key", "when was the wedding", "what did Ben say about the pond",
    "what did we talk about two sessions ago?", "What did we talk about last week?",
    "what did May plant in May?", "how many beans did we plant after the wedding?",
    "what happened in the first session", "which came first, the oak or the pond?",
    "what did Oak and Ana discuss yesterday", "", "?!", "the lamp lamp lamp 漢字",
    "what did we say on Friday", "what was said in the second session about the key?",
)  # fmt: skip
GENEROUS = structs.replace(STORY, coarse_floor=0.02, recovery_floor=0.01, hop_floor=0.01)
DAY, HOUR = 86_400_000, 3_600_000
START = 1_714_000_000_000  # April 2024
RULES = "## Rules\n\nNever name the {0}.\n\n## Setting\n\nA {0} by the {1}.\n\nThe {1} is old.\n"
LORE = "# The {0}\n\nThe {0} stands by the [{1}](#the-{1}).\n\n# The {1}\n\nThe {1} is deep.\n"


class Hashed:
    """An embedder that knows a word by its letters, and shows its pieces."""

    space, dims, tiers, one_sided = "hashed@1", 16, (8, 16), False

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        return self.read(texts)[0]

    queries = passages

    def read(self, texts: Sequence[str]) -> tuple[np.ndarray, list[np.ndarray]]:
        states = [
            np.array([_letters(p) for w in words(t) for p in [w] * len(pieces(w))], np.float32)
            for t in texts
        ]
        states = [s.reshape(-1, 64) for s in states]
        wholes = np.stack([s.sum(axis=0)[: self.dims] for s in states])
        return quantised(wholes), states

    def turned(self, rows: np.ndarray, *, most: int | None = None) -> np.ndarray:
        return rows[:, :most]


@lru_cache
def _letters(word: str) -> tuple[float, ...]:
    return tuple(np.random.default_rng(list(word.encode())).standard_normal(64).tolist())


@dataclass(frozen=True)
class Step:
    """One thing that is told to a memory; `who` is the place of an earlier step."""

    what: str  # add, used, retire, erase, search, load, compact
    text: str = ""
    speaker: str = ""
    at: int | None = None
    session: str | None = None
    audience: tuple[str, ...] | None = None
    namespace: str = ""
    entities: tuple[str, ...] = ()
    weight: float = 0.0
    of: int = 0
    by: str = ME
    often: int = 1
    metadata: dict = field(default_factory=dict)
    expires: int | None = None
    once: bool = False


@dataclass
class Told:
    """A memory after all of it, and the ids of what each step added."""

    memory: Memory
    ids: dict[int, list[str]] = field(default_factory=dict)


def line(luck: random.Random) -> str:
    if luck.random() < 0.2:
        return luck.choice(SAYINGS)
    some = [luck.choice(WORDS) for _ in range(luck.randint(0, 3))]
    some += [luck.choice(FILLING) for _ in range(luck.randint(1, 4))]
    return " ".join(luck.sample(some, len(some)))


def added(luck: random.Random, clock: int, *, seen: bool) -> Step:
    """Something said: for me among others, or for others alone."""
    if seen:
        audience = luck.choice([None, None, None, (ME,), (ME, "ben"), (ME, *OTHERS)])
        namespace = luck.choice(["", "", "", MINE])
    else:
        audience = luck.choice([("ben",), ("carol",), OTHERS, ()])
        namespace = luck.choice(["", "", MINE, THEIRS])
        if luck.random() < 0.2:
            audience, namespace = None, THEIRS
    text, speaker = line(luck), luck.choice(NAMES if seen else HIDDEN_NAMES)
    if not seen and luck.random() < 0.2:  # in the words in which somebody's line is embedded
        text, speaker = f"{luck.choice(NAMES[:3])}: {luck.choice(SAYINGS)}", ""
    return Step(
        "add", text, speaker,
        clock if luck.random() < 0.8 else None,
        luck.choice([None] * 8 + ["one", "two"]), audience, namespace,
        tuple(luck.sample(["oak", "pond"], luck.randint(0, 1))), luck.choice([0.0, 0.5]),
        metadata=luck.choice(METADATA), once=luck.random() < 0.3,
        expires=clock + luck.choice([HOUR, 2 * DAY]) if luck.random() < 0.15 else None,
    )  # fmt: skip


def step(luck: random.Random, number: int, clock: int, *, seen: bool) -> Step:
    kind = luck.random()
    if kind < 0.70 or number == 0:
        return added(luck, clock, seen=seen)
    of = luck.randrange(number)
    if kind < 0.74:
        return Step("search", luck.choice(QUERIES), by=ME if seen else luck.choice([ME, "ben"]))
    if kind < 0.77:
        return Step("erase", of=of)
    if kind < 0.87:
        # A hidden use is of what is hidden, or by somebody else.
        often = luck.randint(1, 3) + (0 if seen else 4)
        return Step("used", of=of, by=ME if seen else luck.choice([ME, "ben"]), often=often)
    if kind < 0.89:
        return Step("delete", of=of)
    if kind < 0.90:
        return Step("deduplicate")
    if kind < 0.94:
        metadata = luck.choice([*METADATA, {"topic": None}])
        return Step("update", luck.choice(["", line(luck)]), of=of, metadata=metadata)
    template = luck.choice([RULES, LORE])
    text = template.format(*luck.sample(["oak", "pond", "key", "lamp"], 2))
    name = f"{luck.randint(1, 2)}.md"
    if seen:
        return Step("load", text, session=name, audience=luck.choice([None, (ME,)]))
    if luck.random() < 0.5:  # of the same name, in another namespace
        return Step("load", text, session=name, namespace=THEIRS)
    return Step("load", text, session=name, audience=luck.choice([("ben",), ()]))


def steps(seed: int, size: int, *, seen: bool) -> list[Step]:
    luck = random.Random(seed)
    clock = START
    made: list[Step] = []
    for number in range(size):
        clock += luck.choice([60_000] * 6 + [HOUR, 5 * HOUR, 7 * HOUR, 2 * DAY])
        made.append(step(luck, number, clock, seen=seen))
    return made


@st.composite
def visible(draw: st.DrawFn, most: int = 48) -> list[Step]:
    sizes = [size for size in SIZES if size <= most]
    return steps(draw(st.integers(0, 2**32)), draw(st.sampled_from(sizes)), seen=True)


@st.composite
def talks(draw: st.DrawFn) -> list[Step]:
    """Long and open to all, in one session: there is something to sum up."""
    luck = random.Random(draw(st.integers(0, 2**32)))
    said = [
        Step("add", line(luck), luck.choice(NAMES), START + n * 60_000, "one")
        for n in range(draw(st.sampled_from([16, 30, 44])))
    ]
    rules = RULES.format(*luck.sample(FILLING, 2)) + "".join(f"\n{line(luck)}.\n" for _ in range(3))
    return [Step("load", rules, session="1.md"), *said] if draw(st.booleans()) else said


@st.composite
def hidden(draw: st.DrawFn, most: int = 14) -> list[tuple[int, Step]]:
    """Each before which visible step it comes; those of one place keep their order."""
    seed = draw(st.integers(0, 2**32))
    luck = random.Random(seed + 1)
    sizes = [size for size in SIZES if size <= most]
    made = steps(seed, draw(st.sampled_from(sizes)), seen=False)
    return list(zip(sorted(luck.randint(0, 37) for _ in made), made, strict=True))


def put_together(
    seen: Sequence[Step], unseen: Sequence[tuple[int, Step]]
) -> list[tuple[int, Step]]:
    """All of it in order; those to be seen by their place, the others by −1, −2, …"""
    made: list[tuple[int, Step]] = []
    place = 0
    for number, each in enumerate(seen):
        while place < len(unseen) and unseen[place][0] <= number:
            made.append((-1 - place, unseen[place][1]))
            place += 1
        made.append((number, each))
    return made + [(-1 - n, each) for n, (_, each) in enumerate(unseen) if n >= place]


def tokens(text: str) -> int:
    """Joined, texts count for no more than their parts, and a little less."""
    return (len(text) + 3) // 4


class Answering(Post):
    """A server of embeddings without a network, which refuses whatever has a certain word."""

    def asked(self, path, body, *, seconds, deadline):
        texts = body["input"]
        if any(UNSPEAKABLE in text for text in texts):
            return Answered(400, None, b"")
        rows = [np.sum([_letters(word)[:16] for word in text.split()], axis=0) for text in texts]
        data = [{"embedding": row.tolist()} for row in rows]
        return Answered(200, None, msgspec.json.encode({"data": data}))


def answering() -> EmbeddingEndpoint:
    made = EmbeddingEndpoint("http://127.0.0.1/v1", "letters", size=16)
    made._post = Answering(made.url)
    return made


def fresh(
    *,
    hashed: bool,
    served: bool = False,
    count=tokens,
    namespace: str = "",
    session: str = "",
) -> Memory:
    ledger = MemoryLedger(clock=lambda: 0, nonces=bytes)
    ledger.begin(MAIN, [])
    meaning = Meaning(answering() if served else Hashed(), Drawer()) if hashed or served else None
    store = Store(ledger, MAIN, folder=None, meaning=meaning, count=count)
    return Memory(store, namespace=namespace, session=session)


def told(memory: Memory, script: Sequence[tuple[int, Step]]) -> Told:
    """Tell it all to a memory."""
    made = Told(memory)
    for number, each in script:
        _tell(made, number, each)
    return made


def _tell(made: Told, number: int, each: Step) -> None:
    memory = made.memory
    by_others = each.by != ME and each.what == "used"  # of what is seen, too
    of = each.of if number >= 0 or by_others else -1 - each.of
    voice = Memory(memory.store, namespace=each.namespace)
    match each.what:
        case "add":
            made.ids[number] = [voice.add(
                each.text, speaker=each.speaker, at=None if each.at is None else each.at / 1_000,
                audience=each.audience, session=each.session, entities=each.entities,
                weight=each.weight, metadata=each.metadata, once=each.once,
                expires=None if each.expires is None else each.expires / 1_000,
            )]  # fmt: skip
        case "load":
            passages = passages_of(each.text, document=each.session or "")
            made.ids[number] = voice.load(passages, audience=each.audience)
        case "used":
            live = [i for i in made.ids.get(of, ()) if _live(memory, i)]
            for _ in range(each.often):
                memory.used(live, audience=each.by)
        case "delete":
            memory.delete([i for i in made.ids.get(of, ()) if _live(memory, i)])
        case "deduplicate" if number >= 0:
            memory.deduplicate()
        case "deduplicate":
            memory.within(namespace=THEIRS).deduplicate()
        case "update":
            for item in (i for i in made.ids.get(of, ()) if _live(memory, i)):
                if memory.get(item).kind is Kind.SAID:
                    memory.update(item, text=each.text or None, metadata=each.metadata)
        case "erase":
            memory.forget([i for i in made.ids.get(of, ()) if _live(memory, i)])
        case "search":
            voice.search(each.text, audience=each.by)
        case "compact":
            memory.compact()


def _live(memory: Memory, item: str) -> bool:
    try:
        return memory.get(item).id == item
    except NoSuchItem:
        return False


def at_small_sizes(patched: pytest.MonkeyPatch) -> None:
    """Numbers at which two dozen items are many: they are summed up, and much is like a query."""
    patched.setattr(memory_module, "Asked", partial(Asked, settings=GENEROUS))
    patched.setattr(memory_module, "Means", partial(_small, Means))
    patched.setattr(memory_module, "LEAST_CLUSTER", 2)


def _small(kind, **given):
    return replace(kind(**given), size=3, tail=2, share=0.6)
