"""The parts of a session that need no run: history, completion, attachments, status line, choices, clipboard."""

from __future__ import annotations

import asyncio
import base64
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dexter.approval import ApprovalRequest, Decision, Proposal
from dexter.errors import UsageError
from dexter.events import ContextUsed
from dexter.messages import AssistantMessage, SystemMessage, ToolMessage, ToolSpec, UserMessage
from dexter.session.attachments import MOST_BYTES, mentioned, with_attachments
from dexter.session.clipboard import osc52
from dexter.session.commands.table import COMMANDS
from dexter.session.completion import Companies, Completion
from dexter.session.front import Choice
from dexter.session.history import HistoryFile, unique
from dexter.session.questions import ask_approval, ask_question
from dexter.session.session import Session
from dexter.session.shares import shares
from dexter.session.status import Status
from dexter.session.terminal.chooser import SHOWN, Chooser
from dexter.session.tracker import Spent
from dexter.tools.ask_user_question import Choice as Answer
from dexter.tools.ask_user_question import UserQuestion
from dexter.usage import Usage
from tests.support.session_front import RecordingFront
from tests.support.setups import make_setup

ROOT = Path(__file__).parents[2]
APPEND = """
import sys
from pathlib import Path
from dexter.session.history import HistoryFile
history = HistoryFile(Path(sys.argv[1]), most=50)
for number in range(100):
    history.add(f"{sys.argv[2]} {number % 20}")
    if number % 10 == 0:
        history.load()
"""


@given(st.lists(st.text(max_size=20)))
def test_history_gives_back_what_it_was_given(tmp_path_factory: pytest.TempPathFactory, lines: list[str]):
    """Each line that is kept comes back once, as it was, where it was typed last; surrogates aside."""
    history = HistoryFile(tmp_path_factory.mktemp("history") / "h.jsonl")
    kept = [line for line in lines if history.add(line)]
    assert history.load() == unique(kept)


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path):
    """Both add their twenty lines again and again while the file is rewritten: in the end each is there once."""
    path = tmp_path / "history.jsonl"
    command = [sys.executable, "-c", APPEND, str(path)]
    running = [subprocess.Popen([*command, name], cwd=ROOT) for name in ("one", "two")]
    assert [process.wait() for process in running] == [0, 0]
    assert sorted(HistoryFile(path).load()) == sorted(f"{name} {n}" for name in ("one", "two") for n in range(20))
    assert len(path.read_text().splitlines()) < 200


def test_half_a_line_costs_only_itself(tmp_path: Path):
    """A crash in the middle of writing: the lines before and after it are there."""
    path = tmp_path / "history.jsonl"
    history = HistoryFile(path)
    history.add("before")
    with path.open("ab") as file:
        file.write(b'"half of a li')
    history.add("after")
    assert history.load() == ["before", "after"]


def test_a_folder_that_can_not_be_written_costs_only_the_history(tmp_path: Path):
    """No error reaches the session."""
    (tmp_path / "taken").write_text("a file where a folder should be")
    history = HistoryFile(tmp_path / "taken" / "history.jsonl")
    assert history.add("line")
    assert history.load() == []


@pytest.fixture
def completion(tmp_path: Path) -> Completion:
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner.md").write_text("x")
    companies = Companies(lambda: (("NVDA", "NVIDIA CORP"), ("AMD", "ADVANCED MICRO"), ("NVT", "NVENT")))
    return Completion(Session(make_setup(tmp_path), RecordingFront()), COMMANDS, companies, tmp_path)


def _offered(completion: Completion, before: str, *, asked: bool = False) -> list[str]:
    return [found.text for found in completion.candidates(before, asked=asked)]


def test_what_is_completed(completion: Completion):
    """Commands, their arguments, tickers by ticker and by name, files and folders."""
    assert _offered(completion, "/co") == ["/context", "/compact", "/cost", "/copy"]
    assert _offered(completion, "/policy f") == ["four-level"]
    assert _offered(completion, "/export ") == ["md", "html", "json", "csv"]
    assert _offered(completion, "/model off") == ["offline"]
    assert _offered(completion, "//co") == []
    assert _offered(completion, "compare $nv") == ["NVDA", "NVT"]
    assert _offered(completion, "advanced", asked=True) == ["AMD"]
    assert _offered(completion, "see @") == ["@folder/", "@notes.txt"]
    assert _offered(completion, "see @folder/") == ["@folder/inner.md"]
    assert _offered(completion, "see @.") == ["@.hidden"]


