"""What players type, and everything that it refers to: kinds, parts, words, in order.

A row is a line and its acts, as `strategies.lines.shown` writes them; <id> is what the author
named. A line without acts does nothing.
"""

from itertools import chain

import pytest
from msgspec import structs

from storykeeper.language.acts import ActKind, Sorts
from storykeeper.language.lines import read_line
from storykeeper.language.names import Names
from storykeeper.language.reading import Gender, MentionKind, Modality, Sort
from storykeeper.story.places import Setting
from strategies.lines import PARTS, SORTS, STORY, read, shown
from strategies.tables import table

ROWS: list[tuple[str, ...]] = [
    ("ask her abt the key", "inquiry ask · target her · topic <brass-key>"),
    ("> look at chip", "observation look · target chip"),
    ("x cup", "observation look · target cup"),
    ("go n", "movement go · way north"),
    ("i grab teh key n run 2 the door",
     "action take · target <brass-key>",
     "movement go · where the door"),
    ("*smiles at mara*", "emote smile · target <mara>"),
    ("Coyle takes the key", "action take · target <brass-key>"),
    ("tell mara i'm sorry",
     "speech say · target <mara> · “i'm sorry”",
     "speech tell · target <mara>"),
    ("hi mara!", "speech say · target <mara> · “hi mara!”"),
    ("((brb)) I nod", "emote nod"),
    ("// ooc: back in 5",),
    ("OOC: brb",),
    ("[out of character] who has the dice?",),
    ("what can I do?", "inquiry inquire"),
    ("who is here?", "inquiry inquire"),
    ("leave the kitchen", "movement leave · origin <kitchen>"),
    ("give her the key", "interaction give · target her · topic <brass-key>"),
    ("hand Mara it", "interaction give · target <mara> · topic it"),
    ("return the key to Mara", "interaction give · target <mara> · topic <brass-key>"),
    ("put the lamp on the table", "action put · target <lamp> · where the table"),
    ("open the door with the brass key", "action open · target the door · instrument <brass-key>"),
    ("look at the chip in the cup", "observation look · target the chip (near the cup)"),
    ("pick it up", "action take · target it"),
    ("take the cup from Mara", "interaction take · target the cup · origin <mara>"),
    ("show the letter to him", "interaction show · target him · topic the letter",
     "interaction give · target him · topic the letter"),  # the author waits for somebody to show
    ("follow her", "movement follow · target her"),
    ("go back", "movement go · way back"),
    ("wait", "action wait"),
    ("listen at the door", "observation listen · target the door"),
    ("ask Mara about the key and tell Pell the truth",
     "inquiry ask · target <mara> · topic <brass-key>",
     "speech tell · target <pell> · topic the truth"),
    ("I nod", "emote nod"),
    ("smile at her", "emote smile · target her"),
    ("shove him", "interaction shove · target him"),
    ("look at Mara's cup", "observation look · target Mara's cup (of <mara>)"),
    ("take the chipped one", "action take · target the chipped one"),
    ("I quickly take her cup and leave the room",
     "action take · target her cup (of her)",
     "movement leave · origin the room"),
    ("u", "movement go · way up"),
    ("go u", "movement go · way up"),
    ("u ok?", "inquiry ask · target u"),
    ("Mara, light the lamp!", "speech ask · target <mara> · topic <lamp>"),
    ("could you give me the key, Mara?", "inquiry ask · target <mara> · topic <brass-key>"),
    ("I want Mara to light the lamp",),
    ("I ask Mara to light the lamp", "inquiry ask · target <mara> · topic <lamp>"),
    ("if mara leaves, i take the key",),
    ("I'll run if she moves",),
    ("I go to the cupboard to take the key",
     "movement go · where <cupboard>",
     "action take · target <brass-key>"),
    ("go get the key", "action take · target <brass-key>"),
    ("I'm going to take the key", "action take · target <brass-key>"),
    ("take the key and the coat",
     "action take · target <brass-key>",
     "action take · target <grey-coat>"),
    ("say hello to mara", "speech say · target <mara> · “hello”", "speech tell · target <mara>"),
    ("whisper to mara i'm scared",
     "speech say · target <mara> · “i'm scared” · whispered",
     "speech whisper · target <mara>"),
    ('I whisper "run" to her',
     "speech say · target her · “run” · whispered",
     "speech whisper · target her"),
    ('I take the key. "Now what?" I ask Pell. I leave.',
     "action take · target <brass-key>",
     "speech say · target <pell> · “Now what?”",
     "inquiry ask · target <pell>",
     "movement leave"),
    ("you lied to me mara", "speech say · target <mara> · “you lied to me mara”"),
    ("go to the kitchne and look at the lanterm",
     "movement go · where <kitchen> · place kitchen",
     "observation look · target <lamp-room>"),
    ("walk through the door to the kitchen",
     "movement go · instrument the door · where <kitchen> · place kitchen"),
    ("look at the open door", "observation look · target the open door"),
    ("ask mara about the light", "inquiry ask · target <mara> · topic the light"),
    ("Can I take the key?", "inquiry ask · topic <brass-key>"),
    ("is mara here?", "inquiry ask · topic <mara>"),
    ("I don't take the cup, I leave it", "action leave · target it"),
    ("sit down on the bench", "action sit · where the bench"),
    ("give me the key", "speech ask · topic <brass-key>"),
    ("I cry", "emote cry"),
    ("angrily slam the door", "action slam · target the door"),
    ('I shout "GET OUT!" at him',
     "speech say · target him · “GET OUT!”",
     "speech shout · target him"),
    ("please please help me mara", "speech say · target <mara> · “please please help me mara”"),
    ("she takes the key",),
    ("I look at Mara. She takes the key.", "observation look · target <mara>"),
    ("*she smiles*", "emote smile"),
    ("throw the lamp at the wall", "action throw · target <lamp> · where the wall"),
    ("throw the key to mara", "interaction throw · target <mara> · topic <brass-key>"),
    ("lean against the wall", "action lean · where the wall"),
    ("talk to the old keeper about the wreck", "speech talk · target <abel> · topic <perpetua>"),
    ("ask why she is crying", "inquiry ask"),
    ("n", "movement go · way north"),
    ("I am tired",),
    ("I have taken the key", "action take · target <brass-key>"),
    ("I remember taking the key",),
    ("read letter", "observation read · target letter"),
    ("knock on the door", "action knock · target the door"),
    ("I look at her angrily", "observation look · target her"),
    ("give the key to her", "interaction give · target her · topic <brass-key>"),
    ("give her cup to Mara", "interaction give · target <mara> · topic her cup (of her)"),
    ("give her flowers", "interaction give · target her · topic flowers"),
    ("Coyle took the lamp and walked north",
     "action take · target <lamp>",
     "movement go · way north"),
    ("You take the key and go to the tower",
     "action take · target <brass-key>",
     "movement go · where <tower> · place tower"),
    ("I took the key, looked at the lens and then went to the tower",
     "action take · target <brass-key>",
     "observation look · target <lens>",
     "movement go · where <tower> · place tower"),
    ("ask her about it", "inquiry ask · target her · topic it"),
    ("ask the old woman about her cup", "inquiry ask · target <pell> · topic her cup (of her)"),
    ("ask mara what happened to the cup", "inquiry ask · target <mara> · topic the cup"),
    ("tell her everything", "speech tell · target her"),
    ("tell pell that i broke the cup", "speech tell · target <pell> · topic the cup"),
    ("say nothing",),
    ('"Mara, run!" I shout', "speech say · target <mara> · “Mara, run!”", "speech shout"),
    ('"I\'m sorry," I say to her, crying.',
     "speech say · target her · “I'm sorry,”",
     "speech tell · target her",
     "emote cry"),
    ('"hello there"', "speech say · “hello there”"),
    ("hug mara tightly", "interaction hug · target <mara>"),
    ("I lean in and whisper to Pell that the key is gone",
     "action lean",
     "speech whisper · target <pell> · topic <brass-key>"),
    ("I turn to Mara and nod", "interaction turn · target <mara>", "emote nod"),
    ("I wave at Tobit, then walk away", "emote wave · target <tobit>", "movement go · way away"),
    ("look under the table", "observation look · target the table"),
    ("look out of the window", "observation look · target the window"),
    ("search the drawer for matches", "observation search · target the drawer · topic <matches>"),
    ("search the room", "observation search · target the room"),
    ("examine the chip on the rim of the cup",
     "observation look · target the chip (near the rim of the cup (near the cup))"),
    ("take the cup of coffee", "action take · target the cup of coffee"),
    ("take the cup on the table", "action take · target the cup (near the table)"),
    ("take Mara's hand", "interaction take · target Mara's hand (of <mara>)"),
    ("touch the edge of the table", "action touch · target the edge of the table (near the table)"),
    ("use the key on the door", "action use · target <brass-key> · where the door"),
    ("unlock door w/ key", "action unlock · target door · instrument <brass-key>"),
    ("give back the key", "interaction give · topic <brass-key>"),
    ("bring mara the cup", "interaction carry · target <mara> · topic the cup"),
    ("pour mara some tea", "interaction pour · target <mara> · topic <tea>"),
    ("set the cup down on the table", "action set · target the cup · where the table"),
    ("leave", "movement leave"),
    ("leave the cup on the table", "action leave · target the cup · where the table"),
    ("leave her", "movement leave · origin her"),
    ("go upstairs", "movement go · way upstairs"),
    ("go out of the kitchen", "movement go · origin <kitchen> · way out"),
    ("go outside", "movement go · where <harrow> · place harrow"),
    ("enter the house", "movement go · where <kitchen> · place kitchen"),
    ("climb the stairs", "movement climb · target the stairs", "movement go · where the stairs"),
    ("sneak past the guard", "movement go · target the guard"),
    ("follow mara to the kitchen", "movement follow · target <mara> · where <kitchen>"),
    ("approach the stranger", "movement approach · target the stranger"),
    ("go to her", "movement go · target her"),
    ("sit next to mara", "interaction sit · target <mara>"),
    ("hide behind the door", "action hide · where the door"),
    ("wait for mara", "action wait · topic <mara>"),
    ("listen to the wind", "observation listen · target the wind"),
    ("smell the flowers", "observation smell · target the flowers"),
    ("I almost take the key",),
    ("I imagine kissing Mara",),
    ("I dream of the sea",),
    ("I threaten to kill him", "speech threaten · target him"),
    ("I pretend to sleep",),
    ("I might take the key",),
    ("maybe i take the key",),
    ("before leaving, i look at the cup", "observation look · target the cup"),
    ("after taking the key i leave", "action take · target <brass-key>", "movement leave"),
    ("when mara sleeps, I take the key",),
    ("what should i do?", "inquiry inquire"),
    ("what if i take the key?",),
    ("did mara take the key?", "inquiry ask · topic <mara>"),
    ("where is she?", "inquiry ask · topic she"),
    ("what's in the cup?", "inquiry ask · topic the cup"),
    ("why?", "inquiry ask"),
    ("how do i open the door", "inquiry ask · topic the door"),
    ("who are you?", "inquiry ask · target you"),
    ("are you ok mara?", "inquiry ask · target <mara>"),
    ("mara what is the order", "inquiry ask · target <mara> · topic <order>"),
    ("mara are you there", "inquiry ask · target <mara>"),
    ("the door opens",),
    ("my hands shake",),
    ("it is dark",),
    ("Nobody moves.",),
    ("xyzzy",),
    ("*waves* hi mara *hugs her*",
     "emote wave",
     "speech say · target <mara> · “hi mara”",
     "interaction hug · target her"),
    ("I *really* want the key",),
    ('*laughs* "ok then"', "speech say · “ok then”", "emote laugh"),
    ("I don't shout",),
    ("I DON'T CARE!!",),
    ("SHUT UP MARA!!!", "speech say · target <mara> · “SHUT UP MARA!!!”"),
    ("i wink at tobit", "emote wink · target <tobit>"),
    ('"run" i whisper', "speech say · “run”", "speech whisper"),
    ("i take the key w/ my hand", "action take · target <brass-key> · instrument my hand (of my)"),
    ("take 2 coins", "action take · target 2 coins"),
    ("go 2 kitchen", "movement go · where <kitchen> · place kitchen"),
    ("look @ cup", "observation look · target cup"),
    ("i open teh cubpoard", "action open · target <cupboard>"),
    ("talk 2 mara abt the kee", "speech talk · target <mara> · topic the kee"),
    ("I give Mara a kiss", "interaction give · target <mara> · topic a kiss"),
    ("I give the dog a bone", "interaction give · target the dog · topic a bone"),
    ("I show Mara my hands", "interaction show · target <mara> · topic my hands (of my)",
     "interaction give · target <mara> · topic my hands (of my)"),
    ("i sit beside pell n drink tea", "action sit · where <pell>", "action drink · target <tea>"),
    ("I pick up the cup, examine the chip in it, and put it back on the table",
     "action take · target the cup",
     "observation look · target the chip (near it)",
     "action put · target it · where the table"),
    ("i read the letter aloud", "observation read · target the letter"),
    ("call mara", "speech call · target <mara>"),
    ("call out to mara", "speech call · target <mara>"),
    ("yell for help", "speech yell · topic help"),
    ("pray", "speech pray"),
    ("cast fireball at the goblin", "action cast · target fireball · where the goblin"),
    ("attack the goblin with my sword",
     "interaction attack · target the goblin · instrument my sword (of my)"),
    ("kill mara", "interaction kill · target <mara>"),
    ("draw my sword", "action draw · target my sword (of my)"),
    ("turn off the lamp", "action turn · target <lamp>"),
    ("turn the key", "action turn · target <brass-key>"),
    ("I nod at her and she smiles", "emote nod · target her"),
    ("I help Mara up", "interaction help · target <mara>"),
    ("I make tea for Mara", "action make · target <tea> · topic <mara>"),
    ("let mara take the key",),
    ("i see mara take the key", "observation look · target <mara> · topic <brass-key>"),
    ("inventory",),
    ("I'm sorry, Mara. I didn't mean to break the cup.",
     "speech say · target <mara> · “I'm sorry, Mara.”"),
    ("thank you pell", "speech say · target <pell> · “thank you pell”"),
    ("no", "speech say · “no”"),
    ("yes, i take it", "speech say · “yes”", "action take · target it"),
    ("ok", "speech say · “ok”"),
    ("hi mara, where is the cup?",
     "speech say · target <mara> · “hi mara, where is the cup?”",
     "inquiry ask · target <mara> · topic the cup"),
    ("I nod and Mara smiles", "emote nod"),
    ("I nod, and Mara takes the key", "emote nod"),
    ("Coyle nods. She takes the key.", "emote nod", "action take · target <brass-key>"),
    ("could you light the lamp?", "inquiry ask · target you · topic <lamp>"),
    ("can you see the key", "inquiry ask · target you · topic <brass-key>"),
    ("do it",),
    ("have you seen mara", "inquiry ask · target you · topic <mara>"),
    ("i run to mara and hug her", "movement go · target <mara>", "interaction hug · target her"),
    ("i say hi", "speech say · “hi”", "speech tell"),
    ("i tell her no", "speech say · target her · “no”", "speech tell · target her"),
    ("I tell her to leave", "speech tell · target her"),
    ("ask pell if she saw the boat", "inquiry ask · target <pell> · topic the boat"),
    ("check if the door is locked", "observation look · target the door"),
    ("i try the door", "action try · target the door"),
    ("try to open the door", "action open · target the door"),
    ("I walk over to the table and sit", "movement go · where the table", "action sit"),
    ("I grab her arm", "interaction take · target her arm (of her)"),
    ("I lock the door behind me", "action lock · target the door"),
    ("I put my hand on her shoulder",
     "interaction put · target my hand (of my) · where her shoulder (of her)"),
    ("I look into her eyes", "observation look · target her eyes (of her)"),
    ("look at the picture on the wall", "observation look · target the picture (near the wall)"),
    ("i take it from him", "interaction take · target it · origin him"),
    ("i throw it away", "action throw · target it"),
    ("I cross the causeway", "movement go · where <causeway> · place causeway"),
    ("go up the stairs", "movement go · where the stairs"),
    ("Grabbing the lamp, I bolt for the tower.", "action take · target <lamp>",
     "movement go · where <tower> · place tower"),
    ("hand over the key", "interaction give · topic <brass-key>"),
    ("I knock three times on the cupboard", "action knock · target <cupboard>"),
    ("i'd rather not go to the tower",),
    ("what does the letter say?", "inquiry ask · topic the letter"),
    ('I say "Stop." I sit.', "speech say · “Stop.”", "speech tell", "action sit"),
    ("dig in the sand with my hands",
     "action dig · target <sleeves> · instrument my hands (of my)"),
    ("I shake Tobit's hand", "interaction shake · target Tobit's hand (of <tobit>)"),
    ("I wait until Mara leaves", "action wait"),
    ("untie the boat and row to the mainland", "action untie · target the boat",
     "movement go · where <mainland> · place mainland"),
    ("take off the coat", "action remove · target <grey-coat>"),
    ("put on the coat", "action wear · target <grey-coat>"),
    ("i beg you mara", "inquiry beg · target <mara>"),
    ("asdf",),
    ("cup",),
    ("I zorp the lamp", "action zorp · target <lamp>"),
    ("<b>look</b> at mara", "observation look · target <mara>"),
    ("http://x.com/look?at=mara",),
    ("l\u0336ook at m\u0337ara", "observation look · target <mara>"),
    ("Mara smiles.",),
    ("Mara took the key.",),
]  # fmt: skip
every_line = table("line", [row[0] for row in ROWS])


