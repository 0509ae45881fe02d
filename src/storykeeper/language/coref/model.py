"""The fitted model: three networks and two numbers, in one file that ships with the package."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import IO

import numpy as np

from storykeeper.language.coref.network import Network, save_arrays

_FILE = "model.npz"
_NETWORKS = ("heads", "spans", "links")


@dataclass(frozen=True, slots=True)
class Model:
    """What reading needs; fitted by `bench.mentions.fitting`."""

    heads: Network
    spans: Network
    links: Network
    floor: float  # how sure a mention must be
    shyness: float  # added to the score of being new
    seen: tuple[str, ...] = ()  # the books that it was fitted on


def save(model: Model, path: Path) -> None:
    """Write a model; the same model gives the same bytes."""
    arrays = {
        f"{name}.{part.name}": getattr(getattr(model, name), part.name).astype(np.float16)
        for name in _NETWORKS
        for part in fields(Network)
    }
    settings = np.array([model.floor, model.shyness])
    seen = np.frombuffer("\n".join(model.seen).encode(), np.uint8)
    save_arrays(path, settings=settings, seen=seen, **arrays)


def load(file: Path | IO[bytes]) -> Model:
    """Read a model."""
    with np.load(file, allow_pickle=False) as arrays:
        networks = {
            name: Network(*(arrays[f"{name}.{part.name}"].astype(np.float32)
                            for part in fields(Network)))
            for name in _NETWORKS
        }  # fmt: skip
        floor, shyness = arrays["settings"].tolist()
        seen = tuple(arrays["seen"].tobytes().decode().split())
    return Model(**networks, floor=floor, shyness=shyness, seen=seen)


@lru_cache(maxsize=1)
def shipped() -> Model:
    """The model in the package."""
    with files(__package__).joinpath(_FILE).open("rb") as file:
        return load(file)
