"""What the inspector's page asks for: every view, and nothing withheld through a player's link."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from msgspec import structs

from storykeeper.events.changes import SecretRevealed
from storykeeper.serve.access import LINKED
from storykeeper.serve.inspector.page import FOLDER, POLICY, files
from storykeeper.serve.inspector.people_view import known
from storykeeper.serve.keys import SCOPES, Keys
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import Story
from storykeeper.world.evolve import evolve
from strategies.runs import go, kept, script
from strategies.services import service
from strategies.worlds import EXAMPLE, begun, example

ONCE = httpx.Limits(max_keepalive_connections=0)  # a busy service may close one that waits
LINES = script("two-keepers")[:7]
LAST = len(LINES)
VENDORED = {
    "preact.js": "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55",
    "hooks.js": "e862ab2973aa6455eaa0f77c5d832d2157d6be59a17c8ba546550a575b58c6b4",
    "htm.js": "ab33dd3f38059b9be4d5f5350128eefb2356639c4e0bbe9d9e8b3ba75847e9e4",
}
OWN = (("", {}), ("/window", {"turn": 3}), ("/window", {}), ("/window", {"tokens": 700}),
       ("/window", {"text": "I look."}), ("/journal", {}), ("/journal", {"last": 4}),
       ("/presence", {}), ("/presence", {"turn": 4}))  # fmt: skip
AUTHORS = (("/lanes", {}), ("/landscape", {}), ("/landscape", {"turn": 2, "lettering": 2.4}),
           ("/pulls", {}), ("/knowledge", {}), ("/knowledge", {"turn": 3}),
           ("/thinks", {"fact": "key-in-the-oats"}),
           ("/telling", {"fact": "key-in-the-oats"}), ("/relations", {"turn": 5}),
           ("/entities", {}), ("/entity", {"key": "mara"}), ("/pieces", {"turn": 3}),
           ("/asked", {"turn": 4, "words": "key-in-the-oats"}),
           ("/asked", {"turn": 6, "words": "a blue plate"}),
           ("/plain", {"turn": 5, "tokens": 900}), ("/ledger", {}), ("/story", {}))  # fmt: skip


def prepared(data: Path, story: Story, name: str = "mine") -> str:
    """A run in a service's folder, and an author's key."""
    path = data / "tenants" / "local" / "runs" / f"{name}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    with kept(path, story=story) as keeper:
        go(keeper, *LINES)
    return Keys(data).create(tenant="local", scopes=SCOPES, now=0)[0]


def asked(client, address, params=(), key="", method="GET", **more):
    headers = {"authorization": f"Bearer {key}", **more.pop("headers", {})}
    return client.request(method, address, params=dict(params), headers=headers, **more)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    data = tmp_path_factory.mktemp("inspector")
    key = prepared(data, example())
    with (
        service(data, stories=EXAMPLE.parent) as made,
        httpx.Client(base_url=made.url, timeout=60, limits=ONCE) as client,
    ):
        yield client, key, data


def link(client, key, who, run="mine") -> str:
    """A link's key, out of its address."""
    made = asked(client, f"{LINKED}{run}/links", key=key, method="POST", json={"audience": who})
    assert made.status_code == 201, made.text
    return re.search(r"key=(\S+)", made.json()["address"])[1]


# ── the author ───────────────────────────────────────────────────────────────────────────────


def test_every_view_is_there_for_its_author(running):
    client, key, _ = running
    for path, params in (*OWN, *AUTHORS):
        answer = asked(client, f"{LINKED}mine{path}", params, key)
        assert answer.status_code == 200, (path, answer.text)
        assert answer.headers["cache-control"] == "no-store"
        again = asked(client, f"{LINKED}mine{path}", params, key)
        assert again.content == answer.content, path


def test_a_window_says_where_each_of_its_words_is_from(running):
    client, key, _ = running
    made = asked(client, f"{LINKED}mine/window", {"turn": 5}, key).json()
    units = made["text"].encode("utf-16-le")
    for item in made["items"]:
        assert item["start"] >= 0, item["id"]
        place = units[2 * item["start"] : 2 * item["end"]].decode("utf-16-le")
        assert place == item["text"], item["id"]
        product = 1.0
        for factor in ("relevance", "gravity", "boundary", "trust", "recency", "temperature"):
            product *= item["terms"][factor]
        assert abs(product - item["score"]) < 1e-9
        assert item["sources"]
    assert made["spent"]["budget"] >= made["tokens"]
    assert {each["id"] for each in made["refused"]} & {"fact:key-in-the-oats"} or made["refused"]


