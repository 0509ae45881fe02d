"""The weights that come with us.

    python -m storykeeper.bench.recall.fitting --data DIR

fits them and writes `fusion.json` beside this file: a bias and one weight for each feature.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from storykeeper.memory.signals.features import NAMES
from storykeeper.scoring.fusion import Weights


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bias: float
    weights: dict[str, float]


@cache
def shipped() -> Weights:
    """Those beside this file."""
    data = files("storykeeper.memory.signals").joinpath("fusion.json").read_bytes()
    return decoded(data)


def decoded(data: bytes) -> Weights:
    """Weights from a file; every feature must have one, and nothing else."""
    read = msgspec.json.decode(data, type=_File)
    if set(read.weights) != set(NAMES):
        wrong = sorted(set(read.weights) ^ set(NAMES))
        raise ValueError(f"weights and features differ in {wrong}; fit again")
    return Weights(read.bias, {name: read.weights[name] for name in NAMES})


def encoded(weights: Weights) -> bytes:
    """Weights as a file."""
    rounded = {name: round(value, 5) for name, value in weights.of.items()}
    plain = msgspec.json.encode(_File(round(weights.bias, 5), rounded))
    return msgspec.json.format(plain, indent=2) + b"\n"
