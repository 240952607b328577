"""What a summariser reads, in parts that fit its window: results as they are on record, never their cleared view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from dexter.results import StoredResult
from dexter.text import cut, cut_at_line, estimate_tokens

Part: TypeAlias = tuple[StoredResult, ...]

# A heading with id, tool, arguments and status, and the blank line after a result.
_HEADING_TOKENS = 60
# Text looked at beyond a cut, so that a character that reaches over it is seen whole.
_LOOKAHEAD = 64
_LEAST_PIECE = 200


def in_parts(results: Sequence[StoredResult], room: int, most: int) -> tuple[Part, ...]:
    """The results in order, in parts of at most `room` estimated tokens; one too large for a part is cut in pieces.

    Where more than `most` parts would be needed the largest results lose their middle. Only where headings alone fill
    the parts there are more.
    """
    sizes = [_size(result) for result in results]
    allowed = room * most
    parts = _packed(shortened(results, sizes, allowed), room)
    while len(parts) > most and allowed > room:
        allowed = allowed * 4 // 5
        parts = _packed(shortened(results, sizes, allowed), room)
    return parts


def _size(result: StoredResult) -> int:
    return estimate_tokens(result.text) + _HEADING_TOKENS


def _packed(results: Iterable[StoredResult], room: int) -> tuple[Part, ...]:
    """The results' pieces in order, each part filled before the next begins."""
    parts: list[list[StoredResult]] = [[]]
    free = room
    for piece in (piece for result in results for piece in pieces(result, room)):
        cost = _size(piece)
        if cost > free and parts[-1]:
            parts.append([])
            free = room
        parts[-1].append(piece)
        free -= cost
    return tuple(tuple(part) for part in parts)


def pieces(result: StoredResult, room: int) -> Iterator[StoredResult]:
    """The result, or where it has more than `room` tokens its text in pieces that end at lines."""
    tokens = _size(result)
    if tokens <= room:
        yield result
        return
    text = result.text
    guess = max(len(text) * (room - _HEADING_TOKENS) // tokens, _LEAST_PIECE)
    position = 0
    while position < len(text):
        piece = _piece(text, position, guess, room - _HEADING_TOKENS)
        position += len(piece)
        yield replace(result, text=piece)


def _piece(text: str, position: int, length: int, room: int) -> str:
    """The next piece of about `length` characters and at most `room` tokens, never empty."""
    while True:
        window = text[position : position + length + _LOOKAHEAD]
        piece = cut_at_line(window, length) or window[:length]
        if length <= _LEAST_PIECE or estimate_tokens(piece) <= room:
            return piece
        length = max(length * 4 // 5, _LEAST_PIECE)


def shortened(results: Sequence[StoredResult], sizes: Sequence[int], room: int) -> Sequence[StoredResult]:
    """The results with the middle of the largest left out until all have at most `room` estimated tokens together."""
    if sum(sizes) <= room:
        return results
    most = largest_share(sizes, room)
    return [_shortened(r, size, most) if size > most else r for r, size in zip(results, sizes, strict=True)]


def largest_share(sizes: Iterable[int], room: int) -> int:
    """The most that each may have so that all fit: small ones whole, the large ones an equal share of the rest."""
    rest = sorted(sizes)
    while rest and rest[0] * len(rest) <= room:
        room -= rest.pop(0)
    return room // len(rest) if rest else room


def without_middle(text: str, limit: int, note: str) -> str:
    """The text with its middle replaced by `note` so that it has at most `limit` characters."""
    if len(text) <= limit:
        return text
    half = max((limit - len(note)) // 2, 0)
    return cut(text, half) + note + text[len(text) - half :]


def _shortened(result: StoredResult, size: int, most: int) -> StoredResult:
    limit = len(result.text) * most // size
    note = f"\n[… the middle is left out here; #{result.id} has {len(result.text):,} characters …]\n"
    return replace(result, text=without_middle(result.text, limit, note))
