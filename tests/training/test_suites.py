"""Which of the suites' questions training may learn from."""

from pluto_duck_training import suites


def test_later_turns_of_dialogues_stand_not_alone():
    assert all(not case.history for _, case in suites.cases(("dialogues",)))


def test_what_is_only_ever_measured_is_not_learned_from():
    assert "fresh" not in (*suites.ANSWERABLE, *suites.LACKING, *suites.COLD)


def test_what_rules_or_trees_were_made_of_does_not_count_as_unseen():
    every = suites.cases(suites.EVERY)
    unseen = {suite for suite, case in every if suites.is_unseen(suite, case)}
    assert {"trades", "newcomers", "samples", "flat", "fresh"} <= unseen
    assert not unseen & {"unseen", "dialogues", "unanswerable", "chinook"}
    assert not any(suites.is_learned(*each) and suites.is_unseen(*each) for each in every)
