"""How many cases a property is tried with: few by default, many with STORYKEEPER_LONG=1.

This folder is on the path because of this file, so tests import `strategies.stories`.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from strategies.remembered import remember

# Two workers share two cores: threads of their own that wait for each other only take from them.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

# A change is judged by the same cases everywhere; fresh ones are drawn by the long proofs.
settings.register_profile(
    "default",
    max_examples=8,
    deadline=None,
    print_blob=True,
    suppress_health_check=_QUIET,
    derandomize=True,
)
settings.register_profile(
    "long", max_examples=1_000, deadline=None, print_blob=True, suppress_health_check=_QUIET
)
settings.load_profile("long" if os.environ.get("STORYKEEPER_LONG") == "1" else "default")

remember()

_ROOT = Path(__file__).parents[1]
_CACHES = {".hypothesis", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".venv", ".git"}


@pytest.fixture(autouse=True, scope="session")
def _leaves_nothing_behind():
    """What a test writes, it writes into a folder of its own, and never where it was started."""
    places = {_ROOT, Path.cwd()}
    before = {each for place in places for each in place.iterdir()}
    yield
    left = {each for place in places for each in place.iterdir()} - before
    left = {each.name for each in left} - _CACHES
    assert not left, f"left behind: {sorted(left)}; write into tmp_path, or to :memory:"
