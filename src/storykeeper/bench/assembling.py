"""How long a whole window takes in runs of 100 to 100,000 turns, beside what memory takes alone.

- assemble: from a turn's words to the finished window: what the words do, memory searched for them,
  all sources, the gate, the ranking, the packing, the text and its check. The run is played on, so
  that every window has a turn more to remember than the one before. Nothing is embedded: the turns
  have vectors mixed from those of real sentences, and so has what is looked for.
  `worked` is the processor's time for it, where something else runs beside it.
- large: the same at 16,000 tokens, played on from there.
- first: opening the run and its first window, with what is kept beside it and without.
- landscape: of 500 scenes, all of them ahead. Then with 50 to 2,000 scenes more that no way leads
  to, from forty that are in reach: the landscape, and a whole window.

Floors: the search of memory alone in the same run, and one numpy scan of the same vectors.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING

from msgspec import structs

from storykeeper.bench.longruns import Prose, long_run
from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.searching import Sentences, floor_matrix, read, scanned
from storykeeper.bench.stories import big_story
from storykeeper.bench.timing import spread, timed
from storykeeper.bootstrap import Storykeeper
from storykeeper.gravity.landscape import landscape
from storykeeper.language.prose import ProseReader
from storykeeper.ledger.sqlite_file import CACHE_SUFFIX
from storykeeper.memory.meaning import Meaning, Meant
from storykeeper.models.embedders.cache import Drawer
from storykeeper.models.embedders.corpora import sentences as cut
from storykeeper.models.embedders.minilm import MiniLM
from storykeeper.play.past import Past
from storykeeper.play.recalling import Recollection
from storykeeper.play.reminding import reminded
from storykeeper.play.running import Running
from storykeeper.play.seeing import seen
from storykeeper.play.turn import Turn
from storykeeper.story.adopt import adoption
from storykeeper.story.model import NARRATOR, Story
from storykeeper.story.scenes import Transition
from storykeeper.units import EntityId, TurnNo, Version
from storykeeper.world.fold import fold
from storykeeper.world.state import Pending, World

if TYPE_CHECKING:
    from storykeeper.play.mind import Mind

WARMING = 5  # windows before the clock counts
LARGE_TOKENS = 16_000


class Mixed(Meaning):
    """What texts mean by the sentences they are made of; nothing is embedded while it is asked."""

    def __init__(self, sentences: Sentences, asked: Sequence[str]) -> None:
        """`asked` is what will be looked for: embedded now, once."""
        super().__init__(MiniLM(), Drawer())
        self._known = sentences.meant
        self._place = {text: place for place, text in enumerate(sentences.texts)}
        self._asked = {text: super(Mixed, self).query(text, leave=()) for text in asked}

    @property
    def space(self) -> str:
        """One of its own."""
        return "mixed@1"

    def passages(self, texts: Sequence[str], **_: object) -> list[Meant]:
        """Each the mean of its sentences, with the pieces of all of them."""
        return [self._mixed(text) for text in texts]

    def query(self, text: str, *, leave: Collection[str]) -> Meant:
        """As it was embedded before; of other words, those of some sentence."""
        return self._asked.get(text) or self._of(text)

    def _mixed(self, text: str) -> Meant:
        import numpy as np

        parts = [self._of(each) for each in cut(text)[:4]]
        mean = np.mean([part.whole.astype(np.float32) for part in parts], axis=0)
        whole = np.rint(mean * 127 / max(1e-6, float(np.abs(mean).max()))).astype(np.int8)
        return Meant(whole, np.concatenate([part.pieces for part in parts]))

    def _of(self, sentence: str) -> Meant:
        """A sentence that is known, or one in its stead, always the same."""
        known = self._place.get(sentence)
        if known is None:
            known = int.from_bytes(blake2b(sentence.encode(), digest_size=4).digest())
        return self._known[known % len(self._known)]


class Watched(Storykeeper):
    """A run whose windows are timed."""

    taken: list[float]
    worked: list[float]  # of the processor, whatever else the machine did

    def _assembled(self, **how: object) -> Turn:
        start, worked = perf_counter(), thread_time()
        made = super()._assembled(**how)  # type: ignore[arg-type]
        self.taken.append(perf_counter() - start)
        self.worked.append(thread_time() - worked)
        return made

    def spread(self) -> Figures:
        """What windows took since they were last asked for, but for the first few."""
        taken, worked = self.taken[WARMING:], self.worked[WARMING:]
        self.taken, self.worked = [], []
        longest = round(max(taken) * 1000, 1)
        return {**spread(taken), "longest": longest, "worked": spread(worked)}


def assembling(place: Path, setup: Setup, figures: Figures) -> None:
    """All sizes; the figures go under `assemble` and `landscape`."""
    sentences = read(setup)
    prose = Prose([text.strip() for text in sentences.texts[sentences.asked :]])
    rounds = 8 if setup.quick else 100
    typed = [prose.typed(10_000_000 + number) for number in range(WARMING + rounds)]
    meaning = Mixed(sentences, typed)
    sizes = (100, 400) if setup.quick else (100, 1_000, 10_000, 100_000)
    ours: Figures = {}
    floor: Figures = {}
    for size in sizes:
        setup.say(f"  windows in a run of {size:,} turns …")
        path = place / f"assemble-{size}.db"
        long_run(path, size, prose)
        ours[f"{size}"], floor[f"{size}"] = at_size(path, prose, meaning, typed)
        _remove(path)
    parts = {
        name: {size: each[name] for size, each in ours.items()} for name in ours[f"{sizes[0]}"]
    }
    figures["storykeeper"]["assemble"] = parts
    figures["floor"]["assemble"] = floor
    figures["storykeeper"]["landscape"] = landscapes(setup)


def at_size(
    path: Path, prose: Prose, meaning: Meaning, typed: Sequence[str]
) -> tuple[Figures, Figures]:
    """One size: opened twice, played on, searched alone."""
    with opened(path, meaning):
        pass  # closing saves a snapshot, as it would have been saved in play
    ours: Figures = {"rebuilt_ms": first(path, meaning, typed[0])}
    ours["first_ms"] = first(path, meaning, typed[0])
    with opened(path, meaning) as keeper:
        played(keeper, prose, typed)
        ours |= keeper.spread()
        floor = alone(keeper, typed[WARMING:])
        keeper.tokens = LARGE_TOKENS
        played(keeper, prose, typed)
        ours["large"] = keeper.spread()
    ours["disk_mb"] = round(_bytes(folder_of(path)) / 1e6, 1)
    ours["rss_mb"] = resident(path)
    return ours, floor


def opened(path: Path, meaning: Meaning) -> Watched:
    """The run, remembered with vectors that were mixed."""
    keeper = Watched.open(path, reader=ProseReader())
    assert isinstance(keeper, Watched)
    keeper.taken, keeper.worked = [], []
    keeper._recollection = Recollection(meaning=meaning, folder=folder_of(path))
    return keeper


def folder_of(path: Path) -> Path:
    """Where it is kept what recalling needs."""
    return path.with_name(path.name + CACHE_SUFFIX)


def first(path: Path, meaning: Meaning, line: str) -> float:
    """Milliseconds to open a run and make a window."""
    start = perf_counter()
    keeper = opened(path, meaning)
    keeper.window(text=line)
    seconds = perf_counter() - start
    keeper.close()
    return round(seconds * 1000, 1)


def played(keeper: Watched, prose: Prose, typed: Sequence[str]) -> None:
    """Turns one after another, each window timed."""
    for number, line in enumerate(typed):
        turn = keeper.begin(line)
        keeper.render(turn, " ".join(prose.of(-1 - number)))
        keeper.read_ahead()  # as the terminal does, while the player reads


def alone(keeper: Watched, typed: Sequence[str]) -> Figures:
    """Memory searched for the same words, and one product with all of its vectors."""
    now, memory = keeper._state, keeper._memory
    ask = partial(
        reminded, memory, audience=NARRATOR, ledger=keeper.ledger, run=keeper.run, now=now
    )
    search = spread([timed(partial(ask, line)) for line in typed])
    minds: list[Mind] = list(memory._minds.values())
    held = minds[0].held
    assert held.meaning is not None
    vectors = [held.meaning.query(line, leave=()).whole for line in typed]
    return {"search": search, "numpy_scan": scanned(floor_matrix(held.index), vectors)}


_RESIDENT = """
import sys
from pathlib import Path
from storykeeper.bootstrap import Storykeeper
keeper = Storykeeper.open(sys.argv[1])
for text in ("I look at the lamp", "I ask about the letter", "I wait"):
    keeper.window(text=text)
