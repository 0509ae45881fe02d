"""Laws of who is there: whoever speaks perceives it; what comes later changes nothing before."""

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.language.presence import Cast, Kind, Presence, Utterance, perceivers, signs

CAST = ("Ana", "Bo", "Cyrus", "Dora")
PIECES = """
    I have to run / I'm back / hello again / sorry I'm late / goodbye / bye all / see you later /
    take care / Ana / Bo and Cyrus / welcome back Dora / Hi Ana / I agree with Bo / Dora has left /
    where's Cyrus / if I leave / I need to feed the cat / carry on / guys / you two / … / ! / ? /
    what did I miss / just the two of us / of course / excuse me / every day / 私 / don't / 'tis /
    “I must go” / you both / See you later, Bo / Bye, Ana / It was great talking
"""
SAID = st.sampled_from([piece.strip() for piece in PIECES.split(" / ")])
TEXTS = st.one_of(st.text(max_size=60), st.lists(SAID, max_size=6).map(", ".join))
HEADS = st.sampled_from([*CAST, "Ana and Bo", "All", "Cyrsu", "Zoe", "", "Everyone & Dora"])
TALKS = st.lists(st.builds(Utterance, HEADS, TEXTS), max_size=12)
PRESENT = st.none() | st.sets(st.sampled_from(CAST))


def read(talk, *, cast=CAST, present=None):
    presence = Presence(cast, present=present)
    return [presence.after(utterance) for utterance in talk]


def speaking(utterance, here):
    return set(Cast.of(CAST).speakers(utterance.speaker, here=here))


@given(TALKS, PRESENT)
def test_whoever_speaks_perceives_it(talk, present):
    presence = Presence(CAST, present=present)
    for utterance in talk:
        speakers = speaking(utterance, presence.here)
        assert speakers <= set(presence.after(utterance))
    for utterance, found in zip(talk, perceivers(talk, cast=CAST), strict=True):
        if utterance.speaker in CAST:
            assert utterance.speaker in found


@given(TALKS, TALKS, PRESENT)
def test_what_comes_later_changes_nothing_before(talk, more, present):
    assert read(talk + more, present=present)[: len(talk)] == read(talk, present=present)


@given(TALKS, st.permutations(CAST), PRESENT)
def test_the_order_of_the_cast_changes_nothing(talk, cast, present):
    ours, theirs = read(talk, present=present), read(talk, cast=cast, present=present)
    assert [set(who) for who in ours] == [set(who) for who in theirs]
    later, others = perceivers(talk, cast=CAST), perceivers(talk, cast=cast)
    assert [set(who) for who in later] == [set(who) for who in others]


@given(TALKS, PRESENT)
def test_perceivers_are_people_each_once_and_in_order(talk, present):
    strangers = {u.speaker.strip() for u in talk} - {""}
    for found in [*read(talk, present=present), *perceivers(talk, cast=CAST)]:
        known = [who for who in found if who in CAST]
        assert known == sorted(known)
        assert len(set(found)) == len(found)
        assert set(found) - set(CAST) <= strangers


@given(TALKS)
def test_the_same_talk_is_read_the_same(talk):
    assert read(talk) == read(talk)
    assert perceivers(talk, cast=CAST) == perceivers(talk, cast=list(CAST))


@given(TEXTS, HEADS)
def test_signs_stand_where_they_say_and_are_of_somebody(text, head):
    for sign in signs(text, speaker=head, cast=CAST):
        assert text[sign.start : sign.end] == sign.words != ""
        assert sign.who in CAST or sign.who == head.strip()
        assert sign.sure or sign.kind in (Kind.ARRIVES, Kind.LEAVES)


@given(TEXTS, st.text(max_size=20))
def test_no_text_and_no_cast_is_too_odd(text, name):
    presence = Presence([name], present=[name])
    presence.after(Utterance(name, text))
    assert perceivers([Utterance(name, text)] * 2, cast=()) is not None
    assert all(sign.words for sign in signs(text, speaker=name, cast=[name]))


@given(st.sampled_from(CAST[1:]), st.lists(TEXTS, max_size=3))
def test_nobody_comes_by_silence(absent, texts):
    """Somebody who neither speaks nor is named is not there by any words of one other person."""
    said = [Utterance("Ana", text) for text in texts if absent not in text]
    assert all(absent not in found for found in read(said, present=["Ana"]))
