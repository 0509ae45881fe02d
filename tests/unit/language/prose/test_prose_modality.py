"""Only what is asserted happened: not, if, as though, tried to, wished for, asked, ordered."""

from __future__ import annotations

from reading_prose import clause, mention, read

from storykeeper.language.reading import Modality
from strategies.tables import table

A, N, C, I, F, T, Q, O = (  # noqa: E741
    Modality.ASSERTED, Modality.NEGATED, Modality.CONDITIONAL, Modality.IMAGINED,
    Modality.FEARED, Modality.INTENDED, Modality.ASKED, Modality.ORDERED,
)  # fmt: skip

CLAUSES = [
    ("She had a dream that the king took the horse.", "take", Modality.IMAGINED),
    ("She dreamed that Tom took the ring.", "take", Modality.IMAGINED),
    ("She was sure that Tom took the ring.", "take", Modality.IMAGINED),
    ("I am certain the door was closed.", "close", Modality.IMAGINED),
    ("She was glad that Tom took the ring.", "take", Modality.ASSERTED),
    ("She opened the box.", "open", A),
    ("She did not open the box.", "open", N),
    ("She never opened the box.", "open", N),
    ("She didn't open the box.", "open", N),
    ("Nobody opened the box.", "open", N),
    ("She hardly touched the cup.", "touch", N),
    ("She left without opening the box.", "open", N),
    ("She found no key.", "find", N),
    ("He refused to open the box.", "open", N),
    ("She couldn't find the key.", "find", N),
    ("He was too tired to open the box.", "open", N),
    ("If she opened the box, he would weep.", "open", C),
    ("If she opened the box, he would weep.", "weep", C),
    ("If she had taken it, she would have found the letter.", "find", C),
    ("Unless he finds the key, they wait.", "find", C),
    ("He might open the box.", "open", C),
    ("She imagined that he opened the box.", "open", I),
    ("She dreamed that he had taken the key.", "take", I),
    ("He looked as if he had seen a ghost.", "see", I),
    ("She moved as though she carried a cup.", "carry", I),
    ("She thought he had taken the key.", "take", I),
    ("He said that the key was gone.", "go", I),
    ("She hoped that he would open the box.", "open", F),
    ("She feared that he had broken the lamp.", "break", F),
    ("He wanted to open the box.", "open", F),
    ("She will open the box.", "open", T),
    ("He tried to open the box.", "open", T),
    ("She was going to open the box.", "open", T),
    ("He decided to take the cup.", "take", T),
    ("He asked her to open the box.", "open", T),
    ("She wondered whether he had the key.", "have", Q),
    ("Did she open the box?", "open", Q),
    ("“Where did you put the key?” he asked.", "put", Q),
    ("“Where did you put the key?” he asked.", "ask", A),
    ("“Give me the key,” she said.", "give", O),
    ("“Give me the key,” she said.", "say", A),
    ("“Open the box!”", "open", O),
    ("In her dream she opened the box.", "open", I),
    ("He nearly dropped the cup.", "drop", N),
    ("Maybe he took the key.", "take", C),
    ("Had she taken the key, she would have known.", "take", C),
    ("He reached out as if to take the cup.", "take", I),
    ("She was about to open the box.", "open", T),
    ("He was able to open the box.", "open", A),
    ("She began to open the box.", "open", A),
    ("He managed to open the box.", "open", A),
    ("She could see the cup.", "see", A),
    ("She had to open the box.", "open", A),
    ("She knew that he had the key.", "have", A),
    ("She saw him take the cup.", "take", A),
    ("She did not look up and walked on.", "walk on", A),
    ("She did not cry when he left.", "leave", A),
    ("The cup that she broke was old.", "break", A),
    ("He realised that the cup was broken.", "break", A),
    ("“The key is gone,” she said.", "go", A),
]

MENTIONS = [
    ("There was no key on the hook.", "key", N),
    ("She went down without a lamp.", "lamp", N),
    ("She had neither key nor lamp.", "lamp", N),
    ("She did not look at the cup.", "cup", N),
    ("She did not look at the cup.", "she", A),
    ("If she had taken the phone, he would know.", "phone", C),
    ("She imagined a garden full of flowers.", "garden", I),
    ("She imagined a garden full of flowers.", "flower", I),
    ("She dreamed of a lamp.", "lamp", I),
    ("His hand was like a knife.", "knife", I),
    ("He was as white as a sheet.", "sheet", I),
    ("The rain sounded like a drum.", "drum", I),
    ("She moved as if she carried a cup.", "cup", I),
    ("He wanted a cup.", "cup", F),
    ("He wished for a sword.", "sword", F),
    ("He wanted the cup.", "cup", A),
    ("He tried to open the door.", "door", T),
    ("He tried to open the door.", "he", A),
    ("Is there a key?", "key", Q),
    ("Bring me a lamp!", "lamp", O),
    ("He likes the cup.", "cup", A),
    ("She looks like her mother and holds a cup.", "cup", A),
    ("Instead of a sword he took a knife.", "sword", N),
    ("Instead of a sword he took a knife.", "knife", A),
]


@table("text, verb, modality", CLAUSES)
def test_clauses(text: str, verb: str, modality: Modality):
    reading = read(text)
    verbs = [c.verb for c in reading.clauses]
    found = clause(reading, verb) if verb in verbs else clause(reading, "be")
    assert found.modality is modality


@table("text, head, modality", MENTIONS)
def test_mentions(text: str, head: str, modality: Modality):
    assert mention(read(text), head).modality is modality
