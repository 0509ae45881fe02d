"""The adapters with the packages that they are for, which `make test-long` installs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = ROOT / "tests" / "adapters"
# Whole, since the tests run elsewhere; not resolved, since it is by its link that it is found.
PYTHON = Path(os.environ.get("STORYKEEPER_ADAPTERS", sys.executable)).absolute()
# Their packages warn of their own affairs; and a kit's own tests are awaited by a plugin.
SETTINGS = ("-q", "-rA", "-c", str(ROOT / "pyproject.toml"))
ASIDE = (
    "-o",
    "addopts=",
    "-o",
    "filterwarnings=default",
    "-W",
    "ignore",
    "-o",
    "asyncio_mode=auto",
)


@pytest.mark.long
@pytest.mark.parametrize("path", sorted(HERE.glob("*.py")), ids=lambda path: path.stem)
def test_an_adapter_does_what_its_package_asks(path: Path, tmp_path: Path):
    run = subprocess.run(
        [PYTHON, "-m", "pytest", *SETTINGS, *ASIDE, str(path)],
        capture_output=True, text=True, cwd=tmp_path,
        env=os.environ | {"LLAMA_INDEX_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-4_000:] + run.stderr[-1_000:]
    assert "PASSED" in run.stdout
    assert "SKIPPED" not in run.stdout
