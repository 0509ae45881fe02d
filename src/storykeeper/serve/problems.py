"""Refusals as problem+json (RFC 9457): what went wrong, which id, and what to do next."""

from __future__ import annotations

import re
from http import HTTPStatus

from starlette.responses import JSONResponse

from storykeeper import errors
from storykeeper.errors import StorykeeperError
from storykeeper.serve.refusal import Refused

MEDIA = "application/problem+json"
_STATUS: tuple[tuple[type[StorykeeperError], HTTPStatus], ...] = (
    (errors.StoryNotFound, HTTPStatus.NOT_FOUND),
    (errors.RunNotFound, HTTPStatus.NOT_FOUND),
    (errors.NoSuchTurn, HTTPStatus.NOT_FOUND),
    (errors.TurnNotFound, HTTPStatus.NOT_FOUND),
    (errors.NoSuchItem, HTTPStatus.NOT_FOUND),
    (errors.UnknownAudience, HTTPStatus.NOT_FOUND),
    (errors.UnknownPerson, HTTPStatus.NOT_FOUND),
    (errors.RunExists, HTTPStatus.CONFLICT),
    (errors.WrongStory, HTTPStatus.CONFLICT),
    (errors.WrongExpectedVersion, HTTPStatus.PRECONDITION_FAILED),
    (errors.LedgerBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.LedgerFull, HTTPStatus.INSUFFICIENT_STORAGE),
    (errors.LedgerError, HTTPStatus.INTERNAL_SERVER_ERROR),
    (errors.WindowBreach, HTTPStatus.INTERNAL_SERVER_ERROR),
    (errors.ModelUnavailable, HTTPStatus.BAD_GATEWAY),
    (errors.StorykeeperError, HTTPStatus.UNPROCESSABLE_ENTITY),
)


def refused(error: Refused) -> JSONResponse:
    """The answer to a request that is refused."""
    return _problem(error.status, error.kind, str(error), error.headers)


def status_of(error: StorykeeperError) -> HTTPStatus:
    """The status that says the same as an error."""
    return next(status for kind, status in _STATUS if isinstance(error, kind))


def of_error(error: StorykeeperError) -> JSONResponse:
    """The answer to a request that the engine refused."""
    status = status_of(error)
    headers = {"retry-after": "1"} if status is HTTPStatus.SERVICE_UNAVAILABLE else {}
    return _problem(status, _kind(type(error).__name__), str(error), headers)


def unforeseen() -> JSONResponse:
    """The answer where the service itself is at fault; what it was stands in the log."""
    what = "this is a fault of storykeeper, not yours; what was acknowledged is kept"
    return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, "fault", what, {})


def _problem(status: HTTPStatus, kind: str, detail: str, headers: dict[str, str]) -> JSONResponse:
    body = {"type": f"urn:storykeeper:{kind}", "title": status.phrase, "status": int(status),
            "detail": detail}  # fmt: skip
    return JSONResponse(body, status_code=int(status), headers=headers, media_type=MEDIA)


def _kind(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
