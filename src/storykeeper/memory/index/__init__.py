"""The index: which rows are near a query, in meaning and in words, for eyes that may see them.

A folder `run.db.index/<space>` that holds nothing the ledger does not: it may be deleted at any
time and is filled again. Rows stand in the order in which they were added and are never renumbered.

**Segments.** Rows are kept in immutable pieces of at most 65,536, written whole, then renamed into
place; a small `head.json`, renamed last, says which pieces count and up to where in the ledger they
reach. A kill at any moment leaves the state of one commit, old or new. Each commit adds a piece and
joins it with smaller neighbours, so that n rows are in O(log 65,536 + n/65,536) pieces and each row
is copied a few times at most. Rows not committed yet are searched in memory, in the same way.

**Two files a segment.** `.rows` is the truth: int8 vectors, audience classes, columns, and the
words of every row. `.tiers` is derived from it: prefixes, norms, and the inverted lists. If it
cannot be written the head marks the segment dirty; if it is missing or torn, it is dirty all the
same; opening makes it again. Tier k holds only the dimensions that the tier before it has not.

**The cascade** (L §4). For a query q and a row v, both int8,

    cos_k(q, v) = q_{1:k}·v_{1:k} / (√(‖q_{1:k}‖² + ε²)·√(‖v_{1:k}‖² + ε²)),   ε = 1e-8

The shortest prefix is scanned for every allowed row and the best N1 are kept. Some of them are
rescored with full vectors; if the k-th best of those stands θ1 above the prefix cosine at which
the cut was made, nothing left out is likely to reach it, and the search ends. Else the N1 are
ranked by the next prefix, the best N2 rescored, the same question asked with θ2; else all N1 are
rescored. What is returned always has full cosines. A zero prefix has cosine 0 and ends no search.
N and θ come from `calibration.py`: measured ranks of true neighbours grow as a power of the number
of rows, so N = c·n^p. (L asks whether the *best* cosine passes θ. That says little about the tenth:
the distance between the tenth and the cut is what decides whether the ten are the right ten.)

**Words.** Every term is a 64-bit hash. A row's score is

    Σ_t w_t·tf·(κ+1) / (tf + κ·(1 − b + b·len/len0))        κ = 1.2, b = .75, len0 = 16

with the weights given by who asks and a constant length, so that nothing is counted over the
collection. tf counts to 15 and len to 4,095: the two fit in 16 bits, and the fraction is a table.
Terms whose bounds together cannot lift a row over the k-th best so far are not used to find rows,
only to score those found (MaxScore); the result is the same.

**Nothing hidden counts.** A search is given what may be seen, and what it finds, its scores, order,
cuts and exits are functions of those rows alone: every count above is of allowed rows, ties go to
the older row. Dot products are whole numbers, lexical scores are sums of whole numbers, and the
rest is computed row by row, so neither threads nor the way rows fell into segments can be seen.
"""
