"""The index: what it finds against plain references, what it keeps, what it makes again."""

import math

import numpy as np
import pytest

from storykeeper.memory.index import folder as folder_module
from storykeeper.memory.index.cascade import Cascade, Tier, shipped
from storykeeper.memory.index.index import Index
from storykeeper.memory.index.values import RowData, Stamp
from storykeeper.memory.index.words import impact, key_of

DIMS, TIERS = 12, (2, 4)
EAGER = Cascade(0, 1.0, 0.5, [Tier(1.0, 0.5, -2.0), Tier(1.0, 0.5, -2.0)])
NEVER = Cascade(0, 1.0, 0.5, [Tier(1.0, 0.5, 2.0), Tier(1.0, 0.5, 2.0)])
WORDS = ["ash", "birch", "cedar", "dogwood", "elm", "fir", "gorse", "hazel", "ivy", "juniper"]


def vectors(count, *, seed=1, dims=DIMS):
    """Like turned embeddings: the first numbers say the most."""
    scale = 30 / np.arange(1, dims + 1) ** 0.5
    drawn = np.random.default_rng(seed).normal(0, scale, (count, dims))
    return np.clip(np.rint(drawn), -127, 127).astype(np.int8)


def rows(count, *, seed=1, classes=3):
    chance = np.random.default_rng(seed)
    return [
        RowData(
            terms=[WORDS[min(int(chance.exponential(3)), 9)] for _ in range(chance.integers(0, 9))],
            audience=int(chance.integers(0, classes)),
            columns={"turn": float(number)},
        )
        for number in range(count)
    ]


def opened(folder=None, *, cascade=None, space="here", dims=DIMS, tiers=TIERS, columns=("turn",)):
    return Index.open(folder, space=space, dims=dims, tiers=tiers, columns=columns, cascade=cascade)


def filled(count=300, folder=None, *, cascade=None, step=40):
    index = opened(folder, cascade=cascade)
    all_vectors, all_rows = vectors(count), rows(count)
    for start in range(0, count, step):
        index.add(all_vectors[start : start + step], all_rows[start : start + step])
        index.commit(Stamp(start + step, b"link"))
    return index


def cosine(one, other):
    one, other = one.astype(float), other.astype(float)
    size = math.sqrt(one @ one) * math.sqrt(other @ other)
    return one @ other / size if size else 0.0


def seen(index, classes=None):
    return index.allowed(classes)


def found(hits):
    return list(zip(hits.rows.tolist(), hits.scores.tolist(), strict=True))


# ── meaning ──────────────────────────────────────────────────────────────────────────────────


def test_exact_is_every_cosine_sorted():
    index, query = filled(), vectors(1, seed=9)[0]
    hits = index.exact(query, allowed=seen(index), k=300)
    expected = [cosine(query, v) for v in vectors(300)]
    assert hits.rows.tolist() == sorted(range(300), key=lambda r: (-np.float32(expected[r]), r))
    assert hits.scores == pytest.approx([expected[r] for r in hits.rows], abs=1e-6)


def test_equals_go_to_the_older():
    index = opened()
    index.add(np.ones((9, DIMS), np.int8), [RowData() for _ in range(9)])
    for search in (index.exact, index.dense):
        assert search(np.ones(DIMS, np.int8), allowed=seen(index), k=4).rows.tolist() == [
            0,
            1,
            2,
            3,
        ]


def test_long_vectors_do_not_overflow():
    index = opened(dims=4096, tiers=(64,), columns=())
    most = np.full((2, 4096), 127, np.int8)
    index.add(np.concatenate([most, -most]), [RowData() for _ in range(4)])
    hits = index.exact(most[0], allowed=seen(index), k=4)
    assert hits.scores == pytest.approx([1, 1, -1, -1])


@pytest.mark.parametrize(("settings", "tier"), [(EAGER, 0), (NEVER, 2)])
def test_where_a_cascade_ends(settings, tier):
    index, query = filled(cascade=settings), vectors(1, seed=9)[0]
    hits = index.dense(query, allowed=seen(index), k=3)
    assert hits.tier == tier
    for row, score in found(hits):  # whatever found them, the scores are full cosines
        assert score == pytest.approx(cosine(query, vectors(300)[row]), abs=1e-6)


