"""A guess that a narrator says back is no telling, however late: or it would show that it hit."""

from functools import cache

import pytest

from storykeeper.events.atoms import Voice
from storykeeper.events.changes import FactGuessed
from storykeeper.language.names import Names
from storykeeper.language.prose import ProseReader
from storykeeper.play.word_for_word import affirms, guessed_in, phrases
from storykeeper.staging.cues import Cued, Lesson
from storykeeper.staging.reader import StagedProse
from storykeeper.story.adopt import adoption
from storykeeper.world.plan import plan
from strategies.flips import all_shown
from strategies.runs import records, unkept
from strategies.sizes import thinned
from strategies.tables import table
from unit.engine.test_word_for_word import SAID, SOLD, holding, played, story, told

MISSED = {"sold": {"full": "Vic kept the emerald in a drawer upstairs.", "said": ()}}
BARE = SOLD[:-1]
GUESSES = (
    f'I say "{SOLD}"',
    "I ask Jon: “Did Vic sell the ruby for nine pounds?”",
    "I tell Jon that Vic sold the ruby for nine pounds.",
    "I tell Jon for nine pounds the ruby was sold, by Vic.",
    "“You sold the ruby for nine pounds, did you not?”",
    "“Suppose Vic sold the ruby for nine pounds.”",
    "I say “Vic never sold the ruby for nine pounds.”",
    "Vic is selling the ruby for nine pounds, I think.",
    "I whisper to Tanya: “Nine pounds for the ruby, and it was he who sold it.”",
    "I accuse Vic of selling the ruby for nine pounds.",
    "I write down: he sold the ruby. Nine pounds!",
    "(he sold it for nine pounds, the ruby)",
    'I say "He sold it."',
)
SAID_BACK = (
    f"{SAID} says Jon.",
    f"“So {BARE},” says Jon.",
    f"“{BARE}… hm,” Jon murmurs.",
    f"Jon frowns. “Vic! {SOLD}”",
    f"“The ruby,” says Jon. “{SOLD}”",
    f"“It is not right. {SOLD}” says Jon.",
    f"“Right? {SOLD}” says Jon.",
    f"“I see. {SOLD}” says Jon.",
    f"“Yes,” says Tanya. {SAID} says Jon.",
    "“Vic is selling the ruby for nine pounds,” says Jon.",
    "“He sold it.” says Jon.",
)
AFFIRMED = (
    f"“Yes. {SOLD}” says Jon.",
    f"“Yes,” says Jon. “{SOLD}”",
    f"“Indeed, {BARE},” says Jon.",
    f"“It is true: {BARE},” says Jon.",
    f"“You are right. {SOLD}” says Jon.",
    f"“I know {BARE},” says Jon.",
    f"“I saw it myself. {SOLD}” says Jon.",
    f"“I swear that {BARE},” says Jon.",
    f"“Aye, {BARE},” Jon sighs.",
    f"“Of course {BARE},” says Jon.",
)


@table("guess", GUESSES)
def test_who_guessed_it_is_told_nothing_by_their_own_words(guess):
    keeper = played((guess, "Rain."), "Rain.", "Rain.", f"{SAID} says Jon.")
    assert set(holding(keeper)) & {"ada"} == set()
    assert [each.fact for each in records(keeper, FactGuessed)] == ["sold"]


@pytest.mark.parametrize("prose", SAID_BACK)
@pytest.mark.parametrize("late", [False, True])
def test_what_is_said_back_tells_nobody(prose, late):
    guess = f'I say "{SOLD} He sold it."'
    keeper = played((guess, "Rain."), prose) if late else played((guess, prose))
    assert not [each for each in told(keeper) if not each.guessed]
    assert "sold" not in keeper.knows("ada")


@table("prose", AFFIRMED)
def test_what_another_affirms_is_told(prose):
    keeper = played((f'I say "{SOLD}"', "Rain."), prose)
    assert keeper.knows("ada")["sold"].how == "told by jon"


def test_who_owns_to_it_tells_it():
    mine = {"sold": {"known_by": {"vic": "lived"}}}
    asked = "I ask Vic: “Did you sell the ruby for nine pounds?”"
    keeper = played((asked, "“I sold the ruby for nine pounds,” says Vic."), **mine)
    assert keeper.knows("ada")["sold"].how == "told by vic"


class _Meaning:
    """Reads that some words tell the fact, whatever they are."""

    def __init__(self, words):
        self._words = words

    def cued(self, world, told, *, then=None):
        at = told.reading.text.find(self._words)
        lesson = Lesson(at, "sold", "jon", (), Voice.READER, self._words)
        return Cued(lessons=(lesson,) if at >= 0 else ())


@pytest.mark.parametrize(
    ("words", "known"),
    [("Yes, the stone went for nine quid", True), ("The stone went for nine quid", False),
     ("Yes? The stone went for nine quid", False)],
)  # fmt: skip
def test_who_guessed_is_told_in_other_words_by_who_vouches_for_them(words, known):
    keeper = unkept(story(), reader=StagedProse(ProseReader(), _Meaning(words)))
    keeper.render(keeper.opening(), "Rain falls.")
    for line, prose in ((f'I say "{SOLD}"', "Rain."), ("I wait.", f"“{words},” says Jon.")):
        keeper.render(keeper.begin(line), prose)
    keeper.end_scene()
    assert ("sold" in keeper.knows("ada")) is known


