"""What a declaration, or the lack of one, once opened, and does not any more."""

from msgspec import structs

from storykeeper.cli.play import Game
from storykeeper.story.scenes import Beat, Scene
from strategies.wherry import begun, play, wherry

FAR = "Hagen digs below. “There was no robbery,” says Dov. “I poured it out myself,” you say."
THOUGHT = "You wonder whether to poison the soup tonight. Dov hums."


def lived(keeper, who):
    return keeper.brief(who, "a knock").text


def test_remembered_words_put_nobody_on_a_line():
    keeper = begun()
    said = (
        "You remember what Hagen told you: “The ferry is late.” “I poured it out,” you say to Dov."
    )
    play(keeper, said, {})
    assert "poured" not in lived(keeper, "hagen")


def test_an_aside_does_not_reach_who_is_told_of_elsewhere():
    keeper = begun()
    play(keeper, FAR, {"asides": [{"to": ["hagen"], "words": "There was no robbery"}]})
    assert "robbery" not in lived(keeper, "hagen")


def test_an_aside_is_not_said_by_who_is_told_of_elsewhere():
    keeper = begun()
    play(keeper, FAR, {"asides": [{"by": "hagen", "to": ["you"], "words": "There was no robbery"}]})
    assert "robbery" not in lived(keeper, "hagen")
    assert "poured" not in lived(keeper, "hagen")


def test_an_aside_opens_no_thought():
    keeper = begun()
    play(keeper, THOUGHT, {"asides": [{"by": "you", "to": ["dov"], "words": "poison the soup"}]})
    assert "poison" not in lived(keeper, "dov")


def test_what_is_told_opens_no_thought():
    keeper = begun()
    play(keeper, THOUGHT, {"told": [{"fact": "ferry", "by": "dov", "words": "poison the soup"}]})
    assert "poison" not in lived(keeper, "renna")


def test_a_handle_opens_no_secret_by_words_that_do_not_tell_it():
    keeper = begun()
    block = '{"told": [{"fact": "F1", "to": ["dov"], "words": "Nice weather"}]}'
    play(keeper, f"“Nice weather,” you say.\n```stage\n{block}\n```")
    assert "Marl" not in lived(keeper, "dov")


def test_a_handle_means_what_it_meant_in_the_window():
    beats = (
        Beat(id="opening", prose="It is late."),
        Beat(id="ledger", prose="The ledger lies open.", reveals=("pawned",)),
    )
    scene = Scene(id="evening", title="Evening", setting="parlour", beats=beats)
    keeper = begun(structs.replace(wherry(), scenes=(scene,)))
    row = {"fact": "F1", "by": "you", "to": ["dov"], "words": "You tell Dov of the letter"}
    play(keeper, "The ledger lies open. You tell Dov of the letter.", {"told": [row]})
    assert "burned" in keeper.knows("dov")


def test_the_evidence_of_a_coming_is_not_what_was_said_before_it():
    keeper = begun()
    words = "nothing of the plum brandy,” says Renna, and goes down"
    prose = f"“I shall tell Hagen {words} to the cellar."
    move = {"who": ["renna"], "kind": "departs", "to": "cellar", "words": words}
    play(keeper, prose, {"moves": [move]})
    assert "plum" not in lived(keeper, "hagen")
    assert not [each for each in keeper.presence("hagen") if "plum" in each.evidence]


def test_of_a_lie_another_player_has_the_words():
    keeper = begun(structs.replace(wherry(), players=("ilse", "renna")))
    play(keeper, "“I never saw it,” Dov lied to Renna.", {})
    assert "lied" not in lived(keeper, "renna")


def test_an_edit_takes_a_block_off_the_prose():
    keeper = begun()
    play(keeper, "Rain.", {})
    keeper.edit(1, 'Hail.\n```stage\n{"here": ["dov"]}\n```')
    assert "```" not in keeper.window(text="I wait.").text


def test_the_terminal_does_not_say_who_hides():
    keeper, said = begun(), []
    move = {"who": ["hagen"], "kind": "arrives", "words": "A board creaks"}
    hides = {"who": ["hagen"], "kind": "hides", "words": "behind the curtain"}
    play(keeper, "A board creaks behind the curtain.", {"moves": [move, hides]})
    screen = type("Screen", (), {"note": lambda _, text: said.append(text)})()
    Game(lambda _: keeper, screen, "run.db")._line("/here")
    assert said == ["here now: Dov, Renna"]
