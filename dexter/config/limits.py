"""Every number of the context pipeline, once. Settable under `[context]` in config.toml.

Tokens unless the name says characters (`_chars`). The prose is in docs/concepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Limits:
    """Defaults of the context pipeline."""

    # Window and threshold
    default_window: int = 128_000
    minimum_window: int = 16_000
    summary_room: int = 20_000
    threshold_buffer: int = 13_000
    small_window: int = 128_000
    summary_room_share: float = 0.20
    threshold_buffer_share: float = 0.10
    fixed_share_warning: float = 0.80
    output_room: int = 16_000
    output_margin: int = 1_000

    # Per-result cap and per-turn budget
    result_chars: int = 50_000
    turn_chars: int = 200_000
    preview_chars: int = 2_000
    result_share: float = 0.25
    turn_share: float = 0.50
    preview_share: float = 0.05
    chars_per_token: int = 3

    # Microcompact
    clear_over: int = 8
    keep_results: int = 4
    clear_over_tokens: int = 80_000
    clear_over_share: float = 0.5
    least_gain: int = 1_000
    argument_chars: int = 80
    lean_clear_over: int = 4

    # Thinking
    keep_thinking: int = 2
    strip_thinking_over: int = 5_000

    # Soft limits
    calls_per_tool: int = 3
    similarity: float = 0.7

    # Truncation and overflow
    keep_rounds: int = 5
    overflow_keep_rounds: int = 3
    overflow_retries: int = 2
    index_lines: int = 20
    least_output: int = 1_000

    # Compaction
    compaction_failures: int = 3
    compaction_least_results: int = 3
    compaction_goal_share: float = 0.70
    newest_round_share: float = 0.60
    compaction_parts: int = 8
    ledger_tokens: int = 5_000
    ledger_share: float = 0.10
    ledger_chars: int = 300_000

    # Memory flush
    flush_output: int = 1_000
    flush_notes: int = 20

    # Recall
    page_chars: int = 20_000

    # Four-level policy
    level_persist_chars: int = 30_000
    level_micro_keep: int = 3
    level_micro_chars: int = 120
    level_compact_chars: int = 50_000
    level_compact_share: float = 0.60
    level_summary_input_chars: int = 80_000
    level_summary_tokens: int = 2_000
    snip_messages: int = 50
    snip_head: int = 3
    reactive_tail: int = 5

    # Tools
    parallel_tools: int = 10

    def to_json(self) -> dict[str, int | float]:
        """As a JSON object, for a run's record."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Limits:
        """Read a recorded object; what this version does not know is left out, what is missing has its default.

        Raises:
            TypeError: a limit is no number.
        """
        known = {limit.name: data[limit.name] for limit in fields(cls) if limit.name in data}
        if any(isinstance(value, bool) or not isinstance(value, int | float) for value in known.values()):
            raise TypeError(known)
        return cls(**known)
