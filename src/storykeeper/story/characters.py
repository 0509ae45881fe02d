"""Bytes to text: which characters a story may hold, and where the others stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storykeeper.story.problems import Problem

MAX_FILE_BYTES = 1_048_576
MAX_REPORTED = 20  # of one kind in one file: a binary file has thousands

_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
_NONCHARACTER = "".join(chr(plane * 0x10000 + low) for plane in range(17) for low in (65534, 65535))
_FORBIDDEN = re.compile(f"[{_CONTROL}{_NONCHARACTER}]")
# Old YAML counts these as new lines, editors do not: every line below would be reported wrongly.
_SEPARATOR = re.compile("[\u2028\u2029]")
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def decode(data: bytes, *, file: str) -> tuple[str, list[Problem]]:
    """The text of a file with plain line ends; what cannot be read is marked and reported."""
    if len(data) > MAX_FILE_BYTES:
        what = f"the file is larger than {MAX_FILE_BYTES // 1024} KiB"
        fix = "split it into several files"
        return "", [Problem(code="file-too-large", what=what, fix=fix, file=file, line=1)]
    if data.startswith(_WIDE):
        what = "the file is saved as UTF-16"
        return "", [_not_utf8(what, file=file, line=1, column=1)]
    problems = []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        what = f"the byte 0x{data[error.start]:02x} is not UTF-8 text"
        problems = [_not_utf8(what, file=file, line=line, column=column)]
        text = data.decode("utf-8-sig", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    problems += forbidden(text, file=file)
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text), problems


def is_forbidden(text: str) -> bool:
    """Whether the text holds a character that no story may hold."""
    return _FORBIDDEN.search(text) is not None


def forbidden(text: str, *, file: str) -> list[Problem]:
    """Control characters and the like, each at its place."""
    return [
        Problem(
            code="control-character",
            what=f"the invisible character U+{ord(char):04X} stands here",
            fix="delete it",
            file=file,
            line=line,
            column=column,
        )
        for line, column, char in _places(_FORBIDDEN, text)
    ]


def separators(text: str, *, file: str, first_line: int) -> list[Problem]:
    """Unicode line separators in YAML, where they would shift every line number."""
    return [
        Problem(
            code="line-separator",
            what=f"the line separator U+{ord(char):04X} stands here",
            fix="use an ordinary new line",
            file=file,
            line=line + first_line - 1,
            column=column,
        )
        for line, column, char in _places(_SEPARATOR, text)
    ]


def _places(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, str]]:
    for number, match in enumerate(pattern.finditer(text)):
        if number == MAX_REPORTED:
            return
        at = match.start()
        yield text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), match.group()


def _not_utf8(what: str, *, file: str, line: int, column: int) -> Problem:
    fix = "save the file as UTF-8"
    return Problem(code="not-utf8", what=what, fix=fix, file=file, line=line, column=column)
