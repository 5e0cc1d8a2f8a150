"""Words, whatever the data is: stems, spellings, a general lexicon, what stands for what in English and elsewhere."""
