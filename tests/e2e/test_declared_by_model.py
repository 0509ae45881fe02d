"""A model behind real HTTP declares what was told."""

from __future__ import annotations

import json

from storykeeper import Storykeeper
from strategies.chat_servers import serving
from strategies.wherry import READER, wherry

STAGE = {"moves": [{"who": ["renna"], "kind": "departs", "to": "attic", "words": "clicks shut"}]}


def reply(handler, _):
    content = json.dumps(STAGE)
    body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    handler.send_response(200)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def test_it_is_asked_while_the_player_reads(tmp_path):
    with serving(reply) as server, Storykeeper.open(
        tmp_path / "run.db", story=wherry(), reader=READER, staging="call",
        stager=f"{server.url} small",
    ) as keeper:  # fmt: skip
        keeper.render(keeper.begin("I wait."), "A door clicks shut overhead.")
        assert server.bodies == []
        assert keeper.read_ahead() == ()
        keeper.begin("I look around.")
        assert keeper.world().places["renna"] == "attic"
        assert "A door clicks shut overhead." in json.dumps(server.bodies[0])
