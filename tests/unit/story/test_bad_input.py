"""Story files that are broken in every way people and programs break files: each a clear error."""

import os
import resource
import threading
import time

import pytest

from storykeeper.errors import StoryInvalid, StoryNotFound
from storykeeper.story import loader
from storykeeper.story.loader import load_story, read_story
from strategies.small import FILES, SHORE, STORY, codes, lines, read
from strategies.tables import table


def write(folder, files=FILES):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_the_small_story_has_no_problems():
    reading = read()
    assert [str(p) for p in reading.problems] == []
    assert reading.story.scenes[0].beats[0].prose == "The tide is out."


def added(text):
    return read({"story.yaml": STORY + text})


@table(
    "text, line, what",
    [
        ("rules: [a, b\n", 10, "a list in brackets is not closed"),
        ("rules: {a: b\n", 10, "a mapping in braces is not closed"),
        ('rules: "a\n', 10, "a quotation mark is never closed"),
        ("soft: a: b\n", 10, "there is a colon where none can stand"),
        ("things:\n\t- a\n", 11, "a tab stands where spaces are needed"),
        ("things:\n  \t- a\n", 11, "a tab stands where spaces are needed"),
        ("soft: @x\n", 10, "a value cannot begin with this character"),
        ("things\n", 10, "a key without a colon"),
        ("  things: []\n", 10, "a list goes on here without a dash"),
        ('soft: "\\q"\n', 10, "a backslash in double quotes"),
        ("title: Again\n", 10, "the key `title` stands here twice, first on line 2"),
        ("rules: &a [x]\n", 10, "`&a` is an anchor"),
        ("rules: *a\n", 10, "`*a` refers to an anchor"),
        ("rules: !!python/object:os.system [x]\n", 10, "is a tag"),
        ("<<: {rules: []}\n", 10, "`<<` merges"),
        ("---\nid: other\n", 10, "a second document begins here"),
        ("1: x\n", 10, "the key `1` is not text"),
        ("? [a]\n: x\n", 10, "a list or a mapping stands as a key"),
        ('"": x\n', 10, "is not text"),
        ("budget: {tokens: .inf}\n", 10, "the number is not finite"),
        ("budget: {tokens: 99999999999999999999}\n", 10, "the number is too long"),
        ("budget: {hard_share: -.nan}\n", 10, "should stand"),
        ('author: "a\\x07b"\n', 10, "invisible character"),
        ("author: a\u2028b\n", 10, "the line separator U+2028"),
    ],
)
def test_broken_yaml_is_named_in_an_authors_words(text, line, what):
    reading = added(text)
    assert reading.story is None
    assert any(p.line == line and what in p.what for p in reading.errors), lines(
        reading, *codes(reading)
    )
    for problem in reading.errors:
        assert problem.fix
        for jargon in ("Struct", "msgspec", "dict", "tuple", "NoneType", "yaml.", "Traceback"):
            assert jargon not in str(problem)


def test_a_bomb_is_refused_before_it_goes_off():
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for n in range(1, 30):
        bomb += f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n"
    start = time.process_time()
    reading = added(bomb)
    assert [p.line for p in reading.errors if p.code in ("anchor", "alias")] == [10]
    assert time.process_time() - start < 5


def test_nesting_without_end_is_refused():
    assert "too-deep" in codes(added("x: " + "[" * 5_000 + "]" * 5_000))
    assert "too-deep" in codes(added("x: " + "{a: " * 5_000 + "}" * 5_000))


@pytest.mark.parametrize(
    "char", ["\x00", "\x08", "\x1b", "\x7f", "\x85", "\x9f", "\ufffe", "\uffff"]
)
def test_control_characters_are_refused_where_they_stand(char):
    reading = read({"scenes/shore.md": SHORE + f"ab{char}c\n"})
    (problem,) = reading.errors
    assert (problem.file, problem.line, problem.column) == ("scenes/shore.md", 6, 3)
    assert f"U+{ord(char):04X}" in problem.what
    reading = added(f"author: ab{char}c\n")
    assert [(p.line, p.column) for p in reading.errors] == [(10, 11)]


def test_a_binary_file_gives_a_few_problems_not_thousands():
    reading = read({"extra.yaml": bytes(range(256)) * 200})
    assert 1 <= len(reading.errors) < 50


