"""What is suspicious about the embedded analyst's own answers is told, and makes them less sure."""

from tests.models.conftest import ask, final, open_workspace, server

__all__ = ["ask", "open_workspace", "server"]

QUESTION = "List the id and note of tickets"


def test_a_suspicious_result_has_a_caveat_and_less_confidence(open_workspace, ask):
    workspace = open_workspace({"provider": "embedded"})
    with workspace.warehouse.write() as session:
        session.execute("CREATE TABLE tickets AS SELECT range AS id, NULL::VARCHAR AS note FROM range(5)")
    empty = final(ask(workspace, QUESTION))
    with workspace.warehouse.write() as session:
        session.execute("UPDATE tickets SET note = 'n' || id")
    full = final(ask(workspace, QUESTION))
    assert (empty["provider"], empty["sql"]) == ("embedded", full["sql"])
    assert "The column note of the result holds nothing but nulls." in empty["caveats"]
    assert full["caveats"] == []
    assert empty["confidence"] < 0.6 * full["confidence"]
