"""`storykeeper landscape` on the example, and docs/gravity.md, which shows what it prints.

After a change that is meant, run with STORYKEEPER_WRITE_DOCS=1 to write page and pictures again.
"""

import json
import os
import re
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import msgspec
import pytest
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli import landscape_png
from storykeeper.cli.landscape_png import CannotDraw
from storykeeper.cli.main import app
from storykeeper.errors import NoSuchTurn
from storykeeper.gravity.landscape import landscape
from storykeeper.story.tuning import GravityTuning
from strategies.runs import go, kept, script

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "gravity.md"
WRITES = os.environ.get("STORYKEEPER_WRITE_DOCS") == "1"
EARLY, LATE = 2, 21  # both in the kitchen
_BLOCK = re.compile(
    r"```console\n\$ storykeeper landscape the-lamp-at-harrow.db (.*)\n(?:.*\n)*?```"
)
_CIRCLE = "{http://www.w3.org/2000/svg}circle"


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("run") / "run.db"
    with kept(path) as keeper:
        go(keeper, *script("two-keepers")[: LATE + 2])
    return path


def asked(run: Path, *options: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["landscape", str(run), *options])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.output


def refused(run: Path, *options: str) -> BaseException:
    done = CliRunner().invoke(app, ["landscape", str(run), *options])
    assert done.exit_code != 0
    assert done.stdout == ""
    return done.exception


# ── the view ─────────────────────────────────────────────────────────────────────────────────


def test_the_view_is_the_landscape_of_the_world(run):
    with Storykeeper.open(run, read_only=True) as keeper:
        assert keeper.landscape() == landscape(keeper.world())
        for turn in (0, EARLY, LATE):
            found = keeper.landscape(at=turn)
            assert found == landscape(keeper.world(at=turn))
            assert found.turn == turn
        with pytest.raises(NoSuchTurn):
            keeper.landscape(at=99)


@pytest.mark.parametrize("turn", [0, EARLY, LATE])
def test_json_agrees_with_the_view(run, turn):
    said = json.loads(asked(run, "--json", "--at", str(turn)))
    with Storykeeper.open(run, read_only=True) as keeper:
        found = keeper.landscape(at=turn)
        plan = keeper.world().plan
    assert (said["turn"], said["here"]) == (turn, found.here)
    assert said["digest"] == found.digest
    assert said["strongest"] == found.strongest.scene
    pulling = [each for each in said["scenes"] if "pull" in each]
    assert [
        (e["scene"], e["pull"], e["band"], e["mass"]["total"], e["distance"]["total"], e["steps"])
        for e in pulling
    ] == [
        (a.scene, a.pull, a.band, a.mass.total, a.distance.total, a.way.steps)
        for a in found.attractors
    ]
    for shown, each in zip(pulling, found.attractors, strict=True):
        for name in ("mass", "distance"):
            terms = {k: v for k, v in shown[name].items() if k != "total"}
            assert terms == msgspec.to_builtins(getattr(each, name))
    assert {each["scene"] for each in said["scenes"]} == set(plan.scenes)
    assert [(e["layer"], e["psi"], e["strength"]) for e in said["layers"]] == [
        (e.layer, e.psi, e.strength) for e in found.layers
    ]
    assert said["prophecies"] == [msgspec.to_builtins(each) for each in found.prophecies]
    assert [(g["gate"], g["share"]) for g in said["gates"]] == [
        (g.gate, g.share) for g in found.gates
    ]
    assert all(len(g["unmet"]) == len(g["in_words"]) for g in said["gates"])


def test_bands_of_scenes_that_were_visited(run):
    said = json.loads(asked(run, "--json", "--at", str(LATE)))
    bands = {each["scene"]: each["band"] for each in said["scenes"]}
    assert bands["kitchen"] == "active"
    assert bands["tale-tide"] == bands["the-ninth"] == "resolved"
    assert bands["causeway"] == "visited"  # left before its end


# ── words ────────────────────────────────────────────────────────────────────────────────────


def test_the_table(run):
    said = asked(run, "--at", str(LATE))
    strongest = [line for line in said.splitlines() if line.startswith("▸")]
    assert len(strongest) == 1
    assert strongest[0].split()[1] == "lamp-hour"
    for word in ("heron-tale", "another-night", "fifty-again", "on lamp-hour (The hour)"):
        assert word in said
    early = asked(run, "--at", str(EARLY))
    assert "the player has the brass key\n" in early
    assert "the-right-night" in early


def test_one_scene(run):
    said = asked(run, "--at", str(LATE), "--scene", "lamp-hour")
    mass = next(line for line in said.splitlines() if line.startswith("mass"))
    total, terms = mass.removeprefix("mass").split("=")
    numbers = re.findall(r"\d+\.\d\d", terms)
    assert len(numbers) == 6
    assert sum(map(float, numbers)) == pytest.approx(float(total), abs=0.03)
    assert "foretold   another-night" in said
    assert "over, and acts through memory" in asked(run, "--scene", "tale-tide")
    assert "the story is here" in asked(run, "--at", "0", "--scene", "causeway")
    assert json.loads(asked(run, "--scene", "lamp-hour", "--json"))["scene"] == "lamp-hour"


