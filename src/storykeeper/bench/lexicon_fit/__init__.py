"""Makes the files of the lexicon, of nouns' senses and of characters per token."""
