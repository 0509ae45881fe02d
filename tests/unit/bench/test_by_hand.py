"""A story told by hand through files: what is asked, what is kept, what is compared."""

from __future__ import annotations

import json
import threading
import time

import pytest

from storykeeper.bench.by_hand import play
from strategies.worlds import EXAMPLE

LINES = ["I go on to Harrow.", "I ask Mara about the key."]
TOLD = "Mara looks up from the wick. Pell is not there.\n"
BLOCK = '```stage\n{"here": ["Mara"], "at": {"Pell": "landing"}}\n```\n'
TRUTH = {
    "holds": {"the case": "coyle", "order": "Coyle (in the hand)"},
    "at": {"Mara": "the kitchen, by the range", "Tobit": "lamp-room", "coyle": "kitchen"},
    "told": [
        {"fact": "perpetua-lost", "to": ["Mara"]},
        {"fact": "wil-out", "to": ["Pell"]},
        {"fact": "words", "to": ["Mara"]},
    ],
    "notes": "who Pell is",
}


class Writer(threading.Thread):
    """Answers every file of messages that comes."""

    def __init__(self, folder) -> None:
        super().__init__(daemon=True)
        self.folder, self.done = folder, threading.Event()

    def run(self) -> None:
        while not self.done.is_set():
            for file in self.folder.glob("turn-??.json"):
                answer = file.with_suffix(".txt")
                if not answer.exists():
                    answer.write_text(TOLD + BLOCK)
            time.sleep(0.01)


@pytest.fixture
def writer(tmp_path, monkeypatch):
    monkeypatch.setattr("storykeeper.bench.by_hand.LOOK_SECONDS", 0.02)
    writer = Writer(tmp_path)
    writer.start()
    yield writer
    writer.done.set()
    writer.join()


def test_a_story_is_told_and_compared(tmp_path, writer):
    (tmp_path / "turn-01.truth.json").write_text(json.dumps(TRUTH))
    play(EXAMPLE, tmp_path, LINES, most=1)
    asked = json.loads((tmp_path / "turn-01.json").read_text())
    assert asked[-1]["content"].endswith("Then the stage block.")
    assert "> I go on to Harrow." in asked[-1]["content"]
    account = json.loads((tmp_path / "turn-01.account.json").read_text())
    assert account["at"]["mara"] == "kitchen"
    assert account["at"]["pell"] == "landing"
    assert account["block_shown"] is False
    said = (tmp_path / "report.md").read_text()
    assert "# 2 turns told by hand" in said
    assert "- at: 2 of 3 right" in said
    assert "- told: 0 of 1 right" in said
    assert "**at: Tobit is lamp-room; we have" in said
    assert "**told Mara, in words: words**" in said
    assert "- holds: 1 of 1 right" in said
    assert "**holds, not counted: the case is coyle**" in said
    assert "**its writer: who Pell is**" in said
    assert not (tmp_path / "turn-02.json").exists()
    play(EXAMPLE, tmp_path, LINES, most=9)  # it goes on where it was
    assert (tmp_path / "turn-02.json").exists()
    assert not (tmp_path / "turn-03.json").exists()
    assert "# 3 turns told by hand" in (tmp_path / "report.md").read_text()
