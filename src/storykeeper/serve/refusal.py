"""A request that is not answered, for what no error of the engine says."""

from __future__ import annotations

from http import HTTPStatus


class Refused(Exception):
    """What went wrong and what to do next, with its status."""

    def __init__(self, status: HTTPStatus, kind: str, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
