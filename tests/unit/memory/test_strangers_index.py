"""A cache that came with somebody's file: no link is followed, no array believed."""

import numpy as np
import pytest

from storykeeper import Memory
from storykeeper.errors import MemoryProblem
from storykeeper.memory.index import arrays
from storykeeper.memory.index.arrays import Damaged, read_arrays, write_arrays
from strategies.tables import table


def test_a_cache_that_is_a_link_is_refused(tmp_path):
    own = tmp_path / "documents"
    own.mkdir()
    (own / "precious.rows").write_text("mine")
    (tmp_path / "chat.db.index").symlink_to(own)
    with pytest.raises(MemoryProblem, match=r"chat\.db\.index is a link"):
        Memory.open(tmp_path / "chat.db", embedder="none")
    assert [p.name for p in own.iterdir()] == ["precious.rows"]


@table(
    "entry",
    [
        {"dtype": "|O8"}, {"dtype": "V8"}, {"dtype": "nonsense"}, {"offset": -64},
        {"shape": (-1,)}, {"shape": (2**40,)}, {"shape": (2**62, 4)}, {"offset": 2**40},
    ],
)  # fmt: skip
def test_an_array_that_cannot_be_one_is_damage(tmp_path, entry):
    path, whole = tmp_path / "a.rows", arrays._Entry
    arrays._Entry = lambda *given: whole(*given).__class__(
        **(dict(zip(whole.__struct_fields__, given, strict=True)) | entry)
    )
    try:
        write_arrays(path, {"x": np.arange(8)})
    finally:
        arrays._Entry = whole
    with pytest.raises(Damaged):
        read_arrays(path)
