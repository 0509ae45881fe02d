"""A story told by somebody outside, by hand, as a model is: through a real endpoint.

    python -m storykeeper.bench.by_hand STORY DIR --lines FILE

For each line of the player `DIR/turn-01.json` has the messages, exactly as they came over HTTP;
the answer is waited for in `DIR/turn-01.txt` and streamed. Turn 0 is the opening. Broken off, it
goes on where it was. Beside an answer may lie, in `turn-01.truth.json`, what its writer holds to
be so after it:

    {"at": {"Mara": "the kitchen", "Tobit": "away"}, "holds": {"the key": "Coyle"},
     "told": [{"fact": "key-hidden", "to": ["Coyle"]}], "notes": "what the window had wrong"}

`at` and `holds` are compared with the world, `told` with what those people know: facts by their
ids; by words they are only printed. The report is `DIR/report.md`, anew after every turn.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from storykeeper.bootstrap import Storykeeper
from storykeeper.events.atoms import Moved, PresenceChanged, Role
from storykeeper.models.endpoint import Endpoint
from storykeeper.models.stream import Patience
from storykeeper.play.narrator import Narrator
from storykeeper.play.stage_call import INLINE
from storykeeper.play.turn import Turn
from storykeeper.staging.declaration import without_blocks
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.knowledge import knows
from storykeeper.world.plan import Plan
from storykeeper.world.state import World

PART = 12  # characters that are sent at a time
LOOK_SECONDS = 0.5
DAYS = 7 * 86_400.0
NOWHERE = frozenset({"away", "unknown"})


class Hand(BaseHTTPRequestHandler):
    """An endpoint whose model is whoever writes the answer into a file."""

    folder: Path
    turn: int

    def do_POST(self) -> None:
        """The messages into a file; the answer out of another, part by part."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name = f"turn-{self.turn:02}"
        _write(self.folder / f"{name}.json", asked["messages"])
        text = _awaited(self.folder / f"{name}.txt")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for at in range(0, len(text), PART):
            self._send({"delta": {"content": text[at : at + PART]}, "finish_reason": None})
        self._send({"delta": {}, "finish_reason": "stop"})
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, choice: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is called
        """Nothing."""


def _awaited(file: Path) -> str:
    """A text, when it is there and grows no more."""
    before = ""
    while True:
        now = file.read_text("utf-8") if file.exists() else ""
        if now.strip() and now == before:
            return now
        before = now
        time.sleep(LOOK_SECONDS)


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, type[Hand]]]:
    """The endpoint; `turn` of it says which one is told."""
    kind = type("Served", (Hand,), {"folder": folder, "turn": 0})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", kind
    finally:
        server.shutdown()
        server.server_close()


def play(
    story: Path, folder: Path, lines: Sequence[str], *, most: int, budget: int | None = None
) -> None:
    """The opening and so many lines, each told from its window."""
    folder.mkdir(parents=True, exist_ok=True)
    patience = Patience(first=DAYS, between=DAYS, total=DAYS)
    with (
        served(folder) as (url, server),
        Storykeeper.open(folder / "run.db", story=story, tokens=budget, staging=INLINE) as keeper,
    ):
        narrator = Narrator(Endpoint(url, "by-hand", tries=1, patience=patience), "by-hand")
        while (turn := _next(keeper, lines[:most], folder / "typed.json")) is not None:
            server.turn = turn.number
            _tell(keeper, turn, narrator, folder)
            report(folder, keeper.world().plan)
        report(folder, keeper.world().plan)  # accounts may have come since


def _next(keeper: Storykeeper, lines: Sequence[str], typed: Path) -> Turn | None:
    """The turn that waits, the opening, or that of the next line; none, if all are told."""
    world = keeper.world()
    if world.pending is None and not keeper.history():
        return keeper.opening()
    if world.pending is not None and not world.pending.take and not world.pending.choices:
        return keeper.turn()
    for number in range(json.loads(typed.read_text("utf-8")) if typed.exists() else 0, len(lines)):
        turn = keeper.begin(lines[number])
        _write(typed, number + 1)
        if turn.question is None:
            return turn  # asked what was meant, a player types something else: the next line
    return None


def _tell(keeper: Storykeeper, turn: Turn, narrator: Narrator, folder: Path) -> None:
    shown: list[str] = []
    before = keeper.world()
    told = keeper.narrate(turn, narrator, show=shown.append)
    notes = keeper.read_ahead()
    misfits = [[each.fault, each.about, each.words] for each in keeper.misfits()]
    keeper.end_scene()
    account = _state(keeper.world()) | {
        "turn": turn.number,
        "line": turn.present.text,
        "tokens": turn.window.tokens,
        "words": len(told.prose.split()),
        "block_shown": "".join(shown).strip() != told.prose or "```" in told.prose,
        "declared": (without_blocks(told.text)[1] or "").strip(),
        "dropped": [*told.dropped, *notes],
        "read": _read(keeper),
        "learned": _learned(before, keeper.world()),
        "misfits": misfits,
    }
    _write(folder / f"turn-{turn.number:02}.account.json", account)


def _state(world: World) -> dict[str, Any]:
    """Where everybody is and who has what; of a person also what they know."""
    return {
        "scene": world.scene,
        "at": {
            who: "away" if who in world.away else world.places.get(EntityId(who), "unknown")
            for who in world.plan.cast
        },
        "unsure": sorted(world.unsure),
        "holds": {thing: who for thing, who in sorted(world.holders.items()) if who},
        "knows": {who: sorted(f for f in facts if knows(world.known, who, f))
                  for who, facts in sorted(world.known.items())},
    }  # fmt: skip


