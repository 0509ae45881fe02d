"""Verbs that we class by hand; where a verb stands here, WordNet is not asked.

A verb may stand in several classes: to steal is to take and to harm.
"""

from __future__ import annotations

from storykeeper.language.lexicon.classes import VerbClass

_WORDS: dict[VerbClass, str] = {
    VerbClass.PERCEIVE: """
        look see notice examine inspect watch observe listen hear overhear smell taste sniff
        stare gaze glance glimpse peer peek peep eye study scan survey spot spy behold view
        witness regard perceive glare squint gape gawk ogle discover find detect recognize
        recognise read scrutinize scrutinise search check sense contemplate admire consider
        scent
        """,
    VerbClass.TAKE: """
        take grab snatch seize steal fetch get collect gather grasp catch receive accept
        acquire obtain pocket pluck scoop clutch confiscate borrow buy purchase win inherit
        swipe nick pilfer loot rob capture reclaim retrieve recover keep claim draw remove
        pick gain choose select extract wrest earn
        """,
    VerbClass.GIVE: """
        give hand offer pass lend loan deliver return present surrender bequeath donate
        grant sell trade bestow entrust slip serve feed supply share send provide award
        relinquish
        """,
    VerbClass.HANDLE: """
        touch hold open close shut use wear break tear rip cut carry lift raise turn twist
        push pull press squeeze grip stroke rub wipe wash clean polish shake fold unfold
        unwrap wrap unroll roll lock unlock bolt unbolt latch light kindle extinguish smash
        shatter crack crush drop throw toss hurl fling cast lower lay set drag haul tug dig
        fill empty pour spill drink eat sip swallow bite chew smoke play ring strike knock
        tap pat finger fondle brush comb sew mend repair fix tie untie bind button unbutton
        fasten unfasten don doff put swing wield load unload aim fire shoot cock sharpen
        sheathe unsheathe draw bury unearth dip soak stir mix cook bend straighten crumple
        burn scratch chip dent stain balance tilt tip upend overturn weigh test try write
        type dial sign scribble tuck scrape nudge shove heave lean poke prod pinch clasp
        cradle feel operate snap slam jerk yank stamp nail hammer sweep scrub
        """,
    VerbClass.PUT: """
        put place set lay deposit position stand prop lean hang insert stick stuff shove
        stow store pack load plant bury drop lower rest tuck leave install park pile stack
        spread pour return replace slip slide lodge fix pin
        """,
    VerbClass.MOVE: """
        go come walk run move travel enter leave arrive depart climb descend cross step
        stroll march hurry rush race dash creep sneak crawl wander stumble stagger limp ride
        drive sail fly swim jump leap follow flee escape return approach retreat advance
        turn head proceed pass pace stride trudge tiptoe slip slide ascend rise sit stand
        kneel lie fall gallop trot exit circle drift float row wade roam journey chase
        pursue vanish disappear emerge appear reach bolt scramble shuffle sprint swerve
        withdraw
        """,
    VerbClass.SAY: """
        say tell speak talk whisper murmur mutter shout yell scream call reply answer
        respond announce declare explain confess admit inform report describe mention remark
        observe add continue repeat insist suggest warn agree argue claim state exclaim hiss
        growl snarl snap stammer stutter mumble chat discuss recite sing narrate recount
        reveal disclose promise swear vow lie deny protest complain boast joke apologize
        apologise greet introduce address name order command demand advise persuade urge
        invite teach write breathe croak drawl grunt bark sigh rasp interrupt translate pray
        preach gossip quip retort rejoin conclude offer assure interject pronounce utter
        bellow roar shriek wail whimper purr coo chant toast volunteer venture lecture
        convey relate
        """,
    VerbClass.ASK: """
        ask question inquire enquire query interrogate beg plead request demand beseech
        implore entreat quiz consult
        """,
    VerbClass.FEEL: """
        cry weep sob love hate fear dread like dislike enjoy smile laugh grin frown scowl
        blush tremble shiver sigh mourn grieve regret miss envy adore despise loathe resent
        worry rejoice suffer pity admire long yearn ache despair rage fume sulk giggle
        chuckle grimace wince flinch shudder cherish treasure detest relish savour savor
        panic brood pine delight exult feel gasp whimper wail desire abhor crave lament
        repent sniffle beam
        """,
    VerbClass.HARM: """
        hit strike slap punch kick beat stab shoot kill murder wound hurt injure attack
        assault threaten betray insult mock humiliate abuse torture poison strangle choke
        rob cheat deceive trick blackmail accuse curse abandon destroy burn bite scratch
        whip flog hang drown imprison arrest kidnap fight duel ambush slaughter slay harm
        offend taunt tease bully scold reject abduct steal rape maim smother execute fool
        slander sabotage ruin harass torment oppress behead butcher batter bruise cripple
        slash wrestle tackle lash bludgeon shun snub spurn condemn denounce berate
        intimidate wrong
        """,
    VerbClass.CARE: """
        comfort heal protect embrace hug kiss help save rescue nurse tend soothe console
        feed shelter guard defend forgive caress cuddle cradle bandage cure aid assist
        support encourage reassure bless welcome calm nurture shield spare warm bathe
        cherish pat befriend treat nourish adopt
        """,
    VerbClass.TRUST: """
        trust confide promise swear vow believe entrust pledge rely depend confess obey
        reassure
        """,
    VerbClass.OWE: """
        owe pay thank repay reward compensate reimburse borrow lend hire employ bribe avenge
        redeem refund
        """,
    VerbClass.THINK: """
        think know believe remember forget wonder consider suppose realize realise
        understand decide guess imagine dream expect hope doubt recall suspect plan mean
        intend reckon assume learn ponder reflect judge conclude wish want need contemplate
        remind muse dwell figure meditate
        """,
    VerbClass.BE: """
        be seem appear become remain stay exist stand lie hang sit live belong contain
        consist last sound
        """,
    VerbClass.MAKE: """
        make build create bake cook brew carve forge craft paint draw write compose invent
        design construct knit weave sew fashion shape produce prepare sculpt sketch erect
        print mould mold assemble concoct
        """,
    VerbClass.SLEEP: "sleep doze nap slumber snore faint swoon drowse",
    VerbClass.WAKE: "wake awake awaken waken rouse revive stir",
    VerbClass.HIDE: "hide conceal bury cover veil mask disguise secrete stash lurk crouch palm",
}

