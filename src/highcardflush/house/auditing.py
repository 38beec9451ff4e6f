"""Audits a database, including its schema and its files, and converts the report to JSON."""

import time
from collections import Counter
from contextlib import closing
from functools import partial
from typing import Any

from msgspec.structs import asdict

from highcardflush.house.audit.driver import Progress, Report, audit
from highcardflush.house.audit.findings import Checked, Finding
from highcardflush.house.audit.heads import Heads
from highcardflush.house.store.admin import open_store
from highcardflush.house.store.check import check_parts
from highcardflush.odds.hold import Hold


def audit_database(
    url: str, progress: Progress, *, earlier: Heads | None = None, since: Heads | None = None, jobs: int = 1
) -> Report:
    """Audit the books at a database address. The report includes the heads to export."""
    opener, at = partial(open_store, url), int(time.time() * 1_000_000)
    with closing(opener()) as store:
        report = audit(store, earlier=earlier, since=since, export_at=at, progress=progress, jobs=jobs, opener=opener)
    for name, errors in check_parts(url, pages=since is None).items():
        wrong = [Finding("database", error.message, error.read or "nothing", error.expected or "") for error in errors]
        report.checks.append(Checked(name, Counter({"databases": 1}), len(wrong), wrong))
    return report


def report_data(report: Report) -> dict[str, Any]:
    return {
        "ok": not report.wrong,
        "checks": [_check_data(check) for check in report.checks],
        "hold": [_hold_data(row) for row in report.hold if row.bets],
    }


def _check_data(check: Checked) -> dict[str, Any]:
    data = asdict(check)
    covered = {what.replace(" ", "_"): number for what, number in check.covered.items()}
    return {"check": data.pop("name"), **data, "covered": covered}


def _hold_data(row: Hold) -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in ("wager", "rounds", "bets", "stakes_cents", "held_cents", "cut_cents")},
        "expected_cents": round(row.expected_cents),
        "hold": row.held_cents / row.stakes_cents,
        "expected_hold": float(row.expected_cents / row.stakes_cents),
        "z": row.z,
        "judged": row.enough,
    }
