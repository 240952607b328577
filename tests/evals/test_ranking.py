from __future__ import annotations

import pytest

from dexter.evals.grading import grade_by_rule
from dexter.evals.questions import Question

ORDER = Question(
    "o", "Rank them.", order=("NVDA", "AMD"), names={"NVDA": ("NVIDIA",), "AMD": ("Advanced Micro Devices",)}
)


@pytest.mark.parametrize(
    "answer",
    [
        "NVIDIA had the higher revenue, $130 billion against AMD's $25 billion.",
        "AMD's revenue was lower than NVIDIA's.",
        "NVIDIA",
        "1. NVIDIA\n2. AMD",
        "NVDA > AMD",
        "Of AMD and NVIDIA, the higher revenue was NVIDIA's.",
        "Revenue: higher at NVDA, $26.9 billion against $22.7 billion at AMD.\n\n- AMD, NVDA: from the figures above",
        "NVIDIA, then AMD",
        "NVIDIA beat AMD.",
        "AMD was outsold by Nvidia.",
        "AMD did not have the higher revenue; NVIDIA did.",
        "NVIDIA, not AMD, had the higher revenue.",
        "It was not AMD that had the higher revenue.",
        "It was not AMD but NVIDIA that had the higher revenue.",
        "**NVIDIA** had more revenue. AMD did not report more of it.",
        "Answer: NVIDIA (NVDA)",
        "Did NVIDIA or AMD have the higher revenue? NVIDIA.",
        "Nvidia: $26.97 billion\nAMD: $22.68 billion\nNvidia is higher.",
        "AMD's was lower, while NVIDIA's was higher.",
        "|rank|company|\n|-|-|\n|1|NVIDIA|\n|2|AMD|",
        "|figure|AMD|NVDA|\n|-|-|-|\n|x|1|2|\n\nRevenue, highest first: NVDA $2 billion, AMD $1 billion.",
    ],
)
def test_a_ranking_is_read_from_words_lists_and_signs(answer: str):
    """Highest first or lowest first, as a sentence, a list or a name alone; the columns of a table rank nothing."""
    assert grade_by_rule(ORDER, answer).score == 1


@pytest.mark.parametrize(
    "answer",
    [
        "AMD had the higher revenue, ahead of NVIDIA.",
        "NVIDIA's revenue was lower than AMD's.",
        "AMD",
        "AMD and NVIDIA both sell chips.",
        "Of NVIDIA and AMD, the higher revenue was AMD's.",
        "",
        "NVIDIA did not have the higher revenue.",
        "It isn't NVIDIA that leads but AMD.",
        "AMD, not NVIDIA, had the higher revenue.",
        "NVIDIA or AMD had the higher revenue.",
        "Neither NVIDIA nor AMD was higher.",
        "Intel had higher revenue than NVIDIA and AMD.",
        "NVIDIA had more revenue than AMD, but AMD had higher revenue than NVIDIA.",
        "AMD beat NVIDIA.",
        "|rank|company|\n|-|-|\n|1|AMD|\n|2|NVIDIA|",
    ],
)
def test_a_ranking_the_other_way_round_or_none_is_wrong(answer: str):
    """Naming the companies is no ranking."""
    assert grade_by_rule(ORDER, answer).score == 0
