"""Settings: precedence and errors that name the setting."""

import re

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


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("[budget]\nrun_token = 18\n", "budget.run_token. Did you mean run_tokens"),
        ("[bugdet]\nrun_tokens = 18\n", "bugdet. Did you mean budget?"),
        (
            '[providers.house]\nis_locall = false\nkind = "openai"\n',
            "providers.house.is_locall. Did you mean is_local?",
        ),
        ('[agent]\nprivcy = "schema"\n', "agent.privcy. Did you mean privacy"),
        ('[rights.sales]\ntabels = ["main.x"]\n', "rights.sales.tabels. Did you mean tables?"),
    ],
)
def test_a_misspelt_setting_is_told_and_not_passed_over(root, written, told):
    (root / "configs" / "config.toml").write_text(written)
    with pytest.raises(InvalidInput, match=re.escape(told)):
        load_settings(root)


def test_names_that_the_user_chooses_are_no_settings(root):
    (root / "configs" / "config.toml").write_text(
        '[providers.house]\nkind = "openai"\noptions = { temperature = 0 }\n[server.tokens.ann]\ntoken = "t"\n'
    )
    assert load_settings(root).providers["house"].options == {"temperature": 0}


def test_every_setting_says_what_it_is():
    groups = [
        (name, field) for name, field in Settings.model_fields.items() if hasattr(field.annotation, "model_fields")
    ]
    for name, group in groups:
        for key, field in group.annotation.model_fields.items():
            assert field.description, f"{name}.{key} has no sentence"
