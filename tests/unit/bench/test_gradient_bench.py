"""`bench gradient` finds an effect where there is one, none where there is none; all is kept."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from threading import Lock
from time import sleep

import numpy as np
import pytest

from storykeeper.bench.gradient.arms import contrasts, share
from storykeeper.bench.gradient.evaluation import effect, measure
from storykeeper.bench.gradient.story import MOMENTS
from storykeeper.bench.registry import Setup
from storykeeper.errors import ModelUnavailable, StorykeeperError

LISTED = "\n- "


class Writes:
    """A model that writes a few of the lines it is given, or none of them."""

    def __init__(self, *, heeds: bool) -> None:
        self.heeds, self.asked = heeds, 0

    def stream(self, messages, *, limit_tokens, temperature, seed):
        self.asked += 1
        random = Random(seed)
        given = messages[-1]["content"].split("# The player")[0].split(LISTED)[1:3]
        lines = given if self.heeds else ["It is quiet in the hall."]
        return iter([f"You sit. {random.choice(['Rain.', 'Wind.'])} ", *lines])


def figures(tmp_path, model, **options):
    return measure(Setup(
        say=str, model=model, model_name="m", pairs=10, out=tmp_path / "kept.jsonl", **options
    ))  # fmt: skip


def test_windows_differ_by_what_is_changed_and_by_nothing_else():
    for contrast in contrasts():
        for moment in range(MOMENTS):
            low, high = (arm.window(moment) for arm in (contrast.low, contrast.high))
            assert low.stable == high.stable
            assert not share(low.fresh, contrast.theme)
            if contrast.system != "instruction":
                assert share(high.fresh, contrast.theme) > 1
            else:
                said = contrast.high.messages(moment)[-1]["content"]
                assert said.startswith(low.fresh)
                assert share(said, contrast.theme) > 1


def test_a_model_that_writes_from_its_window(tmp_path):
    found = figures(tmp_path, Writes(heeds=True))
    mass = found["storykeeper"]["mass"]
    assert mass["effect"] > 5
    assert 0 < mass["ci_low"] <= mass["effect"] <= mass["ci_high"]
    assert mass["low"] == 0
    assert found["gravity_off"]["mass"]["effect"] > 0


def test_a_model_that_does_not(tmp_path):
    for system in ("storykeeper", "instruction", "gravity_off"):
        mass = figures(tmp_path, Writes(heeds=False))[system]["mass"]
        assert (mass["effect"], mass["ci_low"], mass["ci_high"], mass["d"]) == (0, 0, 0, 0)


def test_prompts_and_prose_are_kept_and_asked_for_once(tmp_path):
    model = Writes(heeds=True)
    first = figures(tmp_path, model)
    rows = [json.loads(line) for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
    told = [row for row in rows if "prose" in row]
    prompts = {row["prompt"]: row["messages"] for row in rows if "messages" in row}
    assert model.asked == len(told)
    assert all(row["prompt"] in prompts for row in told)
    asked = model.asked
    assert figures(tmp_path, model) == first
    assert model.asked == asked
    figures(tmp_path, model, seed=99)
    assert model.asked > asked  # other seeds, other prose


class OneAtATime(Writes):
    """A model that sees which prompts are with it at the same time."""

    def __init__(self) -> None:
        super().__init__(heeds=True)
        self.within, self.most, self.twice, self.lock = [], 0, 0, Lock()

    def stream(self, messages, *, limit_tokens, temperature, seed):
        prompt = str(messages)
        with self.lock:
            self.twice += prompt in self.within
            self.within.append(prompt)
            self.most = max(self.most, len(self.within))
        sleep(0.002)
        answer = super().stream(
            messages, limit_tokens=limit_tokens, temperature=temperature, seed=seed
        )
        with self.lock:
            self.within.remove(prompt)
        return answer


def test_at_once_are_prompts_and_not_seeds_of_one(tmp_path):
    """A server with slots reads a prompt once if its seeds follow each other."""
    model = OneAtATime()
    found = figures(tmp_path, model, at_once=4)
    assert model.most == 4
    assert model.twice == 0
    (tmp_path / "kept.jsonl").unlink()
    assert figures(tmp_path, Writes(heeds=True)) == found


def test_the_interval_has_the_mean_of_noise():
    """Of differences with a known mean the 95 % interval has it about as often as it says."""
    random, hits = np.random.default_rng(5), 0
    for seed in range(60):
        both = np.zeros((40, 2))
        both[:, 1] = random.normal(1.0, 2.0, 40)
        found = effect(both, seed=seed)
        hits += found["ci_low"] <= 1.0 <= found["ci_high"]
    assert 50 <= hits <= 60


def test_it_wants_a_model():
    with pytest.raises(ModelUnavailable, match="--model URL"):
        measure(Setup(say=str))


def test_prompts_for_anybody_hold_no_pair_and_no_turn_twice(tmp_path):
    """And of every arm about as many; an id says nothing of the arm."""
    written = measure(Setup(say=str, prompts=tmp_path))
    files = [
        [json.loads(line) for line in file.read_text().splitlines()]
        for file in sorted(tmp_path.glob("prompts-*.jsonl"))
    ]
    assert written == {"files": len(files), "prompts": sum(map(len, files)), "pairs": MOMENTS}
    arms = {arm.name: arm for each in contrasts() for arm in (each.low, each.high)}
    key = json.loads((tmp_path / "key.json").read_text())
    for rows in files:
        turns = [turn_of(row["messages"]) for row in rows]
        assert len(turns) == len(set(turns)) <= 60
        told = Counter(str(key[row["id"]][1]) for row in rows)
        assert max(told.values()) - min(told.values()) <= 2
        for row in rows:
            assert set(row) == {"id", "messages"}
            pair, names = key[row["id"]]
            assert all(arms[name].messages(pair) == row["messages"] for name in names)
    told = Counter((name, pair) for pair, names in key.values() for name in names)
    assert told == Counter((name, pair) for name in arms for pair in range(MOMENTS))
    assert len(key) == written["prompts"]


def turn_of(messages) -> tuple[str, str]:
    said = messages[-1]["content"]
    told = said.split("# To write from")[0]
    return told, said.split("# The player")[1].split("# Write")[0]


@pytest.mark.parametrize("pairs", [MOMENTS, 2 * MOMENTS])
def test_what_was_written_for_them_is_measured_as_a_model_is(tmp_path, pairs):
    measure(Setup(say=str, prompts=tmp_path, pairs=pairs))
    files, model = [], Writes(heeds=True)
    for file in sorted(tmp_path.glob("prompts-*.jsonl")):
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        turns = [turn_of(row["messages"]) for row in rows]
        assert len(turns) == len(set(turns))
        files.append(tmp_path / f"answers-{len(files)}.jsonl")
        files[-1].write_text("\n".join(json.dumps({
            "id": row["id"],
            "text": "".join(model.stream(row["messages"], limit_tokens=0, temperature=0, seed=1))
            + '\n```stage\n{"here": ["bell"]}\n```',
        }) for row in rows))  # fmt: skip
    found = measure(Setup(say=str, prompts=tmp_path, answers=tuple(files)))
    mass = found["storykeeper"]["mass"]
    assert (mass["pairs"], mass["felt_low"], mass["felt_high"]) == (pairs, 0, 100)
    assert mass["effect"] > 5
    rest = measure(Setup(say=str, prompts=tmp_path, answers=tuple(files[1:])))
    assert 0 < rest["storykeeper"]["mass"]["pairs"] < pairs
    (tmp_path / "none.jsonl").write_text("\n")
    none = measure(Setup(say=str, prompts=tmp_path, answers=(tmp_path / "none.jsonl",)))
    assert none["storykeeper"]["mass"] == {"pairs": 0}


@pytest.mark.parametrize("line", ["x", "[]", '{"id": "x"}', '{"id": "x", "text": "y"}'])
def test_what_is_no_answer_is_said_by_its_line(tmp_path, line):
    measure(Setup(say=str, prompts=tmp_path, pairs=1))
    name = next(iter(json.loads((tmp_path / "key.json").read_text())))
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": name, "text": "y"}) + "\n" + line)
    with pytest.raises(StorykeeperError, match=r"a\.jsonl:2: no answer"):
        measure(Setup(say=str, prompts=tmp_path, answers=(tmp_path / "a.jsonl",)))


@pytest.mark.parametrize("folder", [None, "elsewhere"])
def test_answers_want_the_key_of_their_prompts(tmp_path, folder):
    at = None if folder is None else tmp_path / folder
    with pytest.raises(StorykeeperError, match=r"--prompts DIR|has no key"):
        measure(Setup(say=str, prompts=at, answers=(tmp_path / "a.jsonl",)))
