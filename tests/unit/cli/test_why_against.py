"""`why` and `why --against`: two receipts compared, and what a receipt is.

What was shown is on record with two hashes; everything else of a receipt is made again.
"""

from __future__ import annotations

import re
from dataclasses import fields
from decimal import Decimal
from math import prod

import msgspec
import pytest
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli.main import app
from storykeeper.cli.why import FACTORS, compared, explained
from storykeeper.context.receipt import AudienceReceipt, AuthorReceipt
from storykeeper.events.codec import encode
from storykeeper.events.turns import WindowAssembled
from strategies.runs import kept, records, script, tell

ONE, OTHER = 20, 22


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The path, what its windows were as it was played, and the file."""
    path = tmp_path_factory.mktemp("run") / "run.db"
    windows = {}
    with kept(path) as keeper:
        for line in ("", *script("two-keepers")[:OTHER]):
            turn = tell(keeper, keeper.begin(line) if line else keeper.opening())
            windows[turn.number] = turn.window
    return path, windows


def standing(window):
    ranked = {e.id: e for e in (*window.receipt.left_out, *window.receipt.shown)}
    return ranked, {e.id for e in window.receipt.shown}


def lines(text):
    """Of every item: its mark, and what is said of it."""
    said = [line for line in text.splitlines()[1:] if line[1:2] == " "]
    return {line[2:].partition(": ")[0]: (line[0], line.partition(": ")[2]) for line in said}


def test_every_item_that_changed_is_there_with_how_it_stood_in_both(run):
    _, windows = run
    said = lines(compared(windows[ONE], windows[OTHER]))
    (a, shown_a), (b, shown_b) = standing(windows[ONE]), standing(windows[OTHER])
    for mark, names in {
        "+": shown_b - shown_a, "-": shown_a - shown_b,
        "~": {n for n in shown_a & shown_b
              if (a[n].form, a[n].tokens, a[n].score) != (b[n].form, b[n].tokens, b[n].score)},
    }.items():  # fmt: skip
        assert {name for name, (found, _) in said.items() if found == mark} == names
        assert names
    for name in shown_b - shown_a:
        if name not in a:
            assert said[name][1].startswith(("not considered → ", "withheld by the rule"))
        else:
            assert said[name][1].startswith("left out (")


_SUM = re.compile(
    r"^ +(?P<factors>relevance .*?) = (?P<score>[\d.]+)(?:.*most of (?P<pulls>.*)\))?"
)


def test_what_is_shown_multiplies_to_the_score_that_is_shown(run):
    _, windows = run
    sums = [found for window in windows.values() for line in explained(window).splitlines()
            if (found := _SUM.match(line))]  # fmt: skip
    assert len(sums) > 200
    for found in sums:
        factors = dict(part.rsplit(" ", 1) for part in found["factors"].split(" · "))
        product = prod(Decimal(value) for value in factors.values())
        assert abs(product - Decimal(found["score"])) <= Decimal("0.0005"), found.group()
        if found["pulls"]:
            most = max(Decimal(each.rsplit(" ", 1)[1]) for each in found["pulls"].split(", "))
            assert Decimal(factors["gravity"]) == 1 + most, found.group()
    assert sum(len(found["factors"]) for found in sums) < 45 * len(sums)  # and no more digits


def test_a_factor_that_moved_is_seen_to_have_moved(run):
    _, windows = run
    text = compared(windows[ONE], windows[OTHER])
    moved = re.findall(r"(?:relevance|gravity|recency|temperature) ([\d.]+) → ([\d.]+)", text)
    assert moved
    assert all(was != now for was, now in moved)


def test_the_factors_that_moved_are_named_and_no_others(run):
    _, windows = run
    said = lines(compared(windows[ONE], windows[OTHER]))
    (a, _), (b, _) = standing(windows[ONE]), standing(windows[OTHER])
    both = [name for name in said if name in a and name in b]
    moved = 0
    for name in both:
        for factor in FACTORS:
            was, now = getattr(a[name].terms, factor), getattr(b[name].terms, factor)
            shown = re.search(rf"{factor} ([\d.]+) → ([\d.]+)", said[name][1])
            assert bool(shown) == (was != now)
            if shown:
                values = [float(each) for each in shown.groups()]
                assert values == pytest.approx([was, now], abs=0.005)
            moved += was != now
    assert moved > 5


def test_the_other_way_round_what_came_went(run):
    _, windows = run
    there = lines(compared(windows[ONE], windows[OTHER]))
    back = lines(compared(windows[OTHER], windows[ONE]))
    other_way = {"+": "-", "-": "+", "~": "~", "·": "·"}
    assert {n: other_way[mark] for n, (mark, _) in there.items()} == {
        n: mark for n, (mark, _) in back.items()
    }


def test_one_item_of_two_turns(run):
    path, windows = run
    done = CliRunner().invoke(app, ["why", str(path), str(OTHER), "mara", "--against", str(ONE)])
    assert done.exit_code == 0, done.output
    head, *rest = done.stdout.splitlines()
    assert head == f"turn {ONE} against turn {OTHER}"
    named = [line for line in rest if line[1:2] == " "]
    assert named
    assert all("mara" in line for line in named)
    assert compared(windows[ONE], windows[ONE]) == f"turn {ONE} against turn {ONE}: the same items"


def test_a_receipt_is_made_again_and_not_kept(run):
    path, windows = run
    with Storykeeper.open(path, read_only=True) as keeper:
        for number in (0, ONE, OTHER):
            again = keeper.window_of(number)
            assert again.receipt == windows[number].receipt
            assert again.receipt_digest == windows[number].receipt_digest
        kept_of_it = records(keeper, WindowAssembled)
    for record in kept_of_it:
        assert record.receipt == windows[record.turn].receipt_digest
        assert record.shown == windows[record.turn].shown
        stored = msgspec.json.decode(encode(record).payload)
        assert not {"score", "terms", "left_out", "refused", "reason"} & stored.keys()


def test_the_authors_receipt_and_an_audiences_are_two_types(run):
    _, windows = run
    window = next(each for each in windows.values() if each.receipt.refused)
    told = window.receipt_for("narrator")
    assert (type(window.receipt), type(told)) == (AuthorReceipt, AudienceReceipt)
    assert not issubclass(AuthorReceipt, AudienceReceipt)
    assert not issubclass(AudienceReceipt, AuthorReceipt)
    more = {each.name for each in fields(AuthorReceipt)} - {f.name for f in fields(AudienceReceipt)}
    assert {"refused", "landscape", "prefix", "spent"} <= more
    body = msgspec.json.encode(told).decode()
    for refused in window.receipt.refused:
        assert f'"{refused.id}"' not in body
