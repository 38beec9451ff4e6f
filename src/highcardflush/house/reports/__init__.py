"""Reports from the books. Each of these `hcf house` commands prints reports from the modules named next to it:

- `status`: `overview.py` and `meters.py`
- `report floor`, `holds`, `totals` and `players`: `floor.py`, whose takings come from `takings.py`
- `report meters`: `meters.py`
- `balances`: `balances.py`
- `statement`: `statement.py`
- `rounds`: `rounds.py`
- `meter show` and `meter hits`: `meters.py`
- `meter reconcile`: `reconcile.py`
- `wins`, `table list`, `table show` and `person list`: `overview.py`

The server also uses `alerts.py` and, for players, `own.py`. `day_report.py` writes the reports of a gaming day as CSV.
"""

from highcardflush.house.office import changes, commands, people
from highcardflush.house.reports.alerts import AlertRow, open_alerts
from highcardflush.house.reports.balances import Balance, Balances, Purses, balance, balances
from highcardflush.house.reports.day_report import DayQuery, DayRows, Report, csv_text
from highcardflush.house.reports.floor import PlayerRow, day_floor, day_holds, day_players, day_totals
from highcardflush.house.reports.meters import MeterFields, MeterRow, all_meters, day_meters, meter_fields, meter_hits
from highcardflush.house.reports.overview import Overview, all_people, all_tables, overview, table_row, waiting_wins
from highcardflush.house.reports.own import PlayedRound, decision_in, first_move, played_rounds
from highcardflush.house.reports.reading import report
from highcardflush.house.reports.reconcile import Reconciliation, reconcile
from highcardflush.house.reports.rounds import RoundRow, rounds
from highcardflush.house.reports.statement import Statement, statement
from highcardflush.house.reports.takings import Memo

DAY_REPORTS: dict[str, Report] = {
    "floor": day_floor,
    "holds": day_holds,
    "totals": day_totals,
    "players": day_players,
    "meters": day_meters,
}
"""Reports of a gaming day, keyed by their names in `hcf house report`."""
waiting_changes = report(changes.waiting)
on_duty = report(people.on_duty)
acknowledged = report(commands.acknowledged)
floor_settings = report(commands.read_floor)

__all__ = [
    "DAY_REPORTS", "AlertRow", "Balance", "Balances", "DayQuery", "DayRows", "Memo",
    "MeterFields", "MeterRow", "Overview", "PlayedRound", "PlayerRow", "Purses", "Reconciliation",
    "RoundRow", "Statement", "acknowledged", "all_meters", "all_people", "all_tables",
    "balance", "balances", "csv_text", "day_floor", "day_holds", "day_meters", "day_players", "day_totals",
    "decision_in", "first_move", "floor_settings", "meter_fields", "meter_hits", "on_duty", "open_alerts", "overview",
    "played_rounds", "reconcile", "rounds", "statement", "table_row", "waiting_changes", "waiting_wins",
]  # fmt: skip
