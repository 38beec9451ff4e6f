"""What a sheet or a card says: words, tables, charts and their order, before they are typeset."""

from highcardflush.report.pages.par_sheet import par_document
from highcardflush.report.pages.rack_card import card_document
from highcardflush.report.pages.strategy_card import strategy_document

__all__ = ["card_document", "par_document", "strategy_document"]
