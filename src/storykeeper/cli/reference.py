"""The reference page of the commands, made from the commands.

python -m storykeeper.cli.reference > docs/reference/commands.md
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

import typer.main

HEAD = """\
# Commands

Written by `python -m storykeeper.cli.reference`; a test compares.

`RUN` is a file, `run.db`, or one run in it, `run.db@name`. Exit codes: 0 all is well, 1 something
was found (problems, a bad record), 2 it could not be done; the reason is on standard error. 130
after Ctrl-C, by which nothing is lost.
"""


def page() -> str:
    """Every command with its arguments and options."""
    from storykeeper.cli.main import app

    group: Any = typer.main.get_command(app)
    parts = [HEAD]
    for name, command in group.commands.items():
        parts.append(_command(name, command))
        for inner, each in getattr(command, "commands", {}).items():
            parts.append(_command(f"{name} {inner}", each, level=3))
    return "\n".join(parts)


def _command(name: str, command: Any, *, level: int = 2) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and not p.hidden]
    wanted = [_flags(option) for option in options if option.required]
    inside = ["COMMAND"] if hasattr(command, "commands") else []
    usage = " ".join([f"storykeeper {name}", *(_usage(a) for a in arguments), *wanted, *inside])
    lines = [
        f"{'#' * level} {name}",
        "",
        f"`{usage}`",
        "",
        inspect.cleandoc(command.help or ""),
        "",
    ]
    rows = [(_usage(a), a.help or "") for a in arguments] + [
        (_flags(o), o.help or "") for o in options
    ]
    if rows:
        lines += ["| | |", "|---|---|"]
        lines += [f"| `{what}` | {means} |" for what, means in rows]
        lines.append("")
    return "\n".join(lines)


def _usage(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name.strip('[]')}]"


def _flags(option: Any) -> str:
    flags = ", ".join((*option.opts, *option.secondary_opts))
    return flags if option.is_flag else f"{flags} {option.metavar}"


if __name__ == "__main__":
    sys.stdout.write(page())
