"""The judge's prompt."""

from __future__ import annotations

from importlib.resources import files


def judge_prompt() -> str:
    """What a judge is told."""
    return files(__name__).joinpath("judge.md").read_text(encoding="utf-8")
