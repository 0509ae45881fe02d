"""`python -m storykeeper` is the command line."""

from __future__ import annotations

from storykeeper.cli.main import run

run()
