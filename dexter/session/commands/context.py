"""`/context`, `/compact`, `/clear` and `/cost`: what the conversation weighs."""

from __future__ import annotations

from pathlib import Path

from dexter.errors import UsageError
from dexter.scratchpad.run_state import read_state
from dexter.session.commands.command import Command
from dexter.session.session import Session
from dexter.session.shares import Share, shares
from dexter.session.tables import two_columns
from dexter.session.tracker import Spent
from dexter.threads import in_daemon_thread
from dexter.ui.cards import Line
from dexter.ui.meter import meter_text
from dexter.ui.words import counted, money, percent, short

_NOTHING = Line("The conversation is empty: the next question starts one.", "quiet")


async def _context(session: Session, _arguments: str) -> None:
    if session.path is None:
        session.front.tell(_NOTHING)
        return
    parts = await in_daemon_thread(_shares, session.path)
    whole = sum(part.tokens for part in parts)
    rows = [(p.name, f"{p.tokens:,} tokens · {percent(p.tokens, whole)} · {counted(p.count, 'piece')}") for p in parts]
    session.front.show(two_columns([*rows, ("together", f"about {whole:,} tokens")]))
    if session.tracker.meter:
        session.front.tell(Line(f"last request: {meter_text(session.tracker.meter)}", "quiet"))


def _shares(path: Path) -> list[Share]:
    state = read_state(path)
    return shares(state.messages, state.view.tools)


async def _compact(session: Session, arguments: str) -> None:
    if session.path is None:
        raise UsageError("There is nothing to compact yet.")
    session.compact(session.path, arguments)


async def _clear(session: Session, _arguments: str) -> None:
    session.clear()
    session.front.clear_screen()
    session.front.tell(Line("A new conversation. The records of the last one stay; /runs lists them.", "quiet"))


async def _cost(session: Session, _arguments: str) -> None:
    spent = session.tracker.spent
    if not spent:
        session.front.tell(Line("Nothing was asked in this session yet.", "quiet"))
        return
    newest = spent[session.tracker.run] if session.tracker.run in spent else Spent()
    rows = [("this answer", _told(newest)), ("this session", f"{_told(session.tracker.total)} · {_runs(len(spent))}")]
    session.front.show(two_columns(rows))


def _runs(number: int) -> str:
    return counted(number, "run")


def _told(spent: Spent) -> str:
    """Tokens by kind, and money where the prices are known; every call counts, those of summaries too."""
    usage = spent.usage
    cached = f", of these {short(usage.cache_read)} read from cache" if usage.cache_read else ""
    written = f", {short(usage.cache_write)} written to it" if usage.cache_write else ""
    cost = "price unknown" if spent.cost_usd is None else money(format(spent.cost_usd, "f"))
    return f"{short(usage.input)} tokens in{cached}{written} · {short(usage.output)} out · {cost}"


CONTEXT = Command("context", "where the tokens of the conversation are", _context)
COMPACT = Command("compact", "summarise the conversation now", _compact, "[WHAT MATTERS]", idle=True)
CLEAR = Command("clear", "begin a new conversation", _clear, idle=True)
COST = Command("cost", "tokens and money of this answer and this session", _cost)
