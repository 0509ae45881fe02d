"""What an author has: a first story, play that follows edits, a story that plays itself."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from storykeeper.cli import simulate
from storykeeper.cli.main import app
from storykeeper.cli.say import folded
from storykeeper.cli.terminal import Script
from storykeeper.play.simulation.simulated_run import SimulatedRun

FEW = ("--runs", "4", "--windows", "0", "--jobs", "1", "--seed", "5")


def said(*arguments, code=0):
    done = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def story(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said("new", "the-orchard")
    return tmp_path / "the-orchard"


# ── new ──────────────────────────────────────────────────────────────────────────────────────


def test_a_new_story_has_no_problems(story):
    shown = said("check", story)
    assert "The Orchard: 5 scenes" in shown
    assert "0 errors, 0 warnings" in shown
    assert "tokens" not in shown
    notes = said("check", story, "--notes")
    assert "given `voice`, `rules` and `anti_patterns` with every turn: 141 of the 462" in notes
    assert "nothing reads" not in notes


@pytest.mark.parametrize("ending", ["stays", "six-o-clock"])
def test_a_new_story_plays_to_its_ends(story, ending):
    shown = said("play", story, "--script", story / "paths" / f"{ending}.txt", "--plain")
    assert "The story is told." in shown
    assert "Nothing here answers" not in shown
    assert "the-orchard.db" in shown


def test_what_is_there_is_not_written_over(story):
    (story / "story.yaml").write_text("mine", "utf-8")
    assert "is there already" in said("new", "the-orchard", code=2)
    assert (story / "story.yaml").read_text("utf-8") == "mine"


def test_a_name_that_is_no_id_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "such as the-orchard" in said("new", "My Story", code=2)
    assert not (tmp_path / "My Story").exists()


# ── watch ────────────────────────────────────────────────────────────────────────────────────


def watched(story, monkeypatch, *steps, options=("--watch",)):
    """Play lines, and between them what an author does to the files."""

    class Typed(Script):
        def __iter__(self):
            for step in steps:
                if callable(step):
                    step()
                else:
                    self._screen.raw(f"> {step}")
                    yield step

    monkeypatch.setattr(Script, "read", classmethod(lambda cls, path, screen: Typed([], screen)))
    return said("play", story, *options, "--script", story / "story.yaml", "--plain")


def replaced(story, name, old, new):
    def edit():
        file = story / name
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")

    return edit


ONE_PLATE = ("scenes/house.md", "One plate, one cup, both clean.", "Two plates, and a spoon.")


def test_an_edited_story_is_followed_at_the_next_turn(story, monkeypatch):
    shown = watched(story, monkeypatch, "wait", replaced(story, *ONE_PLATE), "go to the house")
    assert "[the edited story is followed from here on]" in shown
    assert "Two plates, and a spoon." in shown


def test_without_watch_it_is_not(story, monkeypatch):
    edit = replaced(story, *ONE_PLATE)
    shown = watched(story, monkeypatch, "wait", edit, "go to the house", options=())
    assert "One plate, one cup" in shown


def test_a_broken_edit_is_shown_and_the_old_story_stays(story, monkeypatch):
    broken = replaced(story, "scenes/house.md", "setting: house", "seting: house")
    mended = replaced(story, "scenes/house.md", "seting: house", "setting: house")
    shown = watched(
        story, monkeypatch, replaced(story, *ONE_PLATE), broken, "go to the house",
        mended, "wait",
    )  # fmt: skip
    assert "scenes/house.md:3:1: error: `seting` is not a key of a scene" in shown
    assert "[the files have errors; the story goes on as it was before]" in shown
    assert "One plate, one cup" in shown
    assert "[the edited story is followed from here on]" in shown.split("One plate")[1]


def test_what_is_mended_to_what_it_was_is_said_to_be_whole(story, monkeypatch):
    broken = replaced(story, "scenes/house.md", "setting: house", "seting: house")
    mended = replaced(story, "scenes/house.md", "seting: house", "setting: house")
    shown = watched(story, monkeypatch, broken, "wait", mended, "wait")
    assert "[the files are whole again, and as they were]" in shown
    touched = replaced(story, "scenes/house.md", "setting: house", "setting: house")
    assert "whole again" not in watched(story, monkeypatch, touched, "wait")


def test_a_scene_that_is_taken_away_is_said(story, monkeypatch):
    def gone():
        (story / "scenes" / "house.md").rename(story / "scenes" / "hut.md")
        for file in story.rglob("*.md"):
            text = file.read_text("utf-8").replace("- to: house", "- to: hut")
            file.write_text(text, "utf-8")

    shown = watched(
        story, monkeypatch, "go to the house", "open the letter", gone, "go to the yard"
    )
    assert "the edited story has no scene 'house'" in shown


def test_another_storys_files_are_not_followed(story, monkeypatch):
    other = replaced(story, "story.yaml", "id: the-orchard", "id: the-quarry")
    shown = watched(story, monkeypatch, other, "go to the house")
    assert "follows the story 'the-orchard', not 'the-quarry'" in shown
    assert "One plate, one cup" in shown


# ── log ──────────────────────────────────────────────────────────────────────────────────────


def test_a_run_is_a_line_a_turn(story):
    said("play", story, "--script", story / "paths" / "stays.txt", "--plain")
    lines = said("log", "the-orchard.db").splitlines()
    assert lines[0] == "   0  (opening)  ·  to yard; told yard/opening"
    assert "   4  I read the letter.  ·  ada knows the-letter (read); told house/read" in lines
    assert len(lines) == 9  # and what is typed after the end is no turn
    assert len(said("log", "the-orchard.db", "--records").splitlines()) > 50
    one = said("log", "the-orchard.db", "--turn", "4").splitlines()
    assert {line.split()[2] for line in one} == {"4"}
    assert any("secret-revealed" in line for line in one)


# ── simulate ─────────────────────────────────────────────────────────────────────────────────


def test_simulate_says_what_is_reached(story):
    shown = said("simulate", story, *FEW)
    assert "The Orchard: 4 runs" in shown
    assert "--seed 5 plays the same again" in shown
    for heading in ("Endings", "Scenes", "Secrets", "Beats:", "Dead ends: none", "Faults: none"):
        assert heading in shown
    assert shown == said("simulate", story, *FEW)


def test_simulate_for_programs(story, tmp_path):
    shown = said("simulate", story, *FEW, "--scripts", tmp_path / "scripts", "--json")
    found = json.loads(shown)
    assert (found["runs"], found["seed"]) == (4, 5)
    assert found["players"] == {
        "curious": 1, "random": 1, "toward six-o-clock": 1, "toward stays": 1
    }  # fmt: skip
    script = tmp_path / "scripts" / "ending-stays.txt"
    assert script.read_text("utf-8").startswith("# Ends in stays. Run ")
    assert "The story is told." in said("play", story, "--script", script, "--plain")


def test_simulate_toward_no_scene(story):
    shown = said("simulate", story, *FEW, "--toward", "nowhere", code=2)
    assert "there is no such scene" in shown


def test_a_fault_is_told_with_the_lines_that_led_to_it(story, monkeypatch):
    turn = SimulatedRun._turn

    def breaks(run, line):
        if line.startswith("go to the house"):
            raise ValueError("the floor gives way")
        turn(run, line)

    monkeypatch.setattr(SimulatedRun, "_turn", breaks)
    shown = said("simulate", story, *FEW, "--scripts", story / "found", code=1)
    assert "ValueError: the floor gives way at test_authors_loop.py:" in shown
    assert "/ go to the house" in shown
    fault = next((story / "found").glob("fault-*.txt"))
    assert fault.read_text("utf-8").endswith("go to the house\n")


def test_an_ending_that_is_never_reached_is_found(story):
    replaced(story, "scenes/yard.md", "when: {happened: water-kept}",
             "when: {did: {who: jon, act: leave}}")()  # fmt: skip
    replaced(story, "scenes/at-the-well.md", "when: {happened: water-kept}",
             "when: {did: {who: jon, act: leave}}")()  # fmt: skip
    shown = said("simulate", story, *FEW, code=1)
    assert "! stays was never reached" in shown
    assert "at-the-well: Jon Harkness leaves" in shown


@pytest.mark.long
def test_two_processes_report_as_one(story):
    runs = ("--runs", "12", "--windows", "1", "--seed", "3", "--json")
    assert said("simulate", story, *runs, "--jobs", "2") == said(
        "simulate", story, *runs, "--jobs", "1"
    )


def test_ctrl_c_reports_what_was_played(story, monkeypatch):
    play, played = simulate.Setup.play, []

    def until(setup, number):
        if number == 2:
            raise KeyboardInterrupt
        played.append(number)
        return play(setup, number)

    monkeypatch.setattr(simulate.Setup, "play", until)
    done = CliRunner().invoke(app, ["simulate", str(story), *FEW])
    assert "stopped after 2 of 4 runs" in done.output
    assert "The Orchard: 2 runs" in done.output


def test_long_lines_are_folded_between_words_on_a_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    line = "  ! " + "room-twelve " * 12
    shown = folded(f"Scenes\n{line}").splitlines()
    assert len(shown) > 3
    assert all(len(each) < 60 for each in shown)
    assert {word for each in shown[1:] for word in each.split()} == {"!", "room-twelve"}
    monkeypatch.setattr("sys.stdout.isatty", lambda: False, raising=False)
    assert folded(line) == line
