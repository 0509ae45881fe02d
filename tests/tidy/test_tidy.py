"""Style that is executable: the order of imports, cycles, sizes, names, purity."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from strategies.tables import table

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "storykeeper"

# Each may import only from those above it (docs/architecture.md).
ORDER = (
    "errors", "units", "events", "story", "world", "entities", "gravity", "scoring", "ledger",
    "language", "models", "canon", "memory", "staging", "context", "play", "formats", "drawing",
    "engine", "bootstrap", "memories", "async_memory", "adapters", "field", "bench", "serve",
    "cli",
)  # fmt: skip
PURE = ("events", "story", "world", "entities", "gravity", "scoring")
IMPURE_FILES = {"story/loader.py"}
IMPURE_MODULES = {
    "asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil",
    "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
BANNED_NAMES = re.compile(r"(^|_)(utils?|helpers?|managers?|common|misc|v\d+)(_|$)", re.IGNORECASE)
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50

FILES = sorted(SRC.rglob("*.py"))
every_file = table("path", FILES)


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"), filename=str(path))))


def package(path: Path) -> str:
    """The first name below storykeeper: a package, or a module at the top."""
    return path.relative_to(SRC).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for each in nodes_of(path):
        if isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names)
        elif isinstance(each, ast.ImportFrom):
            assert each.level == 0, "relative import"
            yield each.module or ""


@every_file
def test_imports_go_up_the_list(path: Path):
    here = package(path)
    if here in ("__init__", "__main__"):
        return
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "storykeeper" or len(parts) < 2:
            continue
        assert parts[1] in ORDER, f"{parts[1]} has no place in the order of imports"
        assert ORDER.index(parts[1]) <= ORDER.index(here), f"{here} may not import {parts[1]}"


def test_no_import_cycles():
    modules = {".".join(("storykeeper", *p.relative_to(SRC).with_suffix("").parts)): p
               for p in FILES}  # fmt: skip
    graph = {
        name: {i for i in imports(path) if i in modules and i != name}
        for name, path in modules.items()
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " → ".join((*trail, name))
        if name not in done:
            for target in sorted(graph[name]):
                visit(target, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


@every_file
def test_pure_packages_do_no_io(path: Path):
    if package(path) not in PURE or str(path.relative_to(SRC)) in IMPURE_FILES:
        return
    used = {name.split(".")[0] for name in imports(path)}
    assert not used & IMPURE_MODULES
    calls = {n.func.id for n in nodes_of(path)
             if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}  # fmt: skip
    assert not calls & {"open", "print", "input", "exec", "eval"}


@every_file
def test_files_and_functions_have_one_subject(path: Path):
    lines = len(path.read_text("utf-8").splitlines())
    assert lines <= MAX_FILE_LINES, f"{lines} lines"
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = (node.end_lineno or 0) - node.lineno + 1
            assert size <= MAX_FUNCTION_LINES, f"{node.name} has {size} lines"


@every_file
def test_names_say_what_things_are(path: Path):
    assert not BANNED_NAMES.search(path.stem)
    for node in nodes_of(path):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            assert not BANNED_NAMES.search(node.name), node.name


@every_file
def test_no_broad_excepts_in_the_core(path: Path):
    if package(path) in ("cli", "serve"):
        return
    for node in nodes_of(path):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"bare except at line {node.lineno}"
            broad = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)}
            assert not broad & {"Exception", "BaseException"}, f"broad except at {node.lineno}"


@every_file
def test_commands_print_through_one_door(path: Path):
    """cli/say.py and cli/terminal.py take out what a terminal would obey; no other file prints."""
    name = str(path.relative_to(SRC))
    if not name.startswith("cli/") or name in {"cli/say.py", "cli/terminal.py", "cli/reference.py"}:
        return
    text = path.read_text("utf-8")
    assert "typer.echo(" not in text
    assert "stdout.write(" not in text


def test_the_order_names_every_package():
    assert {package(p) for p in FILES} - {"__init__", "__main__"} <= set(ORDER)


def test_no_machine_paths_or_registry_hosts():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    here = [f"{p}/" for p in (ROOT.parent, Path.home()) if len(p.parts) > 1]
    hosts = re.compile(r"(pypi\.org|pythonhosted|registry\.npmjs|--(extra-)?index-url)")
    for name in filter(None, listed):
        path = ROOT / name
        if path == Path(__file__) or not path.is_file() or path.suffix in {".db", ".png"}:
            continue
        text = path.read_text("utf-8", errors="replace")
        assert not any(h in text for h in here), name
        assert name == "Makefile" or not hosts.search(text), name
    assert not (ROOT / "uv.lock").exists()


WORD_LIST = re.compile(r"\s*(?:[a-z'-]+\s+){11,}[a-z'-]+\s*")
NAMES_FIELDS = {"world/compare.py", "world/snapshot.py"}


@every_file
def test_the_world_folds_no_verbs(path: Path):
    """Typed events, never English: no pattern and no list of words decides who is there."""
    name = str(path.relative_to(SRC))
    parts = ("world/", "entities/", "staging/perception")
    if not name.startswith(parts) or name in NAMES_FIELDS:
        return
    nodes = nodes_of(path)
    assert "re" not in imports(path)
    for node in nodes:  # words in one text, to be split
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not WORD_LIST.fullmatch(node.value), f"line {node.lineno}: a list of words"
    sets = [n.args[0] for n in nodes if isinstance(n, ast.Call) and n.args
            and isinstance(n.func, ast.Name) and n.func.id == "frozenset"]  # fmt: skip
    for each in (*sets, *(n for n in nodes if isinstance(n, ast.Set))):
        words = [e for e in ast.walk(each) if isinstance(e, ast.Constant) and e.value]
        assert len(words) < 6, f"line {each.lineno}: a list of words"
