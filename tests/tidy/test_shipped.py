"""What ships is listed with its source, and free to use; so is what an installation is made of."""

import importlib.util
import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "storykeeper"
PAGE = (ROOT / "docs" / "reference" / "shipped.md").read_text("utf-8")
NOTICE = " ".join((ROOT / "NOTICE").read_text("utf-8").split())
# Sets that forbid commercial use, or state no licence: they measure, and nothing is fitted on them.
MEASURE_ONLY = re.compile(r"locomo|zyphra|tomi|percept|fantom|BY-NC|no licence", re.IGNORECASE)
FREE = {
    "ours", "CC0", "public domain", "CC BY 4.0", "CC BY-SA 4.0", "MIT", "Apache-2.0",
    "WordNet 3.0",
}  # fmt: skip


def rows(head: str) -> list[tuple[list[str], list[str]]]:
    """The rows of a table: the names in its first cell, and its other cells."""
    table = PAGE[PAGE.index(head) :].split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return [(re.findall(r"`([^`]+)`", first), rest) for first, *rest in cells]


DATA, CODE = rows("| file, below"), rows("| module |")


def shipped() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/storykeeper"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    files = (Path(each).relative_to("src/storykeeper").as_posix() for each in listed)
    return [name for name in files if not name.endswith(".py") and (SRC / name).is_file()]


def test_every_data_file_has_a_row_and_every_row_a_file():
    named = [name for names, _ in DATA for name in names]
    for name in shipped():
        assert any(name == row or (row.endswith("/") and name.startswith(row)) for row in named), (
            f"{name} ships and docs/reference/shipped.md does not say what it is from"
        )
    for name in (*named, *(each for names, _ in CODE for each in names)):
        assert (SRC / name).exists(), f"docs/reference/shipped.md lists {name}, which is not there"
    assert len(named) == len(set(named))


def test_what_is_fitted_in_code_has_a_row():
    named = {name for names, _ in CODE for name in names}
    for path in SRC.rglob("*.py"):
        name = path.relative_to(SRC).as_posix()
        said = re.search(r"[Ff]itted (once )?(on|to) (?!\.)", path.read_text("utf-8"))
        if said and re.search(r"\d\.\d", path.read_text("utf-8")) and not name.startswith("bench/"):
            assert name in named or name in ELSEWHERE, f"{name} holds fitted numbers without a row"


# They speak of weights that ship in a file of their own.
ELSEWHERE = {
    "language/coref/model.py", "models/embedders/corpora.py", "models/embedders/rotation.py",
}  # fmt: skip


def test_all_of_it_may_be_used_by_anybody():
    """But for what NOTICE itself calls fitted on a set that is not free."""
    for names, (source, licence, made) in (*DATA, *CODE):
        if MEASURE_ONLY.search(source + licence):
            told = "CC BY-NC" in NOTICE and all(Path(name).name in NOTICE for name in names)
            assert told, f"{names}: {source}, {licence}"
            continue
        for each in licence.split(", "):
            assert each in FREE, f"{names}: {each!r} is no licence that we know to be free"
        assert source
        module = made.strip("`")
        if module != "by hand":
            found = importlib.util.find_spec(module)
            assert found is not None, f"{names}: there is no {module}"


def test_notice_names_every_set_that_is_not_ours():
    known = ("LitBank", "CRD3", "SQuALITY", "LongMemEval", "WordNet", "BERT", "census")
    for names, (source, *_) in DATA:
        for each in known:
            assert each not in source or each in NOTICE, f"{names}: NOTICE does not name {each}"


def test_a_package_of_one_release_is_pinned_and_listed():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    pinned = set(re.findall(r'^\s+"([a-z0-9-]+)==', project, re.MULTILINE))
    listed = {name for names, _ in rows("| package |") for name in names}
    assert pinned <= listed, f"no row for {pinned - listed}"


def bill_module():
    spec = importlib.util.spec_from_file_location("bill", ROOT / "requirements" / "bill.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bill_of_materials_is_in_step_with_the_requirements():
    bill = bill_module()
    assert bill.in_step(), "requirements changed; `make bill` writes the bill anew"
    written = json.loads(bill.BILL.read_text("utf-8"))
    assert (written["bomFormat"], written["specVersion"]) == ("CycloneDX", "1.6")
    core = (ROOT / "requirements" / "core.txt").read_text("utf-8")
    assert len(written["components"]) >= core.count("==") > 40
    for each in written["components"]:
        assert each["hashes"], each["name"]
        assert each["licenses"], each["name"]


def test_a_bill_that_is_behind_is_noticed(tmp_path, monkeypatch):
    bill = bill_module()
    behind = json.loads(bill.BILL.read_text("utf-8"))
    behind["components"][3]["hashes"].pop()
    (tmp_path / "bill.cdx.json").write_text(json.dumps(behind))
    monkeypatch.setattr(bill, "BILL", tmp_path / "bill.cdx.json")
    assert not bill.in_step()