def test_a_cascade_may_end_in_the_middle():
    middle = Cascade(0, 1.0, 0.5, [Tier(1.0, 0.5, 2.0), Tier(1.0, 0.5, -2.0)])
    index = filled(cascade=middle)
    assert index.dense(vectors(1, seed=9)[0], allowed=seen(index), k=3).tier == 1


def test_a_prefix_of_zeros_ends_no_search():
    index = opened(cascade=EAGER)
    some = vectors(300)
    some[:, : TIERS[-1]] = 0
    index.add(some, rows(300))
    query = vectors(1, seed=9)[0]
    query[: TIERS[-1]] = 0
    hits = index.dense(query, allowed=seen(index), k=3)
    assert hits.tier == 2
    assert np.isfinite(hits.scores).all()


def test_a_zero_query_finds_nothing_and_a_zero_row_is_like_nothing():
    index = filled()
    nothing = np.zeros(DIMS, np.int8)
    assert not len(index.dense(nothing, allowed=seen(index), k=5).rows)
    assert not len(index.exact(nothing, allowed=seen(index), k=5).rows)
    index.add(nothing[None], [RowData()])
    assert index.similarity(vectors(1)[0], np.array([300])).tolist() == [0.0]


def test_nothing_to_find():
    index = opened()
    query = vectors(1)[0]
    for search in (index.dense, index.exact):
        assert not len(search(query, allowed=seen(index), k=5).rows)
    assert not len(index.lexical([("ash", 1.0)], allowed=seen(index), k=5).rows)
    assert len(index.terms_of(np.zeros(0, np.int64)).keys) == 0
    index = filled()
    assert not len(index.dense(query, allowed=seen(index, []), k=5).rows)
    assert not len(index.lexical([("ash", 1.0)], allowed=seen(index, [77]), k=5).rows)


def test_the_shipped_cascade_finds_what_a_scan_finds():
    """Numbers fitted on text hold on vectors that fall off as theirs do."""
    many = vectors(20_000, dims=384)
    index = Index.open(None, space="here", dims=384, tiers=(64, 128))
    index.add(many, [RowData()] * len(many))
    same = 0
    for query in vectors(20, seed=5, dims=384):
        ours = index.dense(query, allowed=seen(index), k=10)
        same += len({*ours.rows} & {*index.exact(query, allowed=seen(index), k=10).rows})
    assert same >= 0.98 * 200
    assert shipped().scan_all < 20_000, "nothing was tried"


def test_threads_find_the_same(monkeypatch):
    monkeypatch.setattr("storykeeper.memory.index.dense.SAMPLED", 4)
    monkeypatch.setattr("storykeeper.memory.index.index.MOST_ROWS", 64)
    index = filled(600, cascade=NEVER)
    allowed = index.allowed([0, 2])
    for query in vectors(20, seed=9):
        monkeypatch.setattr("storykeeper.memory.index.dense.THREADED", 10**9)
        alone = [search(query, allowed=allowed, k=5) for search in (index.dense, index.exact)]
        monkeypatch.setattr("storykeeper.memory.index.dense.THREADED", 1)
        ours = [search(query, allowed=allowed, k=5) for search in (index.dense, index.exact)]
        assert [found(h) for h in ours] == [found(h) for h in alone]


def test_similarity_is_in_the_order_asked():
    index, query = filled(), vectors(1, seed=9)[0]
    wanted = np.array([250, 3, 3, 41])
    expected = [cosine(query, vectors(300)[r]) for r in wanted]
    assert index.similarity(query, wanted) == pytest.approx(expected, abs=1e-6)


# ── words ────────────────────────────────────────────────────────────────────────────────────


def scored(row, terms):
    words = list(row.terms)
    return sum(w * impact(times=words.count(t), words=len(words)) for t, w in terms)


QUERIES = [
    [("ash", 3.0)],
    [("ivy", 5.0), ("ash", 0.4), ("birch", 0.3), ("cedar", 0.2)],
    [("juniper", 2.0), ("hazel", 2.0), ("nowhere", 9.0)],
    [(word, 1.0) for word in WORDS],
]


