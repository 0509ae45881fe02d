"""Things implied, and times."""

from __future__ import annotations

from reading_prose import read

from strategies.tables import table

IMPLIED = {
    "She sat at the table.": ["chair"],
    "He sat down on the bench.": [],
    "She sat down on a chair.": [],
    "The house sat on a hill.": [],
    "She did not sit down.": [],
    "If she sat down, he would leave.": [],
    "He knocked.": ["door"],
    "He knocked on the window.": [],
    "She drank the coffee.": ["cup"],
    "She drank from the bottle.": [],
    "He poured the wine.": ["jug"],
    "She wrote a letter.": ["pen"],
    "He unlocked the chest.": ["key"],
    "He unlocked the chest with a hairpin.": [],
    "She rode into town.": ["horse"],
    "He shot the wolf.": ["gun"],
    "He shot the wolf with an arrow.": [],
    "She lit the candle.": ["match"],
    "He entered the kitchen.": ["door"],
    "She walked through the door.": [],
    "She walked through into the kitchen.": ["door"],
}

TIMES = {
    "She left yesterday.": ["yesterday"],
    "They sailed at dawn.": ["at dawn"],
    "He died three days ago.": ["three days ago"],
    "She slept for an hour.": ["for an hour"],
    "Come next Tuesday.": ["next Tuesday"],
    "That night it rained.": ["That night"],
    "The next morning she left, and two hours later he followed.":
        ["The next morning", "two hours later"],
    "He came at three o'clock.": ["at three o'clock"],
    "It was cold.": [],
    "The day before the wedding she left.": [],
}  # fmt: skip


@table("text, what", IMPLIED.items())
def test_implied(text: str, what: list[str]):
    reading = read(text)
    assert [i.what for i in reading.implied] == what
    assert all(i.because in text for i in reading.implied)


@table("text, expected", TIMES.items())
def test_times(text: str, expected: list[str]):
    reading = read(text)
    assert [t.text for t in reading.times] == expected
    assert all(text[t.start : t.end] == t.text for t in reading.times)
