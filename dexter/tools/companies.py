"""The one company a tool is asked about, or an error the model can act on."""

from __future__ import annotations

from dexter.data.company import Company
from dexter.data.lookup import look_up
from dexter.data.provider import CompanyDirectory
from dexter.errors import ToolError


def company_meant(asked: str, directory: CompanyDirectory) -> Company:
    """The company.

    Raises:
        ToolError: none or several could be meant; the message names the candidates.
    """
    found = look_up(asked, directory)
    if isinstance(found, str):
        raise ToolError(found)
    return found
