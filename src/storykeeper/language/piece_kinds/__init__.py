"""What a piece of narration without quotation marks tells, and whether that is private.

`KindReader` reads text and gives chances; fitted by `bench.perception_fit.kinds`.
"""

from storykeeper.language.piece_kinds.classifier import KINDS, PRIVATE_FROM, KindReader

__all__ = ["KINDS", "PRIVATE_FROM", "KindReader"]
