"""The fitted model: some networks that vote, and where people go; in one file of the package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import IO

import numpy as np

from storykeeper.language.tagger.network import Floats, Input, Network, Output

_FILE = "tagger.npz"


@dataclass(frozen=True, slots=True)
class Model:
    """What tagging needs; fitted by `bench.perception_fit.tagger`."""

    networks: tuple[Network, ...]
    destinations: Floats  # departing, arriving × features

    def read(self, given: Input) -> Output:
        """The mean of what the networks say."""
        said = [network.read(given) for network in self.networks]
        return Output(
            np.mean([each.events for each in said], axis=0),
            np.mean([each.closed for each in said], axis=0),
        )


def load(file: IO[bytes]) -> Model:
    """Read a model: arrays named network.weight."""
    with np.load(file, allow_pickle=False) as arrays:
        weights: dict[str, dict[str, Floats]] = {}
        for name in arrays.files:
            number, _, rest = name.partition(".")
            weights.setdefault(number, {})[rest] = arrays[name].astype(np.float32)
    destinations = weights.pop("destinations")[""]
    networks = tuple(Network(weights[number]) for number in sorted(weights))
    return Model(networks, destinations)


@lru_cache(maxsize=1)
def shipped() -> Model:
    """The model in the package."""
    with files(__package__).joinpath(_FILE).open("rb") as file:
        return load(file)
