"""The words as data: complete in both languages, and of figures that exist."""

from __future__ import annotations

import string
import tomllib
from importlib.resources import files

from dexter.data.metrics import is_known
from dexter.data.sample.provider import SampleProvider
from dexter.figures.vocabulary import figure_entries, figure_words
from dexter.offline import vocabulary
from dexter.offline.phrases import Phrases


def words(name: str) -> dict:
    return tomllib.loads(files("dexter.offline.words").joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def placeholders(phrase: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(phrase) if field}


def test_both_languages_have_the_same_phrases_with_the_same_placeholders():
    """Nothing can be said in one language only."""
    tables = words("phrases")
    assert tables["en"].keys() == tables["zh"].keys()
    for key, english in tables["en"].items():
        assert placeholders(english) == placeholders(tables["zh"][key]), key


def test_every_figure_with_words_is_known_to_the_data_layer():
    """A word never leads to a name that no cell can carry."""
    assert [name for name in figure_entries() if name != "Price" and not is_known(name)] == []


def test_every_group_is_made_of_figures_with_words():
    """So that an answer in Chinese can name each of them."""
    names = {name for group in vocabulary.metric_groups().values() for name in group}
    assert names <= figure_words().keys()


def test_groups_of_companies_are_in_the_sample():
    """A group of companies can be answered without a network."""
    sample = {company.ticker for company in SampleProvider().companies}
    assert {ticker for group in vocabulary.group_tickers().values() for ticker in group} <= sample


def test_every_topic_says_what_would_bring_it():
    """Each topic and each need has its phrase."""
    phrases = Phrases("en")
    for topic, need in vocabulary.topic_needs().items():
        assert phrases.say(f"topic_{topic}")
        assert phrases.say(f"needs_{need}")


def test_every_phrase_is_said_somewhere():
    """No phrase lies about unused."""
    package = files("dexter.offline")
    code = " ".join(path.read_text(encoding="utf-8") for path in package.iterdir() if path.name.endswith(".py"))
    made = ("topic_", "needs_", "series_", "growth_", "dcf_")
    stances = {f"{stance}{ending}" for stance in words("stances") for ending in ("", "_only")}
    unused = [
        key
        for key in words("phrases")["en"]
        if f'"{key}"' not in code and not key.startswith(made) and key not in stances
    ]
    assert unused == []
