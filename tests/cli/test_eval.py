"""`dexter eval` and `dexter batch` as a user starts them."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from dexter.scratchpad.reader import Line, read_lines
from tests.support.program import Home, dexter_command, make_home

QUESTIONS = """question,answer,type
What was NVIDIA's revenue in fiscal 2025?,$130.5 billion,look-up
Apple gross margin fiscal 2023,44.1%,margins
Apple gross margin fiscal 2022,44.1%,margins
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = make_home(tmp_path)
    (made.work / "q.csv").write_text(QUESTIONS)
    return made


def records(path: Path) -> list[dict[str, object]]:
    return [line.record for line in read_lines(path) if isinstance(line, Line)]


def test_a_set_is_asked_scored_and_not_asked_again(home: Home):
    """The report goes to standard output; the second time nothing is asked and the report is the same."""
    first = home.dexter("eval", "q.csv", "--offline")
    assert first.returncode == 0, first.stderr
    assert "66.7%" in first.stdout
    assert "line-4" in first.stdout
    assert "3 of 3 done" in first.stderr
    written = (home.work / "q.results.jsonl").read_bytes()
    second = home.dexter("eval", "q.csv", "--offline")
    assert second.stdout == first.stdout
    assert (home.work / "q.results.jsonl").read_bytes() == written
    assert len(list((home.work / "q.results.runs").glob("*/*.jsonl"))) == 3


def test_below_a_minimum_is_exit_status_5(home: Home):
    """As a share or in percent; what is no share is a wrong command line."""
    assert home.dexter("eval", "q.csv", "--offline", "--min", "0.9").returncode == 5
    assert home.dexter("eval", "q.csv", "--offline", "--min", "66%").returncode == 0
    wrong = home.dexter("eval", "q.csv", "--offline", "--min", "90")
    assert (wrong.returncode, "--min 90 is no share" in wrong.stderr) == (2, True)


def test_json_has_scores_tokens_cost_time_and_figures_by_type(home: Home):
    """One object, whatever is in it."""
    found = json.loads(home.dexter("eval", "q.csv", "--offline", "--json", "-q").stdout)
    assert [score["type"] for score in found["by_type"]] == ["look-up", "margins"]
    whole = found["score"]
    assert (whole["asked"], whole["right"], whole["ungraded"], whole["cost_usd"]) == (3, 2, 0, "0")
    assert whole["low"] < whole["score"] < whole["high"]
    assert whole["usage"]["input_uncached"] > 0
    assert whole["figures"]["found"] > 0


def test_seed_limit_and_samples_choose_what_is_asked(home: Home):
    """The same seed draws the same question; a sample has a result of its own."""
    options = ("--offline", "--json", "-q", "--seed", "3", "--limit", "1", "--samples", "2")
    for name in ("a", "b"):
        home.dexter("eval", "q.csv", *options, "-r", f"{name}.jsonl")
    first, second = (records(home.work / f"{name}.jsonl")[1:] for name in ("a", "b"))
    keys = [sorted(str(line["key"]) for line in lines) for lines in (first, second)]  # whichever was done first
    assert keys[0] == keys[1]
    assert [key.endswith("#2") for key in keys[0]] == [False, True]


def test_two_results_are_compared_question_by_question(home: Home):
    """Results can be reported and compared without the set."""
    home.dexter("eval", "q.csv", "--offline", "-q", "-r", "one.jsonl")
    better = (home.work / "one.jsonl").read_text().replace('"score":"0"', '"score":"1"')
    (home.work / "two.jsonl").write_text(better)
    found = json.loads(home.dexter("eval", "two.jsonl", "--compare", "one.jsonl", "--json").stdout)["difference"]
    assert (found["pairs"], found["better"], found["worse"], found["same"]) == (3, 1, 0, 2)
    assert found["changed"] == [{"id": "line-4", "first": 0.0, "second": 1.0}]
    shown = home.dexter("eval", "two.jsonl", "--compare", "one.jsonl").stdout
    assert "line-4: 0% → 100%" in shown


def test_the_set_that_comes_along_is_asked_of_the_bundled_data(home: Home):
    """Other sources know newer years, and companies that the sample has not: its answers would be wrong there."""
    environ = {"DEXTER_DATA__PROVIDERS": "financialdatasets", "DEXTER_MARKET__PROVIDERS": "twelvedata"}
    command = ("eval", "sample", "--offline", "--limit", "2", "--json", "-q")
    assert json.loads(home.dexter(*command, environ=environ).stdout)["score"]["right"] == 2


