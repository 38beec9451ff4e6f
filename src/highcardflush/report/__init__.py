"""Reports: PAR sheets and rack cards, as data and as typeset documents."""

from highcardflush.report.model import ParSheet
from highcardflush.report.render import ENDINGS, check_ending, rack_card, render
from highcardflush.report.sheet import par_sheet

__all__ = ["ENDINGS", "ParSheet", "check_ending", "par_sheet", "rack_card", "render"]
