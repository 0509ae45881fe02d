"""Declarations that try to open what must stay closed, and what must be so whatever they say.

They are made in the wherry house, of one prose: it is said in the parlour, it speaks of Hagen and
does not bring him, and shares a word with Dov's secret. Hagen is in the cellar, Petra nowhere.
"""

from __future__ import annotations

import json
from functools import cache

from storykeeper.engine import Engine
from storykeeper.events.records import AnyRecord
from strategies.flips import all_shown
from strategies.wherry import CAST, begun, play

PROSE = (
    "Dov pours the wine. “Mind the heron,” he says. “Hagen must not hear of it.” Renna looks at the"
    " fire and the lamp. “I poured it out myself,” you say."
)
HEARD = "poured it out myself"  # in the parlour
SECRETS = {"chandler in Osk": ("dov",), "quince tree": ("hagen",), "letter from Marl": ("ilse",)}
BEHIND_THE_DOOR = "Zmark"  # how the key in the vault is described
LINES = ("I ask Dov about the iron key.",)


def attacked(stage: object, *, inline: bool = False) -> tuple[Engine, tuple[str, ...]]:
    """A run in which somebody declared this of the prose and another turn followed it."""
    keeper = begun()
    if inline:
        dropped = play(keeper, f"{PROSE}\n```stage\n{text_of(stage)}\n```")
    else:
        dropped = play(keeper, PROSE, stage)
    play(keeper, "“And I would do it again,” you say.", {})
    return keeper, dropped


def text_of(stage: object) -> str:
    """As a narrator would write it; what is text stays as it is."""
    return stage if isinstance(stage, str) else json.dumps(stage)


def shown(keeper: Engine) -> dict[str, list[object]]:
    """All that anybody gets to see, the narrator included."""
    return {who: all_shown(keeper, who, LINES) for who in ("narrator", *CAST)}


def records(keeper: Engine) -> list[AnyRecord]:
    return [entry.record for entry in keeper.ledger.read(keeper.run)]


@cache
def undeclared() -> frozenset[str]:
    """Who has the words of the parlour when nothing is declared."""
    keeper, _ = attacked({})
    return frozenset(who for who, seen in shown(keeper).items() if HEARD in str(seen))


def assert_closed(keeper: Engine) -> None:
    """What must be so whatever was declared."""
    seen, world = {who: str(each) for who, each in shown(keeper).items()}, keeper.world()
    for secret, known_by in SECRETS.items():
        may = {*known_by, *(("narrator",) if "ilse" in known_by else ())}
        assert not [who for who, text in seen.items() if secret in text and who not in may]
    for who in ("hagen", "petra"):
        assert HEARD not in seen[who]
        assert "do it again" not in seen[who]
        assert world.places.get(who) not in ("parlour", "yard")
        assert who not in [each.who for each in keeper.presence("ilse")]
    assert world.places.get("ilse") != "vault"
    assert world.holders.get("iron-key") != "ilse"
    assert not [who for who in ("narrator", "ilse") if BEHIND_THE_DOOR in seen[who]]
    assert not [who for who, text in seen.items() if "```" in text or '"moves"' in text]
    assert not [who for who, text in seen.items() if "instructions" in text.casefold()]
