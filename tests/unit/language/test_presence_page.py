"""docs/reference/presence.md: every example on the page is read as the page says."""

from pathlib import Path

from storykeeper.language.presence import Presence, Utterance, perceivers, signs

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "presence.md"
CAST = ("Ana", "Bo", "Cy", "Dora")
HEADS = ("words", "who", "---")


def rows(section):
    text = PAGE.read_text(encoding="utf-8")
    part = next(p for p in text.split("\n## ") if p.startswith(section))
    cells = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")]
    stripped = [[cell.strip() for cell in row] for row in cells]
    return [row for row in stripped if row[0] not in HEADS]


def reading(words):
    found = sorted(signs(words, speaker="Bo", cast=CAST), key=lambda sign: sign.who)
    shown = (f"{s.who} {s.kind}{'' if s.sure else '?'}: {s.words}" for s in found)
    return "; ".join(shown) or "nothing"


def said(shown):
    return [Utterance(row[0], row[1]) for row in shown]


def people(names):
    return tuple(names.split(", "))


def test_every_utterance_on_the_page():
    shown = rows("One utterance")
    assert len(shown) > 35
    assert {words: reading(words) for words, _ in shown} == dict(shown)


def test_the_talk_as_it_is_said():
    shown = rows("A talk as it is said")
    presence = Presence(CAST[:3])
    found = [presence.after(utterance) for utterance in said(shown)]
    assert found == [people(row[2]) for row in shown]


def test_the_talk_that_is_over():
    shown = rows("A talk that is over")
    presence = Presence(CAST)
    causal = [presence.after(utterance) for utterance in said(shown)]
    assert causal == [people(row[2]) for row in shown]
    assert perceivers(said(shown), cast=CAST) == [people(row[3]) for row in shown]


def test_the_code_on_the_page():
    presence = Presence(["Ana", "Bo", "Cy"], present=["Ana", "Bo"])
    assert presence.after(Utterance("Ana", "Shall we begin?")) == ("Ana", "Bo")
    (sign,) = signs("I have to run, see you later.", speaker="bo", cast={"bo": ["Bo Hale", "Bo"]})
    assert (sign.who, sign.kind, sign.words) == ("bo", "leaves", "I have to run")
