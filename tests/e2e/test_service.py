"""The HTTP API over real HTTP: what it does, what it refuses, and what it never tells."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import httpx
import pytest

from storykeeper.errors import SettingsInvalid
from storykeeper.serve.app import create_app
from storykeeper.serve.keys import Keys
from storykeeper.serve.settings import Limits, ServiceSettings
from strategies.chat_servers import failing, serving, streams, words
from strategies.postgres import new_database
from strategies.services import service
from strategies.worlds import EXAMPLE

STORY = EXAMPLE.name
ASK = "I ask Mara where the brass key went."


@pytest.fixture(scope="module", params=["folder", pytest.param("database", marks=pytest.mark.long)])
def running(request, tmp_path_factory):
    database = new_database() if request.param == "database" else ""
    data = tmp_path_factory.mktemp("data")
    with service(data, stories=EXAMPLE.parent, database=database) as made:
        yield made


@pytest.fixture(scope="module")
def client(running):
    with httpx.Client(base_url=running.url, timeout=60) as made:
        yield made


@pytest.fixture(scope="module")
def run(client):
    begun = client.post("/v1/runs", json={"story": STORY, "run": "played"})
    assert begun.status_code == 201, begun.text
    assert begun.headers["location"] == "/v1/runs/played"
    told = client.post(
        "/v1/runs/played/turns", json={"text": "I go on to Harrow.", "narrate": True}
    )
    assert told.status_code == 201, told.text
    assert told.json()["prose"]
    return "/v1/runs/played"


def problem(answer: httpx.Response, status: int, kind: str) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == f"urn:storykeeper:{kind}"
    return answer.json()["detail"]


def test_stories_and_runs_are_listed_in_pages(client, run):
    assert STORY in [each["id"] for each in client.get("/v1/stories").json()]
    assert client.get(f"/v1/stories/{STORY}").json()["title"] == "The Lamp at Harrow"
    client.post("/v1/runs", json={"story": STORY, "run": "another"})
    first = client.get("/v1/runs", params={"limit": 1}).json()
    assert first["items"] == [{"run": "another"}]
    then = client.get("/v1/runs", params={"limit": 1, "after": first["next"]}).json()
    assert then["items"] == [{"run": "played"}]
    for odd in ("²", "9" * 64, "x"):  # no number of ours: from the beginning
        assert client.get(f"{run}/turns", params={"after": odd}).json()["items"]


def test_every_view_of_a_run(client, run):
    state = client.get(run).json()
    assert (state["story"], state["waiting"]) == (STORY, False)
    for view in ("window", "briefs/mara", "presence", "knowledge/mara", "entities", "landscape",
                 "turns", "turns/1/window", "turns/1/receipt", "turns/current", "forks",
                 "turns/current/takes"):  # fmt: skip
        answer = client.get(f"{run}/{view}", params={"text": ASK} if view == "window" else None)
        assert answer.status_code == 200, f"{view}: {answer.text}"
    assert client.get(f"{run}/recall", params={"q": "the tide"}).status_code == 200
    heard = client.get(f"{run}/heard", params={"turn": 0, "words": "the"})
    assert heard.status_code in (200, 404)
    again = client.get(f"{run}/turns/1/window").json()
    assert again == client.get(f"{run}/turns/1/window").json()


def test_a_turn_is_told_by_its_host_swiped_edited_and_taken_back(client):
    client.post("/v1/runs", json={"story": STORY, "run": "hosted"})
    begun = client.post("/v1/runs/hosted/turns", json={"text": "I look at the sea."}).json()
    at = f"/v1/runs/hosted/turns/{begun['turn']}"
    assert begun["messages"][0]["role"] == "system"
    for prose in ("Grey, all of it.", "Green today."):
        told = client.put(f"{at}/telling", json={"prose": prose, "stage": {"here": ["nobody"]}})
        assert told.status_code == 200
        assert told.json()["dropped"]
    assert len(client.get("/v1/runs/hosted/turns/current/takes").json()) == 2
    client.post("/v1/runs/hosted/turns", json={"text": "I wait."})
    edited = client.put(f"{at}/telling", json={"prose": "Grey again."})
    assert edited.status_code == 200, edited.text
    assert client.get("/v1/runs/hosted/turns").json()["items"][-1]["prose"] == "Grey again."
    assert client.delete("/v1/runs/hosted/turns/2").status_code == 200
    assert client.delete(at).status_code == 200
    left = client.get("/v1/runs/hosted/turns").json()["items"]
    assert [each["turn"] for each in left] == [0]


def test_a_version_that_is_not_the_ledgers_is_refused(client):
    client.post("/v1/runs", json={"story": STORY, "run": "versioned"})
    tag = client.get("/v1/runs/versioned").headers["etag"]
    line = {"text": "I wait."}
    held = client.post("/v1/runs/versioned/turns", json=line, headers={"if-match": tag})
    assert held.status_code == 201
    stale = client.post("/v1/runs/versioned/turns", json=line, headers={"if-match": tag})
    assert "If-Match" in problem(stale, 412, "wrong-expected-version")


def test_a_request_that_is_sent_again_is_done_once(client):
    headers = {"idempotency-key": "one"}
    wanted = {"story": STORY, "run": "once"}
    first = client.post("/v1/runs", json=wanted, headers=headers)
    again = client.post("/v1/runs", json=wanted, headers=headers)
    assert first.json() == again.json()
    assert first.status_code == again.status_code == 201
    assert again.headers["idempotency-replayed"] == "true"
    other = client.post("/v1/runs", json={**wanted, "run": "twice"}, headers=headers)
    problem(other, 422, "idempotency-key")


def test_a_run_goes_out_and_in_again_to_the_byte(client, run):
    lines = client.get(f"{run}/export").content
    moved = client.post("/v1/imports", params={"run": "moved"}, content=lines)
    assert moved.status_code == 201, moved.text
    assert client.get("/v1/runs/moved/export").content == lines
    problem(client.post("/v1/imports", params={"run": "moved"}, content=lines), 409, "run-exists")
    broken = lines.replace(b"main", b"mine", 1)
    assert client.post("/v1/imports", params={"run": "broken"}, content=broken).status_code >= 400
    problem(client.get("/v1/runs/broken"), 404, "run-not-found")
    assert client.delete("/v1/runs/moved").status_code == 204
    problem(client.get("/v1/runs/moved"), 404, "run-not-found")


def test_a_branch_shares_the_past(client, run):
    made = client.post(f"{run}/forks", json={"at": 0, "name": "what-if"})
    assert made.json() == {"run": "played@what-if", "at": 0}
    assert client.get("/v1/runs/played@what-if").json()["turn"] == 0


def test_memories(client):
    added = client.post(
        "/v1/memories/chat/items",
        json={"items": [{"text": "I moved the meeting to Friday", "speaker": "Ana",
                         "audience": ["ana", "ben"]}]},
    )  # fmt: skip
    assert added.status_code == 201, added.text
    found = client.get("/v1/memories/chat/search", params={"q": "meeting", "audience": "ben"})
    assert "Friday" in found.text
    hidden = client.get("/v1/memories/chat/search", params={"q": "meeting", "audience": "cy"})
    assert hidden.json() == []
    problem(client.get("/v1/memories/none/search", params={"q": "x"}), 404, "run-not-found")


def test_a_telling_comes_in_events(tmp_path):
    told = "Mara looks up."
    with (
        serving(streams(words(told)), failing(500, "x")) as upstream,
        service(tmp_path, stories=EXAMPLE.parent, model=upstream.url) as made,
        httpx.Client(base_url=made.url, timeout=60) as client,
    ):
        client.post("/v1/runs", json={"story": STORY, "run": "streamed"})
        accept = {"accept": "text/event-stream"}
        wanted = {"text": "I go on to Harrow.", "narrate": True}
        answer = client.post("/v1/runs/streamed/turns", json=wanted, headers=accept).text
        events = [part.split("\n") for part in answer.strip().split("\n\n")]
        prose = [json.loads(data[6:])["text"] for name, data in events if name == "event: prose"]
        assert "".join(prose) == told
        assert events[-1][0] == "event: turn"
        assert json.loads(events[-1][1][6:])["prose"] == told
        failed = client.post("/v1/runs/streamed/turns", json=wanted, headers=accept).text
        assert "event: problem" in failed
        assert client.get("/v1/runs/streamed").json()["waiting"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "kind"),
    [
        ("GET", "/v1/runs/nobody", None, 404, "run-not-found"),
        ("GET", "/v1/runs/..%2F..%2Fkeys", None, 404, "not-found"),
        ("GET", "/v1/memories/..x/search?q=x", None, 422, "request"),
        ("POST", "/v1/runs", {"story": "../examples"}, 404, "story-not-found"),
        ("POST", "/v1/runs", {"story": STORY, "tenant": "other"}, 422, "request"),
        ("POST", "/v1/runs", {"story": STORY, "run": "Has Spaces"}, 422, "request"),
        ("POST", "/v1/runs/played/turns", {"text": "   "}, 422, "input-refused"),
        ("POST", "/v1/runs/played/turns", {"text": "x", "audience": "mara"}, 422, "request"),
        ("GET", "/v1/runs/played/briefs/nobody", None, 404, "unknown-audience"),
        ("GET", "/v1/runs/played/turns/99/window", None, 404, "no-such-turn"),
        ("PUT", "/v1/runs/played/turns/99/telling", {"prose": "x"}, 404, "no-such-turn"),
        ("POST", "/v1/embeddings", {"input": "x"}, 404, "no-model"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(client, run, method, path, body, status, kind):
    assert problem(client.request(method, path, json=body), status, kind)


def test_too_much_is_refused(client):
    problem(client.post("/v1/imports?run=big", content=b"x" * 9_000_000), 413, "too-large")


def test_pages_of_elsewhere_are_refused(client):
    for headers in ({"origin": "https://evil.example"}, {"host": "evil.example"},
                    {"sec-fetch-site": "cross-site"}):  # fmt: skip
        problem(client.get("/v1/runs", headers=headers), 403, "elsewhere")


def test_nobody_listens_to_others_without_a_key(tmp_path):
    with pytest.raises(SettingsInvalid, match="key create"):
        create_app(ServiceSettings(data=tmp_path, host="0.0.0.0"))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A service with two tenants, and one who may only read."""
    data = tmp_path_factory.mktemp("shared")
    keys, made = Keys(data), {}
    for name, tenant, scopes in (
        ("ana", "ana", ("read", "write", "author")), ("ben", "ben", ("read", "write", "author")),
        ("guest", "ana", ("read",)), ("gone", "ana", ("read",)),
    ):  # fmt: skip
        made[name], key = keys.create(tenant=tenant, scopes=scopes, now=0)
        if name == "gone":
            keys.revoke(key.id)
    with service(data, stories=EXAMPLE.parent) as running:
        yield running, made


