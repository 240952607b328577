"""Which items each form has, from the SEC's published forms: part, number, title, and titles they had earlier.

`tested` says whether real filings of the form are among the tests; the others are shaped by the form alone.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ItemSpec:
    """One item of a form. `number` is '' for a section known by its title only; then `key` is made from the title."""

    part: str
    number: str
    title: str
    other_titles: tuple[str, ...] = ()
    since: int = 0  # the first filing year that has it; before, its absence says nothing
    until: int = 9999  # the last filing year that has it

    @property
    def key(self) -> tuple[str, str]:
        """(part, number), or ('', 'risk factors') for a section without a number."""
        return (self.part, self.number or self.title.lower())

    @property
    def titles(self) -> tuple[str, ...]:
        """Every title the item goes by."""
        return (self.title, *self.other_titles)


@dataclass(frozen=True, slots=True)
class Form:
    """A form and its items in order."""

    name: str
    items: tuple[ItemSpec, ...]
    tested: bool = True
    numbered_by_part: bool = False  # item numbers start again in each part
    optional: bool = False  # items that do not apply are left out altogether
    proposals: bool = False  # has headings "Proposal 1", …


def _items(part: str, *rows: tuple[str, ...], since: dict[str, int] | None = None) -> tuple[ItemSpec, ...]:
    """Rows are (number, title, other titles…)."""
    return tuple(ItemSpec(part, row[0], row[1], row[2:], (since or {}).get(row[0], 0)) for row in rows)


_MDA = (
    "Management's Discussion and Analysis of Financial Condition and Results of Operations",
    "Management's Discussion and Analysis",
    "Management's Discussion and Analysis or Plan of Operation",
    "Management's Discussion and Analysis of Results of Operations and Financial Condition",
)
_MARKET_RISK = (
    "Quantitative and Qualitative Disclosures About Market Risk",
    "Quantitative and Qualitative Disclosure About Market Risk",
    "Qualitative and Quantitative Disclosures About Market Risk",
)
_VOTE = (
    "Submission of Matters to a Vote of Security Holders",
    "Submission of Matters to a Vote of Shareholders",
    "Removed and Reserved",
    "Reserved",
)
_MARKET = (
    "Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities",
    "Market for Registrant's Common Equity and Related Stockholder Matters",
    "Market for the Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities",
    "Market for the Registrant's Common Equity and Related Stockholder Matters",
    "Market for the Registrant's Common Stock and Related Stockholder Matters",
    "Market for Common Equity and Related Stockholder Matters",
    "Market for Registrant's Common Equity",
)
_ACCOUNTANTS = (
    "Changes in and Disagreements with Accountants on Accounting and Financial Disclosure",
    "Changes in and Disagreements with Accountants",
    "Disagreements on Accounting and Financial Disclosure",
)
_DIRECTORS = (
    "Directors, Executive Officers and Corporate Governance",
    "Directors and Executive Officers of the Registrant",
    "Directors and Executive Officers",
    "Directors, Executive Officers, Promoters and Control Persons",
)
_OWNERSHIP = (
    "Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters",
    "Security Ownership of Certain Beneficial Owners and Management",
)
_RELATED = (
    "Certain Relationships and Related Transactions, and Director Independence",
    "Certain Relationships and Related Transactions",
)
_EXHIBITS = (
    "Exhibits and Financial Statement Schedules",
    "Exhibits, Financial Statement Schedules",
    "Exhibit and Financial Statement Schedules",
    "Exhibits, Financial Statement Schedules and Reports on Form 8-K",
    "Exhibits and Reports on Form 8-K",
    "Exhibits",
)
_FEES = ("Principal Accountant Fees and Services", "Principal Accounting Fees and Services")

_TEN_K = Form(
    "10-K",
    (
        *_items(
            "I",
            ("1", "Business", "Description of Business"),
            ("1A", "Risk Factors"),
            ("1B", "Unresolved Staff Comments"),
            ("1C", "Cybersecurity"),
            ("2", "Properties", "Property", "Description of Property"),
            ("3", "Legal Proceedings"),
            ("4", "Mine Safety Disclosures", "Mine Safety Disclosure", *_VOTE),
            since={"1A": 2006, "1B": 2006, "1C": 2024},
        ),
        *_items(
            "II",
            ("5", *_MARKET),
            ("6", "[Reserved]", "Selected Financial Data", "Selected Consolidated Financial Data", "Reserved"),
            ("7", *_MDA),
            ("7A", *_MARKET_RISK),
            ("8", "Financial Statements and Supplementary Data", "Financial Statements"),
            ("9", *_ACCOUNTANTS),
            ("9A", "Controls and Procedures", "Control and Procedures"),
            ("9B", "Other Information"),
            ("9C", "Disclosure Regarding Foreign Jurisdictions that Prevent Inspections"),
            since={"7A": 1998, "9A": 2003, "9B": 2005, "9C": 2022},
        ),
        *_items(
            "III",
            ("10", *_DIRECTORS),
            ("11", "Executive Compensation"),
            ("12", *_OWNERSHIP),
            ("13", *_RELATED),
            ("14", *_FEES, "Controls and Procedures"),
            since={"14": 2003},
        ),
        ItemSpec("IV", "14", _EXHIBITS[0], _EXHIBITS[1:], until=2003),
        *_items("IV", ("15", *_EXHIBITS), ("16", "Form 10-K Summary"), since={"15": 2003, "16": 2017}),
    ),
)

_TEN_KSB = Form(
    "10-KSB",
    (
        *_items(
            "I",
            ("1", "Description of Business", "Business"),
            ("2", "Description of Property", "Properties"),
            ("3", "Legal Proceedings"),
            ("4", *_VOTE),
        ),
        *_items(
            "II",
            ("5", *_MARKET),
            ("6", *_MDA, "Plan of Operation"),
            ("7", "Financial Statements"),
            ("8", *_ACCOUNTANTS),
            ("8A", "Controls and Procedures"),
            ("8B", "Other Information"),
            since={"8A": 2003, "8B": 2005},
        ),
        *_items(
            "III",
            ("9", *_DIRECTORS),
            ("10", "Executive Compensation"),
            ("11", *_OWNERSHIP),
            ("12", *_RELATED),
            ("13", *_EXHIBITS),
            ("14", *_FEES, "Controls and Procedures"),
            since={"14": 2003},
        ),
    ),
    tested=False,
)

_TEN_Q = Form(
    "10-Q",
    (
        *_items(
            "I",
            (
                "1",
                "Financial Statements",
                "Consolidated Financial Statements",
                "Condensed Consolidated Financial Statements",
            ),
            ("2", *_MDA),
            ("3", *_MARKET_RISK),
            ("4", "Controls and Procedures"),
            since={"3": 1998, "4": 2003},
        ),
        *_items(
            "II",
            ("1", "Legal Proceedings"),
            ("1A", "Risk Factors"),
            (
                "2",
                "Unregistered Sales of Equity Securities and Use of Proceeds",
                "Unregistered Sales of Equity Securities, Use of Proceeds, and Issuer Purchases of Equity Securities",
                "Changes in Securities and Use of Proceeds",
                "Changes in Securities",
                "Issuer Purchases of Equity Securities",
            ),
            ("3", "Defaults Upon Senior Securities"),
            ("4", "Mine Safety Disclosures", *_VOTE),
            ("5", "Other Information"),
            ("6", "Exhibits", "Exhibits and Reports on Form 8-K", "Exhibit Index"),
            since={"1A": 2006},
        ),
    ),
    numbered_by_part=True,
)

_OFFICERS = (
    "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers;"
    " Compensatory Arrangements of Certain Officers"
)
_EIGHT_K_TITLES = (
    ("1.01", "Entry into a Material Definitive Agreement"),
    ("1.02", "Termination of a Material Definitive Agreement"),
    ("1.03", "Bankruptcy or Receivership"),
    ("1.04", "Mine Safety - Reporting of Shutdowns and Patterns of Violations"),
    ("1.05", "Material Cybersecurity Incidents"),
    ("2.01", "Completion of Acquisition or Disposition of Assets"),
    ("2.02", "Results of Operations and Financial Condition"),
    (
        "2.03",
        "Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement",
    ),
    (
        "2.04",
        "Triggering Events That Accelerate or Increase a Direct Financial Obligation",
    ),
    ("2.05", "Costs Associated with Exit or Disposal Activities"),
    ("2.06", "Material Impairments"),
    (
        "3.01",
        "Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing",
    ),
    ("3.02", "Unregistered Sales of Equity Securities"),
    ("3.03", "Material Modification to Rights of Security Holders"),
    ("4.01", "Changes in Registrant's Certifying Accountant"),
    (
        "4.02",
        "Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review",
    ),
    ("5.01", "Changes in Control of Registrant"),
    ("5.02", _OFFICERS),
    ("5.03", "Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year"),
    ("5.04", "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans"),
    ("5.05", "Amendment to Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics"),
    ("5.06", "Change in Shell Company Status"),
    ("5.07", "Submission of Matters to a Vote of Security Holders"),
    ("5.08", "Shareholder Director Nominations"),
    ("6.01", "ABS Informational and Computational Material"),
    ("6.02", "Change of Servicer or Trustee"),
    ("6.03", "Change in Credit Enhancement or Other External Support"),
    ("6.04", "Failure to Make a Required Distribution"),
    ("6.05", "Securities Act Updating Disclosure"),
    ("7.01", "Regulation FD Disclosure"),
    ("8.01", "Other Events"),
    ("9.01", "Financial Statements and Exhibits", "Financial Statement and Exhibits", "Exhibits"),
    # Until August 2004 the items had whole numbers.
    ("1", "Changes in Control of Registrant"),
    ("2", "Acquisition or Disposition of Assets"),
    ("3", "Bankruptcy or Receivership"),
    ("4", "Changes in Registrant's Certifying Accountant"),
    ("5", "Other Events", "Other Events and Regulation FD Disclosure", "Other Materially Important Events"),
    ("6", "Resignations of Registrant's Directors"),
    ("7", "Financial Statements and Exhibits", "Financial Statements, Pro Forma Financial Information and Exhibits"),
    ("8", "Change in Fiscal Year"),
    ("9", "Regulation FD Disclosure"),
    ("10", "Amendments to the Registrant's Code of Ethics"),
    ("11", "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans"),
    ("12", "Results of Operations and Financial Condition"),
)
_EIGHT_K = Form("8-K", _items("", *_EIGHT_K_TITLES), optional=True)

_TWENTY_F = Form(
    "20-F",
    (
        *_items(
            "I",
            ("1", "Identity of Directors, Senior Management and Advisers"),
            ("2", "Offer Statistics and Expected Timetable"),
            ("3", "Key Information"),
            ("4", "Information on the Company"),
            ("4A", "Unresolved Staff Comments"),
            ("5", "Operating and Financial Review and Prospects"),
            ("6", "Directors, Senior Management and Employees"),
            ("7", "Major Shareholders and Related Party Transactions"),
            ("8", "Financial Information"),
            ("9", "The Offer and Listing"),
            ("10", "Additional Information"),
            ("11", "Quantitative and Qualitative Disclosures About Market Risk"),
            ("12", "Description of Securities Other than Equity Securities"),
        ),
        *_items(
            "II",
            ("13", "Defaults, Dividend Arrearages and Delinquencies"),
            ("14", "Material Modifications to the Rights of Security Holders and Use of Proceeds"),
            ("15", "Controls and Procedures"),
            ("16", "[Reserved]", "Reserved"),
            ("16A", "Audit Committee Financial Expert"),
            ("16B", "Code of Ethics"),
            ("16C", "Principal Accountant Fees and Services"),
            ("16D", "Exemptions from the Listing Standards for Audit Committees"),
            ("16E", "Purchases of Equity Securities by the Issuer and Affiliated Purchasers"),
            ("16F", "Change in Registrant's Certifying Accountant"),
            ("16G", "Corporate Governance"),
            ("16H", "Mine Safety Disclosure"),
            ("16I", "Disclosure Regarding Foreign Jurisdictions that Prevent Inspections"),
            ("16J", "Insider Trading Policies"),
            ("16K", "Cybersecurity"),
            since={
                "16A": 2004, "16B": 2004, "16C": 2004, "16D": 2005, "16E": 2005, "16F": 2010, "16G": 2010,
                "16H": 2012, "16I": 2022, "16J": 2024, "16K": 2024,
            },
        ),
        *_items(
            "III",
            ("17", "Financial Statements"),
            ("18", "Financial Statements"),
            ("19", "Exhibits"),
        ),
    ),
    tested=False,
)  # fmt: skip


def _sections(*titles: tuple[str, ...]) -> tuple[ItemSpec, ...]:
    return tuple(ItemSpec("", "", row[0], row[1:]) for row in titles)


_S_1 = Form(
    "S-1",
    (
        *_sections(
            ("Prospectus Summary", "Summary"),
            ("Risk Factors",),
            (
                "Special Note Regarding Forward-Looking Statements",
                "Cautionary Note Regarding Forward-Looking Statements",
                "Forward-Looking Statements",
            ),
            ("Use of Proceeds",),
            ("Dividend Policy",),
            ("Capitalization",),
            ("Dilution",),
            ("Selected Consolidated Financial Data", "Selected Financial Data"),
            _MDA,
            ("Business", "Our Business"),
            ("Management", "Directors and Executive Officers"),
            ("Executive Compensation", "Executive and Director Compensation"),
            ("Certain Relationships and Related Party Transactions", "Certain Relationships and Related Transactions"),
            ("Principal Stockholders", "Principal and Selling Stockholders", "Principal Shareholders"),
            ("Description of Capital Stock", "Description of Share Capital"),
            ("Shares Eligible for Future Sale",),
            ("Underwriting", "Plan of Distribution"),
            ("Legal Matters",),
            ("Experts",),
            ("Where You Can Find More Information", "Where You Can Find Additional Information"),
        ),
        *_items(
            "II",
            ("13", "Other Expenses of Issuance and Distribution"),
            ("14", "Indemnification of Directors and Officers"),
            ("15", "Recent Sales of Unregistered Securities"),
            ("16", "Exhibits and Financial Statement Schedules", "Exhibits"),
            ("17", "Undertakings"),
        ),
    ),
    tested=False,
    optional=True,
)

_PROXY = Form(
    "DEF 14A",
    _sections(
        (
            "Notice of Annual Meeting of Stockholders",
            "Notice of Annual Meeting of Shareholders",
            "Notice of Annual Meeting",
        ),
        ("Proxy Summary", "Proxy Statement Summary"),
        ("Election of Directors",),
        ("Corporate Governance", "Board and Corporate Governance Matters", "Corporate Governance Matters"),
        ("Director Compensation", "Compensation of Directors"),
        ("Audit Committee Report", "Report of the Audit Committee", "Audit Committee Matters"),
        ("Compensation Discussion and Analysis",),
        ("Compensation Committee Report", "Report of the Compensation Committee"),
        ("Executive Compensation", "Executive Compensation Tables"),
        ("Summary Compensation Table",),
        ("Grants of Plan-Based Awards",),
        ("Outstanding Equity Awards at Fiscal Year-End",),
        ("Potential Payments Upon Termination or Change in Control",),
        ("CEO Pay Ratio", "Pay Ratio"),
        ("Pay Versus Performance",),
        (
            "Security Ownership of Certain Beneficial Owners and Management",
            "Beneficial Ownership of Common Stock",
            "Security Ownership",
            "Stock Ownership",
        ),
        (
            "Certain Relationships and Related Transactions",
            "Related Person Transactions",
            "Transactions with Related Persons",
        ),
        ("Shareholder Proposals", "Stockholder Proposals"),
        ("Other Matters", "Other Business"),
    ),
    tested=False,
    optional=True,
    proposals=True,
)

_FORTY_F = Form(
    "40-F",
    _sections(
        ("Annual Information Form",),
        ("Audited Annual Financial Statements", "Annual Financial Statements"),
        ("Management's Discussion and Analysis",),
        ("Disclosure Controls and Procedures", "Controls and Procedures"),
        ("Management's Annual Report on Internal Control Over Financial Reporting",),
        ("Audit Committee Financial Expert",),
        ("Code of Ethics", "Code of Business Conduct and Ethics"),
        ("Principal Accountant Fees and Services",),
        ("Off-Balance Sheet Arrangements",),
        ("Tabular Disclosure of Contractual Obligations", "Contractual Obligations"),
        ("Identification of the Audit Committee",),
        ("Mine Safety Disclosure",),
        ("Undertaking", "Undertaking and Consent to Service of Process"),
    ),
    tested=False,
    optional=True,
)

_SIX_K = Form("6-K", (), tested=False, optional=True)

_FORMS = {form.name: form for form in (_TEN_K, _TEN_KSB, _TEN_Q, _EIGHT_K, _TWENTY_F, _FORTY_F, _SIX_K, _PROXY, _S_1)}
_SAME = {
    "10-K405": "10-K",
    "10-KT": "10-K",
    "10-K405T": "10-K",
    "10-KSB40": "10-KSB",
    "10KSB": "10-KSB",
    "10KSB40": "10-KSB",
    "10-QT": "10-Q",
    "10-QSB": "10-Q",
    "10QSB": "10-Q",
    "8-K12B": "8-K",
    "8-K12G3": "8-K",
    "8-K15D5": "8-K",
    "20FR12B": "20-F",
    "DEFA14A": "DEF 14A",
    "DEFM14A": "DEF 14A",
    "PRE 14A": "DEF 14A",
    "F-1": "S-1",
    "424B4": "S-1",
}


_SPOKEN = {
    "10K": "10-K",
    "10Q": "10-Q",
    "8K": "8-K",
    "20F": "20-F",
    "40F": "40-F",
    "6K": "6-K",
    "13F": "13F-HR",
    "DEF14A": "DEF 14A",
    "PROXY": "DEF 14A",
    "PROXY STATEMENT": "DEF 14A",
    "S1": "S-1",
}


def plain_form(name: str) -> str:
    """A form as it is compared: `10k`, `Form 10-K`, `10-K405` and `10-K/A` are all 10-K."""
    plain = " ".join(name.upper().removeprefix("FORM ").removesuffix("/A").split())
    plain = _SPOKEN.get(plain, plain)
    return _SAME.get(plain, plain)


def find_form(name: str) -> Form | None:
    """The form `name` stands for; None for one whose items are not known."""
    return _FORMS.get(plain_form(name))
