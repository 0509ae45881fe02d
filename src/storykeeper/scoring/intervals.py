"""How sure a share or a mean is, of so many cases.

Wilson: (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n)          F9.1
"""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959964


def wilson(hits: int, of: int, *, z: float = Z_95) -> tuple[float, float]:
    """(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).   F9.1: where a share lies, at 95 %."""
    if of <= 0:
        return 0.0, 1.0
    share = hits / of
    middle = share + z * z / (2 * of)
    around = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    whole = 1 + z * z / of
    low, high = (middle - around) / whole, (middle + around) / whole
    return (0.0 if hits == 0 else low), (1.0 if hits == of else high)