status = Path("/proc/self/status").read_text().split()
print(int(status[status.index("VmRSS:") + 1]) // 1024)
keeper.ledger.close()
"""


def resident(path: Path) -> int | None:
    """Megabytes of a fresh process that opened a run and made a few windows, by words alone."""
    if not Path("/proc/self/status").exists():
        return None
    command = [sys.executable, "-c", _RESIDENT, str(path)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def landscapes(setup: Setup) -> Figures:
    """Milliseconds of a landscape; and as more and more scenes are out of reach."""
    reach, near = (40, 10) if setup.quick else (500, 40)
    figures: Figures = {"ms": _landscape_ms(begun(big_story(reach, seed=1)))}
    for far in (10, 50) if setup.quick else (50, 500, 2_000):
        world = begun(with_far_scenes(big_story(near, seed=1), far))
        figures.setdefault("out_of_reach", {})[f"{far}"] = _landscape_ms(world)
        figures.setdefault("window_out_of_reach", {})[f"{far}"] = _window_ms(world)
    return figures


def begun(story: Story) -> World:
    """The world of a story that nothing has happened in."""
    return fold([adoption(story)])


def with_far_scenes(story: Story, count: int) -> Story:
    """A story with so many scenes more, of the same people and places, that no way leads to."""
    names = [f"far-{number:05d}" for number in range(count)]
    ways = [(Transition(to=name),) for name in names[1:]]
    far = (
        structs.replace(
            story.scenes[number % len(story.scenes)], id=name, required=False, ending=False,
            gates=(), beats=(), approach=(), leads_to=way,
        )
        for number, (name, way) in enumerate(zip(names, [*ways, ()], strict=True))
    )  # fmt: skip
    return structs.replace(story, scenes=(*story.scenes, *far))


def _landscape_ms(world: World) -> float:
    landscape(world)  # what changes seldom is worked out once
    return spread([timed(partial(landscape, world)) for _ in range(40)])["p50"]


def _window_ms(world: World) -> float:
    now = Running(Version(1), world, Past(), ProseReader())
    turn = Pending(TurnNo(1), EntityId(world.plan.players[0]), "I look at the thing, and wait.")
    look = partial(seen, turn, now, audience=NARRATOR, tokens=None)
    look()
    return spread([timed(look) for _ in range(20)])["p50"]


def _bytes(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def _remove(path: Path) -> None:
    shutil.rmtree(folder_of(path), ignore_errors=True)
    for each in path.parent.glob(path.name + "*"):
        each.unlink()
