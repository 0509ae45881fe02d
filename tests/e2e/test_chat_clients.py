"""A chat client points at us: what its run has lived through is what it shows, at every step."""

from __future__ import annotations

import pytest

from strategies.chat_servers import cut, failing, serving, streams, words
from strategies.services import Chat, service

OPENING = "*You wake in a glade.* “You are safe,” Seraphina says."
BLOCK = '\n\n```stage\n{"here": ["seraphina"]}\n```'
ASK = {"role": "system", "content": "[Continue your last message without repeating it.]"}


@pytest.fixture(scope="module")
def upstream():
    with serving(streams(words("Nothing."))) as server:
        yield server


@pytest.fixture(scope="module")
def running(tmp_path_factory, upstream):
    with service(tmp_path_factory.mktemp("data"), model=upstream.url) as made:
        yield made


@pytest.fixture
def chat(running, upstream, request):
    upstream.bodies.clear()
    upstream.replies[:] = [streams(words(f"Answer {n} in the glade.")) for n in range(1, 30)]
    name = request.node.name
    return Chat(running, opening=f"{OPENING} ({name})")


def in_step(chat: Chat) -> bool:
    return chat.service.lived(chat.run) == chat.shown


def test_lines_swipes_edits_deletions_and_branches(chat):
    chat.send("Where am I?")
    assert in_step(chat)
    first = chat.run
    chat.send("I drink the tea.")
    assert in_step(chat)
    assert chat.swipe() == "Answer 3 in the glade."
    assert in_step(chat)
    assert chat.run == first
    chat.show("Answer 2 in the glade.")  # back to the telling before
    chat.send("I look for my sword.")
    assert in_step(chat)
    assert chat.run == first

    chat.messages[2]["content"] = "“In my glade,” she says."  # an old answer is edited
    chat.send("I search the hut.")
    assert in_step(chat)
    assert chat.run == first

    del chat.messages[-4:]  # the last two rounds are deleted
    chat.send("I go out.")
    assert in_step(chat)
    assert chat.run != first
    assert chat.run.partition("@")[0] == first

    chat.messages[3]["content"] = "I do not drink the tea."  # an old line is edited
    chat.send("I wait.")
    assert in_step(chat)


def test_a_window_takes_the_place_of_the_history(chat, upstream):
    chat.send("Where am I?")
    chat.send("I drink the tea.")
    system, user = upstream.bodies[-1]["messages"]
    assert system["content"].startswith(chat.system)
    assert "# Told last" in user["content"]
    assert "> I drink the tea." in user["content"]
    assert upstream.bodies[-1]["model"] == "tiny"


def test_a_first_line_goes_as_it_came(chat, running, upstream):
    other = Chat(running, system=f"Answer briefly. {chat.opening}")
    other.messages.append({"role": "user", "content": "Name a colour."})
    other.ask()
    sent = upstream.bodies[-1]["messages"]
    assert [each["content"] for each in sent] == [other.system, "Name a colour."]
    assert other.service.lived(other.run)[-1][0] == "Name a colour."


def test_fields_we_do_not_know_pass_through(chat, upstream):
    chat.messages.append({"role": "user", "content": "Hello?"})
    chat.ask(temperature=0.3, top_k=7, user="ana")
    sent = upstream.bodies[-1]
    assert (sent["temperature"], sent["top_k"], sent["user"]) == (0.3, 7, "ana")


@pytest.mark.parametrize("stream", [True, False])
def test_a_stage_block_never_reaches_the_client(chat, upstream, stream):
    chat.stream = stream
    told = "Seraphina pours the tea." + BLOCK
    if stream:
        upstream.replies[:] = [streams(words(told))]
    else:
        from strategies.chat_servers import says

        upstream.replies[:] = [says(told)]
    assert chat.send("I sit down.") == "Seraphina pours the tea."
    assert in_step(chat)


