import json
from dataclasses import replace

import pytest

from dexter.models.errors import classify
from dexter.models.learnt_limits import forget_limit, read_limits, remember_limit, with_learnt_limit
from dexter.models.protocol import ModelInfo

OVERFLOW = classify("The input token count (81881) exceeds the maximum number of tokens allowed (65536).", status=400)
MODEL = ModelInfo("gemini/g", "gemini", window=1_048_576)


def test_the_limit_an_overflow_states_is_remembered(tmp_path):
    """The next run knows the real window from its start."""
    path = tmp_path / "state" / "limits.json"
    assert remember_limit(path, MODEL.name, OVERFLOW) == 65_536
    assert with_learnt_limit(MODEL, read_limits(path)).window == 65_536


def test_other_models_keep_theirs(tmp_path):
    """A limit belongs to one model; another's stays."""
    path = tmp_path / "limits.json"
    remember_limit(path, "a", OVERFLOW)
    remember_limit(path, "b", replace(OVERFLOW, limit=32_768))
    assert read_limits(path) == {"a": 65_536, "b": 32_768}
    assert with_learnt_limit(MODEL, read_limits(path)) is MODEL


def test_only_overflows_in_tokens_teach(tmp_path):
    """Rates, bytes and overflows without a figure say nothing about the window."""
    path = tmp_path / "limits.json"
    for message, status in [
        ("Request too large on tokens per min (TPM): Limit 30000, Requested 342389.", 429),
        ("Request exceeds the maximum size of 32000000 bytes", 413),
        ("Prompt exceeds max length", 400),
    ]:
        assert remember_limit(path, "m", classify(message, status=status)) is None
    assert not path.exists()


def test_a_broken_file_is_as_good_as_none(tmp_path):
    """What can't be read is learnt again."""
    path = tmp_path / "limits.json"
    for text in ["{", "[]", '{"m": "x", "n": -1, "o": true, "p": 90000}']:
        path.write_text(text)
        assert read_limits(path) in ({}, {"p": 90000})
    remember_limit(path, "m", OVERFLOW)
    assert json.loads(path.read_text())["m"] == 65_536


def test_the_file_is_replaced_whole_and_private(tmp_path):
    """No half file, no left-over, nobody else can read it."""
    path = tmp_path / "limits.json"
    remember_limit(path, "m", OVERFLOW)
    remember_limit(path, "m", replace(OVERFLOW, limit=50_000))
    assert [p.name for p in tmp_path.iterdir()] == ["limits.json"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_fails_nothing(tmp_path):
    """Remembering is a convenience: the limit still counts for this run."""
    blocker = tmp_path / "file"
    blocker.write_text("")
    assert remember_limit(blocker / "limits.json", "m", OVERFLOW) == 65_536


def test_a_larger_limit_does_not_widen_a_known_window():
    """A known window is only ever lowered; an unknown one is replaced."""
    assert with_learnt_limit(replace(MODEL, window=32_000), {MODEL.name: 65_536}).window == 32_000
    unknown = replace(MODEL, window=32_000, window_known=False)
    assert with_learnt_limit(unknown, {MODEL.name: 65_536}).window == 65_536


@pytest.mark.parametrize("limit", [3, 2_013, 15_999])
def test_a_limit_that_nothing_can_be_done_in_is_not_believed(tmp_path, limit):
    """A misread number must not make a model unusable for good; one that an older version stored is passed over."""
    path = tmp_path / "limits.json"
    assert remember_limit(path, "m", replace(OVERFLOW, limit=limit)) is None
    assert not path.exists()
    path.write_text(json.dumps({"m": limit}))
    assert read_limits(path) == {}


def test_a_limit_that_an_answer_went_beyond_is_forgotten(tmp_path):
    """What the model took proves the limit wrong; other models keep theirs, and so does one that was not passed."""
    path = tmp_path / "limits.json"
    remember_limit(path, "a", OVERFLOW)
    remember_limit(path, "b", OVERFLOW)
    assert not forget_limit(path, "a", 65_536)
    assert forget_limit(path, "a", 65_537)
    assert read_limits(path) == {"b": 65_536}
    assert not forget_limit(path, "a", 65_537)
