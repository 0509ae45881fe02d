"""The files of a folder, put together to one tree that has the shape of a Story.

    story.yaml            its head keys, and any sections
    *.yaml                sections only; they add up in the order of the files' names
    scenes/**/*.md        one scene each, in the order of their ids
    what `canon` names    is material, not part of the story's own files

A .md file outside scenes/ is a note and no part of the story. Pure: this is handed names and
bytes, and does not know where they came from.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, structs

from storykeeper.story.characters import decode
from storykeeper.story.model import StoryFile, StorySections
from storykeeper.story.nodes import (
    UNKNOWN,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Unreadable,
    parse,
)
from storykeeper.story.problems import Path, Problem, Severity, did_you_mean, nearest, shown
from storykeeper.story.reader import Spoilt
from storykeeper.story.scenefile import has_head, read_scene, scene_name, scene_node

MAIN_FILE = "story.yaml"
SCENES = "scenes/"
YAML = (".yaml", ".yml")
MARKDOWN = (".md", ".markdown", ".mdown")

_SECTIONS = tuple(StorySections.__struct_fields__)
_IN_SCENES = ("scenes", "gates", "beats")
_HEAD_KEYS = tuple(key for key in StoryFile.__struct_fields__ if key not in _SECTIONS)


class Place(Struct, frozen=True):
    """Where something stands in the author's files."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Sources(Struct, frozen=True):
    """The merged tree, kept to say where each part of the story stands."""

    root: Mapping

    def locate(self, path: Path) -> Place:
        """The place of what this path names, or of the nearest thing around it."""
        node: Node = self.root
        place = Place(MAIN_FILE, 1, 1)
        for part in path:
            if isinstance(part, int):
                if not isinstance(node, Sequence) or part >= len(node.items):
                    return place
                node = node.items[part]
                place = Place(node.file, node.line, node.column)
                continue
            entry = node.entries.get(part) if isinstance(node, Mapping) else None
            if entry is None:
                return place
            node = entry.value
            at: Node | Entry = node if isinstance(node, Scalar) else entry
            place = Place(node.file, at.line, at.column)
        return place


class Gathered(Struct, frozen=True):
    """What the files add up to."""

    sources: Sources
    problems: list[Problem]
    spoilt: Spoilt  # parts of the story that an error may have changed
    unread: tuple[str, ...]  # files that could not be read at all, so that things may be missing
    canon: tuple[str, ...]  # files and folders that are material
    headless: bool  # True if story.yaml is such a file, so that its keys are not missing either


def gather(files: Iterable[tuple[str, bytes]]) -> Gathered:
    """One tree of many files, given by their names in the folder and their bytes."""
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    unread: set[str] = set()
    spoilt: Spoilt = {}
    for name, data in sorted(files):
        if is_note(name):
            problems += _scene_elsewhere(name, data)
            continue
        texts[name], found = decode(data, file=name)
        if found and not texts[name]:
            unread.add(name)
        problems += found
    trees = _trees(texts, problems, unread)
    outside = _canon_paths(trees.values())
    trees = {name: tree for name, tree in trees.items() if not is_below(name, outside)}
    problems = [problem for problem in problems if not is_below(problem.file, outside)]
    unread = {name for name in unread if not is_below(name, outside)}
    entries = _merged(trees, problems, spoilt)
    scenes = []
    for name, text in texts.items():
        if name.endswith(".md") and name not in unread and not is_below(name, outside):
            scenes += _scene(name, text, problems, unread)
    scenes.sort(key=_scene_key)
    entries["scenes"] = Entry("scenes", 1, 1, Sequence(MAIN_FILE, 1, 1, tuple(scenes)))
    main = trees.get(MAIN_FILE)
    line, column = (main.line, main.column) if main else (1, 1)
    root = Mapping(MAIN_FILE, line, column, entries)
    gone = tuple(sorted(unread))
    return Gathered(Sources(root), problems, spoilt, gone, outside, MAIN_FILE in unread)


def is_note(name: str) -> bool:
    """Whether this file is Markdown that is no scene."""
    return name.lower().endswith(MARKDOWN) and not name.startswith(SCENES)


def may_define(name: str) -> tuple[str, ...]:
    """What a file or folder of this name can define, so that it is missing while unread."""
    if is_note(name):
        return ()
    if name.lower().endswith(YAML):
        return _SECTIONS
    return _IN_SCENES if name.lower().endswith(MARKDOWN) else (*_SECTIONS, *_IN_SCENES)


def _trees(texts: dict[str, str], problems: list[Problem], unread: set[str]) -> dict[str, Mapping]:
    trees = {}
    for name, text in texts.items():
        if not name.endswith(".yaml") or name in unread:
            continue
        root, found = parse(text, file=name)
        problems += found
        if isinstance(root, Mapping):
            trees[name] = root
            if any(p.code == "several-documents" for p in found):
                unread.add(name)
        elif root is not None or found:
            unread.add(name)
            if not found:
                what, fix = (
                    "the file is not made of `key: value` lines",
                    "write `cast:` or the like",
                )
                problems.append(_problem("wrong-type", what, fix, name))
    return trees


