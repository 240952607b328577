"""Tags and sums for the lines of the cash flow statement, and for parts of them that are no lines of their own."""

from __future__ import annotations

from collections.abc import Mapping

from dexter.data.sec.recipe import Formula, Recipe, flow

CASH_FLOW: Mapping[str, Recipe] = {
    "OperatingCashFlow": flow(
        "NetCashProvidedByUsedInOperatingActivities",
        "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
        "ifrs-full:CashFlowsFromUsedInOperatingActivities",
    ),
    "DepreciationAndAmortization": flow(
        "DepreciationDepletionAndAmortization",
        "DepreciationAmortizationAndAccretionNet",
        "DepreciationAndAmortization",
        Formula("OtherDepreciationAndAmortization+Amortization", ("OtherDepreciationAndAmortization", "Amortization")),
        Formula("Depreciation+Amortization", ("Depreciation", "Amortization")),
        "ifrs-full:AdjustmentsForDepreciationAndAmortisationExpense",
        "ifrs-full:DepreciationAndAmortisationExpense",
    ),
    "StockBasedCompensation": flow(
        "ShareBasedCompensation", "AllocatedShareBasedCompensationExpense", "ifrs-full:AdjustmentsForSharebasedPayments"
    ),
    "CapitalExpenditures": flow(
        "PaymentsToAcquirePropertyPlantAndEquipment",
        "PaymentsToAcquireProductiveAssets",
        "PaymentsForCapitalImprovements",
        "PaymentsToAcquireOtherPropertyPlantAndEquipment",
        "PaymentsToAcquireMachineryAndEquipment",
        "PaymentsToAcquireOtherProductiveAssets",
        "ifrs-full:PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities",
        one_meaning=True,
    ),
    "DividendsPaid": flow(
        "PaymentsOfDividends",
        "PaymentsOfDividendsCommonStock",
        "PaymentsOfOrdinaryDividends",
        "ifrs-full:DividendsPaidClassifiedAsFinancingActivities",
        "ifrs-full:DividendsPaidToEquityHoldersOfParentClassifiedAsFinancingActivities",
    ),
    "ShareRepurchases": flow(
        "PaymentsForRepurchaseOfCommonStock",
        "PaymentsForRepurchaseOfEquity",
        "ifrs-full:PaymentsToAcquireOrRedeemEntitysShares",
    ),
}

CASH_FLOW_PARTS: Mapping[str, Recipe] = {
    "DiscontinuedCashFlow": flow(
        "CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations",
        Formula("total-continuing", ("OperatingCashFlow",), ("ContinuingCashFlow",)),
    ),
    "ContinuingCashFlow": flow("NetCashProvidedByUsedInOperatingActivitiesContinuingOperations"),
    "Depreciation": flow("Depreciation"),
    "OtherDepreciationAndAmortization": flow("OtherDepreciationAndAmortization"),
    "Amortization": flow("AdjustmentForAmortization", "AmortizationOfIntangibleAssets"),
}
