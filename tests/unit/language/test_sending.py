"""Words that are texted, typed, mailed or posted are sent; those said beside it are not."""

import pytest

from storykeeper.language.sending import is_sent

SENT = [
    "I text Dov: |",
    "I send Dov a text message: |",
    "I email Dov |",
    "I type | into my phone",
    "I message Dov |",
    "I post |",
    "I tweet |",
    "Cora texts Dov: |",
    "The old woman texts him: |",
    "| she texts back",
    "I take out my phone and text Dov: |",
    "He texted: |",
    "You quickly text Dov |",
    "I text Dov to say |",
    "I text Dov saying |",
    "I text Dov and tell him |",
    "I send | to Dov",
    "I reply to his message: |",
    "I fire off an e-mail: |",
    "| Cora typed",
    "Her thumbs type |",
    "I answer by text: |",
    "she says in an email, |",
    "I DM Dov: |",
    "I wire Dov: |",
    "I post | online",
    "I whatsapp Dov |",
    "I use my phone to text Dov |",
    "| I type.",
    "I text |",
    "Ben is texting Dov: |",
    "I write an email to Dov and send it: |",
]
SAID = [
    "I read the text and say |",
    "I look up from my text: |",
    "I say | and text Dov",
    "I text Dov and say to Ben: |",
    "I text Dov and tell Ben |",
    "| I say as I text Dov",
    "| Cora says, texting Dov",
    "I post the letter and say |",
    "She is the type to say |",
    "I get the mail and tell Ben |",
    "The message is clear, she says: |",
    "I tell Ben |, then I email Dov",
    "While I text Dov, I say |",
    "I text Dov, then say |",
    "I say |",
    "He shows Ben the text and asks |",
    "I put the phone down and say |",
    "Ben stands at his post and calls |",
    "I do not text Dov; I tell Ben |",
    "I lean on the post: |",
    "She sent Dov to the kitchen and said |",
    "I type the report and tell Ben |",
    "I text Dov and say aloud |",
    "I message Dov but shout |",
    "| Ben says by the post office",
    "I go to the post and say |",
    "She reads her texts and says |",
    "Tom sends a letter and says |",
    "Tom leaves a note on the table and says |",
    "I drop a letter and say |",
    "I ask Ben to text Dov: |",
    "The wire hums: |",
]


@pytest.mark.parametrize("beside", SENT)
def test_words_of_a_verb_of_sending_are_sent(beside):
    assert is_sent(beside)


@pytest.mark.parametrize("beside", SAID)
def test_words_that_are_said_beside_one_are_not(beside):
    assert not is_sent(beside)
