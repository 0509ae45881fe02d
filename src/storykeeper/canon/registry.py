"""The registry of a knowledge base: `registry.yaml`, beside the sources it names.

    canon_neutral/          what may be published
      registry.yaml
      field-manual.md
    private/                what may not: a registry of its own, and terms
      registry.yaml

Only sources that are `stable` are used. A source is what its hash says it is: if the file has
changed, it is another version.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

from storykeeper.story.conditions import Authored
from storykeeper.units import Id, Unit

VERSION_PATTERN = r"^[0-9A-Za-z][0-9A-Za-z.+-]*$"
CITE_PATTERN = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*@[0-9A-Za-z][0-9A-Za-z.+-]*$"
SHA256_PATTERN = r"^([0-9a-f]{64})?$"
SourceVersion = Annotated[str, Meta(pattern=VERSION_PATTERN, max_length=40)]
Cite = Annotated[str, Meta(pattern=CITE_PATTERN, max_length=105)]  # `field-manual@1.2`


class SourceKind(StrEnum):
    """What a source is to those who read it."""

    DOCTRINE = "doctrine"  # what one acts by: an action may not contradict it
    EVIDENCE = "evidence"  # what is so, as far as the source knows
    LORE = "lore"  # what is told


class SourceStatus(StrEnum):
    """How far a source has come; only what is stable is used."""

    DRAFT = "draft"
    STABLE = "stable"
    DEPRECATED = "deprecated"


class ChunkBy(StrEnum):
    """What one passage is."""

    BLOCK = "block"  # a paragraph, an item of a list, a table
    SECTION = "section"  # all that stands under one heading
    LINE = "line"


class Distribution(StrEnum):
    """Where what is made of a knowledge base may go."""

    ANY = "any"
    LOCAL_ONLY = "local_only"


class Compliance(Authored, frozen=True):
    """The terms under which a registry is used."""

    non_commercial: bool = False
    distribution: Distribution = Distribution.ANY


class Chunking(Authored, frozen=True):
    """How a source is taken apart; what is longer is parted between sentences."""

    by: ChunkBy = ChunkBy.BLOCK
    most_chars: Annotated[int, Meta(ge=80, le=8_000)] = 1_200


class CanonSource(Authored, frozen=True, kw_only=True):
    """One source: a file, what it is, and how far it is to be believed."""

    id: Id
    title: str
    version: SourceVersion
    licence: str
    path: str  # of a file, beside the registry
    kind: SourceKind = SourceKind.EVIDENCE
    chunking: Chunking = Chunking()
    sha256: Annotated[str, Meta(pattern=SHA256_PATTERN)] = ""  # of the file; written by `pin`
    trust: Unit = 1.0
    status: SourceStatus = SourceStatus.DRAFT

    @property
    def cite(self) -> str:
        """`field-manual@1.2`: what everything that comes from it carries."""
        return f"{self.id}@{self.version}"


class CanonRegistry(Authored, frozen=True, kw_only=True):
    """`registry.yaml`: the sources of one knowledge base, and its terms."""

    format: Literal[1] = 1
    compliance: Compliance = Compliance()
    sources: tuple[CanonSource, ...] = ()

    @property
    def stable(self) -> tuple[CanonSource, ...]:
        """The sources that are used."""
        return tuple(each for each in self.sources if each.status is SourceStatus.STABLE)

    def source(self, cite: str) -> CanonSource | None:
        """The source in use that goes by `id@version`, if there is one."""
        return next((each for each in self.stable if each.cite == cite), None)
