"""Reports from the books: balances, statements, meters and their reconciliation, tables, rounds and gaming days."""

from highcardflush.house.office import changes, commands, people
from highcardflush.house.reports.alerts import AlertRow, open_alerts
from highcardflush.house.reports.balances import Balance, Balances, Purses, balance, balances
from highcardflush.house.reports.day_report import DayQuery, DayRows, Report, csv_text
from highcardflush.house.reports.floor import PlayerRow, day_holds, day_players, day_totals, floor_view
from highcardflush.house.reports.meters import MeterFields, MeterRow, all_meters, day_meters, meter_fields, meter_hits
from highcardflush.house.reports.overview import Overview, all_people, all_tables, overview, table_row, waiting_wins
from highcardflush.house.reports.own import PlayedRound, decision_in, first_move, played_rounds
from highcardflush.house.reports.reading import report
from highcardflush.house.reports.reconcile import Reconciliation, reconcile
from highcardflush.house.reports.rounds import RoundRow, rounds
from highcardflush.house.reports.statement import Statement, statement
from highcardflush.house.reports.takings import Memo

BY_DAY: dict[str, Report] = {
    "floor": floor_view,
    "holds": day_holds,
    "totals": day_totals,
    "players": day_players,
    "meters": day_meters,
}
waiting_changes = report(changes.waiting)
on_duty = report(people.on_duty)
acknowledged = report(commands.acknowledged)
floor_settings = report(commands.read_floor)

__all__ = [
    "BY_DAY", "AlertRow", "Balance", "Balances", "DayQuery", "DayRows", "Memo",
    "MeterFields", "MeterRow", "Overview", "PlayedRound", "PlayerRow", "Purses", "Reconciliation",
    "RoundRow", "Statement", "acknowledged", "all_meters", "all_people", "all_tables",
    "balance", "balances", "csv_text", "day_holds", "day_meters", "day_players", "day_totals", "decision_in",
    "first_move", "floor_settings", "floor_view", "meter_fields", "meter_hits", "on_duty", "open_alerts", "overview",
    "played_rounds", "reconcile", "rounds", "statement", "table_row", "waiting_changes", "waiting_wins",
]  # fmt: skip
