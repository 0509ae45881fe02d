"""Lines read with the names and acts of the example, and how an act is written in a table."""

from storykeeper.language.acts import Act, Line, Referred, Sorts
from storykeeper.language.lines import read_line
from storykeeper.language.names import Names
from storykeeper.story.conditions import Did
from storykeeper.story.walk import walk
from strategies.worlds import example

STORY = example()
NAMES = Names.of(STORY)
SORTS = Sorts(
    people=frozenset(c.id for c in STORY.cast),
    places=frozenset(s.id for s in STORY.settings),
    players=frozenset({"coyle"}),
)
KNOWN = frozenset(part.act for _, part in walk(STORY) if isinstance(part, Did))
PARTS = ("target", "topic", "instrument", "where", "origin")


def read(line: str) -> Line:
    """A line, read."""
    return read_line(line, names=NAMES, sorts=SORTS, known=KNOWN)


def shown(act: Act) -> str:
    """An act in a line: `observation look · target the chip (near the cup)`; <id> is a name."""
    parts = [f"{part} {referred(what)}" for part in PARTS if (what := getattr(act, part))]
    parts += [f"place {act.place}"] if act.place else []
    parts += [f"way {act.way}"] if act.way else []
    parts += [f"“{act.words}”"] if act.words else []
    parts += ["whispered"] if act.whispered else []
    return " · ".join((f"{act.kind} {act.act}", *parts))


def referred(what: Referred) -> str:
    """What is referred to: <the author's>, or the words; with whose it is and where."""
    text = f"<{what.entity}>" if what.entity else what.mention.text
    owner = f" (of {referred(what.possessor)})" if what.possessor else ""
    near = f" (near {referred(what.near)})" if what.near else ""
    return f"{text}{owner}{near}"
