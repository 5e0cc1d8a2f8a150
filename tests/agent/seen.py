"""What repairing may look at, on machines that other tests keep busy too."""

from dataclasses import replace

from pluto_duck_backend.agent.repair import Data
from pluto_duck_backend.app.core.principal import OWNER


def data_of(workspace, max_rows=50):
    """The owner's view of the data, whose looks may take ten seconds."""
    data = Data.of(workspace.queries, workspace.catalog.catalog(), OWNER)
    return replace(data, rows=lambda sql: workspace.queries.probe(sql, max_rows=max_rows, timeout_s=10))