def test_results_of_another_set_are_not_compared(home: Home):
    """Their questions may have the same ids: it is the words that count."""
    (home.work / "other.csv").write_text(QUESTIONS.replace("NVIDIA", "AMD").replace("Apple", "Intel"))
    for name in ("q.csv", "other.csv"):
        assert home.dexter("eval", name, "--offline", "-q").returncode == 0
    done = home.dexter("eval", "q.results.jsonl", "--compare", "other.results.jsonl")
    assert (done.returncode, "no graded question in common" in done.stderr) == (2, True)


def test_a_result_that_was_damaged_is_had_again_and_costs_no_other(home: Home):
    """A report leaves it out and says so; the same command takes it up from its scratchpad."""
    assert home.dexter("eval", "q.csv", "--offline", "-q").returncode == 0
    path = home.work / "q.results.jsonl"
    heading, one, *rest = path.read_text().splitlines()
    path.write_text("\n".join((heading, one.replace('"question_type"', '"type_of_question"'), *rest)) + "\n")
    report = home.dexter("eval", "q.results.jsonl")
    assert (report.returncode, "Damaged lines of the results file, left out: 1" in report.stdout) == (0, True)
    again = home.dexter("eval", "q.csv", "--offline", "-q")
    assert (again.returncode, "66.7%" in again.stdout, "Damaged" in again.stdout) == (0, True, False)
    assert len(list((home.work / "q.results.runs").glob("*/*.jsonl"))) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("eval", "none.csv"), "can't be read"),
        (("eval", "q.csv", "--compare", "q.csv"), "no results file"),
        (("eval", "rubric.csv", "--offline"), "a language model has to judge"),
        (("eval", "rubric.csv"), "need a judge"),
        (("eval", "q.csv", "--engine", "ray"), "Ray is not installed"),
        (("batch", "none.txt"), "can't be read"),
        (("batch", "empty.txt"), "holds no question"),
        (("batch", "q.csv", "--template", "{ticker}?"), "there is no 'ticker'"),
        (("batch", "q.csv", "--template", "nothing"), "names no field"),
    ],
)
def test_what_can_not_be_done_is_said_with_its_mend(home: Home, arguments: tuple[str, ...], said: str):
    """Exit status 2, one sentence, no traceback."""
    if "ray" in arguments and _has_ray():
        pytest.skip("Ray is installed here")
    (home.work / "rubric.csv").write_text("question,rubric\nWhat?,\"[{'criteria': 'x'}]\"\n")
    (home.work / "empty.txt").write_text("\n# nothing\n")
    done = home.dexter(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def _has_ray() -> bool:
    from importlib.util import find_spec

    return find_spec("ray") is not None


def test_a_batch_answers_every_line_with_a_scratchpad_each(home: Home):
    """Tickers and a template; lines may be added and the same command asks only those."""
    (home.work / "t.txt").write_text("NVDA\nAMD\n")
    command = ("batch", "t.txt", "--offline", "--template", "{ticker} revenue in fiscal 2024")
    done = home.dexter(*command)
    assert done.returncode == 0, done.stderr
    assert "2 questions: 2 answered" in done.stdout
    with (home.work / "t.txt").open("a") as file:
        file.write("AAPL\nNVDA\n")
    found = json.loads(home.dexter(*command, "--json").stdout)
    assert found["counts"] == {"answered": 4}
    results = records(home.work / "t.results.jsonl")[1:]
    assert [str(line["question"]).split()[0] for line in results].count("NVDA") == 2
    assert len({line["path"] for line in results}) == 4
    assert all(Path(str(line["path"])).is_file() for line in results)


def test_ctrl_c_ends_the_work_and_the_same_command_goes_on(home: Home):
    """Exit status 130; what was done is not asked again."""
    (home.work / "t.txt").write_text("".join(f"NVDA revenue in fiscal {year}\n" for year in range(1990, 2026)))
    child = home.start(dexter_command("batch", "t.txt", "--offline", "-j", "1"))
    path = home.work / "t.results.jsonl"
    deadline = time.monotonic() + 60
    while (not path.exists() or len(path.read_bytes().splitlines()) < 3) and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 130, errors
    assert b"goes on from here" in errors
    assert b"never retrieved" not in errors
    done = len(records(path)) - 1
    assert 0 < done < 36
    assert home.dexter("batch", "t.txt", "--offline", "-q").returncode == 0
    assert len(records(path)) - 1 == 36