@pytest.mark.parametrize("terms", QUERIES)
@pytest.mark.parametrize("k", [1, 7, 300])
def test_words_are_scored_by_the_formula(terms, k):
    index = filled()
    expected = [scored(row, terms) for row in rows(300)]
    hits = index.lexical(terms, allowed=seen(index), k=k)
    order = sorted((r for r in range(300) if expected[r]), key=lambda r: (-expected[r], r))
    assert hits.scores == pytest.approx([expected[r] for r in order[:k]], rel=1e-6)
    assert [round(expected[r], 9) for r in hits.rows] == [round(expected[r], 9) for r in order[:k]]
    assert index.lexical_of(terms, hits.rows).tolist() == hits.scores.tolist()


def test_light_terms_alone_do_not_hide_a_row():
    """MaxScore leaves out only what cannot win: here the light term decides."""
    index = opened()
    index.add(vectors(3), [RowData(["ash"]), RowData(["ash"]), RowData(["ash", "elm"], length=1)])
    index.commit(Stamp(1))
    index.add(vectors(1), [RowData(["ash", "elm"], length=1)])
    hits = index.lexical([("ash", 2.0), ("elm", 0.01)], allowed=seen(index), k=2)
    assert hits.rows.tolist() == [2, 3]


@pytest.mark.parametrize("seed", range(6))
def test_leaving_out_terms_changes_nothing(monkeypatch, seed):
    """MaxScore against adding everything up, over several segments and a steep choice of words."""
    chance = np.random.default_rng(seed)
    made = [
        RowData([f"w{int(n)}" for n in chance.zipf(1.4, chance.integers(1, 12)) if n < 40])
        for _ in range(900)
    ]
    terms = [(f"w{n}", float(np.log(2 + n) + chance.random())) for n in range(1, 40, 3)]
    expected = [scored(row, terms) for row in made]
    order = sorted((r for r in range(900) if expected[r]), key=lambda r: (-expected[r], r))
    monkeypatch.setattr("storykeeper.memory.index.lexical.LONG", 1)
    monkeypatch.setattr("storykeeper.memory.index.index.MOST_ROWS", 128)
    for lookup in (0.01, 1, 24):
        monkeypatch.setattr("storykeeper.memory.index.lexical.LOOKUP", lookup)
        index = opened()
        index.add(vectors(900), made)
        for k in (1, 5, 20):
            hits = index.lexical(terms, allowed=seen(index), k=k)
            assert hits.scores == pytest.approx([expected[r] for r in order[:k]], rel=1e-6)


def test_repeats_and_odd_weights():
    index = filled()
    once = index.lexical([("ash", 2.0)], allowed=seen(index), k=9)
    odd = [("ash", 1.0), ("ash", 1.0), ("elm", float("nan")), ("fir", -1.0), ("ivy", 0.0)]
    assert found(index.lexical(odd, allowed=seen(index), k=9)) == found(once)
    assert not len(index.lexical([], allowed=seen(index), k=9).rows)
    heavy = index.lexical([("ash", float("inf")), ("elm", 1e-300)], allowed=seen(index), k=9)
    assert heavy.rows.tolist() == once.rows.tolist()


def test_a_long_query_and_a_long_row():
    index = opened()
    index.add(vectors(2), [RowData([f"w{n}" for n in range(70_000)]), RowData(["ash"] * 99)])
    long = [(f"w{n}", 1.0) for n in range(10_000)] + [("\ud800", 1.0), ("灰", 1.0)]
    assert index.lexical(long, allowed=seen(index), k=3).rows.tolist() == [0]
    words = index.terms_of(np.array([0, 1]))
    assert len(words.keys) == 70_001
    assert (words.counts[-1], words.lengths[-1], words.lengths[0]) == (15, 99, 4095)


