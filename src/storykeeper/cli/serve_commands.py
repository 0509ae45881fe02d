"""`serve` and `key`: the service over HTTP, and who may use it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import structs

from storykeeper.cli.say import say
from storykeeper.cli.settings import ModelName, SettingsFile, settings, with_model
from storykeeper.errors import SettingsInvalid
from storykeeper.ledger.postgres.place import is_address, shown
from storykeeper.models.settings import LOCAL, ModelSettings
from storykeeper.serve.keys import AUTHOR, READ, WRITE, Keys
from storykeeper.serve.settings import Limits, ServiceSettings
from storykeeper.serve.tenancy import OWN

DATA = "storykeeper-data"
key_app = typer.Typer(help="Keys of a service: made, listed, revoked.", no_args_is_help=True)
Data = Annotated[
    str,
    typer.Option(
        "--data", metavar="DIR|URL",
        help="Where runs, memories and keys are kept: a folder, or postgresql://…",
    ),
]  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("serve")(serve)
    app.command("mcp")(mcp)
    app.add_typer(key_app, name="key")


def serve(
    stories: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of stories to offer.")
    ] = None,
    data: Data = DATA,
    model: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Who narrates and answers chats; a URL, or local."),
    ] = None,
    model_name: ModelName = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="What to listen on; others than this machine need keys."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0: any that is free.")
    ] = 8484,
    window: Annotated[
        int, typer.Option(metavar="N", min=200, help="Tokens of a chat's window.")
    ] = 6_000,
    staging: Annotated[
        str,
        typer.Option(
            metavar="HOW", help="inline: a model is asked what it told; reader: prose is read."
        ),
    ] = "inline",
    per_minute: Annotated[
        int, typer.Option(metavar="N", min=1, help="Requests a minute of one key.")
    ] = 600,
    settings_file: SettingsFile = None,
) -> None:
    """Serve stories and memories over HTTP, and chat clients at /v1/chat/completions.

    With nothing said it listens on this machine alone and tells stories by the offline narrator.
    """
    if staging not in ("inline", "reader"):
        raise SettingsInvalid(f"--staging is {staging!r}; it must be inline or reader")
    found = with_model(settings(settings_file), url=model, name=model_name)
    wanted = ServiceSettings(
        **_kept(data), stories=stories, host=host, port=port, model=_reachable(found),
        window_tokens=window, staging=staging, limits=Limits(requests_per_minute=per_minute),
    )  # fmt: skip
    _run(wanted)


def mcp(
    data: Data = DATA,
    stories: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of stories to offer.")
    ] = None,
) -> None:
    """Serve an agent over standard input and output, by the Model Context Protocol.

    The same tools as at /mcp of `storykeeper serve`; several may share a data folder.
    """
    try:
        from storykeeper.serve.mcp.server import mcp_server
        from storykeeper.serve.service import Service
    except ImportError as error:
        raise _missing(error) from error
    mcp_server(Service.of(ServiceSettings(**_kept(data), stories=stories))).run("stdio")


def _kept(data: str) -> dict[str, Any]:
    """Where it is kept, as settings say it."""
    return {"database": data} if is_address(data) else {"data": Path(data)}


def _missing(error: ImportError) -> SettingsInvalid:
    return SettingsInvalid(f"the service needs {error.name}: pip install 'storykeeper[serve]'")


def _reachable(model: ModelSettings) -> ModelSettings:
    """The model's own URL, where it is the one that comes with us."""
    if model.url != LOCAL:
        return model
    from storykeeper.models.local import served

    return structs.replace(model, url=served())


def _run(wanted: ServiceSettings) -> None:
    try:
        from storykeeper.serve.app import create_app
        from storykeeper.serve.listening import Listening
        from storykeeper.serve.telemetry import log_to_stderr
    except ImportError as error:
        raise _missing(error) from error

    def listening(port: int) -> None:
        say(
            f"storykeeper serves on http://{wanted.host}:{port} · told by {narrator} ·"
            f" data in {shown(wanted.database) or wanted.data}\nchat clients: base URL"
            f" http://{wanted.host}:{port}/v1 · Ctrl-C ends it; what was acknowledged is kept"
        )

    log_to_stderr()
    narrator = wanted.model.url or "the offline narrator"
    Listening(
        create_app(wanted), listening, host=wanted.host, port=wanted.port,
        timeout_graceful_shutdown=30,
    ).listen()  # fmt: skip


@key_app.command("create")
def create(
    tenant: Annotated[str, typer.Option(metavar="NAME", help="Whose runs it opens.")] = OWN,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCOPE", help="read, write, author; may be said again. All, if not said."
        ),
    ] = None,
    note: Annotated[str, typer.Option(metavar="TEXT", help="What it is for.")] = "",
    data: Data = DATA,
) -> None:
    """Make a key. It is shown once; only its hash is kept."""
    scopes = scope or [READ, WRITE, AUTHOR]
    key, made = Keys(data).create(tenant=tenant, scopes=scopes, now=int(time.time()), note=note)
    say(key)
    say(f"{made.id}: {made.tenant}, may {', '.join(made.scopes)}", err=True)


@key_app.command("list")
def list_keys(data: Data = DATA) -> None:
    """List the keys, without their secrets."""
    keys = Keys(data).all()
    if not keys:
        say(f"there are no keys in {data}; storykeeper key create makes one")
    for each in keys:
        made = time.strftime("%Y-%m-%d", time.gmtime(each.created))
        state = "revoked" if each.revoked else f"may {', '.join(each.scopes)}"
        say(f"{each.id}  {each.tenant}  {state}  made {made}  {each.note}".rstrip())


@key_app.command("revoke")
def revoke(
    id_: Annotated[str, typer.Argument(metavar="ID", help="As key list shows it.")],
    data: Data = DATA,
) -> None:
    """Revoke a key: from now on it opens nothing."""
    say(f"{Keys(data).revoke(id_).id} opens nothing any more")
