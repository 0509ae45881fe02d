"""Modes: which knowledge base a run may be built from, and where what comes of it may go.

    neutral   only `canon_neutral/`, whose terms let it be published
    fan       only `private/`, whose registry must state
              compliance: {non_commercial: true, distribution: local_only}

Anything else stops before anything is read, and the message names the line to change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from pathlib import Path

from storykeeper.canon.knowledge_base import REGISTRY, KnowledgeBase, load_base
from storykeeper.canon.registry import Compliance, Distribution
from storykeeper.errors import ComplianceRefused
from storykeeper.story.checks.terms import PRIVATE_FOLDER
from storykeeper.story.nodes import Mapping, parse

NEUTRAL_FOLDER = "canon_neutral"
FAN_TERMS = Compliance(non_commercial=True, distribution=Distribution.LOCAL_ONLY)


class Mode(StrEnum):
    """Which knowledge base is used."""

    NEUTRAL = "neutral"
    FAN = "fan"


def open_base(root: Path, mode: Mode) -> KnowledgeBase:
    """The knowledge base of a mode, below `root`; ComplianceRefused says which line to change."""
    folder = root / (NEUTRAL_FOLDER if mode is Mode.NEUTRAL else PRIVATE_FOLDER)
    if not (folder / REGISTRY).is_file():
        raise ComplianceRefused(
            f"{mode} mode is built only from {folder.name}/, and there is no {folder / REGISTRY};"
            f" make it with `storykeeper canon add {folder} FILE`"
        )
    base = load_base(folder)
    said = base.registry.compliance
    if mode is Mode.FAN and said != FAN_TERMS:
        raise ComplianceRefused(_to_change(folder / REGISTRY, said))
    if mode is Mode.NEUTRAL:
        _refuse_private(base)
    return base


def _to_change(path: Path, said: Compliance) -> str:
    """Which line of a registry keeps it from being used in fan mode."""
    wanted = []
    if not said.non_commercial:
        wanted.append(("non_commercial", "true"))
    if said.distribution is not Distribution.LOCAL_ONLY:
        wanted.append(("distribution", "local_only"))
    lines = [f"{_place(path, key)}: write `{key}: {value}`" for key, value in wanted]
    return (
        f"fan mode uses {path} only under compliance: {{non_commercial: true, distribution:"
        f" local_only}}; " + "; ".join(lines)
    )


def _place(path: Path, key: str) -> str:
    """Where a key of `compliance` stands, or where it would."""
    node, _ = parse(path.read_text("utf-8"), file=path.name)
    if isinstance(node, Mapping) and "compliance" in node.entries:
        entry = node.entries["compliance"]
        inner = entry.value.entries.get(key) if isinstance(entry.value, Mapping) else None
        at = entry if inner is None else inner
        return f"{path}, line {at.line}, under `compliance`"
    return f"{path}, line 1, add `compliance:` and under it"


def _refuse_private(base: KnowledgeBase) -> None:
    path = base.folder / REGISTRY
    said = base.registry.compliance
    if said.distribution is Distribution.LOCAL_ONLY or said.non_commercial:
        key = "distribution" if said.distribution is Distribution.LOCAL_ONLY else "non_commercial"
        raise ComplianceRefused(
            f"{_place(path, key)}: what neutral mode is built from may go anywhere; take"
            f" `{key}` out, or move the sources to {PRIVATE_FOLDER}/"
        )


def refuse_foreign(cites: Iterable[str], base: KnowledgeBase, *, what: str) -> None:
    """Refuse something that leans on sources which this knowledge base does not have."""
    known = {each.cite for each in base.registry.sources}
    foreign = sorted({cite for cite in cites if cite not in known})
    if foreign:
        raise ComplianceRefused(
            f"{what} leans on {', '.join(foreign)}, which {base.folder / REGISTRY} does not have;"
            " begin it again from this knowledge base"
        )


def refuse_leaving(local_only: Collection[str], *, what: str) -> None:
    """Refuse to let something out that leans on sources which may not leave this machine."""
    if local_only:
        raise ComplianceRefused(
            f"{what} holds what may not leave this machine ({', '.join(sorted(local_only))}); its"
            " registry says distribution: local_only"
        )
