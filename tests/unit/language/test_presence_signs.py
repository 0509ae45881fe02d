"""What one utterance says of coming and going, in pairs: what does, and what sounds like it."""

import pytest

from storykeeper.language.presence import Kind, signs
from strategies.tables import table

CAST = ("Ana", "Bo", "Cyrus", "Dora")

LEAVES = """
I have to run, see you later. | I have to run my own business.
I must be going; my husband waits in the cart. | I must admit I was wrong.
I'd better get going. | I'd better get this right.
Gotta dash, the tide is turning. | You have to go and see it!
I need to go and feed the horses. | I need to go through my notes.
I have to go to the bathroom. | I have to go to work every day.
I should head home. | I should go to the gym more often.
I need to get to my dance class. | I have to get to the bottom of this.
I'm off. Night, all. | I'm off sugar these days.
I'm leaving now. | I'm leaving the decision to you.
I'm heading home. | I'm heading to the same conclusion.
I'm going to bed. | I'm going to bed the horses down here.
I'll be right back. | She'll be right back.
I'll be back in a minute. | I'll be back on my feet soon.
I'll be off. | I'll be off the hook soon.
If you'll excuse me, I see a friend. | Excuse me, what did you say?
Please excuse me for a second. | Please excuse the mess.
I wish I could stay longer. | I wish I could sing like that.
I'd love to stay and hear more, but the bell has rung. | I'd love to hear more, but of what?
I hate to leave, but the sitter charges double. | I hate to break it to you.
Sorry to cut this short. | Sorry to cut in.
I can't stay long. | I can't stay angry with you.
Carry on without me. | They went without me.
I'll leave you two to it. | I'll leave you the house in my will.
It's time for me to go. | It's time for me to learn French.
I have a train to catch. | I have a cold, I think.
I'm going to step out for a while. | I need to step out of my comfort zone.
Nature calls. | Nature is calm today.
I have to take this call. | I have to take this seriously.
I need to get some air. | I need to get some perspective on it.
Goodbye, everyone. | Saying goodbye is hard.
I really should get back to my desk. | I need to get back to the question you asked.
Let me go and check on the soup, carry on. | Let me see your hand.
Sorry, I need to feed the cat. | I need to feed the cat.
It was lovely talking to you, but I have an appointment. | I have an appointment.
Guys, I just remembered that I need to call my mother. | I need to call my mother.
I need to pick up my son. See you soon! | I should pick up a new language.
My taxi is here. Take care! | My dog is about to turn seven.
I have some errands to run, so let's continue this another time. | I have some ideas about that.
I'll say good night. | I'll say it again.
Some trouble at home. I hope to join you again soon. | I hope to join the guild soon.
""".strip().splitlines()

NOT_NOW = (
    "If I have to leave, I'll tell you.",
    "When I have to go, I go.",
    "He said I must leave.",
    "She told me I have to go.",
    "I always have to leave parties early.",
    "Sometimes I have to step out and breathe.",
    "I have to leave for the city tomorrow.",
    "I'm leaving on Friday.",
    "I'll go to the coast next year.",
    "I have to run to the well every morning.",
    "Before I head out I always look at the sky.",
    "Do I have to go?",
    "I don't have to go yet.",
    "I had to leave home when I was ten.",
    "Let's all go home.",
    "We should head out together.",
    '"I have to go," she whispered, and that was how the play ended.',
    "You should go home.",
    "I feel like I have to leave sometimes.",
    "The mill is where I need to go.",
)

COMES = """
Sorry I'm late! | I was late for school all the time. | arrives
Mind if I join you? | Mind the step. | arrives
Can I sit with you? | Can I be frank? | arrives
I hope I'm not interrupting. | I hope it rains. | arrives
I couldn't help overhearing. | I couldn't help laughing at the play. | arrives
I just got here. | I just got it. | arrives
What did I miss? | Did you miss me in Rome? | arrives
I'm sorry I missed the start. | I missed the start of the war. | arrives
What are you two whispering about? | What are you afraid of? | arrives
Is this seat taken? | Is this true? | arrives
I'm back! | My back hurts. | returns
I'm back from the well. | I'm back to square one. | returns
Hello again, friends. | Say that again. | returns
Sorry I had to step out. | Sorry I had to tell you so late at night. | returns
Apologies for my absence. | Apologies for my French. | returns
I've returned with drinks. | I've returned your book. | returns
It's good to be back. | It's good to be kind. | returns
""".strip().splitlines()

