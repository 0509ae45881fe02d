"""docs/reference/time.md: every example on the page is read as the page says."""

import re
from datetime import UTC, datetime
from pathlib import Path

from storykeeper.language.time import Asked, Session, Timeline, find, narrow, resolve

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "time.md").read_text(encoding="utf-8")
USES, READINGS = PAGE.split("## What is understood")
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
HEADS = ("words", "the question", "---")
DAY = re.compile(r"(\d+\s\w+\s\d{4}),\s(\d+):00")


def rows(part):
    return [(a.strip(), b.strip()) for a, b in ROW.findall(part) if a.strip() not in HEADS]


def ms(day, hour):
    at = datetime.strptime(" ".join(f"{day} {hour}".split()), "%d %B %Y %H").replace(tzinfo=UTC)
    return int(at.timestamp() * 1000)


def asked():
    starts = [ms(*said) for said in DAY.findall(READINGS.split("###")[0])]
    assert len(starts) == 11
    sessions = [Session(str(n), at, at + 45 * 60_000) for n, at in enumerate(starts)]
    return Asked(ms("22 October 2023", 12), Timeline(sessions), turn=40)


def reading(words):
    (expression,) = find(words)
    when = resolve(expression, asked())
    separator = " is read as " if when.windows else "”: "
    return when.explanation.split(separator, 1)[1]


def test_every_reading_on_the_page():
    shown = rows(READINGS)
    assert len(shown) > 50
    assert {words: reading(words) for words, _ in shown} == dict(shown)


def test_every_use_on_the_page():
    now, timeline = asked().now_ms, asked().timeline
    shown = rows(USES)
    found = {
        question: str(narrow(question, now=now, sessions=timeline).kind) for question, _ in shown
    }
    assert found == dict(shown)
    assert set(found.values()) == {"pure", "talk", "boost", "event", "none"}
