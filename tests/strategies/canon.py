"""Knowledge bases for tests."""

from __future__ import annotations

from pathlib import Path

from storykeeper.canon.knowledge_base import KnowledgeBase, added, load_base, pinned, save_registry
from storykeeper.canon.registry import (
    CanonRegistry,
    CanonSource,
    Compliance,
    SourceKind,
)


def base_of(
    folder: Path, texts: dict[str, str | bytes], *, trust: dict[str, float] | None = None,
    kinds: dict[str, SourceKind] | None = None, compliance: Compliance | None = None,
) -> KnowledgeBase:  # fmt: skip
    """A knowledge base of these files, each pinned as version 1 under the stem of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    base = KnowledgeBase(folder, CanonRegistry(compliance=compliance or Compliance()))
    for name, text in texts.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        stem = Path(name).stem
        source = CanonSource(
            id=stem, title=stem, version="1", licence="CC0-1.0", path=name,
            trust=(trust or {}).get(stem, 1.0),
            kind=(kinds or {}).get(stem, SourceKind.EVIDENCE),
        )  # fmt: skip
        base = pinned(added(base, source), stem)
    save_registry(base)
    return load_base(folder)
