r"""A scene file: a YAML head between `---` lines, then prose in beats.

    ---
    title: The tower
    beats:
      the-lamp: {when: {knows: {who: player, fact: the-light}}}
    ---
    What stands before the first heading is the beat `opening`.

    ## the-lamp
    And this is the beat `the-lamp`.

A line that begins with `## ` outside fenced code begins a beat. To have such a line in the prose
itself, put a backslash before it, as Markdown does: `\## not a beat`. The same holds for a fence
that is not meant as one. One backslash is taken away when the file is read and given back when it
is written, so any prose survives. `---` needs no escape below the head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from storykeeper.story.nodes import Entry, Mapping, Node, Scalar, Sequence, Unreadable, parse
from storykeeper.story.problems import Problem, did_you_mean, shown, slug
from storykeeper.units import ID_PATTERN

OPENING = "opening"  # the beat of the prose before the first heading

_HEADING = re.compile(r"##(?:[ \t]+(.*?))?[ \t]*(?:[ \t]#+[ \t]*)?$")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_ESCAPED = re.compile(r"(?<!\\)( {0,3})\\(?=\\*(?:##(?:[ \t]|$)|```|~~~))")
_ESCAPABLE = re.compile(r"(?<!\\)( {0,3})(?=\\*(?:##(?:[ \t]|$)|```|~~~))")


class BeatText(Struct, frozen=True):
    """One beat as it stands in the file."""

    id: str
    line: int  # of its heading, or of its prose if it has none
    prose: str
    prose_line: int


class SceneText(Struct, frozen=True):
    """A scene file taken apart; `head` is None where it could not be read."""

    file: str
    head: Mapping | None
    beats: tuple[BeatText, ...]
    sure: bool = True  # False if there may be other beats than these


def has_head(text: str) -> bool:
    """Whether the text begins like a scene file."""
    return text.startswith("---") and text.split("\n", 1)[0].rstrip() == "---"


def read_scene(text: str, *, file: str) -> tuple[SceneText, list[Problem]]:
    """The head and the beats of one file, and all that is wrong with its shape."""
    if not has_head(text):
        fix = "begin the file with a line `---`, then `title: …`, then another line `---`"
        problem = Problem(code="no-head", what="the scene has no head", fix=fix, file=file, line=1)
        return SceneText(file, None, ()), [problem]
    lines = text.split("\n")
    end = next((i for i in range(1, len(lines)) if lines[i].rstrip() == "---"), None)
    if end is None:
        what, fix = "the head begins here and is never closed", "close it with a line `---`"
        problem = Problem(code="unclosed-head", what=what, fix=fix, file=file, line=1, column=1)
        return SceneText(file, None, ()), [problem]
    root, problems = parse("\n".join(lines[1:end]), file=file, first_line=2)
    beats, more = split_beats(lines[end + 1 :], file=file, first_line=end + 2)
    head = root if isinstance(root, Mapping) else None
    if head is None and not problems:
        what = "the head is empty" if root is None else "the head is not made of `key: value` lines"
        fix = "write at least `title: …`"
        problems.append(Problem(code="no-head", what=what, fix=fix, file=file, line=1))
    sure = all(p.code == "empty-beat" for p in more)
    return SceneText(file, head, tuple(beats), sure), problems + more


def split_beats(
    lines: list[str], *, file: str, first_line: int
) -> tuple[list[BeatText], list[Problem]]:
    """The prose cut at its headings."""
    problems: list[Problem] = []
    beats: list[BeatText] = []
    seen: dict[str, int] = {}
    for beat in _sections(lines, file=file, first_line=first_line, problems=problems):
        if beat.id in seen:
            what = f"the beat `{beat.id}` stands here twice, first on line {seen[beat.id]}"
            problems.append(_at(beat.line, "duplicate-beat", what, "rename one of them", file))
            continue
        seen[beat.id] = beat.line
        if not beat.prose:
            what = f"the beat `{beat.id}` has no prose"
            problems.append(_at(beat.line, "empty-beat", what, "write it or remove it", file))
        beats.append(beat)
    return beats, problems


def _sections(
    lines: list[str], *, file: str, first_line: int, problems: list[Problem]
) -> Iterator[BeatText]:
    name, heading_at, body, body_at = OPENING, 0, list[str](), first_line
    for number, line, fenced in _scanned(lines, first_line):
        heading = None if fenced else _HEADING.match(line)
        if not heading:
            body.append(line if fenced else _ESCAPED.sub(r"\1", line, count=1))
            continue
        yield from _beat(name, heading_at, body, body_at)
        name, heading_at, body, body_at = heading.group(1) or "", number, [], number + 1
    yield from _beat(name, heading_at, body, body_at)
    if opened := unclosed_fence(lines):
        what = "a code fence opens here and is never closed, so headings below it are not beats"
        fix = r"close it, or put a backslash before it: `\```"
        problems.append(_at(first_line + opened - 1, "unclosed-fence", what, fix + "`", file))


def _beat(name: str, heading_at: int, body: list[str], body_at: int) -> Iterator[BeatText]:
    prose, skipped = trimmed(body)
    if heading_at or prose:
        line = body_at + skipped if prose else heading_at
        yield BeatText(name, heading_at or line, prose, line)


def trimmed(lines: list[str]) -> tuple[str, int]:
    """The lines without the blank ones around them, and how many were taken from the front."""
    first = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    last = next((i for i in range(len(lines), first, -1) if lines[i - 1].strip()), first)
    return "\n".join(lines[first:last]), first


def _scanned(lines: list[str], first_line: int) -> Iterator[tuple[int, str, bool]]:
    """Each line with its number, and whether it is part of fenced code."""
    fence = ""
    for i, line in enumerate(lines):
        mark = _FENCE.match(line)
        inside = bool(fence)
        if not fence and mark:
            fence = mark.group(1)
        elif mark and _closes(line, fence):
            fence = ""
        yield first_line + i, line, inside or bool(mark)


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


def unclosed_fence(lines: list[str]) -> int:
    """The line, from 1, of a fence that is never closed; 0 if there is none."""
    fence, opened = "", 0
    for number, line in enumerate(lines, 1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence, opened = mark.group(1), number
        elif mark and _closes(line, fence):
            fence = ""
    return opened if fence else 0


def escaped(prose: str) -> str:
    """The prose as a scene file has it, so that none of it is mistaken for a heading."""
    lines = prose.split("\n")
    done = set()
    while opened := unclosed_fence(lines):  # a fence only in looks: nothing below is code
        lines[opened - 1] = _escape(lines[opened - 1])
        done.add(opened)
    return "\n".join(
        line if fenced or number in done else _escape(line)
        for number, line, fenced in _scanned(lines, 1)
    )


def _escape(line: str) -> str:
    return _ESCAPABLE.sub(r"\1\\", line, count=1)


def scene_node(scene: SceneText, *, name: str) -> tuple[Mapping, list[Problem]]:
    """The file as one mapping: the head, its id, and the beats as a list with their prose."""
    problems: list[Problem] = []
    head = scene.head or Mapping(scene.file, 1, 1, {})
    entries = {key: entry for key, entry in head.entries.items() if key != "beats"}
    if "id" not in entries:
        if not re.fullmatch(ID_PATTERN, name):
            what = f"the file's name `{shown(name)}` is no id, and the head has none"
            fix = f"add `id: {slug(name) or 'a-name'}` to the head, or rename the file"
            problems.append(_at(1, "bad-id", what, fix, scene.file))
            name = slug(name)
        known = Scalar(scene.file, 1, 1, name) if name else Unreadable(scene.file, 1, 1)
        entries["id"] = _entry("id", known)
    before = len(problems)
    said = _beat_heads(head, {beat.id for beat in scene.beats}, problems)
    beats = tuple(_beat_node(scene.file, beat, said.get(beat.id), problems) for beat in scene.beats)
    line = beats[0].line if beats else head.line
    entries["beats"] = _entry("beats", Sequence(scene.file, line, 1, beats))
    spoilt = head.spoilt
    if not scene.sure or len(problems) > before or not _beats_sure(head):
        spoilt += (entries["beats"],)
    return Mapping(scene.file, head.line, head.column, entries, spoilt), problems


def _beats_sure(head: Mapping) -> bool:
    """Whether all that the head says of beats could be read."""
    entry = head.entries.get("beats")
    if entry is None or not isinstance(entry.value, Mapping):
        return entry is None
    beats = entry.value
    return not beats.spoilt and all(isinstance(b.value, Mapping) for b in beats.entries.values())


def _beat_heads(head: Mapping, told: set[str], problems: list[Problem]) -> dict[str, Mapping]:
    entry = head.entries.get("beats")
    if entry is None or isinstance(entry.value, Unreadable):
        return {}
    if not isinstance(entry.value, Mapping):
        what = "`beats` is not a mapping from a beat's id to what is said of it"
        fix = "write `beats:` and below it, indented, `the-id: {when: …}`"
        problems.append(_at_node(entry.value, "wrong-type", what, fix))
        return {}
    said = {}
    for key, beat in entry.value.entries.items():
        if key not in told:
            what = f"the head speaks of a beat `{key}`, but the prose has no heading `## {key}`"
            fix = did_you_mean(key, told, f"add the heading `## {key}` and its prose")
            problems.append(_at(beat.line, "beat-without-prose", what, fix, head.file, beat.column))
        if isinstance(beat.value, Mapping):
            said[key] = beat.value
        elif not isinstance(beat.value, Unreadable):
            what = f"what is said of the beat `{key}` is not made of `key: value` pairs"
            problems.append(_at_node(beat.value, "wrong-type", what, f"write `{key}: {{when: …}}`"))
    return said


def _beat_node(file: str, beat: BeatText, said: Mapping | None, problems: list[Problem]) -> Mapping:
    entries: dict[str, Entry] = {}
    for key, entry in said.entries.items() if said else ():
        if key in ("id", "prose"):
            what = f"`{key}` cannot be said of a beat here"
            fix = "its id is its heading, its prose stands below it"
            problems.append(_at(entry.line, "unknown-key", what, fix, file, entry.column))
        else:
            entries[key] = entry
    entries["id"] = _entry("id", Scalar(file, beat.line, 1, beat.id))
    entries["prose"] = _entry("prose", Scalar(file, beat.prose_line, 1, beat.prose))
    return Mapping(file, beat.line, 1, entries, said.spoilt if said else ())


def scene_name(file: str) -> str:
    """The id that a scene has by its file's name."""
    return file.rsplit("/", 1)[-1].removesuffix(".md")


def _entry(key: str, value: Node) -> Entry:
    return Entry(key, value.line, value.column, value)


def _at(line: int, code: str, what: str, fix: str, file: str, column: int = 1) -> Problem:
    return Problem(code=code, what=what, fix=fix, file=file, line=line, column=column)


def _at_node(node: Node, code: str, what: str, fix: str) -> Problem:
    return _at(node.line, code, what, fix, node.file, node.column)
