"""`storykeeper memory …`: what was said in any chat, kept and found again. No story is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
import typer

from storykeeper.cli.memory_adding import add, import_chat, load, partition
from storykeeper.cli.memory_filters import Where, where_of
from storykeeper.cli.memory_items import (
    deduplicate,
    delete,
    export,
    forget,
    get,
    history,
    list_items,
    sweep,
    update,
)
from storykeeper.cli.memory_opening import (
    AsJson,
    Embedder,
    EmbedderModel,
    File,
    For,
    Namespace,
    Now,
    Query,
    many,
    moment_of,
    opened,
    place_of,
)
from storykeeper.cli.memory_show import profile_lines
from storykeeper.cli.memory_views import (
    found_lines,
    id_spans,
    item_data,
    item_line,
    prompt_data,
    prompt_lines,
    results_data,
)
from storykeeper.cli.progress import progress_bar
from storykeeper.cli.say import say, say_json, say_lines
from storykeeper.errors import ModelUnavailable
from storykeeper.ledger.backup import disk_use
from storykeeper.memory.memory import Compacted
from storykeeper.models.port import ChatModel, Message
from storykeeper.story.tuning import Policy

PROMPT_TOKENS = 4_000

memory_app = typer.Typer(
    name="memory",
    help="What was said in a chat, kept and found again; no story is needed.",
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    memory_app.command("import")(import_chat)
    everyday = (add, search, prompt, load, partition, compact, expand)
    single = (get, history, update, delete, forget, sweep, deduplicate, export)
    commands: tuple[Callable[..., None], ...] = (*everyday, *single, rebuild, show)
    for command in commands:
        memory_app.command()(command)
        if command is expand:
            memory_app.command("list")(list_items)
    app.add_typer(memory_app)


@memory_app.callback(invoke_without_command=True)
def front(context: typer.Context) -> None:
    """Keep what was said in any chat, and find it again; no story is needed."""
    if context.invoked_subcommand is None:
        say(context.get_help())


# ── finding ──────────────────────────────────────────────────────────────────────────────────


def search(
    file: File,
    query: Query,
    audience: For = None,
    where: Where = None,
    now: Now = None,
    k: Annotated[
        int | None,
        typer.Option("-k", metavar="N", min=1, help="How many, at most; ten, or all of a time."),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(metavar="TOKENS", min=0, help="Instead, as much as fits into so many tokens."),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="What each score is made of, in plain words.")
    ] = False,
    namespace: Namespace = "",
    embedder: Embedder = None,
    embedder_model: EmbedderModel = None,
    json: AsJson = False,
) -> None:
    """Find what answers a question: id, score, when, who, and the words; the best first."""
    with opened(
        file, embedder=embedder, embedder_model=embedder_model, namespace=namespace
    ) as memory:
        results = memory.search(
            query, audience=audience, where=where_of(where), now=moment_of(now), k=k,
            budget=budget,
        )  # fmt: skip
    if json:
        say_json(results_data(results))
    else:
        say_lines(found_lines(results, why=why))


def prompt(
    file: File,
    query: Query,
    tokens: Annotated[
        int, typer.Option(metavar="N", min=1, help="What it may take in all.")
    ] = PROMPT_TOKENS,
    audience: For = None,
    where: Where = None,
    now: Now = None,
    session: Annotated[
        str, typer.Option(metavar="NAME", help="The conversation that is going on; any if not.")
    ] = "",
    strict: Annotated[
        bool,
        typer.Option("--prefix", help="Stop at the first that does not fit, instead of the next."),
    ] = False,
    namespace: Namespace = "",
    embedder: Embedder = None,
    embedder_model: EmbedderModel = None,
    json: AsJson = False,
) -> None:
    """Make a whole prompt: rules, background, what answers the query, and the last turns.

    The prompt goes to standard output; its tokens and notes go to standard error.
    """
    with opened(
        file, embedder=embedder, embedder_model=embedder_model, namespace=namespace
    ) as memory:
        memory.session = session
        made = memory.context(
            query, tokens=tokens, audience=audience, where=where_of(where), now=moment_of(now),
            policy=Policy.PREFIX if strict else Policy.FILL,
        )  # fmt: skip
    if json:
        say_json(prompt_data(made))
        return
    say(made.text)
    for line in prompt_lines(made):
        say(line, err=True)


def expand(
    file: File,
    item: Annotated[str, typer.Argument(metavar="ID", help="Of a summary: m12.")],
    json: AsJson = False,
) -> None:
    """Print what a summary was made from, word for word, in order."""
    with opened(file) as memory:
        found = memory.expand(item)
    if json:
        say_json([item_data(each) for each in found])
    else:
        say_lines(f"{each.id:<5} {item_line(each, each.text)}" for each in found)


def show(file: File, json: AsJson = False) -> None:
    """Say what a memory holds: items, sessions, speakers, summaries, embedder, sizes."""
    with opened(file) as memory:
        memory.store.commit()
        found, disk = memory.profile(), disk_use(place_of(file))
    if json:
        say_json({**msgspec.structs.asdict(found), "disk": disk})
    else:
        say_lines(profile_lines(found, disk))


# ── summing up ──────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Listened:
    """A model, and why it could not be asked the last time."""

    model: ChatModel
    failures: int = 0
    problem: str = ""

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, object] | None, limit_tokens: int
    ) -> str:
        """The model's own answer."""
        try:
            return self.model.complete(messages, schema=schema, limit_tokens=limit_tokens)
        except ModelUnavailable as error:
            self.failures, self.problem = self.failures + 1, str(error)
            raise


