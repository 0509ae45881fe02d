"""The smallest story that has no problems, and a reader for it in memory."""

from storykeeper.story.reading import read_files

STORY = """\
id: small
title: Small
players: [mara]
start: shore
voice: Plain.
cast:
  - id: mara
    name: Mara
    line: She keeps the light.
"""
SHORE = """\
---
title: The shore
ending: true
---
The tide is out.
"""
FILES = {"story.yaml": STORY, "scenes/shore.md": SHORE}


def read(more=(), *, without=(), **options):
    """Reads the small story with other files in it, or with some of its own replaced."""
    files = {**FILES, **dict(more)}
    given = [
        (name, text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        for name, text in files.items()
        if name not in without
    ]
    return read_files(given, **options)


def lines(reading, *codes):
    """The problems of these codes, as people see them."""
    return [str(p) for p in reading.problems if p.code in codes]


def codes(reading):
    """The codes of all errors and warnings."""
    return [p.code for p in (*reading.errors, *reading.warnings)]
