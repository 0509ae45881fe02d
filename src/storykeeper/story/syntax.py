"""What a YAML parser's complaint means in an author's words."""

from __future__ import annotations

import re

import yaml

from storykeeper.story.problems import Problem

_QUOTE = "text that holds a colon or begins with a special character must stand in quotes"
_NO_DIRECTIVES = "directives are not used here"
_ALIGN = "keys that belong together begin in the same column"

# In the order in which they are tried; the words are those of libyaml.
_SAYINGS = (
    ("mapping values are not allowed", "there is a colon where none can stand", _QUOTE),
    ("did not find expected key", "this line does not fit the lines above it", _ALIGN),
    ("did not find expected '-'", "a list goes on here without a dash",
     "every item begins with `- `, in the same column"),
    ("could not find expected ':'", "a key without a colon, or text that began further left",
     "write `key: value`, and indent the lines of a text below its key"),
    ("cannot start any token", "a value cannot begin with this character", _QUOTE),
    ("unexpected end of stream", "a quotation mark is never closed", "close it"),
    ("unexpected document indicator", "a quotation mark is never closed", "close it"),
    ("expected ',' or ']'", "a list in brackets is not closed", "add the `]` or a comma"),
    ("expected ',' or '}'", "a mapping in braces is not closed", "add the `}` or a comma"),
    ("expected node content", "a list or a mapping in brackets is not closed, or lacks a value",
     "close it, and write a value after every comma and colon"),
    ("unknown escape character", "a backslash in double quotes is followed by the wrong letter",
     "use single quotes, or write two backslashes"),
    ("did not find expected hexdecimal", "an escape in double quotes lacks its digits",
     "use single quotes, or write two backslashes"),
    ("invalid Unicode character", "an escape in double quotes is no character",
     "write the character itself"),
    ("did not find expected alphabetic", "`&` or `*` at the beginning of a value", _QUOTE),
    ("expected <document start>", "there is more text after the end of the document",
     "indent everything alike"),
    ("block sequence entries are not allowed", "a dash where no list can begin",
     "begin the list on a line of its own"),
    ("block mapping", "this line does not fit the lines above it", _ALIGN),
)  # fmt: skip

_LEFT_OPEN = (
    "could not find expected ':'", "unexpected end of stream", "unexpected document indicator",
    "expected ',' or", "expected node content",
)  # fmt: skip


def explained(error: yaml.YAMLError, text: str, *, file: str, first_line: int) -> Problem:
    """The parser's error as a problem of ours, at the place where it gave up."""
    said = str(getattr(error, "problem", None) or error)
    mark = getattr(error, "problem_mark", None)
    if any(words in said for words in _LEFT_OPEN):  # where it began helps more than where it ended
        mark = getattr(error, "context_mark", None) or mark
    line = mark.line if mark else 0
    column = mark.column + 1 if mark else 1
    lines = text.split("\n")
    here = lines[line] if line < len(lines) else ""
    tab = re.match(r" *\t", here)
    percent = next((i for i, each in enumerate(lines[: line + 1]) if each.startswith("%")), None)
    if percent is not None and "document start" in said:
        what, fix = "a line that begins with `%` is a directive", "remove it; " + _NO_DIRECTIVES
        line, column = percent, 1
    elif tab:
        what, fix, column = "a tab stands where spaces are needed", "indent with spaces", tab.end()
    else:
        what, fix = _said(said)
        further = _further_right(lines, line) if fix == _ALIGN else None
        if further is not None:
            what = f"{what}: line {further + first_line} begins further right"
    code = "tab" if tab else "syntax"
    return Problem(code=code, what=what, fix=fix, file=file, line=line + first_line, column=column)


def _further_right(lines: list[str], line: int) -> int | None:
    """The first of the lines right above one that are indented more: as often as not it is that
    line which is wrong, and the parser gives up at the next.
    """
    here, found = _indent(lines[line]) if line < len(lines) else 0, None
    for above in range(line - 1, -1, -1):
        if lines[above].strip() and _indent(lines[above]) <= here:
            break
        found = above if lines[above].strip() else found
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _said(problem: str) -> tuple[str, str]:
    for words, what, fix in _SAYINGS:
        if words in problem:
            return what, fix
    return f"this is not YAML: {problem}", "see the reference for the shape of the file"
