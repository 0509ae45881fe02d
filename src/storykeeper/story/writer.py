"""A story to the files an author would have written; reading them gives an equal story.

Every section goes to one file, scenes to `scenes/<id>.md`, so nothing depends on the order of
files. Defaults are left out. Prose is kept as it is, but for blank lines around it and for the
backslash before a line that would look like a heading (see `scenefile`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import NODEFAULT, Struct

from storykeeper.story.characters import MAX_FILE_BYTES
from storykeeper.story.model import Story
from storykeeper.story.reader import shape_of
from storykeeper.story.scenefile import OPENING, escaped
from storykeeper.story.scenes import Scene
from storykeeper.story.yamltext import yaml_text

_FILES = {
    "people": ("cast",),
    "places": ("settings", "things"),
    "knowledge": ("facts", "events"),
    "layers": ("layers", "prophecies"),
}
_ELSEWHERE = frozenset(section for sections in _FILES.values() for section in sections)
_IN_MAIN = ("canon", "themes")  # after the head


def write_story(story: Story) -> dict[str, str]:
    """The files of a story: their names in its folder, and their text."""
    main, *others = story_trees(story).items()
    files = {f"{main[0]}.yaml": yaml_text(main[1])}
    for name, sections in others:
        files |= _section_files(name, sections)
    for scene in story.scenes:
        files[f"scenes/{scene.id}.md"] = scene_text(scene_tree(scene), scene)
    return files


def story_trees(story: Story) -> dict[str, dict[str, object]]:
    """What each YAML file holds, by its name without the ending; `story` comes first."""
    whole = {"format": story.format, **tree_of(story, skip=("scenes",))}
    head = {key: value for key, value in whole.items() if key not in _ELSEWHERE}
    last = {key: head.pop(key) for key in _IN_MAIN if key in head}
    trees = {"story": {**head, **last}}
    return trees | {name: _only(whole, sections) for name, sections in _FILES.items()}


def scene_tree(scene: Scene) -> dict[str, object]:
    """The head of a scene file."""
    head = tree_of(scene, skip=("id", "beats"))
    said = {beat.id: tree_of(beat, skip=("id", "prose")) for beat in scene.beats}
    said = {name: beat for name, beat in said.items() if beat}
    return {**head, "beats": said} if said else head


def scene_text(head: dict[str, object], scene: Scene) -> str:
    """One scene file: its head, and the prose of its beats."""
    lines = ["---", yaml_text(head).rstrip("\n"), "---"]
    for i, beat in enumerate(scene.beats):
        if i or beat.id != OPENING:
            lines += ["", f"## {beat.id}"]
        lines += ["", escaped(beat.prose)]
    return "\n".join(lines) + "\n"


def _section_files(name: str, sections: dict[str, object]) -> dict[str, str]:
    """One file, or where it would be too large to handle, several for each section."""
    text = yaml_text(sections)
    if len(text.encode()) <= MAX_FILE_BYTES // 2:
        return {f"{name}.yaml": text} if text else {}
    files = {}
    for section, items in sections.items():
        assert isinstance(items, list)
        for number, part in enumerate(_parts(section, items), 1):
            files[f"{section}-{number:03d}.yaml"] = yaml_text({section: part})
    return files


def _parts(section: str, items: list[object]) -> Iterator[list[object]]:
    small = len(yaml_text({section: items}).encode()) <= MAX_FILE_BYTES // 2
    if small or len(items) == 1:
        yield items
        return
    middle = len(items) // 2
    yield from _parts(section, items[:middle])
    yield from _parts(section, items[middle:])


def _only(mapping: dict[str, object], keys: tuple[str, ...]) -> dict[str, object]:
    return {key: mapping[key] for key in keys if key in mapping}


def tree_of(struct: Struct, *, skip: tuple[str, ...] = ()) -> dict[str, object]:
    """The keys an author would have to write, in the order of the model, by their own names."""
    plain: dict[str, object] = {}
    for field in shape_of(type(struct)).fields:
        value = getattr(struct, field.name)
        if field.name in skip or _is_default(value, field.default, field.default_factory):
            continue
        plain[field.encode_name] = _value(value)
    return plain


def _is_default(value: object, default: object, factory: object) -> bool:
    if default is not NODEFAULT:
        return value == default
    return factory is not NODEFAULT and not value


def _value(value: object) -> object:
    match value:
        case Struct():
            return tree_of(value)
        case StrEnum():
            return str(value)
        case tuple():
            return [_value(item) for item in value]
        case dict():
            return {key: _value(item) for key, item in value.items()}
        case _:
            return value
