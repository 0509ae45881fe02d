"""What a story names as canon, for its characters: the passages of what each of them has read.

The sources lie in the story's folder and are in no ledger, so only a run that is opened with its
story has them. They are taken apart when they are first asked for, and kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from storykeeper.canon.registry import CanonRegistry, CanonSource, SourceStatus
from storykeeper.errors import ComplianceRefused
from storykeeper.story.checks.terms import has_terms, is_private
from storykeeper.story.model import Canon, Story

if TYPE_CHECKING:
    from storykeeper.memory.evidence import Evidence
    from storykeeper.memory.library import Library


class StoryCanon:
    """The canon of one story."""

    def __init__(self, story: Story, folder: Path) -> None:
        self._folder = folder
        self._stated = {each.id: each for each in story.canon}
        self._readers = {each.id: each.scope.canon for each in story.cast}
        self._library: Library | None = None

    def written(self, who: str, query: str) -> Sequence[Evidence]:
        """What somebody has read that bears on what they perceive; for the narrator nothing."""
        read = [self._stated[n] for n in self._readers.get(who, ()) if n in self._stated]
        if not read or not query.strip():
            return ()
        from storykeeper.memory.evidence import evidence

        return evidence(self._filled(), query, [_source(each, each.path) for each in read])

    def _filled(self) -> Library:
        if self._library is None:
            self._library = _taken_in(self._folder, list(self._stated.values()))
        return self._library


def _taken_in(folder: Path, stated: Sequence[Canon]) -> Library:
    from storykeeper.canon.knowledge_base import KnowledgeBase
    from storykeeper.canon.texts import source_bytes, text_of
    from storykeeper.language.tokens import counter
    from storykeeper.ledger.memory import MemoryLedger
    from storykeeper.memory.library import Library, passages_of_source
    from storykeeper.memory.memory import Memory
    from storykeeper.memory.store import Store
    from storykeeper.units import MAIN

    ledger = MemoryLedger(clock=lambda: 0, nonces=bytes)  # it is kept nowhere
    ledger.begin(MAIN, [])
    store = Store(ledger, MAIN, folder=None, meaning=None, count=counter("o200k"))
    library = Library(Memory(store))
    base = KnowledgeBase(folder, CanonRegistry())
    for each in stated:
        number = 1
        for source in (_source(each, name) for name in _files(folder, each.path)):
            path = base.path(source)
            _refuse_private(each, path.resolve().relative_to(folder.resolve()))
            data = source_bytes(path, name=source.cite)
            text = text_of(data, ending=Path(source.path).suffix.lower(), name=source.cite)
            library.take(source.cite, passages_of_source(source, text, first=number))
            number = library.held(source.cite) + 1
    return library


def _files(folder: Path, path: str) -> Iterator[str]:
    """The file that canon names, or all in the folder that it names, in the order of their names.

    What is not there was said when the story was checked.
    """
    at = folder / path
    if at.is_file():
        yield path
    elif at.is_dir():
        found = (each for each in sorted(at.rglob("*")) if each.is_file())
        yield from (each.relative_to(folder).as_posix() for each in found)


def _refuse_private(stated: Canon, really: Path) -> None:
    """The check has seen the path as it is written; a link may lead elsewhere."""
    if is_private(really.as_posix()) and not has_terms(stated):
        raise ComplianceRefused(
            f"{stated.id}@{stated.version}: {stated.path} leads to {really}, which is private;"
            " say so under its `compliance`, or take the link away"
        )


def _source(stated: Canon, path: str) -> CanonSource:
    return CanonSource(
        id=stated.id, title=stated.id, version=stated.version, licence="", path=path,
        trust=stated.trust, status=SourceStatus.STABLE,
    )  # fmt: skip