@pytest.mark.parametrize("data", [b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xf8\x88"])
def test_what_is_not_utf8_is_refused_where_it_stands(data):
    reading = read({"scenes/shore.md": SHORE.encode() + "ä ".encode() + data + b"\n"})
    assert [(p.code, p.line, p.column) for p in reading.errors] == [("not-utf8", 6, 3)]


def test_utf16_is_named():
    reading = read({"story.yaml": STORY.encode("utf-16")})
    assert any("UTF-16" in p.what for p in reading.errors)


def test_a_mark_of_byte_order_is_tolerated():
    reading = read({"story.yaml": b"\xef\xbb\xbf" + STORY.encode(),
                    "scenes/shore.md": b"\xef\xbb\xbf" + SHORE.encode()})  # fmt: skip
    assert reading.problems == ()


def test_windows_line_ends_change_nothing():
    plain = read()
    reading = read({name: text.replace("\n", "\r\n") for name, text in FILES.items()})
    assert reading.story == plain.story


ODD_PROSE = "👩‍👩‍👧 said: \u202eabc\u202c, שלום, مرحبا, e\u0301, \ufeff, \U0001f9ff no: on — 12:30"


def test_emoji_and_right_to_left_text_are_prose_like_any_other():
    facts = f"facts:\n- id: odd\n  full: |-\n    {ODD_PROSE}\n  known_by: {{mara: saw}}\n"
    reading = read({"scenes/shore.md": f"{SHORE}{ODD_PROSE}\n", "facts.yaml": facts})
    assert reading.errors == ()
    assert reading.story.scenes[0].beats[0].prose.endswith(ODD_PROSE)
    assert reading.story.facts[0].full == ODD_PROSE


@pytest.mark.parametrize(
    "name", ["the tower", "Tower", "türm", "tower_1", "-a", "a--b", "1st", "a\u202eb", ""]
)
def test_ids_that_are_none_are_refused_with_advice(name):
    reading = added(f'things:\n  - id: "{name}"\n    name: x\n')
    (problem,) = [p for p in reading.errors if p.code == "bad-id"]
    assert problem.line == 11
    assert "lower-case letters, digits and single hyphens" in problem.what
    assert problem.fix


def test_the_slug_is_advised_for_a_bad_id_and_what_refers_to_it_is_not_blamed():
    reading = added("things:\n  - {id: The Brass Key, name: key}\n"
                    "facts:\n  - {id: f, full: x, about: [the-brass-key]}\n")  # fmt: skip
    assert [p.code for p in reading.errors] == ["bad-id"]
    assert "`the-brass-key`" in reading.errors[0].fix


# Scene files.


@table(
    "text, line, code",
    [
        ("No head at all.\n", 1, "no-head"),
        ("", 1, "no-head"),
        ("\n---\ntitle: x\n---\n", 1, "no-head"),
        ("---\n---\nx\n", 1, "no-head"),
        ("---\n- a\n---\nx\n", 1, "no-head"),
        ("---\ntitle: x\nProse.\n", 1, "unclosed-head"),
        ("---\ntitle: x\nmass: two\n---\n", 3, "wrong-type"),
        ("---\ntitle: x\nbeats:\n  a: {when: {told: s/a}}\n---\nx\n", 4, "beat-without-prose"),
        ("---\ntitle: x\nbeats: [a]\n---\nx\n", 3, "wrong-type"),
        ("---\ntitle: x\nbeats: {opening: {prose: y}}\n---\nx\n", 3, "unknown-key"),
        ("---\ntitle: x\n---\n## a\nx\n\n## a\ny\n", 7, "duplicate-beat"),
        ("---\ntitle: x\n---\nx\n\n## opening\ny\n", 6, "duplicate-beat"),
        ("---\ntitle: x\n---\n## a\n\n## b\ny\n", 4, "empty-beat"),
        ("---\ntitle: x\n---\n## The Lamp\ny\n", 4, "bad-id"),
        ("---\ntitle: x\n---\n##\ny\n", 4, "bad-id"),
        ("---\ntitle: x\n---\ny\n```\n## a\n", 5, "unclosed-fence"),
    ],
)  # fmt: skip
def test_scene_files_with_the_wrong_shape(text, line, code):
    reading = read({"scenes/s.md": text})
    assert ("scenes/s.md", line) in [(p.file, p.line) for p in reading.errors if p.code == code]


def test_a_scene_whose_file_name_is_no_id_needs_one():
    reading = read({"scenes/01 The Tower.md": "---\ntitle: x\n---\ny\n"})
    (problem,) = [p for p in reading.errors if p.code == "bad-id"]
    assert (problem.file, problem.line) == ("scenes/01 The Tower.md", 1)
    reading = read({"scenes/01 The Tower.md": "---\ntitle: x\nid: tower\n---\ny\n"})
    assert reading.errors == ()


def test_one_broken_file_does_not_make_what_it_holds_seem_missing():
    reading = read({"scenes/tower.md": "---\ntitle: [\n---\n", "scenes/shore.md":
                    SHORE.replace("ending", "leads_to: [{to: tower}]\nending")})  # fmt: skip
    assert [p.code for p in reading.errors] == ["syntax"]
    reading = read({"story.yaml": STORY + "rules: [\n"})
    assert [p.code for p in reading.errors] == ["syntax"]


# Folders.


def test_no_folder_and_no_story_say_so(tmp_path):
    with pytest.raises(StoryNotFound, match="no folder"):
        read_story(tmp_path / "nowhere")
    with pytest.raises(StoryNotFound, match=r"no story\.yaml"):
        read_story(tmp_path)
    (tmp_path / "story.yaml").write_text(STORY)
    with pytest.raises(StoryNotFound, match="give the folder"):
        load_story(tmp_path / "story.yaml")


def test_every_problem_is_in_the_error(tmp_path):
    write(tmp_path, {**FILES, "story.yaml": STORY + "titel: x\nstrat: y\n"})
    with pytest.raises(StoryInvalid) as raised:
        load_story(tmp_path)
    assert "has 2 problems" in str(raised.value)
    assert "story.yaml:10:1" in str(raised.value)
    assert "story.yaml:11:1" in str(raised.value)


def test_an_empty_story_file_names_what_it_needs(tmp_path):
    write(tmp_path, {"story.yaml": ""})
    missing = [p.what for p in read_story(tmp_path).errors if p.code == "missing-key"]
    assert [what.split("`")[1] for what in missing] == ["id", "players", "start", "title", "voice"]


def test_yml_hidden_files_and_others(tmp_path):
    write(tmp_path, {
        **FILES, "cast.yml": "cast: []\n", ".hidden.yaml": "x: [", ".git/a.yaml": "x: [",
        "notes.txt": "\0", "README.md": "# Notes", "draft.md": "---\ntitle: x\n---\n",
    })  # fmt: skip
    reading = read_story(tmp_path)
    assert [(p.file, p.code) for p in reading.errors] == [("cast.yml", "yml")]
    assert "cast.yaml" in reading.errors[0].fix
    assert [(p.file, p.code) for p in reading.warnings] == [
        ("cast.yml", "not-checked"), ("draft.md", "scene-elsewhere"),
    ]  # fmt: skip


def test_links_that_leave_the_folder_are_refused(tmp_path):
    outside = write(tmp_path / "outside", {"secret.yaml": "cast: []\n", "a/b.md": "x"})
    folder = write(tmp_path / "story")
    (folder / "link.yaml").symlink_to(outside / "secret.yaml")
    (folder / "scenes" / "deep").symlink_to(outside / "a")
    (folder / "gone.yaml").symlink_to(outside / "nothing.yaml")
    (folder / "loop").symlink_to(folder)
    (folder / "inside.yaml").symlink_to(folder / "story.yaml")
    reading = read_story(folder)
    refused = {(p.file, p.code) for p in reading.errors if p.code in ("link", "unreadable")}
    assert refused == {("link.yaml", "link"), ("scenes/deep", "link"), ("gone.yaml", "unreadable"),
                       ("loop", "link")}  # fmt: skip


def test_a_pipe_is_not_waited_for(tmp_path):
    write(tmp_path)
    os.mkfifo(tmp_path / "pipe.yaml")
    done = threading.Event()
    thread = threading.Thread(target=lambda: (read_story(tmp_path), done.set()), daemon=True)
    thread.start()
    assert done.wait(10)


def test_a_file_that_is_too_large_is_refused_unread(tmp_path):
    write(tmp_path, {**FILES, "big.yaml": b"# " + b"x" * 2_000_000})
    reading = read_story(tmp_path)
    assert [(p.file, p.code) for p in reading.errors] == [("big.yaml", "file-too-large")]


def test_names_that_differ_in_case_only_are_two_files(tmp_path):
    scene = "---\ntitle: x\nid: {}\n---\ny\n"
    write(tmp_path, {**FILES, "scenes/a.md": scene.format("a"), "scenes/A.md": scene.format("b")})
    story = read_story(tmp_path).story
    assert [s.id for s in story.scenes] == ["a", "b", "shore"]


def test_a_folder_of_five_thousand_scenes_is_read(tmp_path):
    write(tmp_path)
    links = "".join(f"  - {{to: s{n}}}\n" for n in range(5_000))
    write(tmp_path, {"scenes/shore.md": SHORE.replace("ending", f"leads_to:\n{links}ending")})
    write(tmp_path, {f"scenes/part{n % 10}/s{n}.md": f"---\ntitle: Scene {n}\n---\nProse {n}.\n"
                     for n in range(5_000)})  # fmt: skip
    start = time.process_time()
    reading = read_story(tmp_path)
    assert [str(p) for p in reading.errors] == []
    assert len(reading.story.scenes) == 5_001
    assert time.process_time() - start < 60
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert peak < 4_000_000, f"{peak} KiB"


def test_a_story_has_a_size(tmp_path, monkeypatch):
    """All of it together: reading ten thousand files of a mebibyte would take a day."""
    monkeypatch.setattr(loader, "MAX_STORY_BYTES", 4_000)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert read_story(tmp_path).errors == ()
    (tmp_path / "zz.yaml").write_text("# " + "x" * 4_000 + "\n")
    assert [(p.code, p.file) for p in read_story(tmp_path).errors] == [
        ("story-too-large", "zz.yaml")
    ]


def test_folders_in_folders_come_to_an_end(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "/".join("d" * 40)).mkdir(parents=True)
    assert [p.code for p in read_story(tmp_path).errors] == ["too-deep"]