def test_a_scene_that_is_not_there(run):
    said = asked(run, "--scene", "lamp-our", code=2)
    assert "did you mean lamp-hour?" in " ".join(said.replace("│", " ").split())


@pytest.mark.parametrize("mixed", [("--map", "--json"), ("--map", "--out", "x.svg"),
                                   ("--scene", "dusk", "--map")])  # fmt: skip
def test_one_form_at_a_time(run, mixed):
    assert "one at a time" in asked(run, *mixed, code=2)


def test_a_turn_that_has_not_come(run):
    assert isinstance(refused(run, "--at", "99"), NoSuchTurn)
    assert isinstance(refused(run, "--at", "-1"), NoSuchTurn)


def test_colours_only_where_they_are_wanted(run, monkeypatch):
    assert "\x1b" not in asked(run, "--map")
    coloured = []
    commands = "storykeeper.cli.landscape_commands"
    terminal = SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(f"{commands}.drawn", lambda _, **how: coloured.append(how["colour"]) or "")
    monkeypatch.setattr(f"{commands}.sys", terminal)
    monkeypatch.delenv("NO_COLOR", raising=False)
    asked(run, "--map")
    monkeypatch.setenv("NO_COLOR", "1")
    asked(run, "--map")
    assert coloured == [True, False]


# ── files ────────────────────────────────────────────────────────────────────────────────────


def test_a_picture_has_a_circle_for_every_scene(run, tmp_path):
    out = tmp_path / "x.svg"
    assert asked(run, "--at", str(LATE), "--out", str(out)) == f"written to {out}\n"
    circles = list(ET.fromstring(out.read_bytes()).iter(_CIRCLE))
    with Storykeeper.open(run, read_only=True) as keeper:
        assert sorted(c.get("id") for c in circles) == sorted(
            f"scene-{scene}" for scene in keeper.world().plan.scenes
        )


def test_the_same_bytes_each_time(run, tmp_path):
    for name in ("one.svg", "two.svg"):
        asked(run, "--out", str(tmp_path / name))
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_a_png(run, tmp_path, monkeypatch):
    some = landscape_png._BLANK.format('<rect width="9" height="9"/>')
    monkeypatch.setattr(landscape_png, "_LETTER", some)  # whatever fonts there are here
    out = tmp_path / "x.PNG"
    asked(run, "--out", str(out))
    head = out.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(head[16:20], "big") == 2400


def test_a_png_without_the_extra(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    error = refused(run, "--out", str(tmp_path / "x.png"))
    assert isinstance(error, CannotDraw)
    assert "storykeeper[draw]" in str(error)
    assert not (tmp_path / "x.png").exists()


def test_a_png_without_fonts(run, tmp_path, monkeypatch):
    blank = SimpleNamespace(svg_to_bytes=lambda svg, **_: b"")
    monkeypatch.setitem(sys.modules, "resvg_py", blank)
    assert "fonts is installed" in str(refused(run, "--out", str(tmp_path / "x.png")))
    assert not (tmp_path / "x.png").exists()


def test_a_file_of_another_kind(run, tmp_path):
    asked(run, "--out", str(tmp_path / "x.jpg"), code=2)
    asked(run, "--out", str(tmp_path / "x"), code=2)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written(run, tmp_path):
    (tmp_path / "x.svg").mkdir()
    assert isinstance(refused(run, "--out", str(tmp_path / "x.svg")), IsADirectoryError)
    assert isinstance(refused(run, "--out", str(tmp_path / "no" / "x.svg")), FileNotFoundError)


def test_a_run_that_has_not_begun(tmp_path):
    with kept(tmp_path / "run.db"):
        pass
    path = tmp_path / "run.db"
    assert asked(path).startswith("turn 0, in causeway")
    assert json.loads(asked(path, "--json"))["here"] == "causeway"
    assert "causeway" in asked(path, "--map", "--at", "0")


# ── the page ─────────────────────────────────────────────────────────────────────────────────


def test_the_page_shows_what_the_command_prints(run, tmp_path):
    page = PAGE.read_text("utf-8")

    def again(block: re.Match[str]) -> str:
        options = shlex.split(block[1])
        said = _picture(run, options, tmp_path) if "--out" in options else asked(run, *options)
        return f"```console\n$ storykeeper landscape the-lamp-at-harrow.db {block[1]}\n{said}```"

    written = _BLOCK.sub(again, page)
    assert len(_BLOCK.findall(page)) == page.count("$ storykeeper landscape") == 5
    if WRITES:
        PAGE.write_text(written, "utf-8")
    assert WRITES or page == written


def _picture(run: Path, options: list[str], tmp_path: Path) -> str:
    name = options[options.index("--out") + 1]
    made = tmp_path / Path(name).name
    said = asked(run, *(str(made) if option == name else option for option in options))
    if WRITES:
        (ROOT / name).write_bytes(made.read_bytes())
    assert (ROOT / name).read_bytes() == made.read_bytes(), f"{name} is of another day"
    assert f"({Path(name).relative_to('docs')})" in PAGE.read_text("utf-8")
    return said.replace(str(made), name)


def test_every_number_of_gravity_is_on_the_page():
    page = PAGE.read_text("utf-8")
    for name, value in msgspec.structs.asdict(GravityTuning()).items():
        assert f"| `{name}` | {value:g} |" in page, name
