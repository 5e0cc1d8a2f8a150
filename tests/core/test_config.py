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


@pytest.mark.parametrize(
    ("variable", "told"),
    [
        ("PLUTODUCK_AGENT__PROVIDR", "PLUTODUCK_AGENT__PROVIDR. Did you mean PLUTODUCK_AGENT__PROVIDER?"),
        ("PLUTODUCK_AGENT_PROVIDER", "PLUTODUCK_AGENT_PROVIDER. Did you mean PLUTODUCK_AGENT__PROVIDER?"),
        ("PLUTODUCK_QUERY_TIMEOUT", "Did you mean PLUTODUCK_QUERY__TIMEOUT_S?"),
        ("PLUTODUCK_ROTT", "Did you mean PLUTODUCK_ROOT?"),
        ("PLUTODUCK_PROVIDERS__HOUSE__API_KEYY", "Did you mean PLUTODUCK_PROVIDERS__HOUSE__API_KEY?"),
        ("PLUTODUCK_SERVER__TOKENS__ANN__TOKN", "Did you mean PLUTODUCK_SERVER__TOKENS__ANN__TOKEN?"),
        ("plutoduck_budget__run_token", "Did you mean PLUTODUCK_BUDGET__RUN_TOKENS?"),
        ("PLUTODUCK_SERVER__TOKENS__ANN", "server.tokens.ann"),
    ],
)
@pytest.mark.parametrize("place", ["environment", ".env"])
def test_a_misspelt_variable_is_told_and_its_value_is_not(root, monkeypatch, tmp_path, variable, told, place):
    if place == ".env":
        (tmp_path / ".env").write_text(f"{variable}=sk-secret\n")
    else:
        monkeypatch.setenv(variable, "sk-secret")
    with pytest.raises(InvalidInput, match=re.escape(told)) as raised:
        load_settings(root)
    assert "sk-secret" not in f"{raised.value.message} {raised.value.hint}"


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("PLUTODUCK_SERVER__TOKENS", '{"ann": {"tokn": "sk-secret"}}', "server.tokens.ann.tokn. Did you mean token?"),
        ("PLUTODUCK_SERVER__TOKENS", '{"ann": {"role": "viewer"}}', "server.tokens.ann.token: Field required"),
        ("PLUTODUCK_AGENT", "sk-secret", "written in JSON"),
    ],
)
def test_a_group_given_whole_is_looked_into(root, monkeypatch, variable, value, told):
    monkeypatch.setenv(variable, value)
    with pytest.raises(InvalidInput) as raised:
        load_settings(root)
    said = f"{raised.value.message} {raised.value.hint}"
    assert told in said and "sk-secret" not in said


@pytest.mark.parametrize(
    "variable",
    [
        "PLUTODUCK_WAREHOUSE",
        "PLUTODUCK_DEBUG",
        "PLUTODUCK_PG_PASSWORD",
        "PLUTODUCK_PROVIDERS__HOUSE__OPTIONS__TEMPERATURE",
        "PLUTODUCK_STATE__OPTIONS__REGION",
        "PLUTODUCK_SERVER__TOKENS__ANN__TOKEN",
    ],
)
def test_variables_that_are_no_misspelt_settings_are_left_alone(root, monkeypatch, variable):
    monkeypatch.setenv(variable, "x")
    assert load_settings(root).agent.provider == "embedded"


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
