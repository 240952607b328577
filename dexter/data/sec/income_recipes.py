"""Tags and sums for the lines of the income statement, and for parts of them that are no lines of their own."""

from __future__ import annotations

from collections.abc import Mapping

from dexter.data.sec.recipe import Formula, Recipe, average, flow

CONTRACT_REVENUE = (
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

INCOME: Mapping[str, Recipe] = {
    "Revenues": flow("RevenuesNetOfInterestExpense", "Revenues", *CONTRACT_REVENUE, *_OTHER_REVENUE, one_meaning=True),
    "CostOfRevenue": flow(
        "CostOfRevenue",
        "CostOfGoodsAndServicesSold",
        Formula("Revenues-GrossProfit", ("Revenues",), ("GrossProfit",)),
        Formula("CostOfGoodsSold+CostOfServices", ("CostOfGoodsSold", "CostOfServices")),
        "CostOfGoodsSold",
        "CostOfServices",
        "CostOfGoodsAndServiceExcludingDepreciationDepletionAndAmortization",
        "ifrs-full:CostOfSales",
    ),
    "GrossProfit": flow(
        "GrossProfit",
        "ifrs-full:GrossProfit",
        Formula("Revenues-CostOfRevenue", ("Revenues",), ("WholeCostOfRevenue",)),
    ),
    "ResearchAndDevelopment": flow(
        "ResearchAndDevelopmentExpense",
        "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
        "ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost",
        "ifrs-full:ResearchAndDevelopmentExpense",
    ),
    "SellingGeneralAdministrative": flow(
        "SellingGeneralAndAdministrativeExpense",
        Formula("SellingAndMarketing+GeneralAndAdministrative", ("SellingAndMarketing", "GeneralAndAdministrative")),
        "ifrs-full:SellingGeneralAndAdministrativeExpense",
    ),
    "OperatingIncome": flow("OperatingIncomeLoss", "ifrs-full:ProfitLossFromOperatingActivities"),
    "InterestExpense": flow(
        "InterestExpense",
        "InterestExpenseNonoperating",
        "InterestExpenseDebt",
        "InterestAndDebtExpense",
        "InterestExpenseOperating",
        "ifrs-full:InterestExpense",
        "ifrs-full:FinanceCosts",
    ),
    "IncomeBeforeTax": flow(
        # Where both are filed this is the statement's line, and the other the total of the note on taxes.
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxes",
        "ifrs-full:ProfitLossBeforeTax",
        one_meaning=True,
    ),
    "IncomeTax": flow("IncomeTaxExpenseBenefit", "ifrs-full:IncomeTaxExpenseContinuingOperations"),
    "NetIncome": flow(
        "NetIncomeLoss",
        "ifrs-full:ProfitLossAttributableToOwnersOfParent",
        Formula("ProfitLoss-minority share", ("ProfitLoss",), ("MinorityShareOfProfit",)),
        "ProfitLoss",
        "NetIncomeLossAvailableToCommonStockholdersBasic",
        "ifrs-full:ProfitLoss",
    ),
    "EPSBasic": average(
        "EarningsPerShareBasic",
        "EarningsPerShareBasicAndDiluted",
        "NetIncomeLossPerOutstandingLimitedPartnershipUnitBasicNetOfTax",
        Formula("", ("ContinuingPerShareBasic",), unless=("DiscontinuedIncome",)),
        "ifrs-full:BasicEarningsLossPerShare",
        "ifrs-full:BasicAndDilutedEarningsLossPerShare",
        measure="per_share",
    ),
    "EPSDiluted": average(
        "EarningsPerShareDiluted",
        "EarningsPerShareBasicAndDiluted",
        "NetIncomeLossPerOutstandingLimitedPartnershipUnitDilutedNetOfTax",
        Formula("", ("ContinuingPerShareDiluted",), unless=("DiscontinuedIncome",)),
        "ifrs-full:DilutedEarningsLossPerShare",
        "ifrs-full:BasicAndDilutedEarningsLossPerShare",
        measure="per_share",
    ),
    "WeightedSharesBasic": average(
        "WeightedAverageNumberOfSharesOutstandingBasic",
        "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        "ifrs-full:WeightedAverageShares",
        measure="shares",
    ),
    "WeightedSharesDiluted": average(
        "WeightedAverageNumberOfDilutedSharesOutstanding",
        "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        "ifrs-full:AdjustedWeightedAverageShares",
        measure="shares",
    ),
    "DividendsPerShare": flow(
        "CommonStockDividendsPerShareDeclared",
        "CommonStockDividendsPerShareCashPaid",
        "ifrs-full:DividendsRecognisedAsDistributionsToOwnersPerShare",
        measure="per_share",
    ),
}

INCOME_PARTS: Mapping[str, Recipe] = {
    # Other tags for costs may be of a part of them, which leaves no gross profit.
    "WholeCostOfRevenue": flow("CostOfRevenue", "CostOfGoodsAndServicesSold", "ifrs-full:CostOfSales"),
    "NetAndOtherIncome": flow(
        Formula("NetInterestIncome+NoninterestIncome", ("NetInterestIncome", "NoninterestIncome"))
    ),
    "NetInterestIncome": flow("InterestIncomeExpenseNet"),
    "NoninterestIncome": flow("NoninterestIncome"),
    "SellingAndMarketing": flow(
        "SellingAndMarketingExpense",
        "MarketingExpense",
        "SellingExpense",
        "ifrs-full:SellingExpense",
        "ifrs-full:DistributionCosts",
    ),
    "GeneralAndAdministrative": flow(
        "GeneralAndAdministrativeExpense",
        "ifrs-full:GeneralAndAdministrativeExpense",
        "ifrs-full:AdministrativeExpense",
    ),
    "CostOfGoodsSold": flow("CostOfGoodsSold"),
    "CostOfServices": flow("CostOfServices"),
    "ProfitLoss": flow("ProfitLoss"),
    "MinorityShareOfProfit": flow("NetIncomeLossAttributableToNoncontrollingInterest"),
    "IncomeToCommonDiluted": flow(
        "NetIncomeLossAvailableToCommonStockholdersDiluted", "NetIncomeLossAvailableToCommonStockholdersBasic"
    ),
    "IncomeToCommonBasic": flow("NetIncomeLossAvailableToCommonStockholdersBasic"),
    "DiscontinuedIncome": flow(
        "IncomeLossFromDiscontinuedOperationsNetOfTax",
        "IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity",
        "ifrs-full:ProfitLossFromDiscontinuedOperations",
    ),
    "ContinuingPerShareBasic": average("IncomeLossFromContinuingOperationsPerBasicShare", measure="per_share"),
    "ContinuingPerShareDiluted": average("IncomeLossFromContinuingOperationsPerDilutedShare", measure="per_share"),
    "DiscontinuedPerShareBasic": average(
        "IncomeLossFromDiscontinuedOperationsNetOfTaxPerBasicShare", measure="per_share"
    ),
    "DiscontinuedPerShareDiluted": average(
        "IncomeLossFromDiscontinuedOperationsNetOfTaxPerDilutedShare", measure="per_share"
    ),
}

#: Revenue from contracts is a mere part of the revenue of banks and insurers. A bank may also call its interest before
#: the interest it pays revenue.
BANK_REVENUES = Recipe(
    ("RevenuesNetOfInterestExpense", "Revenues", Formula("", ("NetAndOtherIncome",))), against="NetAndOtherIncome"
)
INSURER_REVENUES = flow("Revenues", "RevenuesNetOfInterestExpense")
