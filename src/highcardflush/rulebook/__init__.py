"""Rulebooks: the frozen model, the loader with its checks, and the packaged documents."""

from highcardflush.rulebook.check import warnings
from highcardflush.rulebook.load import PACKAGED, configure, load, packaged, parse_offer, read_offer, split_offer
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, Offer, PayTable
from highcardflush.rulebook.table_settings import Settings

__all__ = [
    "PACKAGED",
    "Line",
    "Offer",
    "PayTable",
    "Rulebook",
    "Settings",
    "configure",
    "load",
    "packaged",
    "parse_offer",
    "read_offer",
    "split_offer",
    "warnings",
]
