"""The constants of memory search, validated: presets `seed` and `story`.

With the seed's rate of fading a week-old item keeps only .2·f + .3·a of its weight: it could no
longer be found. So `story` fades by half in 200 turns, and maps ω onto [.5, 1]: bounded below, and
the order of what lies low is kept.
"""

from __future__ import annotations

from math import isfinite, log

import msgspec

from storykeeper.errors import SettingsInvalid
from storykeeper.story.tuning import MemoryTuning, Preset

_ONE = 1e-9  # how far a sum of weights may be from 1


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Every constant of F5, with the seed's values. Refused at once when they do not fit."""

    coarse_most: int = 16  # k1
    final_most: int = 8  # k2 ≤ k1
    coarse_floor: float = 0.2  # θ1
    keyword_gain: float = 0.3  # κ
    hop_share: float = 0.5  # η_hop
    hop_floor: float = 0.15  # θ_hop
    recency_weight: float = 0.5  # α_r
    frequency_weight: float = 0.2  # α_f
    authored_weight: float = 0.3  # α_a
    fading: float = 1e-5  # λ_r, per unit of age
    authority_floor: float = 0.0  # ω is mapped onto [floor, 1]
    recovery_floor: float = 0.15  # θ_rec < θ1
    recovery_most: int = 10  # k_rec
    cover_most: int = 3  # k_cov ≤ k2
    stop_below: float = 0.1  # θ_stop
    slot_floor: float = 0.5  # θ_e
    final_weight: float = 0.6  # μ
    anchor_weight: float = 0.2  # ν
    cover_weight: float = 0.2  # ρ
    temporal_from: float = 0.3  # θ_ξ
    temporal_sum: float = 1.5  # θ_ξ norm
    anchors_full: float = 3.0  # θ_A norm
    diversity: float = 0.7  # λ of MMR
    decay_share: float = 0.5  # δ

    def __post_init__(self) -> None:
        _check_ranges(self)
        _check_sum(self, "recency_weight", "frequency_weight", "authored_weight")
        _check_sum(self, "final_weight", "anchor_weight", "cover_weight")
        if not self.final_most <= self.coarse_most:
            raise SettingsInvalid(
                f"final_most is {self.final_most}; it may not pass coarse_most, {self.coarse_most}"
            )
        if not self.cover_most <= self.final_most:
            raise SettingsInvalid(
                f"cover_most is {self.cover_most}; it may not pass final_most, {self.final_most}"
            )
        if not self.recovery_floor < self.coarse_floor:
            raise SettingsInvalid(
                f"recovery_floor is {self.recovery_floor}; it must be below coarse_floor,"
                f" {self.coarse_floor}"
            )


_COUNTS = ("coarse_most", "final_most", "recovery_most", "cover_most")
_COSINES = ("coarse_floor", "recovery_floor", "slot_floor")
_POSITIVE = ("fading", "temporal_sum", "anchors_full")
_OPEN = ("hop_share", "temporal_from")


def _check_ranges(settings: SearchSettings) -> None:
    for field in settings.__struct_fields__:
        value = getattr(settings, field)
        if field in _COUNTS:
            fits, range_ = isinstance(value, int) and value >= 1, "a whole number from 1"
        elif field in _COSINES:
            fits, range_ = -1.0 <= value <= 1.0, "in [-1, 1]"
        elif field in _POSITIVE:
            fits, range_ = isfinite(value) and value > 0.0, "above 0"
        elif field in _OPEN:
            fits, range_ = 0.0 < value < 1.0, "between 0 and 1, without them"
        elif field == "keyword_gain":
            fits, range_ = isfinite(value) and value >= 0.0, "0 or above"
        else:
            fits, range_ = 0.0 <= value <= 1.0, "in [0, 1]"
        if not fits:
            raise SettingsInvalid(f"{field} is {value!r}; it must be {range_}")


def _check_sum(settings: SearchSettings, *fields: str) -> None:
    total = sum(getattr(settings, field) for field in fields)
    if abs(total - 1.0) > _ONE:
        raise SettingsInvalid(f"{', '.join(fields)} add up to {total:g}; they must add up to 1")


SEED = SearchSettings()
# A likeness is calibrated: one half is the middle one of what answers, and a quarter of that is
# below .2. So the floors are low, and what is packed is decided by rank.
STORY = SearchSettings(
    fading=log(2) / 200, authority_floor=0.5, coarse_most=64, final_most=24, coarse_floor=0.03,
    recovery_floor=0.02,
)  # fmt: skip
PRESETS = {Preset.SEED: SEED, Preset.STORY: STORY}


def chosen(tuning: MemoryTuning) -> SearchSettings:
    """The constants of a preset, with what is tuned beside it."""
    return msgspec.structs.replace(PRESETS[tuning.preset], diversity=tuning.diversity)
