"""Clients that nobody here wrote: what a run has lived through is what they show."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from clients import openwebui as webui
from clients.sillytavern import CHROMIUM, Page, sillytavern
from strategies.chat_servers import USAGE, raw, serving, streams, words
from strategies.services import service

pytestmark = pytest.mark.long
BLOCK = '\n\n```stage\n{"here": ["seraphina"]}\n```'


@pytest.fixture(scope="module")
def upstream():
    answers = [streams(words(f"Answer {n} in the glade.{BLOCK}")) for n in range(1, 60)]
    with serving(*answers) as server:
        server.listed = {"object": "list", "data": [{"id": "tiny", "object": "model"}]}
        yield server


@pytest.fixture(scope="module")
def running(tmp_path_factory, upstream):
    with service(tmp_path_factory.mktemp("data"), model=upstream.url) as made:
        yield made


def newest(running) -> str:
    """The run, or branch, that was used last."""
    app = running.app
    following = app.state.service._following["local"]
    return following._index._all("select run from chats order by touched desc limit 1")[0][0]


def rounds_of(shown) -> list[tuple[str, str]]:
    rounds: list[tuple[str, str]] = []
    for by_player, _, text in shown:
        if by_player:
            rounds.append((text, ""))
        elif not rounds:
            rounds.append(("", text))
        else:
            line, before = rounds[-1]
            rounds[-1] = (line, f"{before}\n\n{text}" if before else text)
    return rounds


def same(one, other) -> bool:
    def plain(rounds):
        return [(" ".join(a.split()), " ".join(b.split())) for a, b in rounds]

    return plain(one) == plain(other)


def test_sillytavern_in_a_browser(running, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None or shutil.which("npm") is None:
        pytest.skip("there is no chromium, or no npm, to install SillyTavern with")
    with sillytavern(tmp_path / "tavern") as url, playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = Page(browser.new_page(), url, f"{running.url}/v1")
        page.character()

        def in_step() -> bool:
            lived, shown = running.lived(newest(running)), rounds_of(page.shown)
            shown = [(a, b) for a, b in shown]
            print(lived, shown, sep="\n")
            return same(lived, shown)

        def say(line):
            page.do(f"/send {line} | /trigger await=true")

        say("I ask where I am.")
        assert in_step()
        assert "stage" not in page.shown[-1][2]
        say("I drink the tea.")
        assert in_step()
        page.swipe()
        assert in_step()
        page.do("/regenerate await=true")
        assert in_step()
        page.do("/continue await=true")
        page.do("/gen Summarise the chat in one line.")
        say("I get up.")
        assert in_step()
        page.do("/message-edit message=2 “In my glade,” she says.")
        say("I look around.")
        assert in_step()
        page.do("/cut {{lastMessageId}} | /cut {{lastMessageId}}")
        say("I wait for the tide.")
        assert in_step()
        page.picture(tmp_path / "tavern.png")
        browser.close()


def test_open_webui_in_a_browser(running, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None or webui.PROGRAM is None:
        pytest.skip("there is no chromium, or no open-webui (STORYKEEPER_OPENWEBUI names it)")
    with (
        webui.openwebui(tmp_path / "webui", f"{running.url}/v1") as url,
        playwright.sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = webui.Page(browser.new_page(), url)

        def in_step() -> bool:
            shown = rounds_of((by_player, "", text) for by_player, text in page.shown)
            lived = running.lived(newest(running))
            print(lived, shown, sep="\n")
            return same(lived, shown)

        page.say("I ask where I am.")
        assert in_step()
        assert "stage" not in page.shown[-1][1]
        page.say("I drink the tea.")
        assert in_step()
        page.regenerate()
        assert in_step()
        page.say("I get up.")
        assert in_step()
        browser.close()


PYTHON = """
import sys
from openai import OpenAI
client = OpenAI(base_url=sys.argv[1], api_key="any")
messages = [{"role": "system", "content": "You are Ana."}]
for line in ("Hello from Python.", "And again."):
    messages.append({"role": "user", "content": line})
    stream = client.chat.completions.create(model="tiny", messages=messages, stream=True)
    text = "".join(c.choices[0].delta.content or "" for c in stream if c.choices)
    messages.append({"role": "assistant", "content": text})
    print(text)
print([m.id for m in client.models.list()])
"""


def test_the_openai_package_for_python(running):
    pytest.importorskip("openai", reason="openai is not installed")
    done = subprocess.run(
        [sys.executable, "-c", PYTHON, f"{running.url}/v1"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    *told, models = done.stdout.strip().splitlines()
    assert models == "['tiny']"
    lived = running.lived(newest(running))
    assert [line for line, _ in lived][-2:] == ["Hello from Python.", "And again."]
    assert [prose for _, prose in lived][-2:] == told


JAVASCRIPT = """
import OpenAI from "openai";
const client = new OpenAI({baseURL: process.argv[2], apiKey: "any"});
const messages = [{role: "system", content: "You are Ben."}];
for (const line of ["Hello from JavaScript.", "And again."]) {
  messages.push({role: "user", content: line});
  const stream = await client.chat.completions.create({model: "tiny", messages, stream: true});
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? "";
  messages.push({role: "assistant", content: text});
  console.log(text);
}
"""


def test_the_openai_package_for_javascript(running, tmp_path):
    if shutil.which("npm") is None:
        pytest.skip("there is no npm to install it with")
    (tmp_path / "talk.mjs").write_text(JAVASCRIPT, "utf-8")
    installed = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "openai@6"], cwd=tmp_path, capture_output=True
    )
    assert installed.returncode == 0, installed.stderr
    done = subprocess.run(
        ["node", "talk.mjs", f"{running.url}/v1"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lived = running.lived(newest(running))
    assert [line for line, _ in lived][-2:] == ["Hello from JavaScript.", "And again."]
    assert [prose for _, prose in lived][-2:] == done.stdout.strip().splitlines()


def test_llm_on_the_command_line(running, upstream, tmp_path):
    pytest.importorskip("llm", reason="llm is not installed")
    (tmp_path / "extra-openai-models.yaml").write_text(
        f"- model_id: sk\n  model_name: tiny\n  api_base: {running.url}/v1\n  can_stream: false\n",
        "utf-8",
    )
    env = {**os.environ, "LLM_USER_PATH": str(tmp_path), "OPENAI_API_KEY": "any"}
    replies = list(upstream.replies)
    message = {"role": "assistant", "content": f"An answer.{BLOCK}"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    answer = {"id": "x", "object": "chat.completion", "created": 0, "model": "tiny",
              "choices": [choice], "usage": USAGE | {"total_tokens": 127}}  # fmt: skip
    upstream.replies[:] = [raw(200, json.dumps(answer).encode())]
    try:
        for more, line in ((), "Hello from llm."), (("-c",), "And again."):
            done = subprocess.run(
                [sys.executable, "-m", "llm", "-m", "sk", "--no-stream", *more, line],
                env=env, capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            assert done.stdout.strip() == "An answer."
    finally:
        upstream.replies[:] = replies
    lived = running.lived(newest(running))
    assert lived[-2:] == [("Hello from llm.", "An answer."), ("And again.", "An answer.")]