def test_words_of_rows():
    index = filled()
    wanted = np.array([0, 5, 120, 299])
    words = index.terms_of(wanted)
    for place, row in enumerate(wanted):
        here = slice(words.offsets[place], words.offsets[place + 1])
        terms = list(rows(300)[row].terms)
        expected = {key_of(t): terms.count(t) for t in terms}
        assert dict(zip(words.keys[here].tolist(), words.counts[here].tolist(), strict=True)) == (
            expected
        )
    matrix = index.impacts_of(["ash", "birch"], wanted[::-1])
    for place, row in enumerate(wanted[::-1]):
        terms = list(rows(300)[row].terms)
        assert matrix[place] == pytest.approx(
            [impact(times=terms.count(t), words=len(terms)) for t in ("ash", "birch")]
        )


def test_notes_of_single_rows(tmp_path):
    made = [RowData(r.terms, note=b"note %d" % n * (n % 3)) for n, r in enumerate(rows(300))]
    expected = [b"" if n == 4 else row.note for n, row in enumerate(made)]
    with opened(tmp_path / "i") as index:
        index.add(vectors(200), made[:200])
        index.commit(Stamp(200))
        index.add(vectors(100), made[200:])
        index.hide([4])
        assert [index.note_of(n) for n in range(300)] == expected
        index.commit(Stamp(300))
        assert [index.note_of(n) for n in range(300)] == expected
    with opened(tmp_path / "i") as index:
        assert [index.note_of(n) for n in range(300)] == expected


def test_a_folder_without_notes_has_no_room_for_them(tmp_path):
    with filled(folder=tmp_path / "i") as index:
        index.commit(Stamp(300))
        assert index.note_of(7) == b""
    assert b"seams" not in contents(tmp_path / "i")  # as folders were before there were notes


def test_blobs_vectors_and_how_many_have_a_word():
    index = opened()
    some = vectors(300)
    made = [
        RowData(r.terms, r.audience, blob=b"b%d" % n * (n % 3)) for n, r in enumerate(rows(300))
    ]
    index.add(some[:200], made[:200])
    index.commit(Stamp(200))
    index.add(some[200:], made[200:])
    index.hide([4])
    wanted = np.array([1, 4, 5, 250, 299])
    joined, sizes = index.blobs_of(wanted)
    expected = [b"" if n == 4 else made[n].blob for n in wanted]
    assert (joined.tobytes(), sizes.tolist()) == (b"".join(expected), [len(b) for b in expected])
    pairs, counts = index.blobs_of(np.array([1, 4, 5]), unit=2)
    assert pairs.tolist() == [[98, 49], [98, 53], [98, 53]]
    assert counts.tolist() == [1, 0, 2]
    with pytest.raises(ValueError, match="units of 4 bytes"):
        index.blobs_of(np.array([1]), unit=4)
    with pytest.raises(ValueError, match="ascend"):
        index.blobs_of(wanted[::-1])
    assert (index.vectors_of(np.array([250, 5, 5])) == some[[250, 5, 5]]).all()
    having = [
        sum(term in row.terms for n, row in enumerate(made) if row.audience in (0, 1) and n != 4)
        for term in ("ash", "elm", "nowhere")
    ]
    assert index.having(["ash", "elm", "nowhere"], allowed=index.allowed([0, 1])) == having


# ── audiences and numbers ────────────────────────────────────────────────────────────────────


def test_only_the_allowed_are_found():
    index, query = filled(), vectors(1, seed=9)[0]
    wanted = {r for r, row in enumerate(rows(300)) if row.audience in (0, 2)}
    assert {*index.exact(query, allowed=seen(index, [0, 2, 50]), k=300).rows} == wanted
    early = index.allowed([0, 2], only=index.column("turn") < 50)
    assert {*index.exact(query, allowed=early, k=300).rows} == {r for r in wanted if r < 50}
    assert index.classes.tolist() == [row.audience for row in rows(300)]


def test_what_is_allowed_grows_with_the_rows():
    index = filled(10)
    assert index.allowed([1]).count == sum(r.audience == 1 for r in rows(10))
    index.add(vectors(1), [RowData(audience=1)])
    assert index.allowed([1]).mask[-1]
    for number in range(40):  # more sets than are remembered
        assert index.allowed([number]).count == sum(index.classes == number)


