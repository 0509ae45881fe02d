"""The numbers of the cascade: how many rows a tier keeps, and when it is enough."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class Tier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One prefix."""

    share: float  # c of N = c·n^p: how many are rescored with full vectors
    power: float  # p
    margin: float  # θ: how far the k-th full cosine must stand above the prefix cosine at the cut

    def count(self, rows: int, k: int) -> int:
        """N = c·n^p, but some for every row wanted."""
        return max(int(self.share * rows**self.power), PER_WANTED * k)


class Cascade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Made by `calibration.py`; `cascade.json` beside this file is what is shipped."""

    scan_all: int  # up to so many allowed rows a full scan is as quick, and exact
    keep_share: float  # N1 = c·n^p: how many the first tier hands on
    keep_power: float
    tiers: list[Tier]

    def kept(self, rows: int, k: int) -> int:
        """How many rows the first tier hands on."""
        return max(int(self.keep_share * rows**self.keep_power), 4 * PER_WANTED * k)

    def rescored(self, rows: int, k: int, *, tier: int) -> int:
        """How many of them are rescored with full vectors at this tier."""
        return self._tier(tier).count(rows, k)

    def margin(self, tier: int) -> float:
        """θ of this tier."""
        return self._tier(tier).margin

    def _tier(self, tier: int) -> Tier:
        return self.tiers[min(tier, len(self.tiers) - 1)]


PER_WANTED = 10  # some for every row wanted, however few there are


@cache
def shipped() -> Cascade:
    """The calibrated numbers."""
    text = resources.files("storykeeper.memory.index").joinpath("cascade.json").read_bytes()
    return msgspec.json.decode(text, type=Cascade)
