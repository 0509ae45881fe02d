"""A model that plays characters: each from its own brief, by a `CharacterAction`, before a judge.

It chooses among what the author's rules leave open; what it writes beside that reaches no window.
What the judge refuses, and what is no action at all, the rules decide in its place.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import msgspec
from msgspec import structs

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import TurnBrief
from storykeeper.errors import ModelUnavailable
from storykeeper.events.changes import ActionProposed
from storykeeper.models.port import ChatModel, Message
from storykeeper.play.commit import before_acting
from storykeeper.play.intents import Case, cases
from storykeeper.play.options import minded
from storykeeper.play.running import Running
from storykeeper.play.seeing import seen
from storykeeper.play.story_brief import WAIT
from storykeeper.units import EntityId, TurnNo

LIMIT_TOKENS = 400
ASK = (
    "You are this character, and nobody else. Choose what they do now: one of the verbs under"
    " “What you can do”. Lean on nothing that is not above. Answer with one JSON object:"
    ' {"verb": …, "target": an id or null, "words": what they say or "", "justification": why}.'
)


@dataclass(frozen=True, slots=True)
class CharacterModel:
    """Whom to ask. `name` is what the ledger keeps of who chose."""

    model: ChatModel
    name: str = "model"

    def proposed(self, state: Running) -> list[ActionProposed]:
        """What it has everybody do who could do something in the turn under way."""
        turn = state.world.pending
        if turn is None or not turn.text or turn.proposed or not minded(state.world.plan):
            return []
        return [
            made for case in cases(before_acting(state.world, turn), turn)
            if (made := self.chosen(read_by(case, _window(state, case.who)))) is not None
        ]  # fmt: skip

    def chosen(self, case: Case) -> ActionProposed | None:
        """What it has one of them do; None, if it must be left to the rules."""
        action = self.act(case.brief)
        verdict = None if action is None else case.ruled(action)
        if verdict is None or verdict.action is None:
            return None
        option, done = case.chosen(verdict.action), verdict.action
        name = f"{case.who}/{WAIT}" if option is None else option.name
        return ActionProposed(
            TurnNo(case.brief.turn), case.who, name, self.name, done.words, done.justification
        )

    def act(self, brief: TurnBrief) -> CharacterAction | None:
        """Its answer to a brief; None, if that is no action, or there is none."""
        said = [Message("system", brief.text), Message("user", ASK)]
        schema = msgspec.json.schema(CharacterAction)
        try:
            answer = self.model.complete(said, schema=schema, limit_tokens=LIMIT_TOKENS)
        except ModelUnavailable:
            return None
        start, end = answer.find("{"), answer.rfind("}")
        try:
            raw = msgspec.json.decode(answer[start : end + 1] if 0 <= start < end else answer)
            whole = {"who": brief.who, "turn": brief.turn, **raw} if isinstance(raw, dict) else raw
            return msgspec.convert(whole, CharacterAction)
        except (msgspec.ValidationError, msgspec.DecodeError):
            return None


def proposed(characters: CharacterModel | None, state: Running) -> list[ActionProposed]:
    """What a model has characters do in the turn under way, if one plays them."""
    return [] if characters is None else characters.proposed(state)


def read_by(case: Case, window: str) -> Case:
    """The case with a brief that can be read: the character's window, and what it may do."""
    body = f"{window}\n\n{_can(case.brief)}"
    digest = hashlib.sha256(body.encode()).hexdigest()
    return replace(case, brief=structs.replace(case.brief, text=body, digest=digest))


def _can(brief: TurnBrief) -> str:
    lines = (f"- {a.verb} ({', '.join(a.targets)}): {a.text}" for a in brief.actions)
    return "\n".join(("# What you can do", *lines)).replace(" ():", ":")


def _window(state: Running, who: EntityId) -> str:
    """What somebody sees before any of those who act now has done anything."""
    turn = state.world.pending
    assert turn is not None
    still = (
        ActionProposed(turn.turn, EntityId(c), f"{c}/{WAIT}", "") for c in state.world.plan.cast
    )
    waiting = structs.replace(turn, proposed=tuple(still))
    return seen(waiting, state, audience=who, tokens=None).window.text
