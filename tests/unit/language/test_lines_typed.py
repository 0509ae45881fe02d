"""Lines in a hurry: particles, frames, text-speak, bare places, verbs that nobody listed."""

from strategies.lines import read, shown
from strategies.tables import table

SAID_AROUND = [
    # what stands around what is meant
    ("ok take the lens", ["action take · target <lens>"]),
    ("ok. take the lens", ["action take · target <lens>"]),
    ("lol i said i go to the yard", ["movement go · where <harrow> · place harrow"]),
    ("I said burn the minutes", ["action burn · target <minutes>"]),
    ("well then, let's go to the yard", ["movement go · where <harrow> · place harrow"]),
    ("fine. look at the lens please", ["observation look · target <lens>"]),
    ("let me look at the lens", ["observation look · target <lens>"]),
    ("i try to open the crock", ["action open · target <oat-crock>"]),
    # and what is said is said
    ("yes", ["speech say · “yes”"]),
    ("ok", ["speech say · “ok”"]),
    ("I said I was sorry", ["speech say · “I was sorry”", "speech tell"]),
]
HURRIED = [
    ("ask mara re the lens", ["inquiry ask · target <mara> · topic <lens>"]),
    ("go thru the yard", ["movement go · where <harrow> · place harrow"]),
    ("u light the lamp", ["action light · target <lamp>"]),
    ("dont take the lens", []),
    ("wouldnt take the lens", []),
    ("unlock it w the brass key", ["action unlock · target it · instrument <brass-key>"]),
    ("w", ["movement go · way west"]),
    ("go w", ["movement go · way west"]),
    ("take them keys", ["action take · target them keys"]),
    ("drop em", ["action drop · target em"]),
]  # fmt: skip
PLACES = [
    ("yard", ["movement go · where <harrow> · place harrow"]),
    ("yard then", ["movement go · where <harrow> · place harrow"]),
    ("back to the yard", ["movement go · where <harrow> · place harrow"]),
    ("the mainland. bye losers",
     ["movement go · where <mainland> · place mainland", "speech say · “bye losers”"]),
    ("out", ["movement go · way out"]),
    ("get out of here", ["movement go · way out"]),
    ("walk out the door", ["movement go · where the door · way out"]),
    ("head over to the yard", ["movement go · where <harrow> · place harrow"]),
    # a place that is spoken of is not gone to
    ("I hate it. The yard.", []),
    ("*shrugs* the yard", ["emote shrug"]),
    ("the yard is cold", []),
    ("the yard?", ["inquiry ask · topic <harrow>"]),
    ("get out the brass key", ["action take · target <brass-key>"]),
]  # fmt: skip
DONE = [
    # any verb is one, by what it is done to
    ("piss in the boots", ["action piss · target <boots>"]),
    ("juggle the oats", ["action juggle · target <oat-crock>"]),
    ("dump out the oats", ["action dump · target <oat-crock>"]),
    ("take the lens and juggle the oats",
     ["action take · target <lens>", "action juggle · target <oat-crock>"]),
    ("I take the grey coat off the peg and feel in the pockets",
     ["action take · target <grey-coat> · origin the peg", "action feel · target <coat-pockets>"]),
    ("put my hand in the oats", ["action search · target <oat-crock>"]),
    ("I knock on the door to hear if it's hollow",
     ["action knock · target the door", "observation listen · target hollow"]),
    # and what is none is none
    ("asdf", []),
    ("footprints in the sand", []),
    ("the cup", []),
    ("I feel sad", []),
    ("I was going to take the lens", []),
    ("take the lens and the log",
     ["action take · target <lens>", "action take · target <logbook>"]),
]  # fmt: skip
ASKED = [
    ("what about the wreck", ["inquiry ask · topic <perpetua>"]),
    ("what about the wreck, Pell", ["inquiry ask · target <pell> · topic <perpetua>"]),
    ("Pell, what do you mean by wreck", ["inquiry ask · target <pell> · topic <perpetua>"]),
    ("PELL. tell me about the wreck", ["inquiry ask · target <pell> · topic <perpetua>"]),
    ("mara who lit the lamp", ["inquiry ask · target <mara> · topic <lamp>"]),
    ("what happened to the fire", ["inquiry ask · topic <kitchen-range>"]),
    ("is there someone else here", ["inquiry inquire"]),
    ("i am stuck, how do i get back to the kitchen", ["inquiry ask · topic <kitchen>"]),
    ("do i have to light the lamp", ["inquiry ask · topic <lamp>"]),
    ("can i have the coat", ["inquiry ask · topic <grey-coat>"]),
    # orders that stand as questions do, and times that stand as *when* does
    ("do the washing", ["action wash"]),
    ("when mara sleeps, I take the lens", []),
]
MEANT = [
    ("use the bone key on the door", ["action use · target the bone key · where the door"]),
    ("use the brass key on the door", ["action use · target <brass-key> · where the door"]),
    ("use the old key on the door", ["action use · target <brass-key> · where the door"]),
    ("take the red coat", ["action take · target the red coat"]),
]


def told(line):
    return [shown(act) for act in read(line).acts]


@table("line, acts", [*SAID_AROUND, *HURRIED, *PLACES])
def test_a_line_in_a_hurry(line, acts):
    assert told(line) == acts


@table("line, acts", [*DONE, *ASKED])
def test_what_is_done_and_what_is_asked(line, acts):
    assert told(line) == acts


@table("line, acts", MEANT)
def test_what_contradicts_a_name_is_not_meant_by_it(line, acts):
    assert told(line) == acts