# ── keeping ──────────────────────────────────────────────────────────────────────────────────


def answers(index):
    query = vectors(1, seed=9)[0]
    return [
        found(index.exact(query, allowed=seen(index, [0, 1]), k=20)),
        found(index.dense(query, allowed=seen(index), k=5)),
        *(found(index.lexical(terms, allowed=seen(index, [1, 2]), k=20)) for terms in QUERIES),
        index.column("turn").tolist(),
    ]


def test_opened_again_it_answers_the_same(tmp_path):
    with filled(folder=tmp_path / "i") as index:
        before = answers(index)
        index.commit(Stamp(300, b"link", b"note"))
    with opened(tmp_path / "i") as again:
        assert (again.rows, again.stamp) == (300, Stamp(300, b"link", b"note"))
        assert answers(again) == before
    assert before == answers(filled(step=7))


def test_what_was_not_committed_is_found_and_then_gone(tmp_path):
    with filled(folder=tmp_path / "i") as index:
        index.add(vectors(1, seed=9), [RowData(["zephyr"])])
        assert index.dense(vectors(1, seed=9)[0], allowed=seen(index), k=1).rows.tolist() == [300]
        assert index.lexical([("zephyr", 1.0)], allowed=seen(index), k=1).rows.tolist() == [300]
    with opened(tmp_path / "i") as again:
        assert again.rows == 300


@pytest.mark.parametrize(
    "other", [{"space": "there"}, {"dims": 13}, {"tiers": (3,)}, {"columns": ()}]
)
def test_a_folder_of_another_shape_is_discarded(tmp_path, other):
    filled(folder=tmp_path / "i").close()
    with opened(tmp_path / "i", **other) as index:
        assert (index.rows, index.stamp) == (0, Stamp())
    assert not list((tmp_path / "i").glob("*.rows"))


@pytest.mark.parametrize("text", [b"", b"{", b'{"format": 99}', b"\xff\xfe"])
def test_a_head_that_cannot_be_read_is_discarded(tmp_path, text):
    filled(folder=tmp_path / "i").close()
    (tmp_path / "i" / "head.json").write_bytes(text)
    with opened(tmp_path / "i") as index:
        assert index.rows == 0


def test_segments_stay_few():
    index = filled(3000, step=10)
    sizes = [s.rows for s in index._segments]
    assert sum(sizes) == 3000
    assert len(sizes) <= 7
    for place, size in enumerate(sizes):
        assert size > 3 * sum(sizes[place + 1 :])


def test_a_segment_is_never_too_large(monkeypatch):
    monkeypatch.setattr("storykeeper.memory.index.index.MOST_ROWS", 100)
    index = filled(1000, step=10)
    assert max(s.rows for s in index._segments) <= 100
    assert len(index._segments) <= 2 * 10 + 4
    assert answers(index)[1:-1] == answers(filled(1000))[1:-1]


def test_the_second_to_open_reads_the_last_commit(tmp_path):
    with filled(folder=tmp_path / "i") as first, opened(tmp_path / "i") as second:
        assert first.writable
        assert not second.writable
        second.add(vectors(1), [RowData(["zephyr"])])
        assert second.commit(Stamp(301)) is False
        assert second.rows == 301
        second.hide([301 - 1])
        first.add(vectors(2), [RowData(), RowData()])
        assert first.commit(Stamp(302)) is True
        assert second.rows == 301
    with opened(tmp_path / "i") as third:
        assert (third.rows, third.stamp) == (302, Stamp(302))


# ── hiding ───────────────────────────────────────────────────────────────────────────────────


def contents(folder):
    return b"".join(p.read_bytes() for p in sorted(folder.iterdir()))