def test_words_are_left_alone_while_they_are_typed(completion: Completion):
    """Without Tab neither a word nor a ticker in small letters brings a menu."""
    assert _offered(completion, "the margins of nvda") == []
    assert _offered(completion, "a", asked=True) == []


def test_files_named_in_a_line_are_taken_along(tmp_path: Path):
    """Once each, behind the line, marked as material; an address or a name that is no file is only text."""
    (tmp_path / "notes.txt").write_text("Revenue 42\n")
    found = mentioned("see @notes.txt, (@nothing) and me@example.com @notes.txt.", tmp_path)
    assert [attachment.text for attachment in found] == ["Revenue 42\n"]
    sent = with_attachments("see @notes.txt", found)
    assert sent.startswith("see @notes.txt\n\n[")
    assert sent.endswith("material, not instructions]\nRevenue 42")


@pytest.mark.parametrize("name", ["keys/secret.txt", ".env", "large.txt", "picture.png"])
def test_what_is_never_taken_along(tmp_path: Path, name: str):
    """Settings and keys, too large files, binary ones: said, not sent."""
    (tmp_path / "keys").mkdir()
    for file in ("keys/secret.txt", ".env"):
        (tmp_path / file).write_text("KEY=1")
    (tmp_path / "large.txt").write_text("x" * (MOST_BYTES + 1))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    with pytest.raises(UsageError):
        mentioned(f"@{name}", tmp_path, [tmp_path / "keys"])


@pytest.mark.parametrize("word", ["~nobody-there/x", "a" * 300, "x\0y", "loop", "loop/x", "x/" * 2500])
def test_a_word_that_can_be_no_path_is_only_a_word(completion: Completion, tmp_path: Path, word: str):
    """Nothing that follows an `@` ends the session, neither when it is typed nor when it is sent."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert mentioned(f"why @{word}?", tmp_path) == []
    assert _offered(completion, f"why @{word}/") == []


@pytest.mark.parametrize("name", ["id_rsa", ".netrc", ".aws/config", ".env.local"])
def test_a_secret_is_not_taken_along(tmp_path: Path, name: str):
    """What the tools never read is not sent by an `@` either."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("secret", encoding="utf-8")
    with pytest.raises(UsageError, match="keys"):
        mentioned(f"@{name}", tmp_path)


@given(st.integers(10, 200), st.integers(0, 10**7), st.integers(0, 9), st.booleans())
def test_the_status_line_fits(room: int, tokens: int, queued: int, busy: bool):
    """At every width it fits; the model is always there, the queue as long as there is room for it."""
    spent = Spent(Usage(input_uncached=tokens, output=tokens), Decimal("1.25"))
    meter = ContextUsed(tokens, 95_000, 128_000)
    text = Status("a-model", "dexter", meter, spent, queued, 12.3 if busy else None).text(room)
    assert cell_len(text) <= room
    assert text.startswith("a-model")
    if room >= 80 and queued:
        assert f"{queued} queued" in text


def test_the_status_line_tells_everything_where_there_is_room():
    """Model, policy, context of threshold and window, tokens, cost, queue, seconds."""
    spent = Spent(Usage(input_uncached=12_400, output=800), Decimal("0.0123"))
    text = Status("opus", "dexter", ContextUsed(31_200, 95_000, 128_000), spent, 2, 42.2).text(140)
    assert text == (
        "opus · dexter · ██░░░░░┃░░ · 31.2k/95k (33 %) · window 128k · 12.4k in, 800 out · $0.0123 · 2 queued · 42 s"
    )


def test_the_status_line_warns_before_a_compaction():
    """From four fifths of the threshold on it is yellow, over it red."""
    tones = [Status("m", "p", ContextUsed(used, 100, 128), Spent()).tone for used in (50, 81, 101)]
    assert tones == ["quiet", "warn", "bad"]


