"""What came of a line: what is left of an answer without what was known before it."""

from storykeeper.language.outcomes import outcome
from strategies.tables import table

PLACE = "Shingle, a pump, a woodpile. It smells of tar."

SAYS_NOTHING = [
    ("I listen to Pell.", "You listen to Pell."),
    ("I listen to Pell", "I listened to Pell."),
    ("I ask Mara about the key.", "You ask Mara about the key. Mara and Pell are here."),
    ("I carry my case to the yard.", "You carried your case to the yard."),
    ("I look round.", "You look round. Nobody else is here."),
    ("wait", "You wait."),
    ("I go to the kitchen.", "You go to the kitchen. The kitchen. Pell is here."),
    ("I say: “Good night.”", "You say: “Good night.”"),
    ("I go to the yard.", "The yard. Shingle, a pump, a woodpile. You are alone."),
    ("We go in.", "You go in. Mara Rudd is still there."),
    ("I open the door, and go in.", "I opened the door. I went in."),
    ("I thank Vance.", ""),
    ("I thank Vance.", "   \n"),
    ("Scan the hull!", "You scan the hull."),
]
SAYS_SOMETHING = [
    ("I listen to Pell.", "You listen to Pell. She coughs.", "She coughs."),
    ("I listen to Pell.", "You listen to Pell in the dark.", "You listen to Pell in the dark."),
    ("I ask Pell.", "“Pell,” says Mara. “Pell is here.”", "“Pell,” says Mara. “Pell is here.”"),
    ("I ask Mara where it went.", "“Where it went.”", "“Where it went.”"),
    ("I open the door.", "The door does not open.", "The door does not open."),
    ("I open the door.", "You do not open the door.", "You do not open the door."),
    ("I wait.", "Pell is gone.", "Pell is gone."),
    ("I wait.", "You eat. You wait.", "You eat."),
    ("I wait.", "Mara is asleep here. Pell is here.", "Mara is asleep here."),
    ("I go to the yard.", "The yard is on fire.", "The yard is on fire."),
    ("I go to the yard.", "Shingle, a pump, and a dog.", "Shingle, a pump, and a dog."),
    ("Scan the hull!", "The hull rings twice", "The hull rings twice"),
    ("I wait.", "Here comes Pell.", "Here comes Pell."),
    ("I wait.", "Rain.", "Rain."),
    ("I wait.", "Mara is Pell.", "Mara is Pell."),
    ("", "The rain falls. Bob has the key.", "The rain falls. Bob has the key."),
]


@table("line, answer", SAYS_NOTHING)
def test_nothing_came_of_it(line, answer):
    assert outcome(answer, line, above=PLACE) == ""


@table("line, answer, left", SAYS_SOMETHING)
def test_something_came_of_it(line, answer, left):
    assert outcome(answer, line, above=PLACE) == left
