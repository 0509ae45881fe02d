"""Forgeries whose every hash is right: what else must hold of a ledger."""

from dataclasses import replace

import pytest

from storykeeper.events.codec import encode
from storykeeper.events.turns import Redaction, RunBegun, TextErased
from storykeeper.ledger import chain
from storykeeper.ledger.blanking import fingerprint
from storykeeper.ledger.memory import MemoryLedger
from storykeeper.ledger.port import Row
from storykeeper.units import MAIN, RunId
from strategies.ledgers import memory_ledger, shown, told

WHAT_IF, AGAIN = RunId("what-if"), RunId("again")


@pytest.fixture
def ledger() -> MemoryLedger:
    return told(memory_ledger())


def holding(row: Row, record) -> Row:
    """The row with another record in it."""
    kind, schema, payload = encode(record)
    return replace(row, kind=kind, schema=schema, payload=payload, turn=record.turn)


def forge(ledger: MemoryLedger, version: int, change, run: RunId = MAIN) -> None:
    """Change a row and compute every digest and link after it again, as a good forger would."""
    kept = ledger._runs[run]
    at = version - kept.branch.forked_at - 1
    kept.rows[at] = change(kept.rows[at])
    link = chain.genesis(run) if at == 0 else kept.rows[at - 1].link
    for number in range(at, len(kept.rows)):
        row = kept.rows[number]
        digest = row.digest
        if not row.erased:
            digest = chain.digest(nonce=row.nonce, payload=row.payload)
        link = chain.link(
            link, version=row.version, turn=row.turn, schema=row.schema, at_ms=row.at_ms,
            kind=row.kind, digest=digest,
        )  # fmt: skip
        kept.rows[number] = replace(row, digest=digest, link=link)
    head = replace(kept.branch.head, link=link, turn=kept.rows[-1].turn)
    kept.branch = replace(kept.branch, head=head)


def verdict(ledger: MemoryLedger, run: RunId = MAIN) -> tuple:
    found = ledger.verify(run)
    return found.bad_version, found.problem


def test_a_forgery_of_the_whole_chain_cannot_be_told(ledger):
    """The limit that the page states; and the forger below is a good one."""
    forge(ledger, 5, lambda row: holding(row, shown(2, "never said")))
    assert ledger.verify(MAIN).good


def test_turns_that_run_backwards(ledger):
    forge(ledger, 7, lambda row: replace(row, turn=1))
    assert verdict(ledger) == (7, "of turn 1, after one of turn 2")


def test_a_record_filed_as_another_kind(ledger):
    forge(ledger, 5, lambda row: replace(row, kind="swiped"))
    assert verdict(ledger)[0] == 5
    assert "which it is not" in verdict(ledger)[1]


def test_a_record_filed_under_another_turn(ledger):
    forge(ledger, 12, lambda row: replace(row, turn=6))
    assert "which it is not" in verdict(ledger)[1]


@pytest.mark.parametrize("payload", [b"", b"{}", b"[]", b"\xff", b'{"kind":"rendered","turn":2}'])
def test_bytes_that_are_no_record(ledger, payload):
    forge(ledger, 5, lambda row: replace(row, payload=payload))
    assert verdict(ledger)[0] == 5
    assert "cannot be read" in verdict(ledger)[1]


def test_a_beginning_in_the_middle(ledger):
    forge(ledger, 5, lambda row: holding(row, RunBegun(2, MAIN)))
    assert verdict(ledger) == (5, "a run-begun record in the middle of a run")


def test_a_first_record_that_is_none(ledger):
    forge(ledger, 1, lambda row: holding(row, shown(0)))
    assert verdict(ledger) == (1, "run main is not what its first record says it is")


def test_a_first_record_of_another_run(ledger):
    forge(ledger, 1, lambda row: holding(row, RunBegun(0, WHAT_IF)))
    assert verdict(ledger)[0] == 1


def blank(ledger: MemoryLedger, version: int, record, *, schema: int = 3) -> Redaction:
    """Mark a row as erased with this record left in it, and vouch for it."""
    left = encode(record).payload
    forge(ledger, version, lambda row: replace(row, payload=left, nonce=b"", erased=schema))
    return Redaction(version, fingerprint(left))


def test_an_erasure_with_text_in_it(ledger):
    redaction = blank(ledger, 5, shown(2, "still here"))
    forge(ledger, 12, lambda row: holding(row, TextErased(5, 2, (redaction,))))
    assert verdict(ledger) == (5, "marked as erased, but there is text in it")


def test_an_erasure_that_says_another_schema(ledger):
    redaction = blank(ledger, 5, shown(2, ""), schema=1)
    forge(ledger, 12, lambda row: holding(row, TextErased(5, 2, (redaction,))))
    assert verdict(ledger)[0] == 5
    assert "no record vouches" in verdict(ledger)[1]


def test_an_erasure_vouched_for_before_it_was_written(ledger):
    redaction = blank(ledger, 5, shown(2, ""))
    forge(ledger, 4, lambda row: holding(row, TextErased(1, 2, (redaction,))))
    assert verdict(ledger)[0] == 5


def test_an_erasure_as_it_should_be(ledger):
    redaction = blank(ledger, 5, shown(2, ""))
    forge(ledger, 12, lambda row: holding(row, TextErased(5, 2, (redaction,))))
    assert ledger.verify(MAIN).good


def test_a_run_between_that_lends_nothing_is_looked_at(ledger):
    ledger.fork(MAIN, WHAT_IF, at=3)
    ledger.fork(WHAT_IF, AGAIN, at=1)
    kept = ledger._runs[WHAT_IF]
    whole = kept.rows[0]
    kept.rows[0] = replace(whole, payload=whole.payload.replace(b"main", b"mine"))
    assert "changed: the first record of run what-if" in verdict(ledger, AGAIN)[1]
    kept.rows.clear()
    assert "missing: the first record of run what-if" in verdict(ledger, AGAIN)[1]
    kept.rows.append(replace(whole, kind=6))
    assert "its kind is not of type str" in verdict(ledger, AGAIN)[1]


def test_a_voucher_that_is_missing_beyond_the_fork(ledger):
    ledger.fork(MAIN, WHAT_IF, at=3)
    ledger.append(MAIN, [shown(6)], expected=12)
    ledger.erase(WHAT_IF, turn=2)
    assert ledger.verify(WHAT_IF).good
    del ledger._runs[MAIN].rows[12]
    bad, problem = verdict(ledger, WHAT_IF)
    assert bad == 5
    assert "record 13 of run main" in problem
