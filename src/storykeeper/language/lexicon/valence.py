"""How good or bad the words of feeling, harm and care are: by hand, from −1 to 1."""

from __future__ import annotations

_BY_VALUE: dict[float, str] = {
    1.0: "love adore cherish treasure beloved overjoyed ecstatic rejoice",
    0.8: """
        happy delight delighted joy joyful enjoy embrace hug kiss laugh bless heal rescue
        save wonderful beautiful exult beam radiant lovely darling forgive
        """,
    0.6: """
        comfort help protect thank smile grin kind gentle warm friendly glad pleased proud
        admire welcome soothe console nurse tend defend trust caress reassure relish savour
        savor hopeful giggle chuckle cheerful grateful tender safe relief relieved reward
        cure nurture
        """,
    0.4: """
        like hope praise encourage support calm promise guard shelter shield spare pat aid
        assist feed amused content curious loyal honest generous brave comfortable fond
        """,
    0.2: "greet nod invite wave interested quiet patient polite befriend pity",
    -0.2: "frown sigh miss bored tired shy embarrassed blush doubt tease ignore lonesome nervous",
    -0.4: """
        worry fret sulk wince flinch grimace scowl regret scold complain dislike suspect
        envy lonely uneasy anxious jealous cold stern reject shun snub tremble shiver pine
        brood cheat mock ache disappointed ashamed gloomy
        """,
    -0.6: """
        cry weep sob mourn grieve fear dread insult slap shove kick lie deceive trick accuse
        curse resent sad afraid scared angry bitter cruel hurt hit threaten steal rob
        humiliate abandon shudder suffer taunt bully berate upset miserable wail whimper
        lament hostile frightened panic offend wretched
        """,
    -0.8: """
        hate despise loathe detest abhor betray attack stab beat wound injure poison punch
        strike rage despair terrified furious heartbroken horrified desperate blackmail
        assault imprison abuse kidnap ruin destroy violent hateful
        """,
    -1.0: """
        kill murder torture slay slaughter strangle rape butcher behead execute maim smother
        drown torment
        """,
}

VALENCES: dict[str, float] = {
    word: value for value, words in _BY_VALUE.items() for word in words.split()
}
