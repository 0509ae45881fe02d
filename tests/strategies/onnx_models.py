"""A tiny cross-encoder in ONNX, written byte by byte: it counts the pieces that two texts share.

    logit = Σ_ij [ids_i = ids_j] · (1 − type_i) · mask_i · type_j · mask_j − 2

One of the shared pieces is the mark that ends both; so the logit is −1 if they share none.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

FLOAT, INT64 = 1, 7


def _varint(number: int) -> bytes:
    out = b""
    while True:
        number, low = number >> 7, number & 0x7F
        out += bytes([low | (0x80 if number else 0)])
        if not number:
            return out


def _int(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _bytes(field: int, body: bytes | str) -> bytes:
    data = body.encode() if isinstance(body, str) else body
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _value(name: str, kind: int, dims: Sequence[str]) -> bytes:
    shape = b"".join(_bytes(1, _bytes(2, dim)) for dim in dims)
    tensor = _int(1, kind) + _bytes(2, shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor))


def _constant(name: str, kind: int, values: Sequence[float]) -> bytes:
    raw = struct.pack(f"<{len(values)}{'f' if kind == FLOAT else 'q'}", *values)
    return _int(1, len(values)) + _int(2, kind) + _bytes(8, name) + _bytes(9, raw)


def _node(op: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    body = b"".join(_bytes(1, name) for name in inputs) + _bytes(2, output) + _bytes(4, op)
    return body + b"".join(_bytes(5, each) for each in attributes)


def _attribute(name: str, number: int) -> bytes:
    return _bytes(1, name) + _int(3, number) + _int(20, 2)


def overlap_model(*, outputs: int = 1) -> bytes:
    """The model; with two outputs a pair of logits, no and yes; with three, yes comes first."""
    nodes = [
        _node("Unsqueeze", ["input_ids", "two"], "across"),
        _node("Unsqueeze", ["input_ids", "one"], "down"),
        _node("Equal", ["across", "down"], "same"),
        _node("Cast", ["same"], "shared", _attribute("to", FLOAT)),
        _node("Cast", ["token_type_ids"], "second", _attribute("to", FLOAT)),
        _node("Cast", ["attention_mask"], "there", _attribute("to", FLOAT)),
        _node("Sub", ["unit", "second"], "first"),
        _node("Mul", ["first", "there"], "query"),
        _node("Mul", ["second", "there"], "passage"),
        _node("Unsqueeze", ["query", "two"], "rows"),
        _node("Unsqueeze", ["passage", "one"], "columns"),
        _node("Mul", ["shared", "rows"], "left"),
        _node("Mul", ["left", "columns"], "both"),
        _node("ReduceSum", ["both", "last"], "found", _attribute("keepdims", 0)),
        _node("Sub", ["found", "threshold"], "score"),
        _node("Unsqueeze", ["score", "one"], "yes"),
    ]
    result = "yes"
    if outputs > 1:
        order = ["no", "yes"] if outputs == 2 else ["yes", "no", "no"]
        nodes.append(_node("Sub", ["yes", "yes"], "no"))
        nodes.append(_node("Concat", order, "logits", _attribute("axis", 1)))
        result = "logits"
    constants = [
        _constant("one", INT64, [1]), _constant("two", INT64, [2]),
        _constant("last", INT64, [1, 2]), _constant("unit", FLOAT, [1.0]),
        _constant("threshold", FLOAT, [2.0]),
    ]  # fmt: skip
    inputs = [
        _value(n, INT64, ["n", "l"]) for n in ("input_ids", "attention_mask", "token_type_ids")
    ]
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, "overlap")
    graph += b"".join(_bytes(5, each) for each in constants)
    graph += b"".join(_bytes(11, each) for each in inputs)
    graph += _bytes(12, _value(result, FLOAT, ["n", "k"]))
    return _int(1, 8) + _bytes(8, _bytes(1, "") + _int(2, 13)) + _bytes(7, graph)