def test_the_matrix_says_who_holds_what(running):
    client, key, _ = running
    made = asked(client, f"{LINKED}mine/knowledge", {"turn": 3}, key).json()
    assert made["held"]["mara"]["key-in-the-oats"]["level"] == "knows"
    assert "key-in-the-oats" not in made["held"]["coyle"]
    wrong = made["held"]["tobit"]["abel-drunk"]
    assert (wrong["level"], wrong["so"]) == ("believes", False)


def test_why_somebody_does_not_say_what_they_know(running):
    client, key, _ = running
    made = asked(client, f"{LINKED}mine/telling", {"turn": 3, "fact": "wil-out"}, key).json()
    (tell,) = made["holders"]["mara"]["tells"]
    assert [each["met"] for each in tell["asks"]] == [False, False]
    assert "ask" in tell["asks"][1]["asks"]
    assert any("never says" in each for each in made["holders"]["mara"]["rules"])
    assert asked(client, f"{LINKED}mine/telling", {"fact": "nothing"}, key).status_code == 404


def test_what_was_left_out_says_its_words_to_its_author_alone(running):
    client, key, _ = running
    small = {"turn": 6, "tokens": 900}
    whole = asked(client, f"{LINKED}mine/window", small, key).json()
    wordless = ("nothing to show", "said by another item")
    worded = [each for each in whole["left_out"] if each["reason"] not in wordless]
    assert len(worded) > 3
    assert all(each["text"] for each in worded)
    theirs = asked(client, f"{LINKED}mine/window", {**small, "as": "mara"}, key).json()
    assert theirs["left_out"]
    assert not any("text" in each for each in theirs["left_out"])


def test_a_belief_that_was_given_up_leaves_a_trace():
    """Coyle has heard that the light was lit, and learns that it was not."""
    world = begun(example())
    believed = known(world)
    assert "lit-all-night" in believed["held"]["coyle"]
    told = evolve(world, SecretRevealed(2, "dark-hour", ("coyle",), "heard"))
    found = known(told)
    assert "lit-all-night" not in found["held"]["coyle"]
    trace = found["former"]["coyle"]["lit-all-night"]
    assert [each["fact"] for each in trace["overtaken"]] == ["dark-hour"]
    assert found["former"]["mara"] == {}


def test_lanes_say_where_everybody_was(running):
    client, key, _ = running
    made = asked(client, f"{LINKED}mine/lanes", key=key).json()
    assert made["scenes"][0] == [0, 1, "causeway"]
    lane = made["people"]["coyle"]
    assert [lane[0][0], lane[-1][1]] == [0, LAST]
    assert all(b[0] == a[1] + 1 for a, b in pairwise(lane))
    away = [each for each in lane if each[4]]
    assert {(place, body) for _, _, place, _, body in away} == {("tale-sand", "kitchen")}
    scenes = [scene for first, _, scene in made["scenes"] if first == away[0][0]]
    assert scenes[0] in made["tales"]


def test_a_terrain_has_a_place_for_everything(running):
    client, key, _ = running
    for size in (1, 2, 3):
        made = asked(client, f"{LINKED}mine/landscape", {"turn": 4, "lettering": size}, key).json()
        scenes = {each["scene"]: each for each in made["scenes"]}
        assert set(scenes) == {each.id for each in example().scenes}
        assert sum(each["ending"] for each in made["scenes"]) == 5
        assert made["ground"]
        assert made["pulls"]
        assert scenes[made["here"]]["band"] == "active"
        assert [each["gate"] for each in made["gates"]]


def test_what_is_new_in_the_run_is_new_in_the_page(running):
    client, key, _ = running
    before = asked(client, f"{LINKED}mine", key=key).json()
    told = asked(client, "/v1/runs/mine/turns", key=key, method="POST",
                 json={"text": "I look at the plate.", "narrate": True})  # fmt: skip
    assert told.status_code == 201
    again = asked(client, "/v1/runs/mine/turns/current/takes", key=key, method="POST")
    assert again.status_code == 201, again.text
    after = asked(client, f"{LINKED}mine", key=key).json()
    assert (after["last"], after["pending"]["takes"]) == (before["last"] + 1, 2)
    ledger = asked(client, f"{LINKED}mine/ledger", key=key).json()
    assert len(ledger["turns"][-1]["takes"]) == 2
    gone = asked(client, f"/v1/runs/mine/turns/{after['last']}", key=key, method="DELETE")
    assert gone.status_code == 200
    assert asked(client, f"{LINKED}mine", key=key).json()["last"] == before["last"]


