"""Tags and sums for the lines of the balance sheet, and for parts of them that are no lines of their own."""

from __future__ import annotations

from collections.abc import Mapping

from dexter.data.sec.recipe import Formula, Recipe, balance

_EQUITY_OF_ALL = (
    "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
    "PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest",
    "LimitedLiabilityCompanyLlcMembersEquityIncludingPortionAttributableToNoncontrollingInterest",
    "ifrs-full:Equity",
)

BALANCE: Mapping[str, Recipe] = {
    "CashAndEquivalents": balance(
        "CashAndCashEquivalentsAtCarryingValue",
        "Cash",
        "CashAndDueFromBanks",
        "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents",
        "ifrs-full:CashAndCashEquivalents",
    ),
    "ShortTermInvestments": balance(
        "ShortTermInvestments",
        "MarketableSecuritiesCurrent",
        "AvailableForSaleSecuritiesDebtSecuritiesCurrent",
        "AvailableForSaleSecuritiesCurrent",
        "DebtSecuritiesCurrent",
        "OtherShortTermInvestments",
        "ifrs-full:OtherCurrentFinancialAssets",
    ),
    "AccountsReceivable": balance(
        "AccountsReceivableNetCurrent",
        "ReceivablesNetCurrent",
        "AccountsAndOtherReceivablesNetCurrent",
        "AccountsNotesAndLoansReceivableNetCurrent",
        "AccountsReceivableNet",
        "PremiumsReceivableAtCarryingValue",
        "ifrs-full:TradeAndOtherCurrentReceivables",
        "ifrs-full:CurrentTradeReceivables",
    ),
    "Inventory": balance(
        "InventoryNet", "InventoryNetOfAllowancesCustomerAdvancesAndProgressBillings", "ifrs-full:Inventories"
    ),
    "CurrentAssets": balance("AssetsCurrent", "ifrs-full:CurrentAssets"),
    "TotalAssets": balance("Assets", "ifrs-full:Assets"),
    "AccountsPayable": balance(
        "AccountsPayableCurrent",
        "AccountsPayableTradeCurrent",
        "AccountsPayableAndAccruedLiabilitiesCurrent",
        "AccountsPayableAndOtherAccruedLiabilitiesCurrent",
        "AccountsPayableCurrentAndNoncurrent",
        "AccountsPayableAndAccruedLiabilitiesCurrentAndNoncurrent",
        "ifrs-full:TradeAndOtherCurrentPayables",
    ),
    "CurrentDebt": balance(
        "DebtCurrent",
        Formula(
            "LongTermDebtCurrent+ShortTermBorrowings",
            ("LongTermDebtDue?", "ConvertibleDebtDue?", "Borrowings?"),
            distinct=True,
        ),
        "ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings",
    ),
    "CurrentLiabilities": balance("LiabilitiesCurrent", "ifrs-full:CurrentLiabilities"),
    "LongTermDebt": balance(
        "LongTermDebtNoncurrent",
        "LongTermDebtAndCapitalLeaseObligations",
        Formula(
            "notes+convertible notes+loans, noncurrent",
            ("NoncurrentNotes?", "NoncurrentConvertibles?", "NoncurrentLoans?"),
            distinct=True,
        ),
        # Where liabilities are not sorted by term there is one line for all long-term debt; else it is of the notes.
        Formula("", ("LongTermDebtWhole",), unless=("CurrentLiabilities", "LongTermDebtDue")),
        "ifrs-full:NoncurrentPortionOfNoncurrentBorrowings",
        "ifrs-full:LongtermBorrowings",
    ),
    "TotalLiabilities": balance(
        "Liabilities",
        "ifrs-full:Liabilities",
        Formula("LiabilitiesCurrent+LiabilitiesNoncurrent", ("CurrentLiabilities", "NoncurrentLiabilities")),
        Formula("Assets-Equity", ("TotalAssets",), ("EquityWithMinority", "TemporaryEquity?")),
    ),
    "MinorityInterest": balance("MinorityInterest", "ifrs-full:NoncontrollingInterests"),
    "StockholdersEquity": balance(
        "StockholdersEquity",
        "ifrs-full:EquityAttributableToOwnersOfParent",
        Formula("Equity-MinorityInterest", ("EquityOfAll",), ("MinorityInterest?",)),
        "PartnersCapital",
        "MembersEquity",
    ),
}

BALANCE_PARTS: Mapping[str, Recipe] = {
    "LongTermDebtDue": balance(
        "LongTermDebtCurrent",
        "LongTermDebtAndCapitalLeaseObligationsCurrent",
        "SeniorNotesCurrent",
        "SecuredDebtCurrent",
        "ifrs-full:CurrentPortionOfLongtermBorrowings",
    ),
    "ConvertibleDebtDue": balance("ConvertibleNotesPayableCurrent", "ConvertibleDebtCurrent"),
    "LongTermDebtWhole": balance("LongTermDebt"),
    "NoncurrentNotes": balance(
        "LongTermNotesPayable", "SeniorLongTermNotes", "LongTermNotesAndLoans", "UnsecuredLongTermDebt"
    ),
    "NoncurrentConvertibles": balance("ConvertibleLongTermNotesPayable", "ConvertibleDebtNoncurrent"),
    "NoncurrentLoans": balance(
        "LongTermLoansPayable", "LongTermLineOfCredit", "SecuredLongTermDebt", "LongTermLoansFromBank"
    ),
    "Borrowings": balance(
        "ShortTermBorrowings",
        "CommercialPaper",
        "ShortTermBankLoansAndNotesPayable",
        "NotesPayableCurrent",
        "LoansPayableCurrent",
        "OtherShortTermBorrowings",
        "ifrs-full:ShorttermBorrowings",
    ),
    "NoncurrentLiabilities": balance("LiabilitiesNoncurrent", "ifrs-full:NoncurrentLiabilities"),
    "EquityOfAll": balance(*_EQUITY_OF_ALL),
    "EquityWithMinority": balance(*_EQUITY_OF_ALL, "StockholdersEquity", "PartnersCapital", "MembersEquity"),
    "TemporaryEquity": balance(
        "TemporaryEquityCarryingAmountAttributableToParent",
        "RedeemableNoncontrollingInterestEquityCarryingAmount",
        "TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests",
    ),
}

COVER_SHARES = "dei:EntityCommonStockSharesOutstanding"
BALANCE_SHEET_SHARES = "us-gaap:CommonStockSharesOutstanding"