def compact(
    file: File,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="An OpenAI-compatible endpoint that writes the summaries."
        ),
    ] = None,
    model_name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which model there.")
    ] = None,
    embedder: Embedder = None,
    embedder_model: EmbedderModel = None,
    json: AsJson = False,
) -> None:
    """Sum up what is older than the recent turns. What was said stays, and stays searchable.

    Without a model, summaries are sentences taken from what was said. A model's summary stands only
    if nothing in it is new. Ctrl-C at any moment: what is made is kept, none is made twice.
    """
    asked = _model(model, model_name)
    with (
        opened(file, embedder=embedder, embedder_model=embedder_model) as memory,
        progress_bar("summing up") as progress,
    ):
        done = memory.compact(model=asked, progress=progress)
    if json:
        say_json(done)
    else:
        say_lines(_compacted_lines(done))
    if asked is not None and asked.failures:
        say(
            f"note: the model could not be asked for {asked.failures:,} of them, which are taken"
            f" from what was said: {asked.problem}",
            err=True,
        )


def _model(url: str | None, name: str | None) -> _Listened | None:
    if url is None and name is None:
        return None
    if not url or not name:
        raise typer.BadParameter("--model and --model-name go together")
    from storykeeper.models.endpoint import Endpoint
    from storykeeper.models.keys import allowed, api_key

    return _Listened(Endpoint(url, name, api_key=api_key(), allow=allowed()))


def _compacted_lines(done: Compacted) -> Iterator[str]:
    if not done.summaries:
        yield "nothing to sum up: too little is older than the recent turns"
    else:
        count = len(done.summaries)
        made = "1 summary" if count == 1 else f"{count:,} summaries"
        ids = id_spans(done.summaries)
        yield f"{made}, {ids}: {done.tokens_before:,} tokens in {done.tokens_after:,}"
    for reason in sorted({each.reason for each in done.declined}):
        count = sum(each.reason == reason for each in done.declined)
        yield f"{many(count, 'group')} left as it is: {reason}"


def rebuild(file: File, embedder: Embedder = None, embedder_model: EmbedderModel = None) -> None:
    """Make the index again from the file. Nothing is lost by it, and nothing embedded twice."""
    with (
        opened(file, embedder=embedder, embedder_model=embedder_model) as memory,
        progress_bar("indexing") as progress,
    ):
        memory.rebuild(progress=progress)
        count = len(memory)
    say(f"{many(count, 'item')} indexed again")
