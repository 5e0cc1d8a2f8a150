"""Settings: precedence and errors that name the setting."""

import pytest

from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_backend.app.core.errors import InvalidInput


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "root" / "configs").mkdir(parents=True)
    return tmp_path / "root"


def test_each_source_wins_over_the_next(root, monkeypatch, tmp_path):
    assert load_settings(root).agent.provider == "embedded"
    (root / "configs" / "config.toml").write_text('[agent]\nprovider = "from-file"\nmax_rows = 7\n')
    assert load_settings(root).agent.provider == "from-file"
    (tmp_path / ".env").write_text("PLUTODUCK_AGENT__PROVIDER=from-dotenv\n")
    assert load_settings(root).agent.provider == "from-dotenv"
    monkeypatch.setenv("PLUTODUCK_AGENT__PROVIDER", "from-environment")
    assert load_settings(root).agent.provider == "from-environment"
    assert load_settings(root, agent={"provider": "from-flag"}).agent.provider == "from-flag"
    assert load_settings(root).agent.max_rows == 7


def test_the_root_comes_from_the_environment(root, monkeypatch):
    monkeypatch.setenv("PLUTODUCK_ROOT", str(root))
    assert load_settings().root == root


def test_a_bad_value_names_its_setting(root, monkeypatch):
    monkeypatch.setenv("PLUTODUCK_SERVER__PORT", "many")
    with pytest.raises(InvalidInput, match=r"server\.port='many'"):
        load_settings(root)


def test_a_broken_file_is_named(root):
    (root / "configs" / "config.toml").write_text("[agent\n")
    with pytest.raises(InvalidInput, match=r"config\.toml is not valid TOML"):
        load_settings(root)


def test_every_setting_says_what_it_is():
    groups = [
        (name, field) for name, field in Settings.model_fields.items() if hasattr(field.annotation, "model_fields")
    ]
    for name, group in groups:
        for key, field in group.annotation.model_fields.items():
            assert field.description, f"{name}.{key} has no sentence"