def _merged(trees: dict[str, Mapping], problems: list[Problem], spoilt: Spoilt) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    parts: dict[str, list[Node]] = {}
    themes: dict[str, Entry] = {}
    for name, tree in trees.items():
        for entry in tree.spoilt:
            _spoil(spoilt, entry.key, name, entry)
        for key, entry in tree.entries.items():
            if key == "themes" and isinstance(entry.value, Mapping):
                _add_themes(themes, entry.value, problems)
                entries.setdefault(key, Entry(key, entry.line, entry.column,
                                              Mapping(name, entry.line, 1, themes)))  # fmt: skip
            elif key in _SECTIONS and isinstance(entry.value, Sequence):
                parts.setdefault(key, []).extend(entry.value.items)
                entries.setdefault(key, entry)
            elif key in _SECTIONS:
                _spoil(spoilt, key, name, entry)
                problems += _no_section(entry, name)
            elif key == "scenes":
                _spoil(spoilt, key, name, entry)
                fix = "write each scene as a file scenes/its-id.md"
                problems.append(
                    _problem("unknown-key", "scenes do not stand here", fix, name, entry)
                )
            elif name == MAIN_FILE:
                entries[key] = entry
            else:
                if key not in _HEAD_KEYS:
                    _spoil(spoilt, nearest(key, _SECTIONS) or UNKNOWN, name, entry)
                problems.append(_stray(entry, name))
    for key, items in parts.items():
        first = entries[key]
        whole = Sequence(first.value.file, first.line, first.column, tuple(items))
        entries[key] = Entry(key, first.line, first.column, whole)
    return entries


def _spoil(spoilt: Spoilt, key: str, file: str, entry: Entry) -> None:
    spoilt.setdefault((key,), Node(file, entry.line, entry.column))


def _no_section(entry: Entry, file: str) -> list[Problem]:
    if isinstance(entry.value, Unreadable):
        return []  # and reported
    shape = "a mapping" if entry.key == "themes" else "a list"
    what, fix = f"`{entry.key}` should be {shape}", f"write {shape} below it, or remove the key"
    return [_problem("wrong-type", what, fix, file, entry)]


def _add_themes(themes: dict[str, Entry], more: Mapping, problems: list[Problem]) -> None:
    for key, entry in more.entries.items():
        if key in themes:
            first = themes[key]
            what = f"the theme `{shown(key)}` is there already, at {first.value.file}:{first.line}"
            problems.append(_problem("duplicate-key", what, "join the two", more.file, entry))
        else:
            themes[key] = entry


def _stray(entry: Entry, file: str) -> Problem:
    if entry.key in _HEAD_KEYS:
        what, fix = f"`{entry.key}` can only be said in {MAIN_FILE}", f"move it to {MAIN_FILE}"
        return _problem("belongs-in-story", what, fix, file, entry)
    known = f"the keys here are {', '.join(_SECTIONS)}"
    what = f"`{shown(entry.key)}` is not a section of a story"
    return _problem("unknown-key", what, did_you_mean(entry.key, _SECTIONS, known), file, entry)


def _scene_elsewhere(name: str, data: bytes) -> list[Problem]:
    if not has_head(data.decode("utf-8-sig", "replace").replace("\r", "\n")):
        return []
    what, fix = "this looks like a scene, but stands outside scenes/", "move it to scenes/"
    stray = _problem("scene-elsewhere", what, fix, name)
    return [structs.replace(stray, severity=Severity.WARNING)]


def _scene(name: str, text: str, problems: list[Problem], unread: set[str]) -> list[Mapping]:
    scene, found = read_scene(text, file=name)
    problems += found
    if scene.head is None:
        unread.add(name)
        return []
    node, more = scene_node(scene, name=scene_name(name))
    problems += more
    return [node]


def _scene_key(node: Mapping) -> tuple[str, str]:
    value = node.entries["id"].value
    named = isinstance(value, Scalar) and isinstance(value.value, str)
    return (value.value if named else "", node.file)  # type: ignore[attr-defined]


def _canon_paths(trees: Iterable[Mapping]) -> tuple[str, ...]:
    """The files and folders that the canon section names, as prefixes."""
    found = []
    for tree in trees:
        canon = tree.entries.get("canon")
        items = canon.value.items if canon and isinstance(canon.value, Sequence) else ()
        for item in items:
            entry = item.entries.get("path") if isinstance(item, Mapping) else None
            if entry and isinstance(entry.value, Scalar) and isinstance(entry.value.value, str):
                found.append(entry.value.value.strip("/").removeprefix("./"))
    return tuple(path for path in found if path not in ("", ".", MAIN_FILE, "scenes"))


def is_below(name: str, folders: tuple[str, ...]) -> bool:
    """Whether a file is one of these, or lies in one of them."""
    return any(name == folder or name.startswith(f"{folder}/") for folder in folders)


def _problem(code: str, what: str, fix: str, file: str, entry: Entry | None = None) -> Problem:
    line, column = (entry.line, entry.column) if entry else (1, 0)
    return Problem(code=code, what=what, fix=fix, file=file, line=line, column=column)