def test_saved_files_are_checked_in_place_and_followed(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "stories" / EXAMPLE.name)
    key = prepared(tmp_path / "data", example())
    folder = tmp_path / "stories" / EXAMPLE.name
    with (
        service(tmp_path / "data", stories=folder.parent) as made,
        httpx.Client(base_url=made.url, timeout=60, limits=ONCE) as client,
    ):
        found = asked(client, f"{LINKED}mine/story", key=key).json()
        assert (found["loads"], found["changed"]) == (True, False)
        people = folder / "people.yaml"
        whole = people.read_text("utf-8")
        people.write_text(whole.replace("name: Coyle", "nme: Coyle"), "utf-8")
        wrong = asked(client, f"{LINKED}mine/story", key=key).json()
        assert wrong["stamp"] != found["stamp"]
        errors = [each for each in wrong["problems"] if each["severity"] == "error"]
        lines = whole.splitlines()
        assert errors[0]["file"] == "people.yaml"
        assert any("name: Coyle" in lines[each["line"] - 1] for each in errors)
        refused = asked(client, f"{LINKED}mine/story/adopt", key=key, method="POST")
        assert refused.status_code == 422
        people.write_text(whole.replace("name: Coyle", "name: Coyle Ash"), "utf-8")
        done = asked(client, f"{LINKED}mine/story/adopt", key=key, method="POST")
        assert done.json()["adopted"] is True
        named = asked(client, f"{LINKED}mine", key=key).json()["people"]
        assert "Coyle Ash" in [each["name"] for each in named]


def test_why_something_is_not_in_a_window(running):
    client, key, _ = running
    made = asked(client, f"{LINKED}mine/asked", {"turn": 4, "words": "key-in-the-oats"}, key).json()
    assert made["rulings"]["fact:key-in-the-oats"] == {"rule": "not known", "open": False}
    told = asked(client, f"{LINKED}mine/asked", {"turn": 6, "words": "blue plate with a"}, key)
    assert told.json()["told"][0]["turn"] == 2
    hers = {"turn": 4, "words": "key-in-the-oats", "audience": "mara"}
    hers = asked(client, f"{LINKED}mine/asked", hers, key).json()
    assert hers["rulings"]["fact:key-in-the-oats"]["open"]


# ── a player's link ──────────────────────────────────────────────────────────────────────────


def test_a_link_opens_its_own_views_and_no_other_address(running):
    client, key, _ = running
    own = link(client, key, "mara")
    for path, params in OWN:
        assert asked(client, f"{LINKED}mine{path}", params, own).status_code == 200, path
    for path, params in AUTHORS:
        assert asked(client, f"{LINKED}mine{path}", params, own).status_code == 403, path
    for who in ("author", "narrator", "coyle"):
        for path, params in (*OWN, *AUTHORS):
            answer = asked(client, f"{LINKED}mine{path}", {**params, "as": who}, own)
            assert answer.status_code == 403, (who, path)
    routes = client.get("/openapi.json", headers={"authorization": f"Bearer {key}"}).json()["paths"]
    beyond = [path for path in routes if not path.startswith(LINKED)]
    assert len(beyond) > 20
    for path in (*beyond, "/openapi.json", "/metrics", "/mcp", f"{LINKED}other", f"{LINKED}mine2"):
        address = re.sub(r"\{run\}", "mine", re.sub(r"\{(?!run)\w+\}", "1", path))
        for method in ("GET", "POST", "PUT", "DELETE"):
            answer = asked(client, address, key=own, method=method)
            assert answer.status_code == 403, (method, address, answer.text)
    for path in ("/links", "/story/adopt"):
        answer = asked(client, f"{LINKED}mine{path}", key=own, method="POST",
                       json={"audience": "coyle"})  # fmt: skip
        assert answer.status_code == 403


def test_its_author_sees_exactly_what_a_player_sees(running):
    client, key, _ = running
    own = link(client, key, "mara")
    for path, params in OWN:
        if not path or "text" in params:
            continue  # that it is a link is said; and a player has no line to try
        theirs = asked(client, f"{LINKED}mine{path}", params, own)
        switched = asked(client, f"{LINKED}mine{path}", {**params, "as": "mara"}, key)
        assert switched.content == theirs.content, path


def test_a_link_that_was_revoked_opens_nothing(running):
    client, key, data = running
    own = link(client, key, "mara")
    Keys(data).revoke(own.split("-")[2])
    assert asked(client, f"{LINKED}mine", key=own).status_code == 401


