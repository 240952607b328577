import asyncio
import gc
import re
from pathlib import Path

import pytest

from dexter.errors import ModelError
from tests.support import anthropic_sse, openai_sse
from tests.support.fault_table import GENERATED, table
from tests.support.faults import ANSWER, FAULTS, HALF, Fault, observe, observe_fault
from tests.support.protocols import ANTHROPIC, GEMINI, OLLAMA, OPENAI, PROTOCOLS
from tests.support.wire_server import Reply

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places


@pytest.fixture(autouse=True, scope="module")
def _swept():
    """What LiteLLM leaves unawaited and unclosed is collected here, not in a later module's test."""
    yield
    gc.collect()


PAGE = Path(__file__).parents[2] / "docs" / "model-faults.md"
CELLS = [(fault, protocol) for fault in FAULTS for protocol in PROTOCOLS if fault.applies_to(protocol)]
SEEN: dict[tuple[str, str], str] = {}


@pytest.mark.parametrize(("fault", "protocol"), CELLS, ids=lambda value: value.name)
def test_every_fault_of_every_provider_ends_well(fault: Fault, protocol, tmp_path):
    """No half answer is accepted, text is not shown twice, and no incomplete call runs: whatever breaks, and where."""
    seen = asyncio.run(observe_fault(protocol, fault, tmp_path))
    SEEN[fault.name, protocol.name] = seen.in_words()
    assert seen.answer in (ANSWER, "", None)
    assert seen.shown.count(HALF) <= 1
    assert seen.executed == tuple(f"round {n}" for n in range(fault.rounds))
    assert len(seen.retries) <= 4
    assert sum(retry.wait_s for retry in seen.retries) <= 120
    if seen.error is not None:
        assert isinstance(seen.error, ModelError)
        assert seen.error.remedy
    assert seen.in_words() == fault.expected


def test_the_page_says_what_happens():
    """docs/model-faults.md is what these runs showed; `python -m tests.support.fault_table` writes it anew."""
    expected = {(fault.name, protocol.name): fault.expected for fault, protocol in CELLS}
    assert PAGE.read_text(encoding="utf-8") == GENERATED + table(expected)


PIECES = [0, 1, 2, 3]


@pytest.mark.parametrize("protocol", [ANTHROPIC, OPENAI, OLLAMA], ids=lambda p: p.name)
@pytest.mark.parametrize("ending", ["cut", "whole", "stall"])
def test_a_call_runs_once_if_it_is_complete_and_never_if_not(protocol, ending, tmp_path):
    """The stream breaks after each piece in turn: the tool's file has the one line of the attempt that was whole."""
    whole = protocol.calling('{"query": "counted"}', text="Noting.")
    for size in range(len(whole.chunks) - 1 if protocol is not OPENAI else len(whole.chunks) - 2):
        folder = tmp_path / str(size)
        broken = Reply(200, whole.headers, whole.chunks[:size], ending)
        seen = asyncio.run(observe(protocol, [broken, whole, protocol.answer(ANSWER)], folder))
        assert seen.executed == ("counted",), size
        assert seen.answer == ANSWER
        assert seen.shown.count("Noting.") == 1


@pytest.mark.parametrize("protocol", [ANTHROPIC, OPENAI], ids=lambda p: p.name)
@pytest.mark.parametrize("raw", ['{"query": "hal', "", '{"query": "x"', "{"])
def test_a_call_cut_off_by_the_output_limit_is_not_run(protocol, raw, tmp_path):
    """`max_tokens` inside a call, also before its first byte of arguments: an error result, and the model goes on."""
    cut = protocol.calling(raw, stop="limit")
    seen = asyncio.run(observe(protocol, [cut, protocol.answer(ANSWER)], tmp_path))
    assert (seen.executed, seen.answer) == ((), ANSWER)


CALLS = ["[1, 2]", '"text"', "I'll note it.", "{bad json}", "null", '{"query": {"nested": [1]}}', '{"size": "many"}']


@pytest.mark.parametrize("protocol", [ANTHROPIC, OPENAI], ids=lambda p: p.name)
@pytest.mark.parametrize("raw", CALLS)
def test_arguments_that_are_no_arguments_become_a_result_the_model_can_act_on(protocol, raw, tmp_path):
    """Arrays, prose, broken JSON, wrong types: not run, told to the model, and it answers."""
    seen = asyncio.run(observe(protocol, [protocol.calling(raw), protocol.answer(ANSWER)], tmp_path))
    assert (seen.executed, seen.answer, seen.requests) == ((), ANSWER, 2)


@pytest.mark.parametrize("protocol", [ANTHROPIC, OPENAI], ids=lambda p: p.name)
@pytest.mark.parametrize("identifier", ["", "x" * 1_500, "../../etc/passwd", "call_0"])
def test_odd_ids_pair_with_their_results(protocol, identifier, tmp_path):
    """Empty, huge, hostile and repeated ids: each call runs once, and the next request is well paired."""
    replies = [protocol.calling(f'{{"query": "{n}"}}', id=identifier) for n in range(3)]
    seen = asyncio.run(observe(protocol, [*replies, protocol.answer(ANSWER)], tmp_path))
    assert (seen.executed, seen.answer) == (("0", "1", "2"), ANSWER)


