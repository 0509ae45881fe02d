"""What characters act by: what `check` says of lines, tellers and attempts that cannot be."""

import re
from pathlib import Path

from strategies.small import SHORE, STORY, codes, lines, read
from strategies.tables import table

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "characters.md"
DEL = "  - {id: del, name: Del, line: Waits., capabilities: [rows]"
FACT = "facts:\n  - {id: key, full: The key lies in the oats., about: [del], known_by: {del: lived}"
EVENT = "events: [{id: rowed, summary: x}, {id: sunk, summary: y}]\n"
HEARD = "when: {did: {who: player, act: ask, to: del}}"
WITH_DEL = SHORE.replace("ending", "cast: {required: [del]}\nending")


def reading_of(person="", fact="", more=""):
    text = f"{STORY}{DEL}{person}}}\n{FACT}{fact}}}\n{more}"
    return read({"story.yaml": text, "scenes/shore.md": WITH_DEL})


def test_a_character_with_a_mind_has_no_problems():
    person = (
        f", tells: [{{fact: key, {HEARD}, to: [present]}}], shows: [{{text: '{{who}} waits.'}}]"
        f", does: [{{happens: rowed, {HEARD}, takes: rows, chance: .5, fails: sunk}}]"
    )
    reading = reading_of(person, ", shows: [{text: '{who} looks at the oats.'}]", EVENT)
    assert codes(reading) == []
    assert reading.story is not None


@table(
    "person, fact, more, code",
    [
        (", shows: [{text: '{who} '}]", "", "", "shows-nothing"),
        (f", tells: [{{fact: key, {HEARD}, to: [del]}}]", "", "", "told-to-oneself"),
        (f", tells: [{{fact: key, {HEARD}, suspects: true}}]", "", "", "no-hint"),
        (f", does: [{{happens: rowed, {HEARD}, takes: flies}}]", "", EVENT, "not-capable"),
        (f", does: [{{happens: rowed, {HEARD}, fails: sunk}}]", "", EVENT, "never-fails"),
        ("", ", shows: [{text: A look., who: [mara, del]}]", "", "whose"),
        (", tells: [{fact: key, when: {happened: sunk}}]", "", EVENT, "never"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_with_its_line(person, fact, more, code):
    reading = reading_of(person, fact, more)
    found = lines(reading, code)
    assert found, [str(p) for p in reading.problems]
    assert re.match(r"story\.yaml:\d+", found[0])


def test_somebody_who_never_has_a_fact_cannot_tell_it():
    text = f"{STORY[:-1]}\n    tells: [{{fact: key, {HEARD}}}]\n{DEL}}}\n{FACT}}}\n"
    reading = read({"story.yaml": text, "scenes/shore.md": WITH_DEL})
    assert lines(reading, "teller-lacks")[0].startswith("story.yaml:10")


def test_a_lie_needs_no_knowledge():
    lie = "  - {id: lost, full: The key was lost., confidence: 0.1}\n"
    reading = reading_of(f", tells: [{{fact: lost, {HEARD}}}]", "", lie)
    assert codes(reading) == []


def test_a_secret_that_somebody_tells_can_be_learned():
    secret = ", secret: true, hint: Something rattles."
    assert "secret-kept" in codes(reading_of("", secret))
    assert "secret-kept" not in codes(reading_of(f", tells: [{{fact: key, {HEARD}}}]", secret))


def test_a_line_that_shows_too_much_is_found():
    told = ", shows: [{text: '{who} says that the key lies in the oats.'}]"
    assert lines(reading_of("", told), "secret-told")


def test_an_event_that_is_attempted_can_happen():
    does = f", does: [{{happens: rowed, {HEARD}, chance: .5, fails: sunk}}]"
    assert "never-happens" not in codes(reading_of(does, "", EVENT))
    assert "never-happens" in codes(reading_of("", "", EVENT))


def test_the_page_is_read_without_a_problem():
    for block in re.findall(
        r"^```yaml sections\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL
    ):
        reading = read({"more.yaml": block})
        assert "unknown-key" not in codes(reading)
