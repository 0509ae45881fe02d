"""`storykeeper model check`: what an endpoint can do, and how long it takes."""

from __future__ import annotations

import json as json_codec
from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Annotated

import typer

from storykeeper.bootstrap import model_endpoint
from storykeeper.cli.say import say, say_json
from storykeeper.cli.settings import ModelName, SettingsFile, with_model
from storykeeper.cli.settings import settings as read_settings
from storykeeper.errors import ModelUnavailable
from storykeeper.models.endpoint import Endpoint
from storykeeper.models.port import Message
from storykeeper.staging.declaration import rendered
from storykeeper.staging.stage_filter import StageFilter
from storykeeper.story.preamble import ASK, ASK_STAGE, STAGE

SCHEMA = {
    "type": "object", "required": ["colour"],
    "properties": {"colour": {"type": "string"}, "sure": {"type": "boolean"}},
}  # fmt: skip
ROOM = (
    "# Here\nThe kitchen. Mara and Tom are here. A door leads to the yard.\n\n"
    "# The player\n> I ask Mara to fetch coal from the yard.\n\n# Write\n"
)


@dataclass(frozen=True, slots=True)
class Tried:
    """One thing that was tried of a model."""

    what: str
    works: bool
    says: str
    seconds: float


def register(app: typer.Typer) -> None:
    """Add the commands."""
    model = typer.Typer(help="A model that narrates.", rich_markup_mode=None)
    model.callback()(lambda: None)
    model.command("check")(check)
    app.add_typer(model, name="model")


def check(
    url: Annotated[
        str | None,
        typer.Argument(metavar="[URL]", help="Where it is; that of the settings if not said."),
    ] = None,
    model_name: ModelName = None,
    settings: SettingsFile = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Try a model: whether it answers, streams, keeps to a schema and writes a stage block.

    Exits with 1 if it cannot narrate. Without schemas or stage blocks a story plays all the same.
    """
    chosen = with_model(read_settings(settings), url=url, name=model_name)
    if not chosen.url:
        raise typer.BadParameter("name the URL of an endpoint, or put it into a settings file")
    model = model_endpoint(chosen)
    found = [_tried("models", lambda: _names(model, chosen.name))]
    found.append(_tried("streaming", lambda: _streaming(model)))
    if found[-1].works:
        found += [_tried("schema", lambda: _schema(model)), _tried("stage", lambda: _stage(model))]
    model.close()
    if json:
        say_json({each.what: asdict(each) for each in found})
    else:
        for each in found:
            mark = "yes" if each.works else "no "
            say(f"{each.what:<10} {mark}  {each.seconds:6.2f} s  {each.says}")
    if not found[1].works:
        raise typer.Exit(1)


def _tried(what: str, attempt: Callable[[], tuple[bool, str]]) -> Tried:
    began = monotonic()
    try:
        works, says = attempt()
    except ModelUnavailable as error:
        works, says = False, str(error)
    return Tried(what, works, says, round(monotonic() - began, 3))


def _names(model: Endpoint, wanted: str) -> tuple[bool, str]:
    names = model.models()
    listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    if not names:
        return False, "it does not say which models it has; that need not matter"
    return wanted in (*names, "default"), f"it has {listed}"


def _streaming(model: Endpoint) -> tuple[bool, str]:
    answer = model.stream(
        [{"role": "user", "content": "Describe a lamp in two sentences."}], limit_tokens=80
    )
    text = "".join(answer)
    if not text.strip():
        return False, "it answered without a word"
    first = answer.first_seconds or 0.0
    cost = "" if answer.usage is None else f", {answer.usage.answer_tokens} tokens of answer"
    how = "part by part" if answer.streamed else "at once, not part by part"
    return True, f"first word after {first:.2f} s, {how}{cost}; ended by {answer.finish}"


def _schema(model: Endpoint) -> tuple[bool, str]:
    asked = (Message("user", "What colour is the sea? Answer as JSON."),)
    text = model.complete(asked, schema=SCHEMA, limit_tokens=80)
    try:
        fits = isinstance(json_codec.loads(text).get("colour"), str)
    except (ValueError, AttributeError):
        fits = False
    how = "told in words" if model.by_hand else "as a schema"
    return fits, f"the answer {'fits' if fits else 'does not fit'}; it was {how}"


def _stage(model: Endpoint) -> tuple[bool, str]:
    """Whether a stage block comes behind the prose, as a window asks for it."""
    answer = model.stream(
        [{"role": "system", "content": STAGE},
         {"role": "user", "content": f"{ROOM}{ASK} {ASK_STAGE}"}],
        limit_tokens=400,
    )  # fmt: skip
    held = StageFilter()
    for part in answer:
        held.add(part)
    held.end()
    _, declared, dropped = rendered(held.raw, None)
    if declared is None:
        return False, "there is none; who comes and goes is read from the prose"
    if dropped:
        return False, f"there is one, and of it was dropped: {'; '.join(dropped)}"
    return True, f"behind {len(held.prose.split())} words of prose"
