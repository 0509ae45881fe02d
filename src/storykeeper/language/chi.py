"""Characters per token by script. Written by storykeeper.bench.lexicon_fit.chi."""

from __future__ import annotations

MEASURED = {
    "latin": 3.20,
    "accented": 1.00,
    "greek": 1.12,
    "cyrillic": 2.05,
    "hebrew": 1.02,
    "arabic": 1.42,
    "devanagari": 0.97,
    "thai": 1.11,
    "kana": 1.08,
    "han": 0.64,
    "hangul": 0.94,
    "other": 0.44,
}
