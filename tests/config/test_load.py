from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from dexter.config.load import Configuration, Surroundings, load
from dexter.config.paths import Places
from dexter.config.trust import trust
from dexter.errors import SettingsError


class Home:
    """A user with folders of their own, standing in a folder."""

    def __init__(self, root: Path) -> None:
        self.cwd = root / "work"
        self.cwd.mkdir()
        self.places = Places(root / "config", root / "data", root / "cache")
        self.places.config.mkdir()
        self.environ: dict[str, str] = {}

    def load(self, **flags: object) -> Configuration:
        return load(Surroundings(self.environ, self.cwd, self.places), flags)

    def fails(self, **flags: object) -> SettingsError:
        with pytest.raises(SettingsError) as caught:
            self.load(**flags)
        return caught.value


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_without_anything_the_defaults_hold(home: Home):
    """An empty home gives the defaults, each of them called so."""
    found = home.load()
    assert found.settings.max_turns == 20
    assert str(found.origin("max_turns")) == "default"
    assert found.keys.providers == ()


def test_each_place_wins_over_the_next(home: Home):
    """Flags over environment over ./config.toml over the user's file; the origin says which."""
    local, own = home.cwd / "config.toml", home.places.config_file
    own.write_text("max_turns = 1\n")
    assert (home.load().settings.max_turns, str(home.load().origin("max_turns"))) == (1, f"{own}, line 1")
    local.write_text("\nmax_turns = 2\n")
    assert (home.load().settings.max_turns, str(home.load().origin("max_turns"))) == (2, f"{local}, line 2")
    home.environ["DEXTER_MAX_TURNS"] = "3"
    assert (home.load().settings.max_turns, str(home.load().origin("max_turns"))) == (3, "DEXTER_MAX_TURNS")
    found = home.load(max_turns=4)
    assert (found.settings.max_turns, str(found.origin("max_turns"))) == (4, "--max-turns")


def test_places_are_merged_setting_by_setting(home: Home):
    """A section named in two places keeps what only one of them sets."""
    home.places.config_file.write_text('[sec]\ncontact = "Ann ann@example.org"\nrequests_per_second = 2.0\n')
    home.environ["DEXTER_SEC__REQUESTS_PER_SECOND"] = "5"
    sec = home.load().settings.sec
    assert (sec.contact, sec.requests_per_second) == ("Ann ann@example.org", 5.0)


def test_the_numbers_of_the_pipeline_can_be_set(home: Home):
    """`[context]` takes every limit by its name."""
    home.places.config_file.write_text("[context]\nkeep_results = 7\n")
    home.environ["DEXTER_CONTEXT__CLEAR_OVER"] = "11"
    context = home.load().settings.context
    assert (context.keep_results, context.clear_over, context.page_chars) == (7, 11, 20_000)


def test_lists_may_be_written_with_commas_in_the_environment(home: Home):
    """`exa,tavily` is a list of two."""
    home.environ["DEXTER_SEARCH__PROVIDERS"] = "exa, tavily"
    assert home.load().settings.search.providers == ("exa", "tavily")


def test_the_usual_variables_set_endpoints_and_dexters_own_win(home: Home):
    """ANTHROPIC_BASE_URL is honoured; DEXTER_ANTHROPIC__BASE_URL is stronger."""
    home.environ["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:1"
    assert home.load().settings.anthropic.base_url == "http://127.0.0.1:1"
    home.environ["DEXTER_ANTHROPIC__BASE_URL"] = "http://127.0.0.1:2"
    assert home.load().settings.anthropic.base_url == "http://127.0.0.1:2"


def test_a_budget_is_exact(home: Home):
    """Money is a decimal, never a float."""
    home.places.config_file.write_text('budget_usd = "0.10"\n')
    assert home.load().settings.budget_usd == Decimal("0.10")


@pytest.mark.parametrize(
    ("text", "line", "names"),
    [
        ("max_turn = 3\n", 1, "max_turns"),
        ('\n\nmax_turns = "many"\n', 3, "max_turns"),
        ('max_turns = "20"\n', 1, "integer"),
        ("max_turns = true\n", 1, "integer"),
        ("max_turns = 0\n", 1, "greater"),
        ("offline = 1\n", 1, "boolean"),
        ('as_of = "yesterday"\n', 1, "as_of"),
        ("[sec]\n# who asks\ncontact = 3\n", 3, "sec.contact"),
        ("[sek]\ncontact = 3\n", 1, "sec"),
        ("[context]\nkeep_result = 3\n", 2, "context.keep_results"),
        ("sec.contact = 3\n", 1, "sec.contact"),
        ("sec = 3\n", 1, "sec"),
    ],
)
def test_a_faulty_setting_is_named_with_file_and_line(home: Home, text: str, line: int, names: str):
    """Unknown and ill-typed settings are errors that name file, line and key."""
    home.places.config_file.write_text(text)
    error = home.fails()
    assert f"{home.places.config_file}, line {line}:" in error.message
    assert names in error.message + error.remedy
    assert error.exit_status == 2


def test_broken_toml_is_named_with_its_line(home: Home):
    """A syntax error names the file and the line."""
    home.places.config_file.write_text("max_turns = 3\nmodel = claude\n")
    message = home.fails().message
    assert str(home.places.config_file) in message
    assert "line 2" in message


def test_a_file_that_is_no_text_is_said_to_be_so(home: Home):
    """Binary in config.toml is a sentence, not a traceback."""
    home.places.config_file.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in home.fails().message


def test_an_unreadable_file_is_said_to_be_so(home: Home):
    """A folder where a file should be is a sentence."""
    home.places.config_file.mkdir()
    assert "can't be read" in home.fails().message


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("DEXTER_MAX_TURN", "3", "max_turns"),
        ("DEXTER_MAX_TURNS", "many", "integer"),
        ("DEXTER_SEC__CONTACTS", "x", "sec.contact"),
        ("DEXTER_SEC", "{no json", "JSON"),
    ],
)
def test_a_faulty_variable_is_named(home: Home, name: str, value: str, says: str):
    """Unknown and ill-typed variables are errors too."""
    home.environ[name] = value
    error = home.fails()
    assert says in error.message + error.remedy