def test_what_is_hidden_leaves_no_trace(tmp_path):
    secret = np.arange(100, 100 + DIMS).astype(np.int8)
    with filled(folder=tmp_path / "i") as index:
        index.add(
            secret[None],
            [
                RowData(
                    ["zephyr", "ash"],
                    columns={"turn": 123456.0},
                    blob=b"the secret",
                    note=b"a note of it",
                )
            ],
        )
        index.add(vectors(50), rows(50))
        index.commit(Stamp(351))
        assert secret.tobytes() in contents(tmp_path / "i")
        index.hide([300])
    for reopened in (False, True):
        left = contents(tmp_path / "i")
        assert secret.tobytes() not in left
        assert secret[: TIERS[0]].tobytes() + b"" not in left or TIERS[0] < 4
        assert key_of("zephyr").to_bytes(8, "little") not in left
        assert np.float64(123456.0).tobytes() not in left
        assert b"the secret" not in left
        assert b"a note of it" not in left
        with opened(tmp_path / "i") as index:
            assert (index.rows, index.stamp) == (351, Stamp(351))
            assert 300 not in index.exact(secret, allowed=seen(index), k=351).rows
            assert not len(index.lexical([("zephyr", 1.0)], allowed=seen(index), k=9).rows)
            assert not index.allowed(range(9)).mask[300]
            assert len(index.terms_of(np.array([300])).keys) == 0
            index.hide([300])  # again: nothing happens
        assert reopened or contents(tmp_path / "i") == left


def test_hiding_changes_nothing_else(tmp_path):
    with filled(folder=tmp_path / "i") as index:
        assert seen(index).count == 300
        index.hide([7, 8, 250])
        query = vectors(1, seed=9)[0]
        left = [r for r in range(300) if r not in (7, 8, 250)]
        assert sorted(index.exact(query, allowed=seen(index), k=300).rows) == left
        for row in (6, 9, 249, 251):
            assert index.terms_of(np.array([row])).counts.sum() == len(rows(300)[row].terms)


def test_hiding_does_not_commit(tmp_path):
    with filled(folder=tmp_path / "i") as index:
        index.add(vectors(5), rows(5))
        index.hide([3, 302])
        assert not index.allowed(None).mask[302]
        assert index.rows == 305
    with opened(tmp_path / "i") as again:
        assert (again.rows, again.stamp.version) == (300, 320)
        assert not again.allowed(None).mask[3]


# ── making again ─────────────────────────────────────────────────────────────────────────────


def files(folder, suffix):
    return sorted(folder.glob(f"*{suffix}"))


@pytest.mark.parametrize("damage", ["missing", "empty", "short", "other"])
def test_lost_tiers_are_made_again(tmp_path, damage):
    with filled(folder=tmp_path / "i") as index:
        before = answers(index)
    for path in files(tmp_path / "i", ".tiers"):
        whole = path.read_bytes()
        path.unlink()
        if damage != "missing":
            cut = {"empty": b"", "short": whole[:-64], "other": b"x" * len(whole)}[damage]
            path.write_bytes(cut)
    with opened(tmp_path / "i") as again:
        assert again.rows == 300
        assert answers(again) == before
        assert all(s.clean for s in again._segments)
    assert len(files(tmp_path / "i", ".tiers")) == len(files(tmp_path / "i", ".rows"))


@pytest.mark.parametrize("damage", ["missing", "empty", "short"])
def test_lost_rows_empty_the_index(tmp_path, damage):
    filled(folder=tmp_path / "i").close()
    path = files(tmp_path / "i", ".rows")[0]
    whole = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes(whole[:-64] if damage == "short" else b"")
    with opened(tmp_path / "i") as index:
        assert (index.rows, index.stamp) == (0, Stamp())
        index.add(vectors(3), rows(3))
        assert index.commit(Stamp(3))


def refusing(suffix):
    """Disk full, for files that end like this."""
    real = folder_module.write_arrays

    def write(path, arrays):
        if path.suffix == suffix:
            raise OSError(28, "No space left on device")
        real(path, arrays)

    return write