# A particle often makes another verb of it: "give up" gives nothing to anybody.
_PHRASES: dict[str, str] = {
    "pick up": "take handle", "take up": "take", "put down": "put handle", "set down": "put handle",
    "lay down": "put handle", "put on": "handle", "take off": "handle", "put away": "put handle",
    "pull out": "take handle", "take out": "take handle", "draw out": "take handle",
    "hand over": "give", "give up": "", "give in": "", "give away": "give", "give back": "give",
    "hand back": "give", "pass on": "give", "hold out": "give handle", "hold up": "handle",
    "look after": "care", "take care": "care", "care for": "care", "look up": "perceive move",
    "look for": "perceive", "find out": "perceive think", "point out": "say",
    "make out": "perceive",
    "wake up": "wake", "get up": "move wake", "sit up": "move", "come to": "wake",
    "fall asleep": "sleep", "nod off": "sleep", "drop off": "sleep", "doze off": "sleep",
    "drift off": "sleep", "pass out": "sleep", "go to sleep": "sleep",
    "let go": "handle", "turn on": "handle", "turn off": "handle", "turn out": "be",
    "go on": "say", "cry out": "say feel", "call out": "say", "speak up": "say",
    "break down": "feel", "burst out": "feel", "tear up": "handle", "blow out": "handle",
    "set off": "move", "set out": "move", "take leave": "move", "run away": "move",
    "make up": "make", "make love": "feel", "break up": "feel", "fall in love": "feel",
    "shut up": "harm", "look down on": "harm", "let down": "harm", "beat up": "harm",
    "pay back": "owe", "pay attention": "perceive", "run out": "", "come up": "move",
    "swear at": "harm say", "shout at": "harm say", "yell at": "harm say", "laugh at": "harm feel",
    "spit at": "harm", "smile at": "feel", "count on": "trust", "rely on": "trust",
    "depend on": "trust",
}  # fmt: skip


def _classes() -> dict[str, frozenset[VerbClass]]:
    found: dict[str, set[VerbClass]] = {}
    for verb_class, words in _WORDS.items():
        for word in words.split():
            found.setdefault(word, set()).add(verb_class)
    for phrase, names in _PHRASES.items():
        found[phrase] = {VerbClass(name) for name in names.split()}
    return {verb: frozenset(classes) for verb, classes in found.items()}


CLASSES: dict[str, frozenset[VerbClass]] = _classes()