def test_what_is_no_turn_is_answered_and_not_kept(chat, upstream):
    chat.send("Where am I?")
    before = chat.service.lived(chat.run)
    more = chat.ask(ASK)  # continue
    chat.ask({"role": "system", "content": "[Write the next reply from Coyle's point of view.]"})
    assert [each["role"] for each in upstream.bodies[-1]["messages"]] == [
        "system", "user", "assistant", "system"
    ]  # fmt: skip
    assert "# Write" not in upstream.bodies[-1]["messages"][1]["content"]
    chat.ask({"role": "system", "content": "Summarise the chat in one line."})
    assert chat.service.lived(chat.run) == before
    chat.messages[-1]["content"] += f" {more}"  # it was continued
    chat.send("I get up.")
    assert in_step(chat)


def test_a_cut_answer_is_no_fact_until_the_client_shows_it(chat, upstream):
    chat.send("Where am I?")
    upstream.bodies.clear()
    upstream.replies[:] = [cut(["She ", "looks "]), streams(words("Away."))]
    chat.messages.append({"role": "user", "content": "I ask again."})
    assert chat.ask() == "She looks"
    assert chat.service.lived(chat.run)[-1] == ("I ask again.", "")
    chat.messages.append({"role": "assistant", "content": "She looks"})
    chat.send("I wait.")
    assert in_step(chat)


def test_an_error_upstream_reaches_the_client_as_it_is(chat, upstream):
    import httpx

    upstream.replies[:] = [failing(429, "rate_limit", "slow down")]
    chat.messages.append({"role": "user", "content": "Hello?"})
    body = {"model": "tiny", "messages": chat.messages}
    answer = httpx.post(f"{chat.service.url}/v1/chat/completions", json=body, timeout=60)
    assert answer.status_code == 429
    assert answer.json()["error"]["message"] == "slow down"


def test_a_model_that_is_not_there_is_said_to_be_so(tmp_path):
    import httpx

    with service(tmp_path, model="http://127.0.0.1:9/v1") as alone:
        answer = httpx.get(f"{alone.url}/v1/models", timeout=60)
        assert answer.status_code == 502
        assert "cannot be reached" in answer.json()["error"]["message"]


def test_a_chat_that_was_begun_elsewhere_is_caught_up_with(chat):
    for n in range(3):
        chat.messages += [
            {"role": "user", "content": f"Old line {n}, {chat.opening}"},
            {"role": "assistant", "content": f"Old answer {n}."},
        ]
    chat.send("And now?")
    assert in_step(chat)


def test_a_client_that_drops_what_is_old_goes_on_in_its_run(chat):
    for line in ("One.", "Two.", "Three.", "Four."):
        chat.send(f"{line} {chat.opening}")
    run, whole = chat.run, chat.service.lived(chat.run)
    del chat.messages[:3]
    chat.messages.append({"role": "user", "content": "Five."})
    chat.ask()
    assert chat.run == run
    assert [line for line, _ in chat.service.lived(run)][: len(whole)] == [
        line for line, _ in whole
    ]


def test_two_chats_that_begin_alike_part_where_they_differ(chat, running):
    chat.send("Where am I?")
    chat.send("I drink.")
    other = Chat(running, opening=chat.opening)
    other.send("Where am I?")
    assert other.run != chat.run
    other.send("I run.")
    assert in_step(other)
    assert in_step(chat)


def test_group_chats_answer_from_what_the_one_asked_may_know(chat, upstream):
    chat.system = "Write Ana's next reply in a fictional chat between Ana, Ben and Coyle.\n"
    ana = {"role": "system", "content": "[Write the next reply only as Ana.]"}
    ben = {"role": "system", "content": "[Write the next reply only as Ben.]"}
    chat.messages.append({"role": "user", "content": "Who are you two?"})
    chat.ask(ana)
    assert "You are Ana" in upstream.bodies[-1]["messages"][0]["content"] + str(
        upstream.bodies[-1]["messages"][1]["content"]
    )
    chat.messages.append({"role": "assistant", "content": "Ana: I am Ana."})
    chat.ask(ben)
    assert "You are Ben" in str(upstream.bodies[-1]["messages"])
    assert upstream.bodies[-1]["messages"][2]["content"] == "Ana: I am Ana."
    chat.messages.append({"role": "assistant", "content": "Ben: And I am Ben."})
    chat.messages.append({"role": "user", "content": "Good."})
    chat.ask(ana)
    assert chat.service.lived(chat.run)[1] == (
        "Who are you two?", "Ana: I am Ana.\n\nBen: And I am Ben."
    )  # fmt: skip
