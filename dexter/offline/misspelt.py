"""Company names one slip of the keyboard away: "microsft" is read as Microsoft, and the answer says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dexter.data.company import Company
from dexter.data.identity.names import core_of
from dexter.offline.understand import CompanyMention
from dexter.offline.wording import is_known, one_slip_away

_WORD = re.compile(r"[A-Za-z]+")
# Shorter names have too many neighbours among ordinary words.
_SHORTEST = 6
# Nobody calls a company of three words by the first alone: "advance" is not Advanced Micro Devices.
_MOST_WORDS = 2


def misspelt(question: str, companies: Sequence[Company], taken: Sequence[CompanyMention]) -> Iterator[CompanyMention]:
    """Words outside `taken` that are nearly the name of one of these companies."""
    cores = ((core_of(company.name), company) for company in companies)
    names = {core[0]: company for core, company in cores if len(core) <= _MOST_WORDS and len(core[0]) >= _SHORTEST}
    for match in _WORD.finditer(question):
        word, (start, end) = match.group().lower(), match.span()
        free = all(end <= mention.start or start >= mention.end for mention in taken)
        if not free or len(word) < _SHORTEST - 1 or is_known(word) or word in names:
            continue
        company = next((names[near] for near in one_slip_away(word) if near in names), None)
        if company:
            note = f"“{match.group()}” was read as {company.name}"
            yield CompanyMention(replace(company, notes=(*company.notes, note)), start, end)