def all_referred(what):
    while what is not None:
        yield what
        if what.possessor is not None:
            yield what.possessor
        what = what.near


def test_there_are_enough_of_them():
    assert len(ROWS) == len({row[0] for row in ROWS}) >= 200


@table("row", ROWS)
def test_a_line_is_read(row):
    assert [shown(act) for act in read(row[0]).acts] == list(row[1:])


@every_line
def test_what_conditions_ask_about_is_what_is_referred_to(line):
    for act in read(line).acts:
        named = {getattr(act, part).entity for part in PARTS if getattr(act, part)}
        assert {act.to, act.about, act.place} - {None} <= named | owners(act)
        if act.target is not None and act.target.entity is not None and not act.words:
            assert act.to == act.target.entity
        assert act.to not in SORTS.players


def owners(act):
    """What is named only as the place of something else; conditions may ask for it."""
    refs = (all_referred(getattr(act, part)) for part in PARTS)
    return {what.entity for what in chain.from_iterable(refs)} - {None}


@every_line
def test_a_mention_says_where_it_stands_in_the_line(line):
    for act in read(line).acts:
        for part in PARTS:
            for what in all_referred(getattr(act, part)):
                mention = what.mention
                assert line[mention.start : mention.end] == mention.text
                assert mention.text


def test_what_a_mention_says():
    cup = read("take her two old chipped cups").acts[0].target
    assert (cup.mention.head, cup.mention.plural) == ("cup", True)
    assert cup.mention.descriptors == ("two", "old", "chipped")
    assert cup.mention.definite
    assert cup.mention.sort is Sort.THING
    assert cup.possessor.mention.gender is Gender.SHE
    assert cup.possessor.mention.kind is MentionKind.PRONOUN
    chip = read("look at a chip in the cup").acts[0].target
    assert (chip.mention.place, chip.mention.definite) == ("in the cup", False)
    assert chip.near.mention.head == "cup"
    mara = read("ask mara about it").acts[0]
    assert (mara.target.mention.kind, mara.target.mention.sort) == (MentionKind.NAME, Sort.PERSON)
    assert mara.topic.mention.gender is Gender.IT