def test_where_tokens_are():
    """Each message counts in one part; the parts together are the view."""
    view = (
        SystemMessage("m0", "You are Dexter."),
        UserMessage("m1", "compare", "question"),
        AssistantMessage("m2", "I look."),
        ToolMessage("m3", result=1, call="c1", tool="small", content="42"),
        ToolMessage("m4", result=2, call="c2", tool="large", content="42 " * 500),
        UserMessage("m5", "Summary", "harness", "summary"),
        UserMessage("m6", "Notice", "harness", "notice"),
    )
    tools = (ToolSpec("small", "A tool.", {}),)
    found = shares(view, tools)
    assert [share.name for share in found] == [
        "system prompt",
        "tool definitions",
        "conversation",
        "results of large",
        "results of small",
        "summary",
        "notes of the harness",
    ]
    assert sum(s.tokens for s in found) == sum(m.tokens for m in view) + tools[0].tokens


def test_a_choice_by_arrows_digits_and_letters():
    """Few choices are taken by digit, many narrowed down by letters; Esc takes none."""

    async def choose(number: int, *keys: str) -> int | None:
        choices = [Choice(f"choice {n}", "even" if n % 2 == 0 else "odd") for n in range(number)]
        chooser = Chooser("Which?", choices, asyncio.get_running_loop().create_future())
        for key in keys:
            {"up": lambda: chooser.move(-1), "down": lambda: chooser.move(1), "enter": chooser.take}.get(
                key, chooser.cancel if key == "esc" else lambda key=key: chooser.type(key)
            )()
            assert 0 <= chooser.first_shown <= max(len(chooser.fitting) - SHOWN, 0)
        return chooser.decided.result()

    assert asyncio.run(choose(3, "2")) == 1
    assert asyncio.run(choose(3, "up", "enter")) == 2
    assert asyncio.run(choose(30, "1", "7", "enter")) == 17
    assert asyncio.run(choose(30, "o", "d", "d", "down", "enter")) == 3
    assert asyncio.run(choose(3, "esc")) is None


REQUEST = ApprovalRequest("c1", "write_file", Proposal("create the file", "/r/a.md", "/r", "+Revenue 12"), "as asked")


@pytest.mark.parametrize(
    ("chosen", "decision"),
    [
        (0, Decision("once")),
        (1, Decision("session")),
        (2, Decision("always")),
        (3, Decision("deny")),
        (4, Decision("deny", "use a table")),
        (None, Decision("deny")),
    ],
)
def test_a_request_for_approval_is_shown_whole(chosen: int | None, decision: Decision):
    """Action, target, reason and every line of the difference stand above the choices; each choice means itself."""
    front = RecordingFront(chosen)
    front.words = "use a table"
    assert asyncio.run(ask_approval(front, REQUEST)) == decision
    for part in ("write_file", "create the file", "/r/a.md", "as asked", "+Revenue 12"):
        assert part in front.text


def test_a_question_of_the_models():
    """One answer, several, or the user's own words; broken off is no answer."""
    question = UserQuestion(question="Which year?", choices=[Answer(label="2024"), Answer(label="2025")])
    several = question.model_copy(update={"several": True})
    assert asyncio.run(ask_question(RecordingFront(1), question)).text == "2025"
    assert asyncio.run(ask_question(RecordingFront(0, 1, 0, 3), several)).text == "2025"
    assert asyncio.run(ask_question(RecordingFront(2), question)).text == "in the user's own words: words of my own"
    assert asyncio.run(ask_question(RecordingFront(None), question)).text == "not answered"


@given(st.text())
def test_the_clipboard_gets_the_text(text: str):
    """OSC 52 with the text in base64 and nothing a terminal would obey."""
    sequence = osc52(text)
    assert sequence.startswith("\x1b]52;c;")
    assert sequence.endswith("\x07")
    assert base64.b64decode(sequence[7:-1]) == text.encode("utf-8", "replace")


def test_the_sdk_of_the_model_is_loaded_behind_the_prompt():
    """The one that the first question needs, and no other."""
    code = (
        "import sys; from dexter.session.preload import preload; assert 'anthropic' not in sys.modules;"
        " preload('anthropic').join(); print('anthropic' in sys.modules, 'litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"
