"""A knowledge base is what its hashes say, or it is not used; each refusal says what to do."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from storykeeper.canon.knowledge_base import added, load_base, pinned, save_registry
from storykeeper.canon.modes import Mode, open_base, refuse_foreign, refuse_leaving
from storykeeper.canon.registry import CanonSource, Compliance, Distribution, SourceStatus
from storykeeper.canon.texts import MOST_BYTES, text_of
from storykeeper.errors import (
    CanonInvalid,
    ComplianceRefused,
    SourceChanged,
    SourceMissing,
    SourceUnreadable,
)
from strategies.canon import base_of
from strategies.pdfs import encrypted, pdf
from strategies.sizes import times

FAN = Compliance(non_commercial=True, distribution=Distribution.LOCAL_ONLY)
HTML = b"""<html><head><title>no</title><style>p {}</style></head><body>
<h1>The mill</h1><p>It grinds <b>rye</b> &amp; oats.</p>
<h2>Its wheel</h2><ul><li>Nine feet</li><li>Oak</li></ul><script>alert(1)</script></body>"""


def test_a_source_is_what_was_pinned(tmp_path: Path):
    base = base_of(tmp_path, {"mill.txt": "The mill grinds rye."})
    (source,) = base.registry.stable
    assert base.in_force == {"mill@1"}
    assert [p.text for p in base.read(source)] == ["The mill grinds rye."]
    assert list(base.problems()) == []
    (tmp_path / "mill.txt").write_text("The mill grinds oats.")
    with pytest.raises(SourceChanged, match=r"mill@1: .*pin .* mill --version NEW"):
        base.read(source)
    assert [type(each) for each in base.problems()] == [SourceChanged]
    (tmp_path / "mill.txt").unlink()
    with pytest.raises(SourceMissing, match="take the source out of the registry"):
        base.read(source)


def test_a_changed_source_asks_for_a_new_version(tmp_path: Path):
    base = base_of(tmp_path, {"mill.txt": "The mill grinds rye."})
    (tmp_path / "mill.txt").write_text("The mill grinds oats.")
    with pytest.raises(SourceChanged, match=r"--version NEW \(it was 1\)"):
        pinned(base, "mill")
    new = pinned(base, "mill", version="2")
    assert new.in_force == {"mill@2"}
    assert [each.status for each in new.registry.sources] == [
        SourceStatus.DEPRECATED, SourceStatus.STABLE,
    ]  # fmt: skip
    save_registry(new)
    assert load_base(tmp_path).registry == new.registry
    with pytest.raises(CanonInvalid, match="mill@1 is there already"):
        pinned(new, "mill", version="1")
    with pytest.raises(CanonInvalid, match="there is no source nobody; there are mill"):
        pinned(new, "nobody")


def test_what_is_not_pinned_is_not_used(tmp_path: Path):
    base = base_of(tmp_path, {"mill.txt": "Rye."})
    draft = CanonSource(id="ford", title="t", version="1", licence="CC0", path="ford.txt")
    (tmp_path / "ford.txt").write_text("Deep.")
    base = added(base, draft)
    assert base.in_force == {"mill@1"}
    save_registry(base)
    path = tmp_path / "registry.yaml"
    path.write_text(
        path.read_text().replace("path: ford.txt", "path: ford.txt\n    status: stable")
    )
    (problem,) = load_base(tmp_path).problems()
    assert "ford@1: it has no hash yet" in str(problem)


def test_registries_that_cannot_be_used(tmp_path: Path):
    with pytest.raises(CanonInvalid, match=r"canon add .* FILE. begins a knowledge base"):
        load_base(tmp_path)
    base = base_of(tmp_path / "a", {"mill.txt": "Rye."})
    (tmp_path / "out.txt").write_text("Out.")
    outside = CanonSource(id="out", title="t", version="1", licence="x", path="../out.txt")
    with pytest.raises(CanonInvalid, match="leads out of"):
        added(base, outside)
    with pytest.raises(CanonInvalid, match=r"mill is in .* already"):
        added(base, base.registry.sources[0])
    path = tmp_path / "a" / "registry.yaml"
    entry = path.read_text().partition("sources:\n")[2]
    path.write_text(path.read_text() + entry)
    with pytest.raises(CanonInvalid, match="mill@1 stands there twice"):
        load_base(tmp_path / "a")
    path.write_text(path.read_text().replace('"1"', '"2"', 1))
    with pytest.raises(CanonInvalid, match="mill is stable as 2 and as 1; deprecate the older"):
        load_base(tmp_path / "a")


# ── texts ────────────────────────────────────────────────────────────────────────────────────


def test_html_and_pdf_are_read():
    found = text_of(HTML, ending=".html", name="x")
    assert [(p.heading, p.text) for p in found] == [
        (("The mill",), "It grinds rye & oats."),
        (("The mill", "Its wheel"), "Nine feet"),
        (("The mill", "Its wheel"), "Oak"),
    ]
    found = text_of(pdf(["The ford is deep."], ["Ten (10) feet."]), ending=".pdf", name="x")
    assert [(p.heading, p.text) for p in found] == [
        (("p. 1",), "The ford is deep."), (("p. 2",), "Ten (10) feet."),
    ]  # fmt: skip


BAD = {
    "pictures": (pdf([], []), ".pdf", "no text in its 2 pages"),
    "encrypted": (encrypted(pdf(["Hush."])), ".pdf", "it is encrypted; save it without"),
    "no pdf": (b"%PDF-1.4 and then nothing", ".pdf", "no PDF that can be read"),
    "empty": (b" \n", ".md", "there are no words in it"),
    "binary": (b"MZ\0\0", ".txt", "it is not text"),
    "latin": (b"one\ntwo caf\xe9", ".txt", ", line 2: the byte 0xe9 is not UTF-8"),
    "ending": (b"words", ".doc", "should end in one of .md"),
}


@pytest.mark.parametrize(("data", "ending", "why"), BAD.values(), ids=BAD)
def test_what_cannot_be_read_says_why(data: bytes, ending: str, why: str):
    with pytest.raises(SourceUnreadable, match=f"^x.*{why}"):
        text_of(data, ending=ending, name="x")


def test_a_pdf_broken_anywhere_is_read_or_refused():
    rng = Random(5)
    good = [pdf(["The tide runs in.", "It (the gauge) stands at nine."], ["x"])]
    good.append(encrypted(good[0]))
    refused = 0
    for _ in range(times(150, 3_000)):
        data = bytearray(rng.choice(good))
        for _ in range(rng.choice([1, 2, 5, 20])):
            at = rng.randrange(len(data))
            if rng.random() < 0.7:
                data[at] = rng.randrange(256)
            else:
                del data[at : at + rng.randrange(1, 40)]
        try:
            text_of(bytes(data), ending=".pdf", name="broken@1")
        except SourceUnreadable:
            refused += 1
    assert refused > 50


def test_a_source_of_two_hundred_megabytes_is_not_even_read(tmp_path: Path):
    base = base_of(tmp_path, {"mill.txt": "Rye."})
    with (tmp_path / "mill.txt").open("wb") as large:
        large.truncate(200 * 2**20)
    (problem,) = base.problems()
    assert "200 MiB are too many for one source" in str(problem)
    assert f"{MOST_BYTES // 2**20}; part it" in str(problem)


# ── modes ────────────────────────────────────────────────────────────────────────────────────


def test_neutral_is_built_from_canon_neutral_alone(tmp_path: Path):
    with pytest.raises(ComplianceRefused, match="neutral mode is built only from canon_neutral/"):
        open_base(tmp_path, Mode.NEUTRAL)
    base_of(tmp_path / "private", {"saga.txt": "Secret."}, compliance=FAN)
    with pytest.raises(ComplianceRefused, match="built only from canon_neutral/"):
        open_base(tmp_path, Mode.NEUTRAL)
    neutral = base_of(tmp_path / "canon_neutral", {"mill.txt": "Rye."})
    assert open_base(tmp_path, Mode.NEUTRAL).registry == neutral.registry
    base_of(tmp_path / "canon_neutral", {"mill.txt": "Rye."}, compliance=FAN)
    with pytest.raises(ComplianceRefused, match=r"registry.yaml, line \d+, .*take `distribution`"):
        open_base(tmp_path, Mode.NEUTRAL)


def test_fan_needs_its_terms_and_says_which_line_to_change(tmp_path: Path):
    with pytest.raises(ComplianceRefused, match="fan mode is built only from private/"):
        open_base(tmp_path, Mode.FAN)
    base = base_of(tmp_path / "private", {"saga.txt": "Secret."}, compliance=FAN)
    assert open_base(tmp_path, Mode.FAN).local_only
    path = base.folder / "registry.yaml"
    text = path.read_text()
    path.write_text(text.replace("local_only", "any"))
    line = 1 + path.read_text().split("\n").index(
        next(each for each in path.read_text().split("\n") if "distribution" in each)
    )
    with pytest.raises(
        ComplianceRefused, match=rf"line {line}, .*write `distribution: local_only`"
    ):
        open_base(tmp_path, Mode.FAN)
    path.write_text("format: 1\nsources:" + text.partition("sources:")[2])
    with pytest.raises(ComplianceRefused, match=r"line 1, add `compliance:`.*non_commercial: true"):
        open_base(tmp_path, Mode.FAN)


def test_nothing_private_leaves(tmp_path: Path):
    neutral = base_of(tmp_path / "canon_neutral", {"mill.txt": "Rye."})
    refuse_foreign(["mill@1"], neutral, what="the run")
    with pytest.raises(ComplianceRefused, match="the run leans on saga@1"):
        refuse_foreign(["mill@1", "saga@1"], neutral, what="the run")
    refuse_leaving([], what="an export")
    with pytest.raises(ComplianceRefused, match=r"an export .* \(saga@1\)"):
        refuse_leaving(["saga@1"], what="an export")
