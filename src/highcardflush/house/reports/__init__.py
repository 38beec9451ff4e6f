"""What may be read from the books: balances, statements, meters and their reconciliation, tables and rounds."""

from highcardflush.house.reports.balances import Balance, Balances, Purses, balance, balances
from highcardflush.house.reports.meters import MeterFields, all_meters, meter_fields, meter_hits
from highcardflush.house.reports.office import acknowledged, on_duty, waiting_changes
from highcardflush.house.reports.overview import (
    Overview,
    PersonRow,
    TableRow,
    WinRow,
    all_people,
    all_tables,
    overview,
    table_row,
    waiting_wins,
)
from highcardflush.house.reports.reconcile import Reconciliation, reconcile
from highcardflush.house.reports.rounds import RoundRow, rounds
from highcardflush.house.reports.statement import Statement, statement

__all__ = [
    "Balance",
    "Balances",
    "MeterFields",
    "Overview",
    "PersonRow",
    "Purses",
    "Reconciliation",
    "RoundRow",
    "Statement",
    "TableRow",
    "WinRow",
    "acknowledged",
    "all_meters",
    "all_people",
    "all_tables",
    "balance",
    "balances",
    "meter_fields",
    "meter_hits",
    "on_duty",
    "overview",
    "reconcile",
    "rounds",
    "statement",
    "table_row",
    "waiting_changes",
    "waiting_wins",
]