def test_what_is_only_asked_is_marked_so():
    assert read("where is the cup?").acts[0].topic.mention.modality is Modality.ASKED
    assert read("ask her about the cup").acts[0].topic.mention.modality is Modality.ASSERTED


def test_the_verb_is_kept_as_typed():
    verbs = [(a.act, a.verb) for a in read("steal the key, hand it to Pell and stroll home").acts]
    assert verbs == [("take", "steal"), ("give", "hand"), ("go", "stroll")]


def test_every_kind_is_in_the_table():
    kinds = {cell.split(" ", 1)[0] for row in ROWS for cell in row[1:]}
    assert kinds == {kind.value for kind in ActKind}


def test_names_are_mended_only_if_they_are_no_other_word():
    assert read("go to the kitchne").acts[0].place == "kitchen"
    assert read("look at the lantren").acts[0].to == "lamp-room"
    assert read("go to the lands").acts[0].place is None  # not the sands
    assert read("look at the housing").acts[0].to is None  # not the house
    assert read("look at the plates").acts[0].to is None  # not the plate, or not surely


@pytest.mark.parametrize(("line", "said"), [
    ('"Sit." *and then, only to her:* "I have a train."',
     ["speech say · “Sit.”", "speech say · target her · “I have a train.” · whispered"]),
    ('I say in Mara\'s ear: "Pell is bought."',
     ["speech say · target <mara> · “Pell is bought.” · whispered"]),
    ('*then, low, to Mara* "Go."', ["speech say · target <mara> · “Go.” · whispered"]),
    ('I tell Mara "only to you"', ["speech say · target <mara> · “only to you”"]),
])  # fmt: skip
def test_words_for_one_alone_are_low(line, said):
    assert [each for each in map(shown, read(line).acts) if "say" in each] == said


WHITE = structs.replace(STORY, settings=(*STORY.settings, Setting(id="plate", name="the white")))


@pytest.mark.parametrize(("line", "to"), [
    ("I come out white.", None), ("I go white", None), ("I turn white", None),
    ("go white", "plate"), ("I go out into the white", "plate"), ("I go to white", "plate"),
])  # fmt: skip
def test_how_somebody_goes_is_not_where(line, to):
    sorts = Sorts(people=SORTS.people, places=SORTS.places | {"plate"}, players=SORTS.players)
    acts = read_line(line, names=Names.of(WHITE), sorts=sorts, known=frozenset()).acts
    assert {each for act in acts for each in (act.to, act.place) if each} == ({to} - {None})
