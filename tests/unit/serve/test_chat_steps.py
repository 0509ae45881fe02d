"""What brings a run in step: doing it leaves exactly what the client shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.serve.proxy.steps import Row, agreeing, steps
from storykeeper.serve.proxy.transcript import Round, key, transcript

words = st.sampled_from(["", "yes", "no", "I wait.", "Where?"])
lines = words.filter(bool)
rounds = st.builds(Round, lines, words.filter(bool))


def rows_of(*said: Round, opening: str = "") -> list[Row]:
    first = Row(0, "", key(opening))
    return [first, *(Row(n, each.line_key, each.prose_key) for n, each in enumerate(said, 1))]


def done(rows: list[Row], todo) -> list[Row]:
    """What the run's calls do, in order."""
    after = list(rows)
    if todo.branch_after is not None:
        after = after[: todo.branch_after + 1]
    for n, each in todo.edits:
        assert n < len(rows) - 1, "only what is fact is edited"
        after[n] = Row(after[n].turn, each.line_key, each.prose_key)
    if todo.swipe is not None and todo.swipe.prose:
        after[-1] = Row(after[-1].turn, todo.swipe.line_key, todo.swipe.prose_key)
    if todo.drop_last:
        after.pop()
    for each in todo.play:
        after.append(Row(len(after), each.line_key, each.prose_key))
    return after


@given(st.lists(rounds, max_size=6), st.lists(rounds, max_size=6), lines, st.booleans())
def test_afterwards_the_run_is_what_the_client_shows(lived, shown, line, answered):
    said = (*shown, Round(line, "An answer." if answered else ""))
    rows = rows_of(*lived)
    after = done(rows, steps(rows, said, 0))
    assert len(after) == len(said) + 1
    for row, each in zip(after[1:], said, strict=True):
        assert row.line_key == each.line_key
        assert not each.prose or row.prose_key == each.prose_key


@given(st.lists(rounds, min_size=2, max_size=6), lines, st.data())
def test_a_client_that_dropped_what_is_old_only_adds(lived, line, data):
    start = data.draw(st.integers(0, len(lived) - 1))
    said = (*lived[start:], Round(line))
    todo = steps(rows_of(*lived), said, start)
    assert (todo.play, todo.edits, todo.branch_after) == ((Round(line),), (), None)
    assert agreeing(rows_of(*lived), said, start) == len(lived) - start


def test_the_same_request_again_changes_nothing():
    lived = (Round("One.", "Yes."), Round("Two.", "No."))
    todo = steps(rows_of(*lived), (lived[0], Round("Two.")), 0)
    assert todo == type(todo)()


def test_another_line_in_the_last_ones_place():
    lived = (Round("One.", "Yes."), Round("Two.", "No."))
    todo = steps(rows_of(*lived), (lived[0], Round("Three.")), 0)
    assert todo.drop_last
    assert todo.play == (Round("Three."),)


def test_a_transcript_keeps_instructions_apart():
    said = transcript(
        [
            {"role": "system", "content": "You are Ana."},
            {"role": "system", "name": "example_user", "content": "Hi!"},
            {"role": "assistant", "content": "It rains."},
            {"role": "user", "content": "Hello"},
            {"role": "user", "content": [{"type": "text", "text": "there"}, {"type": "image_url"}]},
            {"role": "assistant", "content": None, "tool_calls": [{}]},
            {"role": "tool", "content": "{}"},
            {"role": "assistant", "content": "Hello."},
            {"role": "user", "content": "  Who   are you? "},
        ]
    )
    assert said.opening == "It rains."
    assert said.rounds == (Round("Hello\n\nthere", "Hello."), Round("Who   are you?"))
    assert said.system == ("You are Ana.", "Hi!")
    assert said.is_turn
    assert key("Who   are you?") == key("Who are you?\n")


def test_what_ends_otherwise_is_no_turn():
    said = transcript(
        [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"},
         {"role": "system", "content": "[Continue]"}]
    )  # fmt: skip
    assert not said.is_turn
    assert [each["content"] for each in said.after] == ["Yes", "[Continue]"]
    assert not transcript([{"role": "system", "content": "Only this."}]).is_turn
