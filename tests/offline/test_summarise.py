"""The rule-based model as the summariser of its own runs: the pipeline's real requests, by extraction."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from dexter.context.compaction.parse import has_all_sections, read_summary
from dexter.context.compaction.prompt import Task, prompt_text, summary_request
from dexter.figures.bind import reader_of
from dexter.figures.ledger import figures_of, stated_in
from dexter.messages import SystemMessage, UserMessage
from dexter.models.protocol import ModelResponse
from dexter.offline.summarise import results_in, write_request
from dexter.results import StoredResult
from tests.support.offline import Session, Store


def summary_of(
    *results: StoredResult, earlier: str | None = None, question: str = "compare", tokens: int = 8_000
) -> str:
    request = summary_request(Task(question), results, earlier=earlier, number=1, parts=1)
    return read_summary(ModelResponse(write_request(request, tokens)))


def figures_result(number: int, text: str, status: str = "ok") -> StoredResult:
    return StoredResult(number, "get_financials", {"tickers": ["NVDA"]}, status, text)


def run_of(question: str) -> Store:
    session = Session()
    asyncio.run(session.ask(question))
    return session.store


def test_every_figure_of_a_run_is_carried():
    """What the real tools returned in a comparison stands in the summary, cell for cell, as tables show it."""
    store = run_of("compare NVDA vs AMD")
    summary = summary_of(*store.results.values())
    assert has_all_sections(summary)
    shown = [
        line for result in store.results.values() for line in result.text.splitlines() if line.startswith("|Revenue|")
    ]
    assert len(shown) >= 2
    assert all(line in summary for line in shown)


def test_whole_money_figures_are_held_for_the_ledger():
    """Figures given in millions are found in the summary's text, so that the ledger has little to restore."""
    store = run_of("NVDA price and market cap")
    summary = summary_of(*store.results.values())
    holds = stated_in(summary, reader_of(store.results.values()))
    closes = [f for r in store.results.values() for f in figures_of(r) if f.label == "Closing price"]
    assert closes
    assert all(holds(figure) for figure in closes)


def test_the_question_stands_in_the_first_section():
    """Whoever goes on knows what was asked."""
    summary = summary_of(figures_result(1, "|Revenue|1|"), question="What was AMD's revenue?")
    assert "What was AMD's revenue?" in summary.split("2. Key concepts")[0]


def test_a_failed_call_is_said_to_confirm_nothing():
    """Section 4 names results that are no figures."""
    summary = summary_of(figures_result(1, "|Revenue|1|"), figures_result(2, "Error: no such company", "error"))
    section = summary.split("4. Errors and retries")[1].split("5. Analysis")[0]
    assert "#2 get_financials" in section
    assert "#1" not in section


def test_an_earlier_summary_is_carried_over():
    """A second compaction keeps the first one's figures under their own numbers."""
    first = summary_of(figures_result(1, "|Revenue|26,044|"))
    second = summary_of(figures_result(2, "|Revenue|44,062|"), earlier=first)
    assert "26,044" in second
    assert "44,062" in second
    assert [result.id for result in results_in(second)] == [1, 2]


def test_the_newest_results_are_kept_where_there_is_not_room_for_all():
    """A small output limit costs old figures first, and says that there are more."""
    old, new = (figures_result(n, "\n".join(f"|line {n}-{i}|{i}|" for i in range(200))) for n in (1, 2))
    summary = summary_of(old, new, tokens=1_500)
    assert "|line 2-0|0|" in summary
    assert "more in this result" in summary
    assert len(summary) < 1_500 * 2 + 2_000


def test_the_conversation_is_condensed_into_five_points():
    """The four-level policy's request gets the user's words and the figures."""
    material = "User: compare NVDA vs AMD\n#3 get_financials [ok]: NVDA · NVIDIA\n|Revenue|215,938|\nAssistant: looking"
    prompt = prompt_text("levels.md").replace("$material", material).replace("$focus", "")
    text = write_request(
        (SystemMessage("s", prompt_text("system.md")), UserMessage("u", prompt, "harness", "note")), 2_000
    )
    assert "compare NVDA vs AMD" in text.split("2. Findings")[0]
    assert "|Revenue|215,938|" in text
    assert text.count("\n\n") == 4


def test_a_memory_flush_learns_nothing_by_rules():
    """The request for notes is answered with the one word it asks for."""
    request = (
        SystemMessage("s", prompt_text("flush.md")),
        UserMessage("u", "I hold AMD.\n\nThe notes, or NOTHING:", "harness"),
    )
    assert write_request(request, 500) == "NOTHING"


def test_a_question_is_no_request_of_the_pipeline():
    """An ordinary question without tools is still answered as a question."""
    assert write_request((SystemMessage("s", "You are Dexter."), UserMessage("u", "compare NVDA vs AMD")), 500) == ""


@given(st.lists(st.text(max_size=200), max_size=6), st.integers(100, 4_000))
def test_any_material_gives_a_usable_summary(texts: list[str], tokens: int):
    """Whatever tools returned, the summary has its nine sections and every line of it comes from the material."""
    results = [figures_result(number, text) for number, text in enumerate(texts, 1)]
    summary = summary_of(*results, tokens=tokens)
    assert has_all_sections(summary)
    numbers = summary.split("6. All numbers\n")[1].split("7. Data still needed")[0]
    material = {line.strip() for text in texts for line in text.splitlines()}
    written = [line for line in numbers.splitlines() if line and not line.startswith("#")]
    assert all(line in material or line in ("none", "(more in this result: read_result)") for line in written)
