"""Commands that look at a run through the engine: `window`, `why`, `knows`, `entities` …"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import msgspec
import typer

from storykeeper.bootstrap import Storykeeper, open_ledger
from storykeeper.cli import presence
from storykeeper.cli.entities import as_data, listed
from storykeeper.cli.knows import as_data as as_knowledge
from storykeeper.cli.knows import listed as held
from storykeeper.cli.knows import table
from storykeeper.cli.play import play
from storykeeper.cli.say import say, say_json, visible
from storykeeper.cli.why import compared, explained
from storykeeper.context.window import Window
from storykeeper.errors import LedgerDamaged, WrongStory
from storykeeper.ledger.address import parse
from storykeeper.ledger.stories import story_of
from storykeeper.memory.found import Results
from storykeeper.play.seeing import NARRATOR

Run = Annotated[str, typer.Argument(metavar="RUN", help="run.db, or run.db@name for a fork.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON, for programs.")]
OF_MEMORIES = ("embedder-chosen", "memory-added")  # a memory has one of these, a run has a story
At = Annotated[int | None, typer.Option("--at", metavar="TURN", help="As it stood then.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("play")(play)
    app.command("window")(window)
    app.command("why")(why)
    app.command("here")(here)
    app.command("knows")(knows)
    app.command("forget")(forget)
    app.command("entities")(entities)
    app.command("recall")(recall)
    app.command("replay")(replay)


@contextmanager
def looking(run: str) -> Iterator[Storykeeper]:
    """A run opened to look at: nothing is committed by looking."""
    try:
        keeper = Storykeeper.open(run, read_only=True)
    except LedgerDamaged:
        _refuse_memory(run)
        raise
    try:
        yield keeper
    finally:
        keeper.ledger.close()


def _refuse_memory(run: str) -> None:
    """Say so of a file in which no run follows a story: it is a memory, and not damaged."""
    address = parse(run)
    with open_ledger(address.place, read_only=True) as ledger:
        remembers = any(ledger.last(address.run, kind=kind) for kind in OF_MEMORIES)
        if remembers and story_of(ledger, address.run) is None:
            raise WrongStory(
                f"{address.place} is a memory and follows no story;"
                " storykeeper memory looks into it"
            )


def window(
    run: Run,
    audience: Annotated[
        str, typer.Option("--for", metavar="WHO", help="The narrator, or one of the cast.")
    ] = NARRATOR,
    text: Annotated[
        str,
        typer.Option(
            "--input", metavar="TEXT", help="What the player might type; the line under way if not."
        ),
    ] = "",
    budget: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Tokens it may take.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show the window somebody would get now, and its receipt, without playing."""
    with looking(run) as keeper:
        made = keeper.window(audience, text=text, tokens=budget)
    if json:
        say_json(_data(made))
        return
    say(made.text)
    say(f"\n── receipt ──\n{explained(made)}")
    if text and audience != NARRATOR and text not in made.text:
        say(
            f"\n“{text}” is not in it: {audience} is not who would type it. What a player types is"
            " the narrator's and that character's; others are given what they perceive of the turn"
        )


