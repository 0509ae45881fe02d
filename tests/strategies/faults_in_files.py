"""Single faults against YAML and the shape of the files."""

from strategies.taken_apart import Fault, line_of


def _added(name, file, text, code, *, lines=1):
    """A fault made by adding text to the end of a file; it stands on its first added line."""

    def make(trees, random):
        files = trees.texts()
        target = file or f"scenes/{random.choice(trees.story.scenes).id}.md"
        line = files[target].count("\n") + lines
        files[target] = files[target].encode() + text
        return Fault(name, files, target, line, (code,))

    return make


def _format(name, value, code):
    """A fault in place of the first value of story.yaml."""

    def make(trees, random):
        files = trees.texts()
        assert files["story.yaml"].startswith("format: 1\n")
        files["story.yaml"] = files["story.yaml"].replace("format: 1", f"format: {value}", 1)
        return Fault(name, files, "story.yaml", 1, (code,))

    return make


def unclosed_head(trees, random):
    files = trees.texts()
    file = f"scenes/{random.choice(trees.story.scenes).id}.md"
    files[file] = files[file].split("\n---\n", 1)[0] + "\n"
    return Fault("unclosed head", files, file, 1, ("unclosed-head",))


def no_head(trees, random):
    files = trees.texts()
    file = f"scenes/{random.choice(trees.story.scenes).id}.md"
    files[file] = files[file].removeprefix("---\n")
    return Fault("no head", files, file, 1, ("no-head",))


def beat_without_prose(trees, random):
    beats = trees.get(("scenes", 0)).setdefault("beats", {})
    beats["zz-silent"] = {"happens": [trees.story.events[0].id]}
    file = f"scenes/{trees.story.scenes[0].id}.md"
    files = trees.texts()
    line = line_of(files[file], ("beats", "zz-silent"), "key")
    return Fault("beat without prose", files, file, line, ("beat-without-prose",))


FILES = (
    _added("duplicate key", "story.yaml", b"title: Again\n", "duplicate-key"),
    _added("tab", "people.yaml", b"zz:\n\tb: 1\n", "tab", lines=2),
    _added("merge key", "story.yaml", b"<<: {a: 1}\n", "merge-key"),
    _added("second document", "places.yaml", b"---\na: 1\n", "several-documents"),
    _added("control character", "story.yaml", b"# \x07\n", "control-character"),
    _added("NUL in prose", None, b"\x00\n", "control-character"),
    _added("escaped control character", "story.yaml", b'"a\\0b": 1\n', "control-character"),
    _added("bytes that are not UTF-8", "layers.yaml", b"# \xff\n", "not-utf8"),
    _added("lone surrogate", "story.yaml", b"# \xed\xa0\x80\n", "not-utf8"),
    _added("key that is not text", "knowledge.yaml", b"1: x\n", "bad-key"),
    _added("colon without quotes", "story.yaml", b"zz: a: b\n", "syntax"),
    _added("quotation mark left open", "story.yaml", b'zz: "a\n', "syntax"),
    _added("nesting without end", "story.yaml", b"zz: " + b"[" * 99 + b"]" * 99, "too-deep"),
    _added("head key elsewhere", "people.yaml", b"title: x\n", "belongs-in-story"),
    _added("unknown section", "people.yaml", b"casts: []\n", "unknown-key"),
    _added("scenes in YAML", "story.yaml", b"scenes: []\n", "unknown-key"),
    _added("duplicate beat", None, b"## opening\n\nx\n", "duplicate-beat"),
    _added("empty beat", None, b"## zz-empty\n", "empty-beat"),
    _added("beat with spaces", None, b"## Zz Spaces\n\nx\n", "bad-id"),
    _added("fence left open", None, b"```\n", "unclosed-fence"),
    _format("anchor", "&a 1", "anchor"),
    _format("alias", "*a", "alias"),
    _format("tag", "!!int 1", "tag"),
    _format("not a number", ".nan", "bad-number"),
    _format("number without end", "1e999", "bad-number"),
    unclosed_head,
    no_head,
    beat_without_prose,
)