def test_keys_open_their_tenants_and_no_other(shared, caplog):
    running, keys = shared
    with httpx.Client(base_url=running.url, timeout=60) as client:
        as_ = {name: {"authorization": f"Bearer {key}"} for name, key in keys.items()}
        wanted = {"story": STORY, "run": "secret"}
        assert client.post("/v1/runs", json=wanted, headers=as_["ana"]).status_code == 201
        assert client.get("/v1/runs", headers=as_["ben"]).json()["items"] == []
        for path in ("", "/turns", "/window", "/export", "/landscape", "/forks"):
            mine = client.get(f"/v1/runs/secret{path}", headers=as_["ben"])
            other = client.get(f"/v1/runs/nobody{path}", headers=as_["ben"])
            problem(mine, 404, "run-not-found")
            assert mine.text.replace("secret", "nobody") == other.text
        assert client.post("/v1/runs", json=wanted, headers=as_["ben"]).status_code == 201
        assert client.get("/v1/runs/secret", headers=as_["guest"]).status_code == 200
        problem(client.get("/v1/runs/secret/window", headers=as_["guest"]), 403, "scope")
        problem(client.delete("/v1/runs/secret", headers=as_["guest"]), 403, "scope")
        problem(client.get("/v1/runs", headers=as_["gone"]), 401, "key")
        problem(client.get("/v1/runs"), 401, "key")
        problem(client.get("/v1/runs", headers={"authorization": "Bearer x"}), 401, "key")
        assert client.get("/health").json() == {"ok": True}
        kept = (running.data / "keys.json").read_text()
        for key in keys.values():
            assert key.rpartition("-")[2] not in kept
            assert key not in caplog.text
        assert "secret" not in client.get("/metrics", headers=as_["ben"]).text


