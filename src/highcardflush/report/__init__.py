"""PAR sheets, cards and studies: figures -> pages -> formats.

`figures` computes what a sheet states, as data: exact fractions, counts, codes. `pages` says it: words, tables, order.
`formats` writes it: HTML, PDF, CSV, JSON, charts. Each imports only from those before it.
"""

from highcardflush.report.figures import ParSheet, par_sheet
from highcardflush.report.formats import check_ending, render, typeset

__all__ = ["ParSheet", "check_ending", "par_sheet", "render", "typeset"]
