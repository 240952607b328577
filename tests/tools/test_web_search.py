from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dexter.data.web.outgoing import KnownUrls
from dexter.data.web.search.query import Hit, Hits, SearchQuery
from dexter.errors import ProviderError, ToolError
from dexter.results import ToolResult
from dexter.tools.tool import ToolContext
from dexter.tools.web_search import WebSearchArguments, web_search_tool

PAGE = Hit("Nvidia's supply", "https://reuters.com/a", "2025-03-02", "Chips are scarce.")


class Searcher:
    """A provider that gives hits or fails; `asked` keeps the queries."""

    capabilities = frozenset({"search"})

    def __init__(self, name: str, answer: Hits | str) -> None:
        self.name = name
        self._answer = answer
        self.asked: list[SearchQuery] = []

    async def search(self, query: SearchQuery) -> Hits:
        self.asked.append(query)
        if isinstance(self._answer, str):
            raise ProviderError(self.name, f"{self.name} {self._answer}.", status=401, kind="auth", remedy="Mend it.")
        return self._answer


class NoResults:
    def read(self, result: int) -> Any:
        raise KeyError(result)


def search(*providers: Any, as_of: str = "", known: KnownUrls | None = None, **arguments: Any) -> ToolResult:
    tool = web_search_tool(providers, known or KnownUrls())
    given = WebSearchArguments.model_validate({"query": "nvidia supply", **arguments})
    return asyncio.run(tool.run(given, ToolContext(NoResults(), as_of=as_of)))


def test_the_first_that_answers_is_named_and_who_was_tried_before() -> None:
    """Title, address, date and snippet of each result; providers after the first answer are left in peace."""
    after = Searcher("brave", Hits((PAGE,)))
    result = search(Searcher("exa", "refused access"), Searcher("tavily", Hits((PAGE,))), after)
    assert result.text == (
        "Results for 'nvidia supply' from tavily (tried before: exa: exa refused access.)\n\n"
        "1. Nvidia's supply\n   https://reuters.com/a · 2025-03-02\n   Chips are scarce."
    )
    assert [(attempt.provider, attempt.status) for attempt in result.tried] == [("exa", 401), ("tavily", None)]
    assert after.asked == []


def test_every_result_is_a_source_of_the_web_and_written_by_others() -> None:
    """The model gets it marked as data, the user gets the addresses."""
    result = search(Searcher("exa", Hits((PAGE,))))
    assert [(source.kind, source.url, source.as_of) for source in result.sources] == [("web", PAGE.url, "2025-03-02")]
    assert result.untrusted == ("web search by exa",)


def test_when_all_fail_each_is_named_with_what_to_do() -> None:
    """The model learns what would work."""
    with pytest.raises(ToolError, match=r"exa refused access.*brave is down.*Mend it"):
        search(Searcher("exa", "refused access"), Searcher("brave", "is down"))


def test_without_a_provider_the_ways_to_get_one_are_named() -> None:
    """No key is no dead end."""
    with pytest.raises(ToolError) as caught:
        search()
    assert "dexter config set-key exa" in caught.value.remedy
    assert "searxng_url" in caught.value.remedy


def test_limits_reach_the_provider() -> None:
    """Days and domains, however the model writes them."""
    provider = Searcher("exa", Hits((PAGE,)))
    search(
        provider, start="2025-01-01", end="2025-12-31", domains=["https://www.Reuters.com/x"], exclude_domains=["x.com"]
    )
    query = provider.asked[0]
    assert (str(query.start), str(query.end), query.domains, query.excluded) == (
        "2025-01-01",
        "2025-12-31",
        ("reuters.com",),
        ("x.com",),
    )


def test_as_of_a_day_nothing_later_is_asked_for() -> None:
    """The run's own limit wins over the call's, and what has no date does not count."""
    provider = Searcher("exa", Hits((PAGE,)))
    search(provider, as_of="2025-06-30", end="2026-01-01")
    assert (str(provider.asked[0].end), provider.asked[0].dated_only) == ("2025-06-30", True)


@pytest.mark.parametrize(
    "wrong", [{"start": "last week"}, {"start": "2025-02-01", "end": "2025-01-01"}, {"domains": ["not a domain"]}]
)
def test_limits_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    """Better an error than a search without the limit."""
    with pytest.raises(ToolError):
        search(Searcher("exa", Hits((PAGE,))), **wrong)


def test_what_was_left_out_and_what_is_undated_is_said() -> None:
    """A reader knows what the list is not."""
    result = search(Searcher("exa", Hits((Hit("t", "https://a.example/"),), 3)), start="2025-01-01")
    assert "3 more were outside" in result.text
    assert "without a date" in result.text
    assert "no date" in result.text


def test_addresses_that_were_found_are_known() -> None:
    """They may be fetched without asking: the model did not make them up."""
    known = KnownUrls()
    search(Searcher("exa", Hits((PAGE,))), known=known)
    assert PAGE.url in known