OTHERS = """
Welcome back, Ana! | Ana returns | Ana's welcome speech was long. |
There you are, Ana! | Ana returns | There you have it, Ana. |
Good to have you back, Ana. | Ana returns | Good point, Ana. |
Glad you could make it, Cyrus. | Cyrus arrives | Glad to hear it, Cyrus. |
Cyrus is back! | Cyrus arrives | Cyrus is kind. |
Here comes Dora. | Dora arrives | Here is how Dora did it. |
Dora just walked in. | Dora arrives | Dora just laughed. |
When Cyrus is back, ask him. | Cyrus away | When Cyrus is angry, hide. |
Let's wait until Dora comes back. | Dora away | Let's hear what Dora says. |
Now that Dora has left, we can talk. | Dora away | Dora has left a mark on us. |
Dora's gone home. | Dora away | Dora's hat is new. |
Dora had to leave. | Dora away | Dora had to laugh. |
Cyrus isn't here yet. | Cyrus away | Cyrus isn't tall. |
Where's Cyrus? | Cyrus away | Where's Cyrus from? |
Cyrus couldn't make it. | Cyrus away | Cyrus couldn't see it. |
See you later, Dora. | Dora leaves | I see your point, Dora. |
Take care, Dora! | Dora leaves | Take care of it, Dora. |
Safe travels, Dora! | Dora leaves | Your travels sound safe, Dora. |
""".strip().splitlines()


def cells(row):
    return [cell.strip() for cell in row.split("|")]


def kinds(text, who="Bo", *, sure=True):
    found = signs(text, speaker="Bo", cast=CAST)
    return {s.kind for s in found if s.who == who and (s.sure or not sure)}


@table("row", LEAVES)
def test_leaving_and_what_sounds_like_it(row):
    yes, no = cells(row)
    assert Kind.LEAVES in kinds(yes)
    assert Kind.LEAVES not in kinds(no)


@table("text", NOT_NOW)
def test_habits_conditions_reports_and_plans_are_not_leaving(text):
    assert Kind.LEAVES not in kinds(text, sure=False)


@table("row", COMES)
def test_coming_and_what_sounds_like_it(row):
    yes, no, kind = cells(row)
    assert kinds(yes) == {Kind(kind)}
    assert kinds(no) == set()


@table("row", OTHERS)
def test_what_is_said_of_others(row):
    yes, read, no, _ = cells(row)
    who, kind = read.split()
    assert kinds(yes, who) == {Kind(kind)}
    assert kinds(no, who) == set()


def test_a_greeting_or_a_goodbye_to_one_is_not_sure():
    assert kinds("Good evening.") == set()
    assert kinds("Good evening.", sure=False) == {Kind.ARRIVES}
    assert kinds("Goodbye, Ana.") == set()
    assert kinds("Goodbye, Ana.", sure=False) == {Kind.LEAVES}


def test_two_leave_together():
    found = signs("Dora and I have to go.", speaker="Bo", cast=CAST)
    assert {(s.who, s.kind) for s in found} == {("Bo", Kind.LEAVES), ("Dora", Kind.LEAVES)}
    joint = signs("We have to go.", speaker="Ana and Bo", cast=CAST)
    assert {(s.who, s.kind) for s in joint} == {("Ana", Kind.LEAVES), ("Bo", Kind.LEAVES)}
    assert signs("We have to go.", speaker="Ana", cast=CAST) == ()


def test_the_words_are_shown_as_written():
    text = "Well — I’ve GOT to run, friends."
    (sign,) = signs(text, speaker="Bo", cast=CAST)
    assert sign.words == "I’ve GOT to run"
    assert text[sign.start : sign.end] == sign.words


def test_the_end_of_a_long_speech_is_read():
    text = "Hear me. " + "The sea is wide. " * 600 + "I have to go."
    (sign,) = signs(text, speaker="Bo", cast=CAST)
    assert text[sign.start : sign.end] == sign.words == "I have to go"


def test_words_all_in_quotation_marks_are_the_speakers():
    assert kinds("“I have to go.”") == {Kind.LEAVES}
    assert kinds("He said “I have to go” and laughed.") == set()


@pytest.mark.parametrize(
    "text", ["", " ", "…", "'", '"', "\n\n", "私は帰らなければならない。", "🙂"]
)
def test_nothing_is_found_in_nothing(text):
    assert signs(text, speaker="Bo", cast=CAST) == ()
    assert signs(text, speaker="", cast=()) == ()