def test_tiers_that_cannot_be_written_are_marked_dirty(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(folder_module, "write_arrays", refusing(".tiers"))
        with filled(folder=tmp_path / "i") as index:
            before = answers(index)
    assert b'"clean":false' in (tmp_path / "i" / "head.json").read_bytes()
    assert not files(tmp_path / "i", ".tiers")
    with opened(tmp_path / "i") as again:
        assert answers(again) == before
    assert b'"clean":false' not in (tmp_path / "i" / "head.json").read_bytes()
    assert files(tmp_path / "i", ".tiers")


def test_a_commit_that_fails_is_no_commit(tmp_path, monkeypatch):
    with filled(folder=tmp_path / "i") as index:
        index.add(vectors(150), rows(150))  # enough to be joined with what is there
        with monkeypatch.context() as patched:
            patched.setattr(folder_module, "write_arrays", refusing(".rows"))
            assert index.commit(Stamp(450)) is False
        assert (index.rows, index.stamp.version) == (450, 320)
        index.hide([2])
        with opened(tmp_path / "i") as reader:
            assert (reader.rows, reader.stamp.version) == (300, 320)
        assert index.commit(Stamp(450)) is True
    with opened(tmp_path / "i") as again:
        assert (again.rows, again.stamp) == (450, Stamp(450))


def test_hiding_that_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    with filled(folder=tmp_path / "i") as index:
        with monkeypatch.context() as patched:
            patched.setattr(folder_module, "write_arrays", refusing(".rows"))
            index.hide([5])
        assert not files(tmp_path / "i", ".rows")
        assert index.rows == 300
        assert index.commit(Stamp(300))
    with opened(tmp_path / "i") as again:
        assert again.rows == 300
        assert not again.allowed(None).mask[5]


def test_repair_finds_changed_bytes(tmp_path):
    with filled(folder=tmp_path / "i") as index:
        before = answers(index)
    for path in files(tmp_path / "i", ".tiers"):
        data = bytearray(path.read_bytes())
        data[-200] ^= 0xFF
        data[len(data) // 2] ^= 0xFF
        path.write_bytes(data)
    with opened(tmp_path / "i") as index:
        index.repair()
        assert answers(index) == before
    with opened(tmp_path / "i") as index:
        assert answers(index) == before
    path = files(tmp_path / "i", ".rows")[0]
    data = bytearray(path.read_bytes())
    data[-100] ^= 0xFF
    path.write_bytes(data)
    with opened(tmp_path / "i") as index:
        index.repair()
        assert index.rows == 0


# ── wrong use ────────────────────────────────────────────────────────────────────────────────


def test_wrong_use_is_refused():
    index = filled(10)
    query = vectors(1)[0]
    for bad in (vectors(2), vectors(1, dims=13), vectors(1).astype(np.float32)):
        with pytest.raises(ValueError, match="int8 vectors"):
            index.add(bad, [RowData()])
    for row in (RowData(audience=-1), RowData(audience=1 << 24), RowData(columns={"x": 1.0})):
        with pytest.raises(ValueError, match="audience"):
            index.add(vectors(1), [row])
    assert index.rows == 10
    with pytest.raises(ValueError, match="k is 0"):
        index.exact(query, allowed=seen(index), k=0)
    with pytest.raises(ValueError, match="query"):
        index.dense(query[:5], allowed=seen(index), k=1)
    early = seen(index)
    index.add(vectors(1), [RowData()])
    with pytest.raises(ValueError, match="10 of 11"):
        index.dense(query, allowed=early, k=1)
    with pytest.raises(ValueError, match="rows"):
        index.hide([11])
    with pytest.raises(ValueError, match="rows"):
        index.similarity(query, np.array([-1]))
    with pytest.raises(ValueError, match="ascend"):
        index.terms_of(np.array([3, 1]))
    with pytest.raises(ValueError, match="tiers"):
        opened(tiers=(4, 2))


@pytest.mark.parametrize("classes", [(0, 1, 2), (1,), ()])
def test_the_foremost_of_many_terms_are_those_of_each_alone(classes):
    index = opened()
    index.add(vectors(300), rows(300))
    index.commit(Stamp(300))
    words = [*sorted({term for row in rows(300) for term in row.terms}), "nowhere"]
    for _ in range(2):  # the second time as it was found
        for k in (1, 4, 400):
            allowed = seen(index, classes)
            alone = [sorted(index.lexical([(w, 1.0)], allowed=allowed, k=k).rows) for w in words]
            together = index.foremost(words, allowed=allowed, k=k)
            assert [each.tolist() for each in together] == alone
        index.add(vectors(20), rows(20))
