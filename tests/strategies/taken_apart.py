"""A story taken apart into plain mappings, so that one thing in it can be spoiled and found again.

Where a fault stands is found by PyYAML's own composer, not by our reader, so that a wrong line
number in ours shows.
"""

from copy import deepcopy
from dataclasses import dataclass, field

import yaml

from storykeeper.story.writer import scene_text, scene_tree, story_trees
from storykeeper.story.yamltext import yaml_text

APART = {"people": ("cast",), "places": ("settings", "things"), "knowledge": ("facts", "events"),
         "layers": ("layers", "prophecies")}  # fmt: skip


@dataclass
class Trees:
    """A story taken apart, so that one thing in it can be spoiled."""

    story: object
    trees: dict = field(init=False)
    heads: dict = field(init=False)

    def __post_init__(self):
        self.trees = deepcopy(story_trees(self.story))
        self.heads = {scene.id: deepcopy(scene_tree(scene)) for scene in self.story.scenes}

    def texts(self):
        files = {f"{name}.yaml": yaml_text(tree) for name, tree in self.trees.items()}
        for scene in self.story.scenes:
            files[f"scenes/{scene.id}.md"] = scene_text(self.heads[scene.id], scene)
        return files

    def place(self, path):
        """The file of something in the story, and its path in that file."""
        if path[:1] == ("scenes",):
            scene, rest = self.story.scenes[path[1]], path[2:]
            if rest[:1] == ("beats",) and len(rest) > 1:
                rest = ("beats", scene.beats[rest[1]].id, *rest[2:])
            return f"scenes/{scene.id}.md", rest
        for name, sections in APART.items():
            if path[:1] and path[0] in sections:
                return f"{name}.yaml", path
        return "story.yaml", path

    def tree(self, file):
        if file.startswith("scenes/"):
            return self.heads[file.removeprefix("scenes/").removesuffix(".md")]
        return self.trees[file.removesuffix(".yaml")]

    def get(self, path):
        """The plain value at a path, or None where the files do not say it."""
        file, rest = self.place(path)
        value = self.tree(file)
        for part in rest:
            try:
                value = value[part]
            except (KeyError, IndexError, TypeError):
                return None
        return value

    def put(self, path, value):
        self.get(path[:-1])[path[-1]] = value


@dataclass
class Fault:
    """What was spoiled: the files, where the problem is, and what it may be called."""

    name: str
    files: dict
    file: str
    line: int
    codes: tuple


def line_of(text, path, where):
    """The line of a path in a YAML text: of its `key`, its `node`, or as `locate` decides."""
    first = 1
    if text.startswith("---\n"):
        text, first = text[4:].split("\n---\n", 1)[0], 2
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    line = node.start_mark.line
    for part in path:
        if isinstance(part, int):
            node = node.value[part]
            line = node.start_mark.line
            continue
        key, node = next((k, v) for k, v in node.value if k.value == part)
        on_key = where == "key" or (where == "auto" and not isinstance(node, yaml.ScalarNode))
        line = (key if on_key else node).start_mark.line
    return line + first


def found(name, trees, path, codes, where="auto"):
    """The fault at a path of the story."""
    file, rest = trees.place(path)
    files = trees.texts()
    return Fault(name, files, file, line_of(files[file], rest, where), codes)