def test_the_countdown_is_told_before_each_wait(tmp_path):
    """A lasting 429: five requests, four waits that grow, then an error that says what to do."""
    lasting = next(fault for fault in FAULTS if fault.name == "429 that lasts")
    seen = asyncio.run(observe_fault(ANTHROPIC, lasting, tmp_path))
    assert seen.requests == 5
    assert [retry.attempt for retry in seen.retries] == [1, 2, 3, 4]
    assert [retry.wait_s for retry in seen.retries] == sorted(retry.wait_s for retry in seen.retries)
    assert isinstance(seen.error, ModelError)
    assert "--model" in seen.error.remedy


def test_the_stated_wait_is_kept(tmp_path):
    """Retry-After: 7 waits 7 seconds, not our own guess."""
    stated = next(fault for fault in FAULTS if fault.name == "429, wait 7 s")
    seen = asyncio.run(observe_fault(OPENAI, stated, tmp_path))
    assert [retry.wait_s for retry in seen.retries] == [7]


REASONS = {"Anthropic": b'"tool_use", "stop_sequence"', "OpenAI": b'"finish_reason": "tool_calls"', "Gemini": b'"STOP"'}


def check_cuts(protocol, ending, places, folder) -> None:
    """A tool turn cut at each place, then the whole turn, then the answer."""
    whole = protocol.calling('{"query": "counted"}', text="Noting.")
    body = b"".join(whole.chunks)
    reason = REASONS.get(protocol.name, b'"done": true')
    for place in places(len(body)):
        broken = Reply(200, whole.headers, (body[:place],) if place else (), ending)
        replies = [broken, whole, protocol.answer(ANSWER)]
        seen = asyncio.run(observe(protocol, replies, folder / str(place), silence_s=10))  # none of this is a stall
        # Where the reason to stop had come the turn was whole, and the next one is another.
        was_whole = ending == "whole" and reason in body[:place]
        assert seen.executed in ([("counted",)] if not was_whole else [("counted",), ("counted", "counted")]), place
        assert seen.answer == ANSWER, place
        assert seen.shown.count("Noting.") == len(seen.executed), place


@pytest.mark.parametrize("protocol", [ANTHROPIC, OPENAI, GEMINI, OLLAMA], ids=lambda p: p.name)
@pytest.mark.parametrize("ending", ["cut", "whole"])
def test_cut_anywhere_a_complete_call_runs_once_and_an_incomplete_one_never(protocol, ending, tmp_path):
    """Inside events, lines and characters: counted on disk, and what was shown is not shown twice."""
    check_cuts(protocol, ending, lambda size: range(size % 90, size, 90), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("protocol", [ANTHROPIC, OPENAI, GEMINI, OLLAMA], ids=lambda p: p.name)
@pytest.mark.parametrize("ending", ["cut", "whole"])
def test_cut_at_every_byte(protocol, ending, tmp_path):
    """The long form."""
    check_cuts(protocol, ending, range, tmp_path)


@pytest.mark.parametrize(
    "identifier", ["", "call_0", "x" * 3_000, "id with spaces/é"], ids=["none", "same", "huge", "odd"]
)
@pytest.mark.parametrize(
    ("protocol", "calls"),
    [
        (ANTHROPIC, lambda n, name: anthropic_sse.tool(n, "note", f'{{"query": "{n}"}}', id=name)),
        (OPENAI, lambda n, name: openai_sse.tool(n, "note", f'{{"query": "{n}"}}', id=name)),
    ],
    ids=["Anthropic", "OpenAI"],
)
def test_twenty_calls_with_one_id_run_once_each(protocol, calls, identifier, tmp_path):
    """All at once, each under the same empty, huge or odd id: twenty results, each behind an id of its own."""
    chunks = [piece for n in range(20) for piece in calls(n, identifier)]
    turn = Reply(200, protocol.headers, (*protocol.half("")[:1], *chunks, *protocol.stop(protocol.stops["calls"])))
    seen = asyncio.run(observe(protocol, [turn, protocol.answer(ANSWER)], tmp_path))
    assert (seen.executed, seen.answer, seen.requests) == (tuple(map(str, range(20))), ANSWER, 2)
    sent = seen.last.json["messages"]
    if protocol is ANTHROPIC:
        asked = [block["id"] for block in sent[-2]["content"]]
        answered = [block["tool_use_id"] for block in sent[-1]["content"] if block["type"] == "tool_result"]
    else:
        asked = [call["id"] for call in sent[2]["tool_calls"]]
        answered = [message["tool_call_id"] for message in sent if message["role"] == "tool"]
    assert asked == answered
    assert len(set(asked)) == 20
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in asked)
