"""A wire to a server on this machine that can be cut, at once or at a chosen message."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Wire:
    """Passes bytes on between clients and a port, until it is cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.cut_at = b""  # cut when this comes by, before it is passed on
        self.cuts_answers = False  # look for it in what the server answers, not in what it is asked
        self.down = False
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection there is ends now."""
        self.cuts += 1
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for each in pair:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self.down:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                client.close()
                continue
            self._pairs.append((client, server))
            for a, b, up in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._pass, args=[a, b, up], daemon=True).start()

    def _pass(self, a: socket.socket, b: socket.socket, up: bool) -> None:
        with suppress(OSError):
            while data := a.recv(65_536):
                if up is not self.cuts_answers and self.cut_at and self.cut_at in data:
                    self.cut_at = b""
                    self.cut()
                    return
                b.sendall(data)
        for each in (a, b):
            with suppress(OSError):
                each.close()


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    made = Wire(port)
    try:
        yield made
    finally:
        made.close()
