"""A knowledge base: a registry and the files it names, checked against their hashes.

    base = open_base(Path("world"), mode=Mode.NEUTRAL)     # world/canon_neutral/registry.yaml
    for source in base.sources: base.read(source)

Nothing of it is used unless all of it is sound: a stable source that is missing, changed or not
pinned stops it, and every one that is is named.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from storykeeper.canon.files import loaded, read, written
from storykeeper.canon.registry import CanonRegistry, CanonSource, Distribution, SourceStatus
from storykeeper.canon.texts import ENDINGS, Paragraph, source_bytes, text_of
from storykeeper.errors import CanonInvalid, CanonProblem, SourceChanged

REGISTRY = "registry.yaml"
Progress = Callable[[int, int], None]  # done, of how many


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """A registry and where it lies."""

    folder: Path
    registry: CanonRegistry

    @property
    def local_only(self) -> bool:
        """Whether nothing of it may leave this machine."""
        return self.registry.compliance.distribution is Distribution.LOCAL_ONLY

    @property
    def in_force(self) -> frozenset[str]:
        """`source_id@version` of every source that is used."""
        return frozenset(each.cite for each in self.registry.stable)

    def path(self, source: CanonSource) -> Path:
        """Its file; refuses what leads out of the knowledge base."""
        path = self.folder / source.path
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise CanonInvalid(
                f"{source.cite}: `{source.path}` leads out of {self.folder}; a source lies in the"
                " folder of its registry"
            )
        return path

    def bytes_of(self, source: CanonSource) -> bytes:
        """The bytes of a source as it was pinned; refuses any others."""
        data = source_bytes(self.path(source), name=source.cite)
        if not source.sha256:
            raise SourceChanged(
                f"{source.cite}: it has no hash yet; read it, then `storykeeper canon pin"
                f" {self.folder} {source.id}`"
            )
        if digest(data) != source.sha256:
            raise SourceChanged(
                f"{source.cite}: {source.path} is not what was pinned as {source.version}; a"
                f" changed source is a new version: `storykeeper canon pin {self.folder}"
                f" {source.id} --version NEW`, or put the file back"
            )
        return data

    def read(self, source: CanonSource) -> str | list[Paragraph]:
        """The words of a source as it was pinned."""
        ending = Path(source.path).suffix.lower()
        return text_of(self.bytes_of(source), ending=ending, name=source.cite)

    def problems(self, progress: Progress | None = None) -> Iterator[CanonProblem]:
        """What is wrong with its sources that are used, each read once."""
        for done, source in enumerate(self.registry.stable):
            if progress is not None:
                progress(done, len(self.registry.stable))
            try:
                self.read(source)
            except CanonProblem as problem:
                yield problem


def digest(data: bytes) -> str:
    """SHA-256, as a registry has it."""
    return hashlib.sha256(data).hexdigest()


def load_base(folder: Path) -> KnowledgeBase:
    """The knowledge base in a folder; its registry is read and checked, its sources not yet."""
    path = folder / REGISTRY
    if not path.is_file():
        raise CanonInvalid(
            f"there is no {path}; `storykeeper canon add {folder} FILE` begins a knowledge base"
        )
    registry = loaded(CanonRegistry, path)
    seen: set[str] = set()
    stable: dict[str, str] = {}
    for source in registry.sources:
        if source.cite in seen:
            raise CanonInvalid(f"{path}: {source.cite} stands there twice; keep one of them")
        seen.add(source.cite)
        other = stable.get(source.id)
        if source.status is SourceStatus.STABLE:
            if other is not None:
                raise CanonInvalid(
                    f"{path}: {source.id} is stable as {other} and as {source.version};"
                    " deprecate the older"
                )
            stable[source.id] = source.version
    base = KnowledgeBase(folder, registry)
    for source in registry.stable:
        base.path(source)
    return base


def save_registry(base: KnowledgeBase) -> None:
    """Write the registry, whole or not at all; refuses one that could not be read again."""
    path = base.folder / REGISTRY
    read(CanonRegistry, written(base.registry).encode(), file=REGISTRY)
    beside = path.with_suffix(".yaml.new")
    beside.write_text(written(base.registry), "utf-8")
    beside.replace(path)


def added(base: KnowledgeBase, source: CanonSource) -> KnowledgeBase:
    """With one more source, a draft until it is pinned; refuses one that is there."""
    if any(each.id == source.id for each in base.registry.sources):
        raise CanonInvalid(
            f"{source.id} is in {base.folder / REGISTRY} already; a new version of it comes with"
            f" `storykeeper canon pin {base.folder} {source.id} --version NEW`"
        )
    if Path(source.path).suffix.lower() not in ENDINGS:
        raise CanonInvalid(f"{source.path}: its name should end in one of {', '.join(ENDINGS)}")
    text_of(
        source_bytes(base.path(source), name=source.cite),
        ending=Path(source.path).suffix.lower(),
        name=source.cite,
    )
    return _with(base, (*base.registry.sources, source))


def pinned(base: KnowledgeBase, name: str, *, version: str | None = None) -> KnowledgeBase:
    """With a source as its file is now: its hash written down, and stable.

    If the file is not what the present version was pinned as, a new version is asked for; the one
    before it is deprecated.
    """
    held = [each for each in base.registry.sources if each.id == name]
    if not held:
        known = ", ".join(dict.fromkeys(each.id for each in base.registry.sources)) or "none yet"
        raise CanonInvalid(f"there is no source {name}; there are {known}")
    last = next((each for each in held if each.status is SourceStatus.STABLE), held[-1])
    data = source_bytes(base.path(last), name=last.cite)
    text_of(data, ending=Path(last.path).suffix.lower(), name=last.cite)
    now = digest(data)
    if last.sha256 and last.sha256 != now and version in (None, last.version):
        raise SourceChanged(
            f"{last.cite}: {last.path} has changed since it was pinned; give the new version:"
            f" --version NEW (it was {last.version})"
        )
    if version is None or version == last.version:
        new = structs.replace(last, sha256=now, status=SourceStatus.STABLE)
        return _with(base, tuple(new if each is last else each for each in base.registry.sources))
    if any(each.version == version for each in held):
        raise CanonInvalid(f"{name}@{version} is there already; choose a version that was not")
    new = structs.replace(last, version=version, sha256=now, status=SourceStatus.STABLE)
    old = structs.replace(last, status=SourceStatus.DEPRECATED)
    kept = (old if each is last else each for each in base.registry.sources)
    return _with(base, (*kept, new))


def _with(base: KnowledgeBase, sources: tuple[CanonSource, ...]) -> KnowledgeBase:
    return KnowledgeBase(base.folder, structs.replace(base.registry, sources=sources))
