"""Nouns that we sort by hand; where a noun stands here, WordNet is not asked.

WordNet counts senses in newspapers; in a story a letter is paper, an iron is hot, and a room is
where one stands. What is looked at and handled is a thing, what one goes to is a place.
"""

from __future__ import annotations

from storykeeper.language.reading import Gender, Sort

_BODY = """
    hand finger thumb fist palm wrist arm elbow shoulder neck throat head face eye ear nose
    mouth lip tongue tooth chin cheek brow forehead eyebrow eyelid lash hair beard moustache
    mustache skin breast heart stomach belly waist hip lap leg knee thigh shin ankle foot toe heel
    knuckle fingertip tail paw claw wing beak horn hoof fur mane snout scale vein nerve muscle rib
    lung brain jaw nostril fingernail body
    """

_SORTS: dict[Sort, str] = {
    Sort.THING: """
        tea coffee cocoa soup stew broth porridge milk ale beer wine whisky whiskey brandy rum
        gin cider mead drink meal bread cheese butter jam honey sausage bacon ham noodle dough
        pastry bun toast salad sauce snack chocolate sweet
        case bible licence license slice knitting plaster cast blotter stall safe sleeve pocket
        lid furniture dummy locker banknote briefcase toaster teaspoon atlas calendar label
        bracket racket alarm menu jersey cutter skip scales jumper sweater cardigan waistcoat
        petticoat nightgown pyjamas slipper sandal stocking garter bonnet turban hood mitten
        gown overcoat raincoat trenchcoat vest corset sash buckle zip hanger hatstand bookcase
        bookshelf sideboard dresser nightstand crib cradle bunk mattress cushion tablecloth
        napkin serviette tongs poker bellows griddle skillet cauldron ladle sieve grater tankard
        goblet chalice decanter carafe corkscrew cork teapot samovar saucepan toasting-fork
        lunchbox hamper crate carton drum-kit trumpet lute banjo mandolin harmonica accordion
        gramophone cassette disc tape-recorder microphone loudspeaker headset drone
        scanner terminal console monitor printer typewriter stapler paperclip folder clipboard
        bar briefcase dossier file certificate receipt invoice bill voucher leaflet pamphlet
        magazine comic dictionary encyclopedia typescript blueprint banner placard plaque
        bandage sling splint stretcher syringe thermometer stethoscope scalpel crutches
        wheelchair drip gurney ointment tonic antidote poison vial phial capsule inhaler
        crowbar wrench spanner pliers drill chisel plane anvil bellows horseshoe
        pitchfork rake hoe sickle scythe wheelbarrow plough harrow trough manger halter stirrup
        van lorry truck taxi cab bus tram motorcycle motorbike scooter sledge sleigh gondola
        dinghy lifeboat kayak schooner trawler periscope propeller parachute helicopter
        aeroplane airplane plane balloon glider spacesuit jetpack visor hatch
        gravestone headstone urn casket shroud reliquary rosary icon censer candelabra
        candlestick chandelier sconce brazier matchbox matchstick tinder flint firework
        medallion earring tiara sceptre anklet cufflink monocle eyeglass magnifier kaleidoscope
        marionette puppet teddy kite skipping-rope marble yo-yo playing-card domino chessman
        pawn rook dartboard dart billiard cue
        letter paper glass lamp candle torch door gate window mirror table desk chair stool
        bed sofa couch shelf cupboard wardrobe drawer chest trunk barrel basket box bag sack
        satchel purse pouch wallet suitcase book notebook diary journal ledger map chart
        scroll page note envelope card postcard photograph photo picture painting portrait
        drawing sketch poster sign newspaper telegram ticket passport document contract
        manuscript key lock padlock hook nail rope cord string thread chain ring necklace
        locket bracelet brooch pendant amulet talisman medal coin crown jewel gem diamond
        ruby pearl emerald sword knife dagger blade axe spear bow arrow shield gun pistol
        rifle revolver bullet shotgun musket cannon bomb hammer saw spade shovel pick needle
        scissors cup mug bowl plate dish saucer spoon fork pot pan kettle jug pitcher bottle
        flask vial jar bucket pail tin can coat cloak hat cap scarf glove shoe boot sock
        dress skirt shirt blouse trousers jacket apron belt ribbon handkerchief veil shawl
        blanket sheet pillow quilt curtain rug carpet towel cloth clock watch compass
        telescope spectacles glasses phone telephone radio television computer camera
        machine engine car cart carriage wagon boat ship bicycle train bell whistle drum
        fiddle violin piano flute guitar harp flower rose bouquet wreath branch stick log
        leaf apple orange egg cake pie loaf sandwich biscuit stone pebble rock shell bone
        feather doll toy ball dice statue statuette idol cross crucifix altar tombstone
        coffin hearth stove oven fireplace pen pencil quill brush comb razor cane crutch
        umbrella wheel anchor oar sail mast flag banner tape cigarette cigar pipe match
        lighter ashtray ladder step fence pill potion chessboard piece jigsaw puzzle present
        gift parcel package bundle tray tent hammock cage trap net bait rod relic treasure
        wand staff orb crystal rune uniform mask helmet armour armor gauntlet saddle bridle
        rein harness whip leash collar knob bolt latch hinge wildflower seed nut berry fruit
        pumpkin mushroom plank board beam post pole signpost weapon tool instrument item
        object thing trinket figurine keepsake souvenir memento robe gown suit tie lens
        tablet screen laptop keyboard button switch lever wire plug bulb battery stamp seal
        inkwell thermos canteen wreck raft canoe hairpin pin thimble spool shackle manacle
        handcuff noose corpse skull skeleton register cheque recipe letterbox mailbox
        invitation tube seat frame stall rack chimney sash fountain locker partition coil
        plant rag canvas pad potato bench well toast shade lampshade guinea shilling penny
        trapdoor menu bracket marble label alarm scales keycard datapad hologram console
        smartphone headset keyring keychain spellbook grimoire tome waterskin bedroll
        lockpick lockbox rucksack backpack holster quiver crossbow longbow greatsword mace
        warhammer halberd chainmail breastplate tunic flagon chalice goblet tankard
        candlestick chandelier brazier tapestry syringe stethoscope clipboard printout
        polaroid cassette headphones earbuds charger cable remote dashboard windscreen
        bumper van lorry taxi tram motorbike visor spacesuit thermostat teapot saucepan
        corkscrew cork napkin tablecloth cutlery chopsticks doormat coaster footstool
        bookshelf mantelpiece doorknob doorbell wheelbarrow rake hoe pitchfork scythe trowel
        flowerpot birdcage horseshoe spur stirrup flare flashlight binoculars sextant
        spyglass hourglass sundial pocketwatch wristwatch signet cufflink tiara sceptre
        throne stiletto switchblade penknife scabbard sheath atlas teaspoon lute film disk
        globe plaque blind valve lighting monitor taper plume barrow folder font lantern
        knot toolbox sleigh parchment sticker badge receipt bookmark calendar backdrop
        tripod cushion bandage crate cape mobile tyre tire billboard furnace grill plinth grate tarp
        sponge steak scone cracker microwave brochure bust cube cylinder flyer flier gag mail manual
        memo mould sphere stake tap beacon buoy clipping effigy fishbowl mosaic mural photocopy
        prescription scorecard scrapbook spotlight swing walkie-talkie bottle-opener cream blaster
        calculator controller fan siren tracker trailer crank decoy mannequin quiche bedsheet
        comlink dumpster jeans medkit overalls pincers reins sidearm snowglobe tweezers dreamcatcher
        glowstick lifejacket nightlight whiteboard windchime caravan campfire outfit volume blinds
        flat-iron headlamp sculpture poncho greataxe toilet porthole trestle casement skylight
        trellis hull bagel croissant muffin yoghurt roast pickle token copy summons slip script
        relay meter readout candle-end quarrel cameo clutch pennant hymnal missal breviary codex
        crosier triptych fresco vice tape-measure longship lolly doughnut bureau slider thruster
        rover mannikin knocker gnome planter taco ottoman spats torc tricorder phaser hypospray
        medpack hoverbike droid earbud mic post-it glaive pauldron psalter paten lifebuoy
        turret bulkhead hot-dog pince-nez form list duct grille packet snapshot opal sapphire
        amethyst novel
        """,
    Sort.PLACE: """
        oak fir pine birch elm willow cypress cedar beech vine orchard mound railway
        room kitchen bedroom bathroom hall hallway parlour parlor attic cellar basement
        study library office shop store inn tavern pub church chapel temple cathedral
        monastery castle palace tower fort fortress house cottage hut cabin mansion manor
        farm barn stable mill school hospital prison jail cell station harbour harbor port
        dock pier quay wharf street road lane alley path track trail bridge square market
        garden yard courtyard park field meadow forest wood woods jungle desert hill
        mountain valley cliff cave cavern mine tunnel river stream brook creek lake pond sea
        ocean shore beach coast island village town city country kingdom land
        crossroads crossing graveyard cemetery lighthouse landing porch balcony veranda
        terrace threshold doorway gateway stairway staircase stairs upstairs downstairs
        outside inside here there home camp clearing swamp marsh bog moor heath ford bay
        cove cliffside summit peak ridge slope glade orchard vineyard warehouse factory
        workshop studio theatre theater museum gallery cafe restaurant hotel motel ballroom
        dungeon vault crypt tomb loft pantry scullery nursery ward lobby foyer platform deck
        galley region district quarter border neighbourhood neighborhood
        countryside wilderness ruin ruins gutter ditch plaza arena chamber lodge asylum
        convent abbey barracks bank hell heaven laboratory lab bakery forge smithy pool
        abyss backyard ranch wall floor ceiling roof stair steps tree pavement grave
        corridor airlock rooftop hedge lawn sidewalk
        """,
    Sort.PART: f"""
        chip crack dent scratch stain notch hole rim brim edge corner tip side top bottom
        front back spine muzzle surface underside handle spout hilt pommel mouthpiece strap hem
        cuff lapel seam lining cover margin heading clasp stem petal thorn root bark groove
        engraving inscription carving bruise wound scar cut gash freckle wrinkle dimple tattoo
        slit speck fragment splinter
        {_BODY}
        """,
    Sort.MATTER: """
        light darkness dark shadow water rain snow ice wind air smoke steam fog mist dust
        mud sand dirt soil ash blood sweat oil wax ink paint salt sugar flour meat
        rice food gold silver iron steel copper brass bronze lead clay coal
        straw hay grass moss wool silk cotton linen leather velvet lace money cash change
        luggage baggage clothing jewellery jewelry equipment weather sunlight
        moonlight starlight candlelight lamplight firelight daylight sunshine heat cold
        warmth flame foam spray frost hail lightning thunder storm breeze music noise sound
        perfume scent smell powder gunpowder medicine venom tobacco rubbish
        garbage trash litter debris rubble glow gleam glare wallpaper ivy laundry gravel
        sacking moon sun star tear sky horizon dew cloud fire bonfire stuff flesh
        """,
    Sort.TIME: """
        moment minute second hour day night morning evening afternoon noon midnight dawn
        dusk sunset sunrise week month year decade century season spring summer autumn
        winter today tomorrow yesterday tonight while time instant age childhood youth past
        future weekend monday tuesday wednesday thursday friday saturday sunday january
        february march april may june july august september october november december
        birthday christmas easter daybreak nightfall twilight
        """,
    Sort.GROUP: """
        crew crowd family company army team gang band party council guild tribe clan couple
        audience congregation choir committee court jury police people folk public troop
        squad regiment mob group pack flock herd nobility royalty clergy household
        population folks parliament government navy mankind humanity men
        """,
    Sort.PERSON: """
        man woman boy girl child baby kid infant person adult teenager father mother dad mum
        mom mama papa daddy mummy parent son daughter brother sister uncle aunt cousin
        nephew niece grandfather grandmother grandpa grandma grandson granddaughter husband
        wife fiance fiancee widow widower bride groom lady gentleman sir madam ma'am lord
        king queen prince princess duke duchess countess baron baroness knight squire
        servant maid butler cook waiter waitress innkeeper landlord landlady barkeeper
        bartender captain sailor soldier guard sergeant officer general colonel major
        lieutenant constable detective doctor nurse surgeon priest nun monk bishop vicar
        pastor reverend teacher student pupil professor lawyer judge thief robber murderer
        killer pirate bandit beggar stranger friend enemy neighbour neighbor guest host
        visitor lover darling dear witch wizard mage sorcerer sorceress ghost spirit vampire
        elf dwarf goblin orc troll giant fairy angel devil demon god goddess fisherman
        farmer miller smith blacksmith carpenter baker butcher tailor merchant shopkeeper
        driver coachman porter keeper wretch fellow chap guy bloke lad lass gentlewoman
        nobody somebody someone anyone anybody everyone everybody victim prisoner warden
        fool hero heroine villain speaker narrator reader writer poet painter singer dancer
        actor actress boss chief leader master mistress individual agent builder female male
        human dead drunk companion comrade patient
        """,
    Sort.ANIMAL: """
        dog cat horse cow pig sheep goat chicken hen rooster duck goose bird crow raven owl
        eagle hawk sparrow mouse rat rabbit fox wolf bear deer stag lion tiger snake spider
        fly bee moth butterfly fish whale shark frog toad donkey mule pony mare stallion
        foal puppy kitten hound bull ox calf lamb dragon gull seagull creature beast monster
        animal parrot monkey badger hedgehog cub worm
        """,
    Sort.ABSTRACT: """
        look word voice way kind sort type lot bit deal number pair rest part fact idea
        thought silence pause end beginning middle name story tale song secret truth lie
        plan reason question answer help trouble matter mind memory dream love hate fear
        anger joy grief hope smile laugh laughter sigh nod shrug glance kiss embrace turn
        walk ride trip journey breath sleep death life work business job game play war peace
        fight battle attention care use chance luck sense sight view point line news message
        rule law power force strength speed size shape colour color distance direction
        left right north south east west half none nothing something anything everything
        other one ones self fortune pleasure pain hunger thirst trust faith honour honor
        duty debt crime sin guilt whisper shout scream cry call conversation talk speech
        joke promise oath threat warning advice favour favor effort attempt mood tone
        expression frown grin gesture movement motion glimpse stare rush hurry price cost
        sum amount row series set example instance event scene history accident mistake
        decision choice difference problem situation condition state subject topic habit
        dinner lunch breakfast supper feast wedding funeral presence absence language
        english french latin will gaze hold report return bond feed drug blue resolution
        total load stand universe round medium constituent organism crop diet assembly cure
        motif variable adjunct colors colours draft draught segment constitution interface
        cosmos short setup concession decree statute journalism local brief charter check
        trend source base origin setting orbit unknown draw silhouette open result
        effect consequence pressure energy exchange fraction active wake hide drag rate
        phase fall date maturity velocity close wait delay leave down class grade generation
        few product midst destination whereabouts prey soul ordinary interval bath heavens
        etcetera gap john butt bubble blur glint flicker flash rustle creak clatter hum echo
        murmur thud crash bang click knock stride pace stroke blow slap punch kick nudge
        push pull grip grasp grab squeeze gulp sip swig bite mouthful trace hint touch scrap
        grey gray red green yellow brown purple pink black white violet crimson scarlet pence
        shower trifle attachment shred sliver wisp layer deed system section release horror addition
        """,
}

