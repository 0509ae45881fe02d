"""A server that says where it is once it can be reached, and not before."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from typing import Any

import uvicorn
from fastapi import FastAPI

from storykeeper.errors import SettingsInvalid


class Listening(uvicorn.Server):
    """The server of an application; `said` is told its port as soon as it answers there."""

    def __init__(self, app: FastAPI, said: Callable[[int], None], **options: Any) -> None:
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, **options
        )
        super().__init__(config)
        self._said = said

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; then say so."""
        await super().startup(sockets=sockets)
        if self.started and not self.should_exit:
            self._said(port_of([each for server in self.servers for each in server.sockets]))

    def listen(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer until somebody ends it."""
        try:
            self.run(sockets=sockets)
        except SystemExit as error:
            raise SettingsInvalid(
                f"it cannot listen on {self.config.host}:{self.config.port}; the reason is above"
            ) from error


def port_of(sockets: Sequence[Any]) -> int:
    """The port that was given to it, also where any was asked for."""
    return int(sockets[0].getsockname()[1])
