// Every term of the page in words: shown where a thing is pointed at or reached by keyboard.

export const TERMS = {
  pull: 'How hard a scene draws the story: its mass times how near it is.',
  mass: 'How much a scene matters: what the author gave it, what its place in the story adds, what has happened since.',
  distance: 'How far the story is from a scene: in what is known, felt, between people, and in space.',
  nearness: 'From 0 to 1: one divided by distance squared, softened, and fading with each step to it.',
  steps: 'How many scenes lie on the shortest way there.',
  imminent: 'Felt to be about to happen: nearness of three quarters and more.',
  approaching: 'Felt to be coming: nearness from a quarter.',
  distant: 'Far away, and felt all the same.',
  active: 'The story is here.',
  resolved: 'It is over, and acts through memory alone.',
  visited: 'It was left before its end, and does not pull.',
  'out of reach': 'No way leads there that is not closed for good.',
  sheet: 'A tale within the tale. ψ is how much crosses its boundary, C what it weighs.',
  prophecy: 'Something foretold that leans on a scene which has not come yet.',
  gate: 'Something that stays shut until all of its conditions hold. The ring shows how many do.',
  ground: 'The land: wells where scenes pull, as deep as they are heavy.',
  relevance: 'How much it has to do with this turn.',
  gravity: 'How much scenes ahead, themes, tales and prophecies lean on it.',
  boundary: 'Whether this audience may know it; 0 is never.',
  trust: 'How far the source it comes from is trusted.',
  recency: 'How fresh it is; half is kept for good.',
  temperature: 'Whether it suits how hot the scene runs.',
  tier1: 'The stable beginning: voice, rules, place and people of the scene.',
  tier2: 'The past: the story so far in its own words, and the last turns word for word.',
  tier3: 'Retrieved for this turn: facts, things, people, what leans in, what is told now.',
  tier4: 'What the player typed, and the request.',
  mandatory: 'It is in every window of this kind.',
  enrichment: 'It bears on what is going on.',
  rest: 'More of the past and of the lore, in what room was left.',
  knows: 'They know it.', believes: 'They hold it true.', suspects: 'They have the hint of it, and not the fact.',
};

/** How a factor of a score comes about: F3 of the mathematics, in words. */
export const MADE = {
  relevance: 'by where it comes from: what the player named has 1, what takes part .9, who is in the room .8, what memory found at most .9, what lies ahead .1 + .3 × its pull.',
  gravity: 'What is felt of scenes ahead counts .3, of themes .15, of tales .25, of prophecies .2; the largest is added to 1, the others add nothing.',
  boundary: 'the least of its sources: 1 known, .5 suspected (its hint alone), 0 never.',
  trust: 'how far the least trusted of its sources is trusted.',
  recency: '= .5 + .5 × ½ for every ten turns of age: what was told long ago keeps one half.',
  temperature: '1.2 if it suits how hot the scene runs, .7 if it goes against it.',
};
/** How the numbers of a scene come about: F2. */
export const SUMS = {
  mass: 'the sum of these, never below 0. Prophetic is what is foretold of it, each at most .25.',
  distance: 'the mean of these, weighed by the kind of scene it is.',
  foretold: 'its base, more for each time it came true in part, less with every turn since; never less than half of the base.',
  nearness: 'nearness = ε² ÷ (distance² + ε²), ε = .25, and × .8 for each step after the first.',
};

export const TIERS = { 1: 'stable', 2: 'past', 3: 'retrieved', 4: 'the player' };
export const ORIGINS = {
  hard: 'rules and voice', soft: 'the author’s notes', recent: 'told last', 'so far': 'the story so far',
  entity: 'things and people', standing: 'what is known', layer: 'tales', gravity: 'what lies ahead',
  beat: 'to be told now', input: 'the player', 'hard:ask': 'the request', recalled: 'from memory',
  earlier: 'from earlier', prophecy: 'foretold', bridge: 'things of two tales', lived: 'lived through',
};
export const MEASURES = {
  reliability: 'relies on', competence: 'thinks able', benevolence: 'thinks well-meaning', affection: 'is fond of', debt: 'owes',
};
