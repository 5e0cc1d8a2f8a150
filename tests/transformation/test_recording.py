"""What is recorded of a dbt command that was ended while it wrote its artifacts."""

import pytest

from pluto_duck_backend.app.core.dbt_models import models
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.transformation.recording import Recorder


@pytest.mark.parametrize("written", ["", '{"metadata": {"project_na'])
def test_an_artifact_that_was_not_written_to_its_end_says_nothing(written, tmp_path):
    paths = Paths(tmp_path)
    recorder = Recorder(paths, "run", tmp_path, "warehouse")
    (paths.dbt / "target").mkdir(parents=True)
    (paths.dbt / "target" / "manifest.json").write_text(written)
    before = models(paths)
    recorder.write()
    assert recorder.manifest is None
    assert models(paths) == before
