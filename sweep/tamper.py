"""Make 1,000 random edits of the books, all of which the auditor must find.

    .venv/bin/python sweep/tamper.py [--edits 1000] [--seed 0] [--db URL]

After half of the edits of events and transfers the hash chain of the stream is rewritten to its end, as a thorough
forger would. Those edits, and a stream whose end was cut off, must be found against heads that were exported earlier,
because a chain does not tell where it ended. One edit in ten disarms a guard of the schema or adds to it. The house is
that of tests/support/walkers/eventful_house.py.

Exit status: 0 every edit was found, 1 one was not, 130 interrupted.
"""

import sys
import tempfile
from collections import Counter
from random import Random

import options

from highcardflush.house.audit import audit
from highcardflush.house.store.admin import upgrade
from support.faults.tamper import SCHEMA_EDITS, Forger, edit_schema, random_edit, schema_findings
from support.places.floor import open_floor
from support.walkers.eventful_house import everything

SCHEMA_EDITED = 0.1


def sweep(url: str, edits: int, seed: int) -> int:
    upgrade(url)
    everything(open_floor(url)).close()
    forger = Forger(url)
    before = audit(forger, export_at=1)
    if before.wrong:
        print("the house is wrong before any edit:", *(f for check in before.checks for f in check.findings), sep="\n")
        return 1
    ends = {stream: forger.last(stream) for (stream,) in forger.read("SELECT name FROM streams")}
    unnoticed: list[str] = []
    finders: Counter[str] = Counter()
    for number in range(seed, seed + edits):
        rng = Random(number)
        if rng.random() < SCHEMA_EDITED:
            what, *statements = rng.choice(SCHEMA_EDITS[forger.dialect])
            with forger.at_night(disarmed=False):
                edit_schema(forger, statements)
                is_found = what in schema_findings(forger)
            finders.update(["schema"] * is_found)
            unnoticed += [] if is_found else [f"NOT FOUND, edit {number}: {'; '.join(statements)}"]
            continue
        with forger.at_night():
            edit = random_edit(forger, rng)
            rewrite_all = bool(forger.touched) and rng.random() < 0.5
            if rewrite_all:
                forger.rechain()
            cut = any(forger.last(stream) < ends[stream] for stream in forger.touched)
            report = audit(forger, earlier=before.heads if rewrite_all or cut else None)
        finders.update(check.name for check in report.checks if check.wrong)
        if not report.wrong:
            unnoticed.append(f"NOT FOUND, edit {number}: {edit}{', the chain rewritten' * rewrite_all}")
        if sys.stderr.isatty():
            print(f"\r\x1b[K{number - seed + 1} of {edits} edits", end="", file=sys.stderr, flush=True)
    forger.close()
    print(f"\n{edits - len(unnoticed)} of {edits} edits found", *unnoticed, sep="\n")
    print("found by", ", ".join(f"{name} {number}" for name, number in finders.most_common()))
    return 1 if unnoticed else 0


def main(edits: int, seed: int, db: str) -> int:
    """Use an empty database, or an SQLite file that is thrown away."""
    if db:
        return sweep(db, edits, seed)
    with tempfile.TemporaryDirectory(prefix="hcf-tamper-") as folder:
        return sweep(f"sqlite:///{folder}/house.db", edits, seed)


if __name__ == "__main__":
    options.run(main, __doc__, edits=1000, seed=0, db="")
