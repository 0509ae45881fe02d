"""A chat model behind HTTP, in the protocol that OpenAI's servers and most local ones speak."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import msgspec

from storykeeper.errors import UNREADABLE, ModelUnavailable
from storykeeper.models.port import Message
from storykeeper.models.posting import Answered, Post
from storykeeper.models.refusals import filtered, refusal
from storykeeper.models.stream import REFUSES_FIELDS, Patience, Stream

MAX_ANSWER_BYTES = 4_000_000
_BY_HAND = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n"


class _Said(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class _Model(msgspec.Struct):
    id: str


class _Served(msgspec.Struct):
    data: list[_Model]


@dataclass(slots=True)
class Endpoint:
    """A chat model at a URL such as `http://127.0.0.1:8080/v1`.

    `timeout_seconds` is for a whole call, second tries included.
    """

    url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 120.0
    retry_wait_seconds: float = 2.0  # the longest wait before the second try
    tries: int = 2
    patience: Patience = field(default_factory=Patience)  # with a stream
    stop: tuple[str, ...] = ()  # words that end an answer, where a server does not know them
    extra: Mapping[str, object] = field(default_factory=dict)  # more fields, as the server wants
    trust_env: bool = False
    allow: Collection[str] = ()  # `private`, `plain-key`: see models/network.py
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    # Set once a server that refused a schema answered without one, so as to ask only once each.
    by_hand: bool = field(default=False, init=False, repr=False)
    _post: Post = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._post = Post(
            self.url, self.api_key, retry_wait_seconds=self.retry_wait_seconds, tries=self.tries,
            max_answer_bytes=MAX_ANSWER_BYTES, trust_env=self.trust_env, clock=self.clock,
            sleep=self.sleep, allow=self.allow,
        )  # fmt: skip

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, object] | None, limit_tokens: int
    ) -> str:
        """The model's answer; a server that does not know schemas is told in words."""
        deadline = self.clock() + self.timeout_seconds
        body = self._body(messages, schema=schema, limit_tokens=limit_tokens)
        answered = self._asked(body, deadline)
        if "response_format" in body and answered.status in REFUSES_FIELDS:
            plain = self._body(messages, schema=schema, limit_tokens=limit_tokens, by_hand=True)
            answered = self._asked(plain, deadline)
            self.by_hand = answered.status == HTTPStatus.OK
        return self._text_of(answered)

    def stream(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        limit_tokens: int,
        temperature: float = 0.8,
        seed: int | None = None,
    ) -> Stream:
        """The answer as it comes, to messages as a window has them (`messages`, `cached_messages`).

        A server that refuses a field is asked once more with the fewest there can be.
        """
        least: dict[str, object] = {
            "model": self.model, "messages": list(messages), "stream": True, **self.extra,
        }  # fmt: skip
        asked = {
            "max_tokens": limit_tokens, "temperature": temperature,
            "stream_options": {"include_usage": True},
        }  # fmt: skip
        asked |= {"stop": list(self.stop)} if self.stop else {}
        asked |= {"seed": seed} if seed is not None else {}
        plain = {"max_completion_tokens": limit_tokens} | least
        return Stream(self._post, asked | least, plain, self.patience)

    def models(self, *, seconds: float = 10.0) -> list[str]:
        """The names of what the server has; none if it does not say."""
        answered = self._post.listed("/models", seconds=seconds)
        try:
            served = msgspec.json.decode(answered.body, type=_Served)
        except UNREADABLE:
            return []
        return [each.id for each in served.data]

    def close(self) -> None:
        """Let go of the connection; the next question opens another."""
        self._post.close()

    def _body(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, object] | None,
        limit_tokens: int,
        by_hand: bool = False,
    ) -> dict[str, object]:
        said = [{"role": message.role, "content": message.text} for message in messages]
        body: dict[str, object] = {
            "model": self.model, "messages": said, "max_tokens": limit_tokens,
            "temperature": 0, "stream": False, **self.extra,
        }  # fmt: skip
        if schema is None:
            return body
        if by_hand or self.by_hand:
            said.append({"role": "user", "content": _BY_HAND + json.dumps(schema)})
        else:
            named = {"name": "answer", "schema": dict(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    def _asked(self, body: Mapping[str, object], deadline: float) -> Answered:
        return self._post.asked(
            "/chat/completions", body, seconds=self.timeout_seconds, deadline=deadline
        )

    def _text_of(self, answered: Answered) -> str:
        if answered.status != HTTPStatus.OK:
            raise refusal(answered.body, self.url) or self._post.refused(answered)
        try:
            completion = msgspec.json.decode(answered.body, type=_Completion)
        except UNREADABLE as error:
            raise self._malformed("no chat completion") from error
        if not completion.choices:
            raise self._malformed("an empty list of choices")
        choice = completion.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise filtered(self.url)
        if not choice.message.content:
            raise self._malformed("no text")
        return choice.message.content

    def _malformed(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self.url} answered with {what}; check that it speaks the OpenAI chat protocol"
        )