def test_who_asks_too_often_waits(tmp_path):
    limits = Limits(requests_per_minute=3)
    with service(tmp_path, limits=limits) as made, httpx.Client(base_url=made.url) as client:
        codes = [client.get("/v1/runs").status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
        assert int(client.get("/v1/runs").headers["retry-after"]) > 0


def test_runs_that_nobody_uses_are_let_go(tmp_path):
    limits = Limits(open_runs=2)
    with (
        service(tmp_path, stories=EXAMPLE.parent, limits=limits) as made,
        httpx.Client(base_url=made.url, timeout=60) as client,
    ):
        for n in range(4):
            client.post("/v1/runs", json={"story": STORY, "run": f"run-{n}"})
        assert made.app.state.service.pool.open_now == 2
        assert client.get("/v1/runs/run-0").status_code == 200


def test_one_line_sent_by_two_at_once_is_one_turn_after_another(tmp_path):
    import threading

    with (
        service(tmp_path, stories=EXAMPLE.parent) as made,
        httpx.Client(base_url=made.url, timeout=60) as client,
    ):
        client.post("/v1/runs", json={"story": STORY, "run": "busy"})
        codes = []

        def play(n):
            line = {"text": f"I wait {n}.", "narrate": True}
            codes.append(client.post("/v1/runs/busy/turns", json=line).status_code)

        threads = [threading.Thread(target=play, args=(n,)) for n in range(4)]
        [each.start() for each in threads]
        [each.join() for each in threads]
        assert codes == [201] * 4
        assert client.get("/v1/runs/busy").json()["turn"] == 4


def test_half_a_request_leaves_nothing_behind(running, client):
    with socket.create_connection(("127.0.0.1", int(running.url.rpartition(":")[2]))) as half:
        half.sendall(b"POST /v1/runs HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{")
    assert client.get("/health").status_code == 200


def test_the_openapi_page_names_every_route(client):
    page = client.get("/openapi.json").json()
    assert "/v1/runs/{run}/turns" in page["paths"]
    assert page["paths"]["/v1/runs"]["post"]["summary"]
    assert Path(EXAMPLE).is_dir()