def why(
    run: Run,
    turn: Annotated[
        int | None, typer.Argument(metavar="TURN", help="Which turn; the last if not.")
    ] = None,
    item: Annotated[
        str | None,
        typer.Argument(
            metavar="ITEM", help="Items with this in their id; or some words of what was told."
        ),
    ] = None,
    against: Annotated[
        int | None, typer.Option(metavar="TURN", help="Compare with another turn's.")
    ] = None,
    audience: Annotated[
        str, typer.Option("--for", metavar="WHO", help="The narrator, or one of the cast.")
    ] = NARRATOR,
    heard: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Instead, who perceived these words of the turn."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Say why each item was in or out of a turn's window, factor by factor.

    For the author: of what was withheld it says by which rule. ITEM may be a fact, an event or one
    of the cast, whether or not anything asked for it; or a sentence that was told, in quotes:
    where it stands in the window, or why it does not.
    """
    with looking(run) as keeper:
        number = turn if turn is not None else keeper.last_turn()
        if heard is not None:
            _say_heard(keeper, number, heard, json=json)
            return
        made = keeper.window_of(number, audience)
        other = keeper.window_of(against, audience) if against is not None else None
        unread = keeper.left_unread(number)
    if json:
        against_data = {} if other is None else {"against": _data(other)}
        say_json(_data(made) | against_data | {"unread": unread})
    elif other is not None:
        say(compared(other, made, item=item))
    else:
        say("\n".join([explained(made, item=item), *(f"note: {each}" for each in unread)]))


def _say_heard(keeper: Storykeeper, turn: int, words: str, *, json: bool) -> None:
    pieces = keeper.heard(turn, words)
    if json:
        say_json(pieces)
    else:
        say(presence.explained(keeper.world().plan, pieces, words))


def here(run: Run, at: At = None, json: AsJson = False) -> None:
    """List who is where, how sure that is, and by what words. For the author's eyes."""
    with looking(run) as keeper:
        world, seen = keeper.world(at=at, shown=True), keeper.presence(at=at, shown=True)
    if json:
        say_json(presence.as_data(world, seen))
    else:
        say(presence.listed(world, seen))


def knows(
    run: Run,
    who: Annotated[
        str | None, typer.Argument(metavar="WHO", help="One of the cast; all in a table if not.")
    ] = None,
    about: Annotated[
        str | None, typer.Option(metavar="ID", help="Only of this person, place or thing.")
    ] = None,
    thinkers: Annotated[
        list[str] | None,
        typer.Option(
            "--thinks",
            metavar="WHO",
            help="Instead, what this one thinks they hold; given again, what the next thinks …",
        ),
    ] = None,
    at: At = None,
    json: AsJson = False,
) -> None:
    """List what somebody knows, suspects and believes, how they came by it, and since when.

    For the author: it also says what is not so. Without WHO, a table of everybody.
    """
    if who is None and (about or thinkers):
        raise typer.BadParameter("--about and --thinks are asked of one person: name WHO")
    with looking(run) as keeper:
        plan = keeper.world().plan
        if who is None:
            everybody = keeper.everybody_knows(at=at)
        else:
            found = keeper.knows(who, about=about, thinker=thinkers, at=at)
    if who is None:
        data = [as_knowledge(each) for each in everybody.values()]
        say(msgspec.json.encode(data).decode() if json else visible(table(plan, everybody)))
    elif json:
        say_json(as_knowledge(found))
    else:
        say(held(plan, found, thinkers=thinkers or ()))


def forget(
    run: Run,
    who: Annotated[str, typer.Argument(metavar="WHO", help="One of the cast.")],
    fact: Annotated[str, typer.Argument(metavar="FACT", help="A fact that they hold, by id.")],
    note: Annotated[str, typer.Option(metavar="TEXT", help="A reason, kept on record.")] = "",
) -> None:
    """Put on record that somebody no longer knows where they have a fact from; they still have it.

    Who they tell it to has it from them and nobody before; `knows` says that it is forgotten.
    """
    keeper = Storykeeper.open(run)
    try:
        keeper.forget_source(who, fact, note=note)
        plan, found = keeper.world().plan, keeper.knows(who)
    finally:
        keeper.ledger.close()  # closing the keeper would commit what is still to be answered
    lines = held(plan, found).splitlines()
    say(next(line for line in lines if f" {fact} (" in line))


def entities(
    run: Run,
    at: At = None,
    promoted: Annotated[
        str | None,
        typer.Option(metavar="FROM-TO", help="Only what earned its place in these turns: 4-7."),
    ] = None,
    texture: Annotated[
        bool, typer.Option("--all", help="Also what was only mentioned or referred to.")
    ] = False,
    json: AsJson = False,
) -> None:
    """List who and what the run keeps track of: tier, weight, why, and mentions by turn."""
    turns = _turns(promoted)
    with looking(run) as keeper:
        views = keeper.entities(at=at)
        world = keeper.world(at=at)
    if json:
        say_json(as_data(world, views, promoted=turns))
        return
    say(listed(world, views, promoted=turns, texture=texture))


def _turns(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, _, last = text.partition("-")
    try:
        found = int(first), int(last or first)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no range of turns; write 4-7, or 4") from None
    if found[0] > found[1]:
        raise typer.BadParameter(f"{text!r} ends before it begins; write the lower turn first")
    return found


def recall(
    run: Run,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    audience: Annotated[
        str, typer.Option("--for", metavar="WHO", help="The narrator, or one of the cast.")
    ] = NARRATOR,
    most: Annotated[
        int | None,
        typer.Option("-k", metavar="N", min=1, help="How many at most; ten, or all of a time."),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="As many as fit into so many tokens.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Find what answers a question in the past of a run, from what somebody remembers of it."""
    with looking(run) as keeper:
        found = keeper.recall(query, audience, k=most, budget=budget)
    if json:
        say_json(found_data(found))
        return
    for note in found.notes:
        say(note)
    for hit in found:
        say(f"{hit.score:.2f}  turn {hit.item.turn}  {' '.join(hit.text.split())}")
    if not found:
        say("nothing like it is remembered")


def found_data(found: Results) -> dict[str, object]:
    """What was recalled, for programs."""
    return {
        "hits": [
            {
                "id": hit.item.id,
                "turn": hit.item.turn,
                "scene": hit.item.session,
                "speaker": hit.item.speaker,
                "text": hit.text,
                "form": hit.form,
                "score": hit.score,
                "terms": hit.terms,
                "signals": hit.signals,
            }
            for hit in found
        ],
        "notes": found.notes,
        "left_out": len(found.left_out),
        "budget": found.budget,
        "tokens": found.tokens,
    }


def replay(run: Run, json: AsJson = False) -> None:
    """Fold the run again from zero, make its windows again, and compare every hash."""
    with looking(run) as keeper:
        done = keeper.replay()
    if json:
        say_json(done)
    else:
        gone = f"; {done.erased} showed text that was erased since" if done.erased else ""
        say(f"{done.records} records, {done.windows} windows: all the same{gone}")


def _data(made: Window) -> dict[str, object]:
    return {
        "audience": made.audience,
        "turn": made.turn,
        "text": made.text,
        "messages": made.messages,
        "tokens": made.tokens,
        "receipt": made.receipt,
    }
