"""Which of the suites' questions training may learn from."""

from pluto_duck_training import suites


def test_later_turns_of_dialogues_stand_not_alone():
    assert all(not case.history for _, case in suites.cases(("dialogues",)))


def test_what_is_only_ever_measured_is_not_learned_from():
    assert "fresh" not in (*suites.ANSWERABLE, *suites.LACKING, *suites.COLD)