def test_an_empty_variable_counts_as_not_set(home: Home):
    """`DEXTER_MODEL=` sets nothing."""
    home.environ["DEXTER_MODEL"] = ""
    assert home.load().settings.model is None


def test_a_named_file_stands_in_for_the_local_one(home: Home, tmp_path: Path):
    """--config FILE is read instead of ./config.toml, and may name endpoints: the user named the file."""
    (home.cwd / "config.toml").write_text("max_turns = 2\n")
    named = tmp_path / "mine.toml"
    named.write_text('[sec]\ndata_url = "http://127.0.0.1:9"\n')
    found = load(Surroundings({}, home.cwd, home.places), {}, named)
    assert (found.settings.max_turns, found.settings.sec.data_url) == (20, "http://127.0.0.1:9")
    with pytest.raises(SettingsError, match="no file"):
        load(Surroundings({}, home.cwd, home.places), {}, tmp_path / "absent.toml")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('\n[sec]\ndata_url = "http://evil.example"\n', 3, "endpoint"),
        ('[anthropic]\nbase_url = "http://evil.example"\n', 2, "endpoint"),
        ('[files]\nallowed = ["/"]\n', 2, "path"),
        ('[web]\nallowed_hosts = ["169.254.169.254"]\n', 2, "host"),
        ('[search]\nexa_url = "http://evil.example"\n', 2, "endpoint"),
        ('paths.scratchpads = "/elsewhere"\n', 1, "path"),
    ],
)
def test_the_current_folder_may_name_nothing_dangerous_until_trusted(home: Home, text: str, line: int, what: str):
    """An endpoint or path in ./config.toml is an error that names line and remedy, until this very text is trusted."""
    local = home.cwd / "config.toml"
    local.write_text(text)
    error = home.fails()
    assert f"line {line}:" in error.message
    assert what in error.message
    assert "dexter config trust" in error.remedy
    trust({local: text}, home.places.trust_file)
    home.load()
    local.write_text(text + "# changed\n")
    assert "trust" in home.fails().message


def test_trust_in_one_folder_is_none_in_another(home: Home, tmp_path: Path):
    """The same text elsewhere is not trusted."""
    text = '[files]\nallowed = ["/"]\n'
    trust({tmp_path / "config.toml": text}, home.places.trust_file)
    (home.cwd / "config.toml").write_text(text)
    home.fails()


@pytest.mark.parametrize(
    "line",
    ["ANTHROPIC_API_KEY=abc-0123456789", "export OPENAI_BASE_URL=http://evil.example", "DEXTER_SEC__DATA_URL=http://e"],
)
def test_a_local_dotenv_may_name_no_key_or_endpoint_until_trusted(home: Home, line: str):
    """A key or an endpoint in ./.env is an error that names the line, until it is trusted; the value is not shown."""
    path = home.cwd / ".env"
    path.write_text(f"# of this folder\n{line}\n")
    error = home.fails()
    assert f"{path}, line 2" in error.message
    assert line.split("=")[1] not in error.message + error.remedy
    trust({path: path.read_text()}, home.places.trust_file)
    home.load()


def test_a_local_dotenv_of_another_program_is_nothing_to_us(home: Home):
    """Variables Dexter does not know are passed over."""
    (home.cwd / ".env").write_text("DATABASE_URL=postgres://x\nSTRIPE_API_KEY=abc\n")
    assert home.load().keys.providers == ()


def test_a_key_in_a_config_file_is_refused_and_not_shown(home: Home):
    """A key never stands in config.toml; the error says where it belongs and does not repeat it."""
    home.places.config_file.write_text('[anthropic]\napi_key = "abc-secret-0123456789"\n')
    error = home.fails()
    assert "key" in error.message
    assert "set-key" in error.remedy
    assert "secret" not in error.message + error.remedy


def test_runs_live_in_the_checkout_where_it_has_a_folder_for_them(home: Home):
    """./scratchpads/ where it exists, else the user's data folder; the setting overrides both."""
    assert home.load().scratchpads == home.places.data / "scratchpads"
    (home.cwd / "scratchpads").mkdir()
    assert home.load().scratchpads == home.cwd / "scratchpads"
    home.environ["DEXTER_PATHS__SCRATCHPADS"] = "runs"
    assert home.load().scratchpads == home.cwd / "runs"


@pytest.mark.parametrize("value", ["localhost:8080/v1", "api.example.com", "http://", "ftp://example.com"])
def test_an_address_without_its_scheme_is_no_address(home: Home, value: str):
    """It is said at once, with the variable, not by a library in the middle of a run; spaces around one are nothing."""
    home.environ["OPENAI_BASE_URL"] = value
    error = home.fails()
    assert "OPENAI_BASE_URL" in error.message
    assert "http:// or https://" in error.message
    home.environ["OPENAI_BASE_URL"] = " http://localhost:8080/v1 "
    assert home.load().settings.openai_compatible.base_url == "http://localhost:8080/v1"
