"""Which XBRL tags and which sums stand for a line of the statements, in order of preference for each single period.

Filers change tags over the years and mix them within one, so no tag is chosen for a company: every period takes the
first way that has a figure for it. Plain names are of the taxonomy `us-gaap`; `ifrs-full` follows where it differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dexter.data.sec.facts import Measure

Kind = Literal["flow", "average", "balance"]


@dataclass(frozen=True)
class Formula:
    """A line as the sum of others. A name that ends in `?` may be missing, but not all that are added may be.

    `unless`: not where one of these lines has a figure. `distinct`: figures of one size are one item under two tags and
    count once.
    """

    says: str
    plus: tuple[str, ...]
    minus: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    distinct: bool = False


Way = str | Formula


@dataclass(frozen=True)
class Recipe:
    """How a line is found.

    `kind`: a flow adds up over quarters, an average (earnings per share among them) does not, a balance is of a day.
    `one_meaning`: its tags are names of one thing, so that a later filing under another of them is a restatement.
    """

    ways: tuple[Way, ...]
    kind: Kind = "flow"
    measure: Measure = "money"
    one_meaning: bool = False


def _flow(*ways: Way, measure: Measure = "money", one_meaning: bool = False) -> Recipe:
    return Recipe(ways, "flow", measure, one_meaning)


def _average(*ways: Way, measure: Measure) -> Recipe:
    return Recipe(ways, "average", measure)


def _balance(*ways: Way, measure: Measure = "money") -> Recipe:
    return Recipe(ways, "balance", measure)


_CONTRACT_REVENUE = (
    "RevenueFromContractWithCustomerExcludingAssessedTax",
    "RevenueFromContractWithCustomerIncludingAssessedTax",
)
_OTHER_REVENUE = (
    "SalesRevenueNet",
    "RegulatedAndUnregulatedOperatingRevenue",
    "HealthCareOrganizationRevenue",
    "RealEstateRevenueNet",
    "ElectricUtilityRevenue",
    "OilAndGasRevenue",
    "SalesRevenueGoodsNet",
    "SalesRevenueServicesNet",
    "RevenueMineralSales",
    "ifrs-full:Revenue",
    "ifrs-full:RevenueFromContractsWithCustomers",
)
_BANK_REVENUE = Formula("NetInterestIncome+NoninterestIncome", ("NetInterestIncome", "NoninterestIncome"))

RECIPES: dict[str, Recipe] = {
    # Income statement
    "Revenues": _flow(
        "RevenuesNetOfInterestExpense", "Revenues", *_CONTRACT_REVENUE, *_OTHER_REVENUE, one_meaning=True
    ),
    "CostOfRevenue": _flow(
        "CostOfRevenue",
        "CostOfGoodsAndServicesSold",
        Formula("Revenues-GrossProfit", ("Revenues",), ("GrossProfit",)),
        Formula("CostOfGoodsSold+CostOfServices", ("CostOfGoodsSold", "CostOfServices")),
        "CostOfGoodsSold",
        "CostOfServices",
        "CostOfGoodsAndServiceExcludingDepreciationDepletionAndAmortization",
        "ifrs-full:CostOfSales",
    ),
    "GrossProfit": _flow(
        "GrossProfit", "ifrs-full:GrossProfit", Formula("Revenues-CostOfRevenue", ("Revenues",), ("CostOfRevenue",))
    ),
    "ResearchAndDevelopment": _flow(
        "ResearchAndDevelopmentExpense",
        "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
        "ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost",
        "ifrs-full:ResearchAndDevelopmentExpense",
    ),
    "SellingGeneralAdministrative": _flow(
        "SellingGeneralAndAdministrativeExpense",
        Formula("SellingAndMarketing+GeneralAndAdministrative", ("SellingAndMarketing", "GeneralAndAdministrative")),
        "ifrs-full:SellingGeneralAndAdministrativeExpense",
    ),
    "OperatingIncome": _flow("OperatingIncomeLoss", "ifrs-full:ProfitLossFromOperatingActivities"),
    "InterestExpense": _flow(
        "InterestExpense",
        "InterestExpenseNonoperating",
        "InterestExpenseDebt",
        "InterestAndDebtExpense",
        "InterestExpenseOperating",
        "ifrs-full:InterestExpense",
        "ifrs-full:FinanceCosts",
    ),
    "IncomeBeforeTax": _flow(
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxes",
        "ifrs-full:ProfitLossBeforeTax",
        one_meaning=True,
    ),
    "IncomeTax": _flow("IncomeTaxExpenseBenefit", "ifrs-full:IncomeTaxExpenseContinuingOperations"),
    "NetIncome": _flow(
        "NetIncomeLoss",
        "ifrs-full:ProfitLossAttributableToOwnersOfParent",
        Formula("ProfitLoss-minority share", ("ProfitLoss",), ("MinorityShareOfProfit",)),
        "ProfitLoss",
        "NetIncomeLossAvailableToCommonStockholdersBasic",
        "ifrs-full:ProfitLoss",
    ),
    "EPSBasic": _average(
        "EarningsPerShareBasic",
        "EarningsPerShareBasicAndDiluted",
        "ifrs-full:BasicEarningsLossPerShare",
        "ifrs-full:BasicAndDilutedEarningsLossPerShare",
        measure="per_share",
    ),
    "EPSDiluted": _average(
        "EarningsPerShareDiluted",
        "EarningsPerShareBasicAndDiluted",
        "ifrs-full:DilutedEarningsLossPerShare",
        "ifrs-full:BasicAndDilutedEarningsLossPerShare",
        measure="per_share",
    ),
    "WeightedSharesBasic": _average(
        "WeightedAverageNumberOfSharesOutstandingBasic",
        "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        "ifrs-full:WeightedAverageShares",
        measure="shares",
    ),
    "WeightedSharesDiluted": _average(
        "WeightedAverageNumberOfDilutedSharesOutstanding",
        "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        "ifrs-full:AdjustedWeightedAverageShares",
        measure="shares",
    ),
    "DividendsPerShare": _flow(
        "CommonStockDividendsPerShareDeclared", "CommonStockDividendsPerShareCashPaid", measure="per_share"
    ),
    # Balance sheet
    "CashAndEquivalents": _balance(
        "CashAndCashEquivalentsAtCarryingValue",
        "Cash",
        "CashAndDueFromBanks",
        "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents",
        "ifrs-full:CashAndCashEquivalents",
    ),
    "ShortTermInvestments": _balance(
        "ShortTermInvestments",
        "MarketableSecuritiesCurrent",
        "AvailableForSaleSecuritiesDebtSecuritiesCurrent",
        "AvailableForSaleSecuritiesCurrent",
        "DebtSecuritiesCurrent",
        "OtherShortTermInvestments",
        "ifrs-full:OtherCurrentFinancialAssets",
    ),
    "AccountsReceivable": _balance(
        "AccountsReceivableNetCurrent",
        "ReceivablesNetCurrent",
        "AccountsAndOtherReceivablesNetCurrent",
        "AccountsNotesAndLoansReceivableNetCurrent",
        "AccountsReceivableNet",
        "PremiumsReceivableAtCarryingValue",
        "ifrs-full:TradeAndOtherCurrentReceivables",
        "ifrs-full:CurrentTradeReceivables",
    ),
    "Inventory": _balance(
        "InventoryNet", "InventoryNetOfAllowancesCustomerAdvancesAndProgressBillings", "ifrs-full:Inventories"
    ),
    "CurrentAssets": _balance("AssetsCurrent", "ifrs-full:CurrentAssets"),
    "TotalAssets": _balance("Assets", "ifrs-full:Assets"),
    "AccountsPayable": _balance(
        "AccountsPayableCurrent",
        "AccountsPayableTradeCurrent",
        "AccountsPayableAndAccruedLiabilitiesCurrent",
        "AccountsPayableAndOtherAccruedLiabilitiesCurrent",
        "AccountsPayableCurrentAndNoncurrent",
        "AccountsPayableAndAccruedLiabilitiesCurrentAndNoncurrent",
        "ifrs-full:TradeAndOtherCurrentPayables",
    ),
    "CurrentDebt": _balance(
        "DebtCurrent",
        Formula(
            "LongTermDebtCurrent+ShortTermBorrowings",
            ("LongTermDebtDue?", "ConvertibleDebtDue?", "Borrowings?"),
            distinct=True,
        ),
        "ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings",
    ),
    "CurrentLiabilities": _balance("LiabilitiesCurrent", "ifrs-full:CurrentLiabilities"),
    "LongTermDebt": _balance(
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
    "TotalLiabilities": _balance(
        "Liabilities",
        "ifrs-full:Liabilities",
        Formula("LiabilitiesCurrent+LiabilitiesNoncurrent", ("CurrentLiabilities", "NoncurrentLiabilities")),
        Formula("Assets-Equity", ("TotalAssets",), ("EquityWithMinority", "TemporaryEquity?")),
    ),
    "MinorityInterest": _balance("MinorityInterest", "ifrs-full:NoncontrollingInterests"),
    "StockholdersEquity": _balance(
        "StockholdersEquity",
        "ifrs-full:EquityAttributableToOwnersOfParent",
        Formula("Equity-MinorityInterest", ("EquityOfAll",), ("MinorityInterest?",)),
        "PartnersCapital",
        "MembersEquity",
    ),
    # Cash flow statement
    "OperatingCashFlow": _flow(
        "NetCashProvidedByUsedInOperatingActivities",
        "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
        "ifrs-full:CashFlowsFromUsedInOperatingActivities",
    ),
    "DepreciationAndAmortization": _flow(
        "DepreciationDepletionAndAmortization",
        "DepreciationAmortizationAndAccretionNet",
        "DepreciationAndAmortization",
        Formula("OtherDepreciationAndAmortization+Amortization", ("OtherDepreciationAndAmortization", "Amortization")),
        Formula("Depreciation+Amortization", ("Depreciation", "Amortization")),
        "ifrs-full:DepreciationAndAmortisationExpense",
        "ifrs-full:AdjustmentsForDepreciationAndAmortisationExpense",
    ),
    "StockBasedCompensation": _flow(
        "ShareBasedCompensation", "AllocatedShareBasedCompensationExpense", "ifrs-full:AdjustmentsForSharebasedPayments"
    ),
    "CapitalExpenditures": _flow(
        "PaymentsToAcquirePropertyPlantAndEquipment",
        "PaymentsToAcquireProductiveAssets",
        "PaymentsForCapitalImprovements",
        "PaymentsToAcquireOtherPropertyPlantAndEquipment",
        "PaymentsToAcquireMachineryAndEquipment",
        "PaymentsToAcquireOtherProductiveAssets",
        "ifrs-full:PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities",
        one_meaning=True,
    ),
    "DividendsPaid": _flow(
        "PaymentsOfDividends",
        "PaymentsOfDividendsCommonStock",
        "PaymentsOfOrdinaryDividends",
        "ifrs-full:DividendsPaidClassifiedAsFinancingActivities",
        "ifrs-full:DividendsPaidToEquityHoldersOfParentClassifiedAsFinancingActivities",
    ),
    "ShareRepurchases": _flow(
        "PaymentsForRepurchaseOfCommonStock",
        "PaymentsForRepurchaseOfEquity",
        "ifrs-full:PaymentsToAcquireOrRedeemEntitysShares",
    ),
    # Parts that are no lines of their own
    "NetInterestIncome": _flow("InterestIncomeExpenseNet"),
    "NoninterestIncome": _flow("NoninterestIncome"),
    "SellingAndMarketing": _flow("SellingAndMarketingExpense", "MarketingExpense", "SellingExpense"),
    "GeneralAndAdministrative": _flow("GeneralAndAdministrativeExpense"),
    "CostOfGoodsSold": _flow("CostOfGoodsSold"),
    "CostOfServices": _flow("CostOfServices"),
    "ProfitLoss": _flow("ProfitLoss"),
    "MinorityShareOfProfit": _flow("NetIncomeLossAttributableToNoncontrollingInterest"),
    "IncomeToCommonDiluted": _flow(
        "NetIncomeLossAvailableToCommonStockholdersDiluted", "NetIncomeLossAvailableToCommonStockholdersBasic"
    ),
    "IncomeToCommonBasic": _flow("NetIncomeLossAvailableToCommonStockholdersBasic"),
    "DiscontinuedIncome": _flow(
        "IncomeLossFromDiscontinuedOperationsNetOfTax",
        "IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity",
        "ifrs-full:ProfitLossFromDiscontinuedOperations",
    ),
    "DiscontinuedPerShareBasic": _average(
        "IncomeLossFromDiscontinuedOperationsNetOfTaxPerBasicShare", measure="per_share"
    ),
    "DiscontinuedPerShareDiluted": _average(
        "IncomeLossFromDiscontinuedOperationsNetOfTaxPerDilutedShare", measure="per_share"
    ),
    "DiscontinuedCashFlow": _flow(
        "CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations",
        Formula("total-continuing", ("OperatingCashFlow",), ("ContinuingCashFlow",)),
    ),
    "ContinuingCashFlow": _flow("NetCashProvidedByUsedInOperatingActivitiesContinuingOperations"),
    "Depreciation": _flow("Depreciation"),
    "OtherDepreciationAndAmortization": _flow("OtherDepreciationAndAmortization"),
    "Amortization": _flow("AdjustmentForAmortization", "AmortizationOfIntangibleAssets"),
    "LongTermDebtDue": _balance(
        "LongTermDebtCurrent",
        "LongTermDebtAndCapitalLeaseObligationsCurrent",
        "SeniorNotesCurrent",
        "SecuredDebtCurrent",
        "ifrs-full:CurrentPortionOfLongtermBorrowings",
    ),
    "ConvertibleDebtDue": _balance("ConvertibleNotesPayableCurrent", "ConvertibleDebtCurrent"),
    "LongTermDebtWhole": _balance("LongTermDebt"),
    "NoncurrentNotes": _balance(
        "LongTermNotesPayable", "SeniorLongTermNotes", "LongTermNotesAndLoans", "UnsecuredLongTermDebt"
    ),
    "NoncurrentConvertibles": _balance("ConvertibleLongTermNotesPayable", "ConvertibleDebtNoncurrent"),
    "NoncurrentLoans": _balance(
        "LongTermLoansPayable", "LongTermLineOfCredit", "SecuredLongTermDebt", "LongTermLoansFromBank"
    ),
    "Borrowings": _balance(
        "ShortTermBorrowings",
        "CommercialPaper",
        "ShortTermBankLoansAndNotesPayable",
        "NotesPayableCurrent",
        "LoansPayableCurrent",
        "OtherShortTermBorrowings",
        "ifrs-full:ShorttermBorrowings",
    ),
    "NoncurrentLiabilities": _balance("LiabilitiesNoncurrent"),
    "EquityOfAll": _balance(
        "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest", "ifrs-full:Equity"
    ),
    "EquityWithMinority": _balance(
        "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
        "ifrs-full:Equity",
        "StockholdersEquity",
        "PartnersCapital",
        "MembersEquity",
    ),
    "TemporaryEquity": _balance(
        "TemporaryEquityCarryingAmountAttributableToParent",
        "RedeemableNoncontrollingInterestEquityCarryingAmount",
        "TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests",
    ),
}

#: Revenue from contracts is a mere part of the revenue of banks and insurers.
BANK_REVENUES = _flow("RevenuesNetOfInterestExpense", "Revenues", _BANK_REVENUE)
INSURER_REVENUES = _flow("Revenues", "RevenuesNetOfInterestExpense")

COVER_SHARES = "dei:EntityCommonStockSharesOutstanding"
BALANCE_SHEET_SHARES = "us-gaap:CommonStockSharesOutstanding"

#: What of a line came from operations that the company has given up, which the line itself includes.
DISCONTINUED = {
    "NetIncome": "DiscontinuedIncome",
    "EPSBasic": "DiscontinuedPerShareBasic",
    "EPSDiluted": "DiscontinuedPerShareDiluted",
    "OperatingCashFlow": "DiscontinuedCashFlow",
}

#: The tags whose spans tell a company's fiscal years and quarters.
CALENDAR_TAGS = (
    "NetIncomeLoss",
    "ProfitLoss",
    "NetCashProvidedByUsedInOperatingActivities",
    "IncomeTaxExpenseBenefit",
    "Revenues",
    *_CONTRACT_REVENUE,
    "SalesRevenueNet",
    "ifrs-full:ProfitLoss",
    "ifrs-full:Revenue",
    "ifrs-full:CashFlowsFromUsedInOperatingActivities",
)


def qualified(tag: str) -> str:
    """The tag with its taxonomy."""
    return tag if ":" in tag else f"us-gaap:{tag}"
