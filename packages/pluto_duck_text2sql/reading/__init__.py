"""The rules' own reading of a question: cues, roles, measures, conditions; and what each tree leaves unsaid."""
