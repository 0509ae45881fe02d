"""A chat model behind HTTP, in the protocol that OpenAI's servers and most local ones speak."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

import msgspec

from storykeeper.errors import ModelUnavailable
from storykeeper.models.port import Message
from storykeeper.models.posting import Answered, Post

MAX_ANSWER_BYTES = 4_000_000
_REFUSED_SCHEMA = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
_BY_HAND = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n"


class _Said(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]


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
    trust_env: bool = False
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    # Set once a server that refused a schema answered without one, so as to ask only once each.
    _by_hand: bool = field(default=False, init=False, repr=False)
    _post: Post = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._post = Post(
            self.url, self.api_key, retry_wait_seconds=self.retry_wait_seconds,
            max_answer_bytes=MAX_ANSWER_BYTES, trust_env=self.trust_env, clock=self.clock,
            sleep=self.sleep,
        )  # fmt: skip

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, object] | None, limit_tokens: int
    ) -> str:
        """The model's answer; a server that does not know schemas is told in words."""
        deadline = self.clock() + self.timeout_seconds
        body = self._body(messages, schema=schema, limit_tokens=limit_tokens)
        answered = self._asked(body, deadline)
        if "response_format" in body and answered.status in _REFUSED_SCHEMA:
            plain = self._body(messages, schema=schema, limit_tokens=limit_tokens, by_hand=True)
            answered = self._asked(plain, deadline)
            self._by_hand = answered.status == HTTPStatus.OK
        return self._text_of(answered)

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
            "temperature": 0, "stream": False,
        }  # fmt: skip
        if schema is None:
            return body
        if by_hand or self._by_hand:
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
            raise self._post.refused(answered)
        try:
            completion = msgspec.json.decode(answered.body, type=_Completion)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._malformed("no chat completion") from error
        if not completion.choices:
            raise self._malformed("an empty list of choices")
        choice = completion.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise ModelUnavailable(f"the model at {self.url} refused to answer; use another model")
        if not choice.message.content:
            raise self._malformed("no text")
        return choice.message.content

    def _malformed(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self.url} answered with {what}; check that it speaks the OpenAI chat protocol"
        )
