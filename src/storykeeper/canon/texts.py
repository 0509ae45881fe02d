"""The words of a source, by the ending of its name: text, Markdown, HTML, PDF.

What comes out is paragraphs, each with its line and the headings it stands under; of a PDF the page
is its heading. Markdown stays as it is: `memory.documents` takes it apart.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from storykeeper.errors import SourceMissing, SourceUnreadable

MARKDOWN, PLAIN, HTML, PDF = (".md", ".markdown"), (".txt",), (".html", ".htm"), (".pdf",)
ENDINGS = (*MARKDOWN, *PLAIN, *HTML, *PDF)
MOST_BYTES = 64 * 1024 * 1024
_BLANK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_SKIPPED = frozenset({"head", "nav", "noscript", "script", "style", "svg", "template"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl", "dt",
    "figcaption", "figure", "footer", "form", "header", "hr", "html", "li", "main", "ol", "p",
    "pre", "section", "table", "td", "th", "title", "tr", "ul",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a source: where it stands, and under which headings."""

    line: int
    heading: tuple[str, ...]
    text: str


def source_bytes(path: Path, *, name: str) -> bytes:
    """The bytes of a source's file; refuses what is not there, and what is too large to take."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise SourceUnreadable(
                f"{name}: {size / 2**20:,.0f} MiB are too many for one source, which may have"
                f" {MOST_BYTES // 2**20}; part it into several, each with an id of its own"
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise SourceMissing(
            f"{name}: there is no {path}; put it there, or take the source out of the registry"
        ) from None
    except IsADirectoryError:
        raise SourceMissing(f"{name}: {path} is a folder; a source is one file") from None


def text_of(data: bytes, *, ending: str, name: str) -> str | list[Paragraph]:
    """The words of a source: Markdown as it is, everything else in paragraphs."""
    if ending in PDF:
        found = _pdf_paragraphs(data, name=name)
    elif ending in (*MARKDOWN, *PLAIN, *HTML):
        text = _decoded(data, name=name)
        if ending in MARKDOWN:
            return _refuse_empty(text, name)
        found = list(_html(text) if ending in HTML else plain_paragraphs(text))
    else:
        raise SourceUnreadable(f"{name}: its name should end in one of {', '.join(ENDINGS)}")
    if not found:
        _refuse_empty("", name)
    return found


def plain_paragraphs(text: str, *, heading: tuple[str, ...] = ()) -> Iterator[Paragraph]:
    """What blank lines part."""
    line, start = 1, 0
    for gap in (*_BLANK.finditer(text), None):
        piece = text[start : len(text) if gap is None else gap.start()]
        if piece.strip():
            before = len(piece) - len(piece.lstrip())
            yield Paragraph(line + piece.count("\n", 0, before), heading, piece.strip())
        if gap is not None:
            line += text.count("\n", start, gap.end())
            start = gap.end()


def _refuse_empty(text: str, name: str) -> str:
    if text.strip():
        return text
    raise SourceUnreadable(f"{name}: there are no words in it; give another file")


def _decoded(data: bytes, *, name: str) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SourceUnreadable(
            f"{name}, line {line}: the byte 0x{data[error.start]:02x} is not UTF-8 text;"
            " save the file as UTF-8"
        ) from None
    if "\0" in text:
        raise SourceUnreadable(f"{name}: it is not text, whatever its name says")
    return text.replace("\r\n", "\n").replace("\r", "\n")


# ── HTML ─────────────────────────────────────────────────────────────────────────────────────


class _Page(HTMLParser):
    """Collects paragraphs; what is no text of the page is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Paragraph] = []
        self._open: list[tuple[int, str]] = []
        self._words: list[str] = []
        self._line = 1
        self._skipping: list[str] = []
        self._heading = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _SKIPPED:
            self._end()
            self._skipping.append(tag)
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._end()
            self._heading = int(tag[1]) if tag in _HEADINGS else 0

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipping:
            del self._skipping[self._skipping.index(tag) :]
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._end()

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            if not self._words:
                self._line = self.getpos()[0]
            self._words.append(data)

    def close(self) -> None:
        super().close()
        self._end()

    def _end(self) -> None:
        text = " ".join("".join(self._words).split())
        self._words = []
        level, self._heading = self._heading, 0
        if text and level:
            self._open = [each for each in self._open if each[0] < level]
            self._open.append((level, text))
        elif text:
            self.found.append(Paragraph(self._line, tuple(h for _, h in self._open), text))


def _html(text: str) -> list[Paragraph]:
    page = _Page()
    page.feed(text)
    page.close()
    return page.found


# ── PDF ──────────────────────────────────────────────────────────────────────────────────────


# What pypdf raises of a broken file besides its own errors.
_BROKEN = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, NotImplementedError,
    RecursionError, TypeError, ValueError,
)  # fmt: skip


def _pdf_paragraphs(data: bytes, *, name: str) -> list[Paragraph]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    logging.getLogger("pypdf").addHandler(logging.NullHandler())  # we say what is wrong with it
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise SourceUnreadable(f"{name}: it is encrypted; save it without a password")
        found = [
            paragraph
            for number, page in enumerate(reader.pages, start=1)
            for paragraph in plain_paragraphs(page.extract_text(), heading=(f"p. {number}",))
        ]
    except DependencyError:
        raise SourceUnreadable(f"{name}: it is encrypted; save it without a password") from None
    except (PyPdfError, *_BROKEN) as error:
        raise SourceUnreadable(f"{name}: this is no PDF that can be read: {error}") from None
    if not found:
        pages = "1 page" if len(reader.pages) == 1 else f"{len(reader.pages):,} pages"
        raise SourceUnreadable(
            f"{name}: there is no text in its {pages}, only pictures of it; have it recognised"
            " (OCR) first"
        )
    return found
