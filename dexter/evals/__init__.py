"""Question sets, graders, judges, reports; and how many questions are worked off at once."""
