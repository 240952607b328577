"""What a whole list of questions may cost: each run gets a share beforehand, so that their sum can't go over it."""

from __future__ import annotations

from decimal import Decimal


class Purse:
    """A limit in USD for everything, or none. `shares`: how many runs there are at a time."""

    def __init__(self, limit_usd: Decimal | None, shares: int, spent_usd: Decimal = Decimal(0)) -> None:
        self.limit_usd = limit_usd
        self.spent_usd = spent_usd
        self._shares = shares
        self._granted: list[Decimal] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left that a run could have."""
        return self.limit_usd is not None and self._free_usd(self.limit_usd) <= 0

    def grant(self) -> Decimal | None:
        """A run's share of what is left and not granted to others; None where there is no limit."""
        if self.limit_usd is None:
            return None
        share = self._free_usd(self.limit_usd) / max(1, self._shares - len(self._granted))
        self._granted.append(share)
        return share

    def settle(self, grant: Decimal | None, cost_usd: Decimal | None) -> None:
        """A run is over: what it did not use is free again. A cost that is not known is taken to be the whole grant."""
        if grant is not None:
            self._granted.remove(grant)
        self.spend(grant if cost_usd is None else cost_usd)

    def spend(self, cost_usd: Decimal | None) -> None:
        """Something else was paid for: a judge."""
        self.spent_usd += cost_usd or Decimal(0)

    def _free_usd(self, limit_usd: Decimal) -> Decimal:
        return limit_usd - self.spent_usd - sum(self._granted, Decimal(0))
