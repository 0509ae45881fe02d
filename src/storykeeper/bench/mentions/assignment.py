"""The best one-to-one pairing of rows and columns (the Hungarian method)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf


@dataclass(slots=True)
class _Pairing:
    """Rows paired so far. Rows and columns count from 1; 0 stands for none."""

    worth: Sequence[Sequence[float]]
    row_price: list[float]
    column_price: list[float]
    row_of: list[int]

    def cost(self, row: int, column: int) -> float:
        """What pairing them loses at the present prices; never below 0."""
        return -self.worth[row - 1][column - 1] - self.row_price[row] - self.column_price[column]

    def add(self, row: int) -> None:
        """Pair one row more, moving others along the cheapest path."""
        self.row_of[0] = row
        slack = [inf] * len(self.row_of)
        came_from = [0] * len(self.row_of)
        used = [False] * len(self.row_of)
        column = 0
        while self.row_of[column]:
            used[column] = True
            column = self._step(column, slack, came_from, used)
        while column:
            self.row_of[column] = self.row_of[came_from[column]]
            column = came_from[column]

    def _step(self, column: int, slack: list[float], came_from: list[int], used: list[bool]) -> int:
        """Relax from the row of this column; the nearest unused column comes next."""
        row = self.row_of[column]
        for other in range(1, len(used)):
            if not used[other] and (cost := self.cost(row, other)) < slack[other]:
                slack[other], came_from[other] = cost, column
        nearest = min((c for c in range(1, len(used)) if not used[c]), key=slack.__getitem__)
        delta = slack[nearest]
        for other in range(len(used)):
            if used[other]:
                self.row_price[self.row_of[other]] += delta
                self.column_price[other] -= delta
            else:
                slack[other] -= delta
        return nearest


def assignment(worth: Sequence[Sequence[float]]) -> float:
    """The largest sum of worths with at most one from each row and each column."""
    if not worth or not worth[0]:
        return 0.0
    if len(worth) > len(worth[0]):
        worth = list(zip(*worth, strict=True))
    rows, columns = len(worth), len(worth[0])
    pairing = _Pairing(worth, [0.0] * (rows + 1), [0.0] * (columns + 1), [0] * (columns + 1))
    for row in range(1, rows + 1):
        pairing.add(row)
    return sum(worth[r - 1][c] for c, r in enumerate(pairing.row_of[1:]) if r)
