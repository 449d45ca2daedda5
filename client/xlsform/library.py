"""The library for workbooks, imported only when a workbook is at hand."""

import warnings
from typing import Any

from client.refusal import Refusal


def load_openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError:
        raise Refusal(
            "no_openpyxl", "workbooks need openpyxl; install it with: pip install openpyxl"
        ) from None
    # It warns of parts that it leaves out, on the terminal and in its own words.
    warnings.filterwarnings("ignore", module="openpyxl")
    return openpyxl
