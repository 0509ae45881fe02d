"""Services that share one database: either may be asked, and nothing is done twice or mixed."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack, closing

import httpx
import pytest

from storykeeper.ledger.places import service_tables
from storykeeper.serve import kept_file
from storykeeper.serve.keys import Keys
from strategies.postgres import new_database
from strategies.services import service
from strategies.worlds import EXAMPLE

STORY = EXAMPLE.name


@pytest.fixture(scope="module")
def database():
    return new_database()


@pytest.fixture(scope="module")
def two(database, tmp_path_factory):
    """Two services and a client of each. They share no folder."""
    with ExitStack() as stack:
        made = []
        for _ in range(2):
            data = tmp_path_factory.mktemp("data")
            running = stack.enter_context(
                service(data, stories=EXAMPLE.parent, database=database, staging="reader")
            )
            made.append(stack.enter_context(httpx.Client(base_url=running.url, timeout=300)))
        yield made


def test_a_run_is_played_on_whichever_service(two):
    assert two[0].post("/v1/runs", json={"story": STORY, "run": "shared"}).status_code == 201
    taken = two[1].post("/v1/runs", json={"story": STORY, "run": "shared"})
    assert taken.status_code == 409
    for n, line in enumerate(("I ask Mara about the key.", "I wait.", "I look round.", "I wait.")):
        asked, looked = two[n % 2], two[1 - n % 2]
        told = asked.post("/v1/runs/shared/turns", json={"text": line, "narrate": True})
        assert told.status_code == 201, told.text
        assert looked.get("/v1/runs/shared").json()["turn"] == n + 1
    exports = {each.get("/v1/runs/shared/export").content for each in two}
    assert len(exports) == 1
    assert two[1].post("/v1/runs/shared/forks", json={"at": 2, "name": "b"}).status_code == 201
    assert two[0].get("/v1/runs/shared@b").json()["turn"] == 2
    assert two[0].get("/v1/runs").json()["items"] == [{"run": "shared"}]
    assert two[1].delete("/v1/runs/shared").status_code == 204
    assert two[0].get("/v1/runs/shared").status_code == 404


def test_a_memory_is_shared(two):
    items = {"items": [{"text": "The boat leaves at noon."}]}
    assert two[0].post("/v1/memories/chat/items", json=items).status_code == 201
    items = {"items": [{"text": "The boat is green."}]}
    assert two[1].post("/v1/memories/chat/items", json=items).status_code == 201
    for each in two:
        assert each.get("/v1/memories").json() == ["chat"]
        found = each.get("/v1/memories/chat/search", params={"q": "boat"}).json()
        assert len(found) == 2


def test_a_request_sent_to_both_is_done_once(two):
    two[0].post("/v1/runs", json={"story": STORY, "run": "once"})
    headers = {"idempotency-key": "turn-1"}
    answers = []

    def send(client):
        for _ in range(200):
            answer = client.post("/v1/runs/once/turns", json={"text": "I wait."}, headers=headers)
            if answer.status_code != 409:
                break
            time.sleep(0.1)
        answers.append(answer)

    threads = [threading.Thread(target=send, args=[each]) for each in (*two, *two)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert {each.status_code for each in answers} == {201}, [each.text for each in answers]
    assert len({each.content for each in answers}) == 1
    assert sum("idempotency-replayed" not in each.headers for each in answers) == 1
    other = two[1].post("/v1/runs/once/turns", json={"text": "I run."}, headers=headers)
    assert other.status_code == 422


def test_a_turn_whose_answer_was_lost_is_not_played_again(two, database):
    """As when a process dies between telling a line and keeping what it answers."""
    two[0].post("/v1/runs", json={"story": STORY, "run": "lost"})
    line, headers = {"text": "I wait.", "narrate": True}, {"idempotency-key": "lost-1"}
    first = two[0].post("/v1/runs/lost/turns", json=line, headers=headers).json()
    unkept = "UPDATE answers SET status = NULL, at = 0 WHERE tenant = %s AND key = %s"
    with closing(service_tables(database)) as tables, tables.writing("local") as connection:
        assert connection.execute(unkept, ("local", "lost-1")).rowcount == 1
    again = two[1].post("/v1/runs/lost/turns", json=line, headers=headers)
    assert again.status_code == 201
    assert (again.json()["turn"], again.json()["prose"]) == (first["turn"], first["prose"])
    assert two[0].get("/v1/runs/lost").json()["turn"] == first["turn"]
    other = two[1].post(  # the same line, meant again
        "/v1/runs/lost/turns", json=line, headers={"idempotency-key": "lost-2"}
    )
    assert other.json()["turn"] == first["turn"] + 1


def test_a_chat_goes_on_at_the_other_service(two):
    said, runs = [], set()
    for n in range(3):
        said.append({"role": "user", "content": f"I wait a little, {n}."})
        wanted = {"model": f"storykeeper/{STORY}", "messages": said}
        answer = two[n % 2].post("/v1/chat/completions", json=wanted)
        assert answer.status_code == 200, answer.text
        runs.add(answer.headers["x-storykeeper-run"])
        said.append(answer.json()["choices"][0]["message"])
    assert len(runs) == 1
    assert two[1].get(f"/v1/runs/{runs.pop()}").json()["turn"] == 3


def test_a_run_that_was_removed_elsewhere_and_begun_anew(two):
    """What is still open of the one before counts for nothing."""
    wanted = {"story": STORY, "run": "again"}
    two[0].post("/v1/runs", json=wanted)
    two[0].post("/v1/runs/again/turns", json={"text": "I hide the letter.", "narrate": True})
    assert two[1].delete("/v1/runs/again").status_code == 204
    assert two[1].post("/v1/runs", json=wanted).status_code == 201
    two[1].post("/v1/runs/again/turns", json={"text": "I go up.", "narrate": True})
    lines = [each.get("/v1/runs/again/turns").json() for each in two]
    assert lines[0] == lines[1]
    assert "letter" not in str(
        two[0].get("/v1/runs/again/window", params={"text": "I wait."}).json()
    )


EVERY_WAY = (
    ("GET", "runs/rN", None),
    ("GET", "runs/rN@b", None),
    ("GET", "runs/rN/export", None),
    ("GET", "runs/rN/turns", None),
    ("GET", "runs/rN/turns/current", None),
    ("GET", "runs/rN/forks", None),
    ("GET", "runs/rN/window?text=x", None),
    ("GET", "runs/rN/recall?q=violin", None),
    ("GET", "runs/rN/knowledge/mara", None),
    ("GET", "runs/rN/presence", None),
    ("POST", "runs/rN/turns", {"text": "I wait."}),
    ("POST", "runs/rN/forks", {"at": 0, "name": "c"}),
    ("POST", "runs/rN/end-scene", {}),
    ("DELETE", "runs/rN", None),
    ("DELETE", "runs/rN/turns/1", None),
    ("GET", "memories/mN/search?q=violin", None),
)


def test_keys_are_shared_and_open_only_their_own(database, two, monkeypatch):
    monkeypatch.setattr(kept_file, "FRESH_SECONDS", 0.0)
    keys = {who: Keys(database).create(tenant=who, scopes=["read", "write", "author"], now=1)[0]
            for who in ("ilse", "dov")}  # fmt: skip
    of = {who: {"authorization": f"Bearer {key}"} for who, key in keys.items()}
    assert two[0].get("/v1/runs").status_code == 401  # there are keys now
    for each in two:
        begun = each.post(
            "/v1/runs", json={"story": STORY, "run": f"r{two.index(each)}"}, headers=of["ilse"]
        )
        assert begun.status_code == 201, begun.text
    said = {"items": [{"text": "Ilse hid the violin."}]}
    two[0].post("/v1/memories/m0/items", json=said, headers=of["ilse"])
    two[0].post("/v1/runs/r0/forks", json={"at": 0, "name": "b"}, headers=of["ilse"])
    assert two[1].get("/v1/runs", headers=of["dov"]).json()["items"] == []
    assert two[1].get("/v1/memories", headers=of["dov"]).json() == []
    for method, way, body in EVERY_WAY:
        answers = []
        for name in ("0", "9"):  # theirs, and one that is nobody's
            path = f"/v1/{way}".replace("N", name)
            answer = two[1].request(method, path, json=body, headers=of["dov"])
            answers.append(answer.text)
            assert answer.status_code == 404, (path, answer.text)
            assert "violin" not in answer.text
            assert "ilse" not in answer.text
        # Nothing tells what is another's from what is not there.
        assert answers[0].replace("r0", "r9").replace("m0", "m9") == answers[1], way
    metrics = two[1].get("/metrics", headers=of["dov"]).text
    assert "ilse" not in metrics
    assert "violin" not in metrics
    assert two[1].get("/v1/runs/r0", headers=of["ilse"]).status_code == 200
    Keys(database).revoke(Keys(database).all()[0].id)
    assert two[1].get("/v1/runs/r0", headers=of["ilse"]).status_code == 401
    assert Keys(database).all()[0].revoked
