"""A brief on a field: what one of several who act on their own gets in a turn.

    Brief(a) = You(a) ∪ Aware(a) ∪ Held(a) ∪ Past(a) ∪ Written(q, a) ∪ May(a)

The same law as a story's window, with other sources: what they perceive (`staging.field`) in place
of scenes, canon in place of the author's lore. Sources propose, `context.gate` rules, closed by
default, `scoring.pack` packs, `context.render` writes, and what leaves is checked again source by
source. Where it gives way is stated: the lowest snippets first, then what is told of the past is
told in short, then details of what they see; rules, what may be done and who is there stay.
"""