def _read(keeper: Storykeeper) -> list[str]:
    """Who moved, came or went in the turn that was made fact, and who says so."""
    found = []
    for atom in keeper.history()[-1].atoms:
        if isinstance(atom.what, Moved | PresenceChanged):
            who = (*those(atom, Role.ACTOR), *those(atom, Role.SUBJECT))
            to = getattr(atom.what, "to", None) or getattr(atom.what, "change", "")
            found.append(f"{', '.join(dict.fromkeys(who))} → {to} ({atom.says or atom.source})")
    return found


def _learned(before: World, after: World) -> list[str]:
    return [
        f"{who}: {fact}"
        for who, facts in sorted(after.known.items())
        for fact in sorted(facts)
        if knows(after.known, who, fact) and not knows(before.known, who, fact)
    ]


# ── the report ───────────────────────────────────────────────────────────────────────────────


def report(folder: Path, plan: Plan) -> None:
    """All turns so far, beside what their writer holds to be so."""
    accounts = [
        json.loads(f.read_text("utf-8")) for f in sorted(folder.glob("turn-*.account.json"))
    ]
    right = {"at": [0, 0], "holds": [0, 0], "told": [0, 0]}
    rows = [row for each in accounts for row in _row(each, folder, plan, right)]
    counts = [f"- {what}: {of[0]} of {of[1]} right" for what, of in right.items()]
    blocks = sum(each["block_shown"] for each in accounts)
    dropped = sum(len(each["dropped"]) for each in accounts)
    head = [
        f"# {len(accounts)} turns told by hand", "", *counts,
        f"- stage blocks on the player's screen: {blocks}",
        f"- rows of a declaration dropped: {dropped}", "",
    ]  # fmt: skip
    (folder / "report.md").write_text("\n".join([*head, *rows]) + "\n", "utf-8")


def _row(
    account: dict[str, Any], folder: Path, plan: Plan, right: dict[str, list[int]]
) -> Iterator[str]:
    yield f"## Turn {account['turn']} · {account['scene']} · {account['tokens']} tokens"
    yield f"\n> {account['line']}\n"
    yield f"- declared: `{' '.join(account['declared'].split()) or 'nothing'}`"
    for name in ("dropped", "read", "learned", "misfits"):
        if account[name]:
            yield f"- {name}: {'; '.join(map(str, account[name]))}"
    unsure = account["unsure"]
    places = (f"{who}{'?' * (who in unsure)} {where}" for who, where in account["at"].items())
    yield f"- at: {', '.join(places)}"
    file = folder / f"turn-{account['turn']:02}.truth.json"
    if file.exists():
        for line in _compared(account, json.loads(file.read_text("utf-8")), plan, right):
            yield f"- **{line}**"
    yield ""


def _compared(
    account: dict[str, Any], truth: dict[str, Any], plan: Plan, right: dict[str, list[int]]
) -> Iterator[str]:
    """What is otherwise than its writer holds it to be; counted, where the story has it at all."""
    known: dict[str, Container[str]] = {"at": plan.cast, "holds": plan.things}
    for what in ("at", "holds"):
        for thing, where in truth.get(what, {}).items():
            each, wanted = _id(thing, plan), _id(where, plan)
            if each not in known[what] or (what == "holds" and wanted not in plan.cast):
                yield f"{what}, not counted: {thing} is {where}"
                continue
            ours = account[what].get(each)
            good = ours == wanted or (wanted in NOWHERE and ours in (None, *NOWHERE))
            _count(right[what], good=good)
            if not good:
                yield f"{what}: {thing} is {where}; we have {ours}"
    for row in truth.get("told", ()):
        for name in row.get("to", ()):
            fact, who = row.get("fact"), _id(name, plan)
            if fact not in plan.facts:
                yield f"told {name}, in words: {fact}"
                continue
            good = fact in account["knows"].get(who, ())
            if good and f"{who}: {fact}" not in account["learned"]:
                continue  # they knew it before
            _count(right["told"], good=good)
            if not good:
                yield f"told: {name} was told {fact}; we do not have it"
    if truth.get("notes"):
        yield f"its writer: {truth['notes']}"


def _count(of: list[int], *, good: bool) -> None:
    of[0] += good
    of[1] += 1


def _id(name: str, plan: Plan) -> str:
    """What an author calls it: an id, a name, an alias, a first name; remarks in brackets aside."""
    said = name.partition("(")[0].partition(",")[0].strip()
    wanted = said.casefold().removeprefix("the ")
    for kind in (plan.cast, plan.settings, plan.things):
        for each, card in kind.items():
            names = (each, card.name, *card.aliases, card.name.split(" ")[0])
            if wanted in (said.casefold().removeprefix("the ") for said in names):
                return str(each)
    return said


def _write(file: Path, value: object) -> None:
    written = json.dumps(value, ensure_ascii=False, indent=1)
    half = file.with_suffix(".part")
    half.write_text(written, "utf-8")
    half.replace(file)  # whole, or not there


def main() -> None:
    """From the command line."""
    ask = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    ask.add_argument("story", type=Path)
    ask.add_argument("folder", type=Path)
    ask.add_argument(
        "--lines", type=Path, required=True, help="what the player types, line by line"
    )
    ask.add_argument("--most", type=int, default=10**6, help="lines at most")
    ask.add_argument("--budget", type=int, default=None, help="tokens of a window")
    said = ask.parse_args()
    lines = [line.strip() for line in said.lines.read_text("utf-8").splitlines()]
    play(
        said.story, said.folder, [each for each in lines if each and not each.startswith("#")],
        most=said.most, budget=said.budget,
    )  # fmt: skip


if __name__ == "__main__":
    main()