@pytest.mark.parametrize(
    "line",
    ["I ask Jon about the ruby.", "“Did Vic sell it?”", "I ask: “Who sold the ruby?”",
     "“Nine pounds is a lot.”", "“Did Vic sell the ruby for ten pounds?”", "I look for Vic.",
     "“The ruby, Vic, for nine pounds?”", "I wait."],
)  # fmt: skip
def test_what_says_less_is_no_guess(line):
    keeper = played((line, "Rain."), f"{SAID} says Jon.", sold={"said": ()})
    assert keeper.knows("ada")["sold"].how == "told by jon"
    assert not records(keeper, FactGuessed)


def test_who_has_it_does_not_guess():
    keeper = played((f'I say "{SOLD}"', "Rain."), f"{SAID} says Jon.",
                    sold={"known_by": {"ada": "saw", "jon": "saw"}})  # fmt: skip
    assert not records(keeper, FactGuessed)
    later = played((f'I say "{SOLD}"', "Rain."), f"“Yes, {BARE},” says Jon to Bea.",
                   f"{SAID} says Jon.")  # fmt: skip
    assert later.knows("tanya")["sold"].how == "told by jon"


@cache
def looked_at(*turns):
    """Played with the fact and without, for tests that only look."""
    return played(*turns), played(*turns, **MISSED)


@pytest.mark.parametrize("prose", thinned(SAID_BACK, every=2))
@pytest.mark.parametrize("audience", ["narrator", "ada", "tanya", "vic"])
def test_nobody_can_see_that_it_hit(prose, audience):
    """Words that are no fact of this story give the same bytes, however they are said back."""
    turns = ((f'I say "{SOLD} He sold it."', "Rain."), prose, "“Hm,” says Tanya.")
    hit, missed = looked_at(*turns)
    lines = ("I look at the ruby.", "I ask Jon about Vic.")
    assert all_shown(hit, audience, lines) == all_shown(missed, audience, lines)


def test_a_guess_is_on_record_once_and_replays():
    keeper = played((GUESSES[0], "Rain."), (GUESSES[1], "Rain."), f"{SAID} says Jon.")
    assert len(records(keeper, FactGuessed)) == 1
    assert keeper.world().tried["ada"] == ("sold",)
    assert keeper.replay().windows == 4


def test_the_rule_by_itself():
    made = story()
    names, its = Names.of(made), plan(adoption(made))
    (phrase,) = (p for some in phrases(its, names).values() for p in some if p.whole
                 and p.fact == "sold")  # fmt: skip
    assert guessed_in("Did he sell the ruby for nine pounds?", its, names, player="ada") == ["sold"]
    assert guessed_in("I sold the ruby for nine pounds.", its, names, player="ada") == []
    assert affirms("Quite right.", phrase, speaker="jon")
    assert not affirms("Perhaps you are right.", phrase, speaker="jon")
    assert affirms("I sold it.", phrase, speaker="vic")


# ── in pieces ────────────────────────────────────────────────────────────────────────────────

IN_PIECES = (
    ("I ask Jon about the ruby.", "“Did Vic sell it for nine pounds?”"),
    ("“Vic sold something.”", "“The ruby, I mean. For nine pounds.”"),
    ('I say "Nine pounds!"', "I wait.", "I tell Tanya that Vic sold the ruby."),
    ('I say "It was nine pounds."', "“For the ruby?”", "I accuse Vic of selling it."),
    ("I write “nine”.", "I write “pounds, for the ruby”.", "I write “sold by Vic”."),
    ("“Vic?”", "“Sold the ruby?”", "“For nine pounds?”"),
)
NOT_IN_PIECES = (
    ("I ask Jon about the ruby.", "“Did Vic sell it for ten pounds?”"),
    ("“Vic sold something.”", "“For nine pounds.”", "I wait."),
    ("“The ruby!”", "I wait.", "I wait.", "I wait.", "“Vic sold it for nine pounds?”"),
    ("I ask Jon about the ruby.", "I ask Jon about Vic.", "I ask Jon about pounds."),
    ("“Nine pounds?”", "“The ruby?”", "I look for Vic."),
    ("I wait.", "I ask Jon about the ruby.", "I look for Vic."),
)


@pytest.mark.parametrize("lines", IN_PIECES)
def test_a_guess_in_pieces_is_one(lines):
    keeper = played(*((line, "Rain.") for line in lines), f"{SAID} says Jon.", sold={"said": ()})
    assert [each.fact for each in records(keeper, FactGuessed)] == ["sold"]
    assert "sold" not in keeper.knows("ada")


@pytest.mark.parametrize("lines", NOT_IN_PIECES)
def test_what_says_less_in_pieces_is_none(lines):
    keeper = played(*((line, "Rain.") for line in lines), f"{SAID} says Jon.", sold={"said": ()})
    assert not records(keeper, FactGuessed)
    assert keeper.knows("ada")["sold"].how == "told by jon"


def test_what_came_of_pieces_is_the_same_when_a_turn_is_corrected():
    keeper = played(*((line, "Rain.") for line in IN_PIECES[2]), "Rain.", sold={"said": ()})
    before = records(keeper, FactGuessed)
    assert keeper.edit(1, "Thunder.").changed == ()
    assert before == records(keeper, FactGuessed) != []
    keeper.retract(1)
    assert "sold" not in keeper.world().tried.get("ada", ())
