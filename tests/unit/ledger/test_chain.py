"""The formulas of the chain, computed a second time by hand."""

import hashlib

from storykeeper.ledger import chain
from storykeeper.units import MAIN
from strategies.ledgers import sqlite_ledger, told


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def test_the_links_are_what_the_page_says(tmp_path):
    with told(sqlite_ledger(tmp_path / "run.db")) as ledger:
        rows = list(ledger.rows(MAIN))
    link = sha(b"storykeeper ledger 1\0" + b"main")
    for row in rows:
        assert len(row.nonce) == chain.NONCE_BYTES
        assert row.digest == sha(row.nonce + row.payload)
        numbers = (
            row.version.to_bytes(8) + row.turn.to_bytes(8)
            + row.schema.to_bytes(4) + row.at_ms.to_bytes(8, signed=True)
        )  # fmt: skip
        link = sha(link + numbers + row.digest + row.kind.encode())
        assert row.link == link


def test_equal_words_do_not_look_equal(tmp_path):
    with told(sqlite_ledger(tmp_path / "run.db"), turns=1) as ledger:
        same = next(ledger.read(MAIN, after=2)).record
        version = ledger.append(MAIN, [same, same], expected=ledger.head(MAIN).version)
        one, two = list(ledger.rows(MAIN))[version - 2 :]
    assert one.payload == two.payload
    assert one.digest != two.digest
