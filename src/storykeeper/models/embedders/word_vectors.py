"""A vector for each word of a text, from the middle of MiniLM.

What a word does in its sentence is clearest half way up the model; at its end, vectors are bent to
what a whole text is about. So the model's own file is taken, and ends at its third layer: no second
file, and half of the work. Sentences are read together, as many as fit, each time after an opening
that says who and what there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders.session import DIMS, session
from storykeeper.models.embedders.wordpiece import BEGIN, END, pieces

Floats = npt.NDArray[np.float32]

LAYER = "layer_norm_6"  # what the third layer gives, as the file calls it
OPENING_PIECES = 110
WINDOW_PIECES = 300  # and the opening: within the 512 that the model can number

# Numbers of fields in the format of the file.
_GRAPH, _NODE, _NODE_OUTPUT, _GRAPH_OUTPUT, _NAME, _TYPE, _TENSOR = 7, 1, 2, 12, 1, 2, 1
_VARINT, _LONG, _BYTES, _SHORT = 0, 1, 2, 5  # how a field's length is known
_FLOAT = b"\x08\x01"  # of elements of 32 bits


@dataclass(slots=True)
class WordVectors:
    """The first half of MiniLM, loaded when first asked; may be asked from several threads."""

    threads: int = 1
    dims: int = field(default=DIMS, init=False)

    def vectors(self, opening: str, sentences: Sequence[Sequence[str]]) -> Floats:
        """One row for each word of all sentences: the mean over its pieces; zeros for none."""
        cut = [[pieces(word) for word in sentence] for sentence in sentences]
        before = pieces(opening)[:OPENING_PIECES]
        rows = np.zeros((sum(map(len, cut)), DIMS), np.float32)
        for first, words in windows(cut):
            flat = [piece for word in words for piece in word]
            if not flat:
                continue
            hidden = self._read([BEGIN, *before, END, *flat, END])[len(before) + 2 : -1]
            at = 0
            for row, word in enumerate(words, first):
                if word:
                    rows[row] = hidden[at : at + len(word)].mean(axis=0)
                at += len(word)
        return rows

    def _read(self, ids: Sequence[int]) -> Floats:
        given = np.array([ids], dtype=np.int64)
        feeds = {
            "input_ids": given,
            "attention_mask": np.ones_like(given),
            "token_type_ids": np.zeros_like(given),
        }
        rows: Floats = session(threads=self.threads, cut=_half).run(None, feeds)[0][0]
        return rows


def windows(
    sentences: Sequence[Sequence[Sequence[int]]],
) -> Iterator[tuple[int, list[Sequence[int]]]]:
    """Whole sentences while they fit, a longer one by itself and cut; with each its first word."""
    window: list[Sequence[int]] = []
    size = at = 0
    for sentence in sentences:
        longer = sum(map(len, sentence))
        if window and size + longer > WINDOW_PIECES:
            yield at - len(window), window
            window, size = [], 0
        for word in sentence:
            if window and size + len(word) > WINDOW_PIECES:
                yield at - len(window), window
                window, size = [], 0
            window.append(word[:WINDOW_PIECES])
            size += len(window[-1])
            at += 1
    if window:
        yield at - len(window), window


def _half(model: bytes) -> bytes:
    return ending_at(model, LAYER)


def ending_at(model: bytes, layer: str) -> bytes:
    """The same model with this layer for its only output, and nothing that comes after it."""
    fields = list(_fields(model))
    kept = [whole for number, whole in fields if number != _GRAPH]
    graph = next(_inside(whole) for number, whole in fields if number == _GRAPH)
    return b"".join([*kept, _field(_GRAPH, _cut(graph, layer.encode()))])


def _cut(graph: bytes, layer: bytes) -> bytes:
    """Nodes stand in the order in which they are worked; the weights of the rest go unused."""
    kept: list[bytes] = []
    done = False
    for number, whole in _fields(graph):
        if number == _NODE:
            if done:
                continue
            node = _inside(whole)
            done = any(n == _NODE_OUTPUT and _inside(w) == layer for n, w in _fields(node))
        if number != _GRAPH_OUTPUT:
            kept.append(whole)
    if not done:
        raise ModelUnavailable(f"the embedding model has no {layer.decode()}; reinstall it")
    output = _field(_NAME, layer) + _field(_TYPE, _field(_TENSOR, _FLOAT))
    return b"".join([*kept, _field(_GRAPH_OUTPUT, output)])


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a message of the format: number, and all of its bytes."""
    at = 0
    while at < len(message):
        start = at
        key, at = _varint(message, at)
        kind = key & 7
        if kind == _VARINT:
            _, at = _varint(message, at)
        elif kind == _BYTES:
            size, at = _varint(message, at)
            at += size
        else:
            at += {_LONG: 8, _SHORT: 4}[kind]
        yield key >> 3, message[start:at]


def _inside(whole: bytes) -> bytes:
    """What a field holds, without its key and length."""
    key, at = _varint(whole, 0)
    if key & 7 != _BYTES:
        return whole[at:]
    _, at = _varint(whole, at)
    return whole[at:]


def _field(number: int, inner: bytes) -> bytes:
    return _number(number << 3 | _BYTES) + _number(len(inner)) + inner


def _number(value: int) -> bytes:
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