_GENDERS: dict[Gender, str] = {
    Gender.SHE: """
        woman women girl lady mother mum mom mama mummy mommy daughter sister aunt auntie
        niece grandmother grandma granny granddaughter wife fiancee widow bride madam ma'am
        madame mademoiselle miss mrs ms queen princess duchess countess baroness maid
        waitress landlady nun actress heroine goddess witch sorceress mistress priestess
        abbess housewife housekeeper governess hostess stewardess seamstress nurse lass
        lassie maiden damsel spinster schoolgirl gentlewoman noblewoman empress heiress
        enchantress mermaid stepmother stepsister stepdaughter godmother goddaughter
        girlfriend fishwife midwife dame matron bridesmaid charwoman washerwoman barmaid
        milkmaid hen cow mare ewe lioness tigress vixen sow doe bitch filly huntress
        murderess poetess prophetess shepherdess sultana tsarina harlot whore hag crone
        dowager matriarch signora senora sis ladyship
        """,
    Gender.HE: """
        man men boy gentleman father dad papa daddy pa son brother uncle nephew grandfather
        grandpa grandson husband fiance widower groom bridegroom sir mister mr lord king
        prince duke count baron knight squire butler waiter landlord monk priest bishop
        vicar reverend friar abbot pope actor god wizard sorcerer lad fellow chap guy bloke
        schoolboy nobleman emperor heir stepfather stepbrother stepson godfather godson
        boyfriend policeman fireman fisherman coachman sailor footman headmaster patriarch
        rooster bull stallion ram stag boar buck colt gander tomcat monsieur signor senor
        bro lordship viscount earl marquis sultan tsar czar shah rajah emir caliph swordsman
        huntsman watchman workman milkman postman cowboy blacksmith pageboy
        """,
}  # fmt: skip


def _listed(groups: dict[Sort, str]) -> dict[str, Sort]:
    return {word: sort for sort, words in groups.items() for word in words.split()}


SORTS: dict[str, Sort] = _listed(_SORTS)
OF_BODIES = frozenset(_BODY.split())
GENDERS: dict[str, Gender] = {w: g for g, ws in _GENDERS.items() for w in ws.split()}
