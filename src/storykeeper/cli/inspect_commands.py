"""`inspect`: the page that shows a run, on this machine alone."""

from __future__ import annotations

import socket
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Annotated

import httpx
import typer

from storykeeper.bootstrap import Storykeeper
from storykeeper.cli.say import say
from storykeeper.cli.settings import ModelName, SettingsFile, settings, with_model
from storykeeper.errors import RunNotFound, SettingsInvalid, StorykeeperError
from storykeeper.language.tokens import counter
from storykeeper.ledger.address import Address, parse
from storykeeper.ledger.places import is_there
from storykeeper.play.narrate import NAME, STAGE, offline
from storykeeper.serve.keys import SCOPES, Keys
from storykeeper.serve.settings import Limits, ServiceSettings
from storykeeper.serve.tenancy import OWN
from storykeeper.story.loader import load_story
from storykeeper.story.problems import slug

PER_MINUTE = 100_000  # it is one's own machine
WAIT = 600.0  # seconds, for a long run to be read
LOOPBACK = "127.0.0.1"
OPEN_TO = "it is open to whoever has this address, on this machine; Ctrl-C ends it"
OPENED = ("", "/landscape")  # what the page asks for first


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("inspect")(inspect)


def inspect(
    what: Annotated[
        str, typer.Argument(metavar="RUN|STORY", help="run.db, run.db@name, or a story's folder.")
    ],
    run: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="Of a story: where its run is kept; STORY-ID.db here."),
    ] = None,
    stories: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder above the story's, to see its files."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="URL", help="Who narrates what is played in the page.")
    ] = None,
    model_name: ModelName = None,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="0: any that is free.")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open it; not without a terminal.")
    ] = True,
    settings_file: SettingsFile = None,
) -> None:
    """Look at a run in the browser: where it pulls, what a window held and why, who knows what.

    It listens on this machine alone, and only whoever has the address it prints sees anything.
    Of a story that was never played a run is begun. Ctrl-C ends it.
    """
    found = with_model(settings(settings_file), url=model, name=model_name)
    address, above = _meant(what, run, stories)
    at, branch = address.place, address.run
    name = slug(at.stem if isinstance(at, Path) else at.run)[:60] or "run"
    served = str(at.absolute()) if isinstance(at, Path) else at.address
    with tempfile.TemporaryDirectory(prefix="storykeeper-inspect-") as data:
        wanted = ServiceSettings(
            data=Path(data), stories=above, host=LOOPBACK, model=found,
            elsewhere={name: served}, limits=Limits(requests_per_minute=PER_MINUTE),
        )  # fmt: skip
        key, _ = Keys(wanted.data).create(tenant=OWN, scopes=SCOPES, now=int(time.time()))
        shown = f"{name}@{branch}" if address.named else name
        fragment = f"#run={shown}&key={key}"
        _serve(wanted, port, _Shown(fragment, shown, key, browser and sys.stdout.isatty()))


def _meant(what: str, run: str | None, stories: Path | None) -> tuple[Address, Path | None]:
    """The run, begun if it is a story that was never played; and the folder above the story."""
    folder = Path(what)
    if not folder.is_dir():
        address = parse(what)
        if not is_there(address.place):
            raise RunNotFound(f"there is no run at {what}, nor a story; check the name")
        return address, stories
    story = load_story(folder, counters=counter)
    address = parse(run or f"{story.id}.db")
    with Storykeeper.open(run or f"{story.id}.db", story=story) as keeper:
        if keeper.world().pending is None and not keeper.history():
            turn = keeper.opening()
            keeper.render(turn, offline(turn.world, turn.present), narrator=NAME, stage=STAGE)
    return address, stories or folder.absolute().parent


@dataclass(slots=True)
class _Shown:
    """A run in the page: where that is, and what was in the way, if it cannot be shown."""

    fragment: str
    run: str
    key: str
    browser: bool
    wrong: str = ""

    def announce(self, base: str, end: Callable[[], None]) -> None:
        """Have the run read once, so that the page opens at once; then say where it is."""
        run, headers = f"{base}/v1/inspect/{self.run}", {"x-storykeeper-key": self.key}
        with httpx.Client(headers=headers, timeout=WAIT, trust_env=False) as client:
            try:
                self.wrong = next(filter(None, (_wrong(client.get(run + v)) for v in OPENED)), "")
            except httpx.HTTPError as error:
                self.wrong = f"the page did not answer ({error}); start it again"
            if self.wrong:
                end()
                return
            address = f"{base}/inspect/{self.fragment}"
            say(f"{address}\n{OPEN_TO}")
            if self.browser:
                webbrowser.open(address)
            with suppress(httpx.HTTPError):  # it was ended meanwhile
                client.get(f"{run}/lanes")


def _wrong(answer: httpx.Response) -> str:
    if answer.is_success:
        return ""
    plain = answer.headers.get("content-type", "").endswith("json")
    return str(answer.json().get("detail")) if plain else f"it answered {answer.status_code}"


def _serve(wanted: ServiceSettings, port: int, shown: _Shown) -> None:
    try:
        from storykeeper.serve.app import create_app
        from storykeeper.serve.listening import Listening
    except ImportError as error:
        raise SettingsInvalid(
            f"the page needs {error.name}: pip install 'storykeeper[serve]'"
        ) from error

    def listening(at: int) -> None:
        def end() -> None:
            server.should_exit = True

        base = f"http://{LOOPBACK}:{at}"
        Thread(target=shown.announce, args=(base, end), daemon=True).start()

    server = Listening(create_app(wanted), listening, timeout_graceful_shutdown=5)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((LOOPBACK, port))
        except OSError as error:
            raise SettingsInvalid(
                f"port {port} is taken ({error.strerror}); give another"
            ) from error
        server.listen([door])
    if shown.wrong:
        raise StorykeeperError(f"the run cannot be shown: {shown.wrong}")
