"""The way to a server: to an address that was allowed, and never longer than until a deadline.

A name is looked up here and the connection goes to the very address that was checked: a name cannot
stand for one address when it is looked at and for another when it is used. One's own machine is
allowed, and what everybody can reach; a private network, where routers and the keys of a cloud's
machines are to be had for the asking, needs a yes. So does a key that would go unencrypted.

The time left is counted at every byte that is waited for: headers that come one by one take no
longer than headers that do not come.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from ssl import SSLContext
from typing import Any

import httpcore
import httpx
from httpcore import ConnectError, ConnectTimeout, NetworkBackend, NetworkStream, ReadTimeout

from storykeeper.errors import ModelUnavailable
from storykeeper.models.keys import PLAIN_KEY, PRIVATE

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Deadline(threading.local):
    """When the question that a thread asks must be answered."""

    at: float = float("inf")

    def left(self) -> float:
        """Seconds; never none at all, since sockets take that for no limit."""
        return max(0.0, self.at - time.monotonic())


class Transport(httpx.HTTPTransport):
    """HTTP over connections to allowed addresses, as long as the deadline allows."""

    def __init__(
        self, *, allow: Collection[str], keyed: bool, plain: bool, deadline: Deadline,
        proxy: str | None = None, trust_env: bool = False,
    ) -> None:  # fmt: skip
        """With `keyed` a key is sent, with `plain` unencrypted; who names a proxy allows it."""
        super().__init__(proxy=proxy, trust_env=trust_env)
        self._pool._network_backend = Guarded(
            deadline,
            private=PRIVATE in allow or proxy is not None,
            afar=not (keyed and plain) or PLAIN_KEY in allow,
        )


class Guarded(NetworkBackend):
    """Connections that are refused to what was not allowed, and end in time."""

    def __init__(self, deadline: Deadline, *, private: bool, afar: bool) -> None:
        """`private`: private networks too; `afar`: other machines than this one at all."""
        self._deadline, self._private, self._afar = deadline, private, afar

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> NetworkStream:
        """To the first of a name's allowed addresses that answers."""
        end = time.monotonic() + min(self._deadline.left(), _seconds(timeout))
        failed: Exception = ConnectError(f"{host} has no address")
        for address in self._allowed(host, looked_up(host, port, until=end)):
            left = end - time.monotonic()
            if left <= 0:
                raise ConnectTimeout("the time ran out")
            try:
                opened = httpcore.SyncBackend().connect_tcp(
                    str(address), port, left, local_address, socket_options
                )
            except (ConnectError, ConnectTimeout) as error:
                failed = error
            else:
                return Watched(opened, self._deadline)
        raise failed

    def _allowed(self, host: str, addresses: Sequence[Address]) -> list[Address]:
        """Those that may be asked; if there is none, the error says which yes is missing."""
        near = [each for each in addresses if each.is_loopback]
        if near or not addresses:
            return near
        if not self._afar:
            raise ModelUnavailable(
                f"the API key would go to {host} unencrypted; use https, or allow it:"
                f" {_how(PLAIN_KEY)}"
            )
        fine = [each for each in addresses if self._private or reachable_by_all(each)]
        if not fine:
            raise ModelUnavailable(
                f"{host} is at {addresses[0]}, in a private network or on the link to it; if you"
                f" mean that server, allow it: {_how(PRIVATE)}"
            )
        return fine


class Watched(NetworkStream):
    """A connection at which nobody waits beyond the deadline."""

    def __init__(self, stream: NetworkStream, deadline: Deadline) -> None:
        """The deadline is that of whoever reads or writes."""
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """What comes next."""
        return self._stream.read(max_bytes, self._in_time(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """All of it sent."""
        self._stream.write(buffer, self._in_time(timeout))

    def close(self) -> None:
        """Hang up."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> NetworkStream:
        """The same, encrypted."""
        made = self._stream.start_tls(ssl_context, server_hostname, self._in_time(timeout))
        return Watched(made, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """What the connection below knows."""
        return self._stream.get_extra_info(info)

    def _in_time(self, timeout: float | None) -> float:
        left = min(self._deadline.left(), _seconds(timeout))
        if left <= 0:
            raise ReadTimeout("the time ran out")
        return min(left, threading.TIMEOUT_MAX)


def reachable_by_all(address: Address) -> bool:
    """Whether an address is in the public network, whatever it is wrapped in."""
    inner: Address | None = None
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is not None:
        return reachable_by_all(inner)
    return address.is_global and not address.is_multicast


def looked_up(host: str, port: int, *, until: float) -> list[Address]:
    """The addresses of a name. Looking up knows no deadline: a thread does it that may be left."""
    with suppress(ValueError):
        return [ipaddress.ip_address(host)]
    found: list[Address] = []
    failed: list[OSError] = []

    def look() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            failed.append(error)
        else:
            found.extend(ipaddress.ip_address(str(row[4][0]).split("%")[0]) for row in rows)

    thread = threading.Thread(target=look, daemon=True, name=f"looking up {host}")
    thread.start()
    thread.join(min(max(0.0, until - time.monotonic()), threading.TIMEOUT_MAX))
    if failed:
        raise ConnectError(f"{host} is not known") from failed[0]
    if not found:
        raise ConnectTimeout(f"looking up {host} takes too long")
    return list(dict.fromkeys(found))


def _seconds(timeout: float | None) -> float:
    return float("inf") if timeout is None else timeout


def _how(what: str) -> str:
    return f'`allow = ["{what}"]` under [model] in a settings file, or STORYKEEPER_ALLOW={what}'