def test_only_one_of_the_cast_can_be_linked(running):
    client, key, _ = running
    for who in ("narrator", "author", "nobody-at-all"):
        made = asked(client, f"{LINKED}mine/links", key=key, method="POST", json={"audience": who})
        assert made.status_code == 404, who


def everything(client, own) -> str:
    """All that a link can get, as one text."""
    found = []
    for turn in (None, *range(LAST + 1)):
        for path, params in (("/window", {"turn": turn}), ("/presence", {"turn": turn}),
                             ("/window", {"turn": turn, "tokens": 50_000}),
                             ("/journal", {"last": turn})):  # fmt: skip
            given = {name: value for name, value in params.items() if value is not None}
            answer = asked(client, f"{LINKED}mine{path}", given, own)
            found.append(f"{path} {turn} {answer.status_code} {answer.text}")
    frame = asked(client, f"{LINKED}mine", key=own, headers={"if-match": '"1"'})
    found.append(f"{frame.text} {sorted(set(frame.headers) - {'content-length', 'date'})}")
    return "\n".join(found)


def otherwise(story: Story, who: str) -> Story:
    """The same story but for what one of its people may not know: other words, everywhere."""

    def changed(fact):
        if who in fact.known_by or who in fact.believed_by or who in fact.suspected_by:
            return fact
        return structs.replace(fact, full=f"Something else about {fact.id}.", hint="", said=())

    scenes = tuple(
        structs.replace(each, title=f"Another {each.id}", stakes="Other stakes.", tone="Other.")
        for each in story.scenes
    )
    people = tuple(
        each if each.id == who else structs.replace(each, beliefs=(), goals=(), doctrine=("X.",))
        for each in story.cast
    )
    more = Fact(id="another-secret", full="Nobody but its author knows this.", about=(who,))
    return structs.replace(
        story, facts=(*map(changed, story.facts), more), scenes=scenes, cast=people,
        prophecies=(), soft=(), rules=("Another rule.",), voice="Another voice.",
    )  # fmt: skip


@pytest.mark.parametrize("who", ["mara", pytest.param("tobit", marks=pytest.mark.long)])
def test_nothing_withheld_arrives_through_a_link(tmp_path, who):
    """Two stories that differ in what one of the cast may not know look the same to them."""
    seen = []
    for number, story in enumerate((example(), otherwise(example(), who))):
        data = tmp_path / str(number)
        key = prepared(data, story)
        with (
            service(data) as made,
            httpx.Client(base_url=made.url, timeout=60, limits=ONCE) as client,
        ):
            own = link(client, key, who)
            seen.append(everything(client, own))
            whole = asked(client, f"{LINKED}mine/knowledge", key=key).text
            assert ("Something else about" in whole) == bool(number)
    assert seen[0] == seen[1]
    hidden = [f.full for f in example().facts
              if who not in {**f.known_by, **f.believed_by, **f.suspected_by}]  # fmt: skip
    assert hidden
    for text in hidden:
        assert text not in seen[0]
        assert json.dumps(text, ensure_ascii=False)[1:-1] not in seen[0]


# ── the page ─────────────────────────────────────────────────────────────────────────────────


def test_the_page_is_the_same_for_everybody_and_has_no_story_in_it(running):
    client, _, _ = running
    page = client.get("/inspect/")
    assert page.status_code == 200
    assert page.headers["content-security-policy"] == POLICY
    assert "'unsafe" not in POLICY
    assert "Harrow" not in page.text
    assert not re.search(r"<script(?! type=\"module\" src=)|<style|\son\w+=|https?://", page.text)
    for name in files():
        answer = client.get(f"/inspect/{name}")
        assert answer.status_code == 200, name
        assert answer.headers["x-content-type-options"] == "nosniff"
    for name in ("../page.py", "%2e%2e/page.py", "..%2fpage.py", "js", "nothing.js", "js/../../x"):
        assert client.get(f"/inspect/{name}").status_code in (401, 404), name


def test_nothing_of_the_page_is_fetched_from_elsewhere():
    for path in FOLDER.rglob("*"):
        if path.is_file() and path.parent.name != "vendor":
            found = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", path.read_text("utf-8"))
            assert set(found) <= {"http://www.w3.org"}, path
    vendored = {each.name: each for each in (FOLDER / "vendor").iterdir()}
    assert {name: sha256(path.read_bytes()).hexdigest() for name, path in vendored.items()} == (
        VENDORED
    )
