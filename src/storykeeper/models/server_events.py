"""Server-sent events: the data of each, from bytes however they are cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MAX_EVENT_BYTES = 1_000_000


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of every event that is whole; one that the end cuts off is none.

    Lines end with \\n, \\r\\n or \\r; comments (": keep-alive") and other fields say nothing here.
    """
    data: list[str] = []
    for line in _lines(chunks):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
        elif line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" ").decode("utf-8", "replace"))


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        rest += chunk
        held = b"\r" if rest.endswith(b"\r") else b""  # its \n may be in the next chunk
        whole = rest.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = whole.split(b"\n")
        rest += held
        yield from lines
        if len(rest) > MAX_EVENT_BYTES:
            raise ValueError("a line without an end")
