"""What goes upstream of a client's own, and what is made of an answer that is none."""

import asyncio

import pytest

from storykeeper.models.settings import ModelSettings
from storykeeper.serve.proxy.chat_route import _read
from storykeeper.serve.proxy.exchange import Streamed, Whole
from storykeeper.serve.proxy.routes import _listed
from storykeeper.serve.proxy.upstream import Upstream
from strategies.chat_servers import says, serving

NO_JSON = (b"", b"\xff\xfe", b'{"messages": ["\xff"]}', b"[" * 100_000, b"null", b"1e999")


def asked(upstream: Upstream, headers: dict[str, str]) -> int:
    async def go() -> int:
        try:
            async with upstream.asked("POST", "/x", headers=headers, body=b"{}") as response:
                await response.aread()
                return response.status_code
        finally:
            await upstream.close()

    return asyncio.run(go())


@pytest.mark.parametrize("key", ["Bearer ", "Bearer", "", " "])
def test_a_client_without_a_key_is_answered(key):
    """SillyTavern sends `Bearer ` and nothing behind it; some servers leave the space on."""
    with serving(says("Hello.")) as server:
        upstream = Upstream(ModelSettings(url=server.url), None)
        assert asked(upstream, {"Authorization": key, "x-who": " \xe9va "}) == 200
        (there,) = server.headers
    assert "authorization" not in there
    assert there["x-who"] == "\xe9va"


def test_a_clients_key_goes_on_and_ours_before_it():
    given = {
        "Authorization": "Bearer theirs ",
        "Connection": "close",
        "TE": "trailers",
        "Cookie": "c",
    }
    settings = ModelSettings(url="http://127.0.0.1:9/v1")
    assert Upstream(settings, None)._headers(given) == [(b"authorization", b"Bearer theirs")]
    assert Upstream(settings, "ours")._headers(given) == [(b"authorization", b"Bearer ours")]
    assert Upstream(settings, None, passes_keys=False)._headers(given) == []


@pytest.mark.parametrize("body", NO_JSON)
def test_what_cannot_be_read_goes_on_as_it_came(body):
    assert _read(body) == {}
    assert Whole.of(body) == Whole(body, "")
    assert [*Streamed().event(body)] == [body]
    assert _listed(body) == []
