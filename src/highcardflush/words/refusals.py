"""The refusals of the house and the server: one code and one sentence each.

`refuse` makes the error. Its class says which family of refusals it belongs to, which decides the code on the wire and
the HTTP status. Its `reason` and `values` say exactly what was refused, so that code never has to look at the sentence.
"""

from __future__ import annotations

from typing import TypeVar, overload

from highcardflush.errors import HcfError, HouseError

Family = TypeVar("Family", bound=HcfError)


@overload
def refuse(reason: str, /, **values: int | str) -> HouseError: ...
@overload
def refuse(reason: str, family: type[Family], /, **values: int | str) -> Family: ...
def refuse(reason: str, family: type[HcfError] = HouseError, /, **values: int | str) -> HcfError:
    """Return the error to raise for this refusal."""
    error = family(REFUSED[reason].format_map(values))
    error.reason, error.values = reason, values
    return error


REFUSED: dict[str, str] = {
    # tables
    "name-taken": "There is already a {what} {name}; choose another name.",
    "wrong-stream": "{command} is not a command for {stream}.",
    "no-table": "There is no table {name}.",
    "no-player": "There is no player {name} with a wallet.",
    "table-state": "Table {table} is {state} now; wait until it opens again.",
    "table-state-unchanged": "Table {table} is already {state}.",
    "table-kind": "A table cannot change between virtual and physical; create another one.",
    "seats-in-use": "Table {table} has a player on a seat that the new rules do not have; free that seat first.",
    "rulebook-hash": "The hash of this rulebook does not match its contents; send it as `configure` returns it.",
    "meters-needed": "Link one meter for each level of the pay table: {levels}.",
    "no-meters-needed": "This table offers no progressive, so link no meter to it.",
    "physical-only": "A progressive-only rulebook needs a physical table.",
    # people
    "wrong-role": "Only {holders} may use {what}; you are {role}.",
    "house-only": "Only the house itself may use {what}.",
    "unknown-actor": "The office knows nobody by the name {actor}.",
    "actor-disabled": "{actor} is disabled; an administrator can enable the account.",
    "no-person": "There is no person {name}.",
    "wrong-kind": "The role of a {kind} can only be {roles}.",
    "server-adds": "A server can only add players who are guests or persons.",
    "own-account": "You cannot do this to your own account; another administrator has to.",
    "fixed-role": "A {role} cannot become a {other}; add another person.",
    "fixed-kind": "{name} is a {kind}, whose role cannot change.",
    "has-credentials": "{person} already has credentials.",
    "no-credentials": "{person} has no credentials.",
    "login-taken": "This login is taken; choose another.",
    "name-of-person": "{name} is not a bot, so no bot can use that name.",
    "no-bots-here": "Bots play only where nobody else sits, and table {table} has {players}.",
    "on-duty": "You are on duty since event {event} of the office; end that shift first.",
    "off-duty": "You are not on duty; start a shift first.",
    "alert-acknowledged": "The alert {alert} is already acknowledged with event {event} of the office.",
    # changes that take two
    "needs-proposal": "Two administrators have to agree on this; propose the change.",
    "two-administrators": "Two active administrators are required while two-person approval is on.",
    "approval-unchanged": "Two-person approval is already {state}.",
    "no-change": "There is no proposed change {number}.",
    "proposer-gone": "{proposer} is no longer an administrator, so this change can only be rejected.",
    # the cage
    "only-cash-out": "{player} is disabled and can only cash out.",
    "wallet-full": "The wallet of {player} cannot hold more than {most}; cash out first.",
    "guest-full": "The wallet of {player}, a guest, cannot hold more than {most}.",
    "other-counter": "You serve {served}, and {player} is a {kind}.",
    "no-funds": "The wallet holds {held}, which is not enough.",
    "no-funds-there": "The wallet does not hold enough.",
    # the house
    "no-stream": "There is no stream {stream}; streams are table/NAME, meter/NAME, cage and office.",
    "stream-name": "The name of a stream is {names}.",
    "key-reused": "The idempotency key {key} belongs to another request; send a new key.",
    "busy": "Other commands were faster in {attempts} attempts; send this one again later.",
    "events-lost": "{stream} ends at event {end}, but event {acknowledged} was acknowledged; run `hcf db restore`.",
    "no-house": "These books have no office; restore the backup of a house.",
    "house-running": "The books changed while the epoch began; stop every process of the house first.",
    "wrong-key": "Key {key} does not seal this house; open it with key {right}.",
    "timer-restarted": "The timer expired during an outage and has been restarted.",
    "floor-unchanged": "These settings are already in force.",
    "empty-hours": "Opening hours need two different times, or none if the house is always open.",
    "no-such-day": "The gaming days of these books are {first} to {last}.",
    "no-finished-round": "Table {table} has no finished round {number}.",
    # who may act at a table
    "server-at-physical-table": "A server can only act at virtual tables.",
    "not-assigned": "You are not assigned to table {table}.",
    "dealer-assigned": "Dealer {dealer} is already assigned to table {table}.",
    "dealer-not-assigned": "Dealer {dealer} is not assigned to table {table}.",
    "no-dealer": "There is no active dealer {name}.",
    "too-many-events": "You have reached {most} actions at table {table}; go on when the next round opens.",
    # seats
    "no-consent-needed": "Players seat themselves at a virtual table, so no consent is needed.",
    "no-consent": "You have no unused consent to withdraw.",
    "no-such-seat": "Table {table} has seats 1 to {seats}.",
    "seat-taken": "Seat {seat} is taken; choose an empty one.",
    "seat-empty": "Nobody sits on seat {seat}.",
    "second-seat": "{player} already has a seat at this table, and a player has only one.",
    "only-yourself": "You can only seat yourself.",
    "players-sit": "Players seat themselves at a virtual table.",
    "player-disabled": "{player} is disabled and cannot play.",
    "needs-consent": "{player} has to agree first; show the token of their consent to this table.",
    "hand-in-play": "Finish this hand first, then you can leave.",
    "not-your-seat": "Only the player on seat {seat} can do that.",
    # rounds
    "round-open": "A round is open at table {table}; settle or void it first.",
    "no-round": "No round is open at table {table}; open one first.",
    "key-lost": "The house key of this round was lost; a supervisor has to void it.",
    "round-stale": "This round was {why}; a supervisor has to void it.",
    "only-bet-closed": "No round can open because the {wager}, the only bet of this table, is closed: {why}.",
    "bet-closed": "The {wager} is closed ({why}); bet without it.",
    "round-too-large": "This round could pay {amount} in all, above the limit of {most}; bet less.",
    "no-dynamic": "This table offers no pay table with Dynamic Pays.",
    "no-physical-chance": "The house's seed decides at a virtual table, so nothing is keyed in.",
    "no-virtual-chance": "The house draws nothing at a physical table; key in what happened.",
    "hand-size": "A hand has {size} cards, not {cards}; a supervisor voids what was misdealt.",
    "not-last-hand": "Only the hand keyed in last can be taken back: {hand}.",
    "no-hand-to-take-back": "A hand can be taken back only until something else is done; now nothing can be.",
    "clock-running": "Seat {seat} has {seconds} s left to decide.",
    "needs-warning": "Warn the player on seat {seat} first: without a warning {reason} voids no hand.",
    "great-win": "A win of {amount} is above {limit}; a supervisor who keyed in no hand of it has to settle it.",
    "seal-broken": "The seal of this round does not open although no key was lost; restore the key that sealed it.",
    # seeds
    "seed-too-late": "Give a seed before the lock, at a virtual table.",
    "second-seed": "Seat {seat} has already given its seed for this round.",
    "too-many-seeds": "Seat {seat} has reached the limit of {most} seeds a round.",
    "seed-not-committed": "Seat {seat} has not committed to a seed.",
    "seed-revealed": "The seed of seat {seat} is already revealed.",
    "seed-without-wager": "Seat {seat} has no wager in this round, so its seed is not needed.",
    "seed-before-lock": "Reveal the seed after the lock.",
    "seed-missed": "The house has already drawn without the seed of seat {seat}.",
    "seed-differs": "The SHA-256 of this seed is {sha256}, but seat {seat} committed to {committed}.",
    "wagers-open": "Wagers are still open; lock them first.",
    "seeds-awaited": "Wait for the seeds of {seats}, or until {seconds} s after the lock.",
    # meters
    "no-meter": "There is no meter {name}.",
    "meter-mismatch": "The {what} of meter {meter} is {of_meter}, but this table needs {needed}.",
    "meter-paytable": "Name the pay table of a meter as RULEBOOK/ID.",
    "meter-value": "{key} must be {values}.",
    "bonus-rate": "A bonus jackpot has no rates because its display does not grow with wagers.",
    "bonus-in-turn": "A bonus jackpot is not reseeded within a round; set hits to each or share.",
    "rates-too-high": "Rate and reserve rate together cannot exceed 100 % of the bet.",
    "no-reseed": "The reseed of a progressive meter must be above zero.",
    "limit-too-low": "A limit of {limit} is too low for this meter's seed, reseed and rounds; set {least} or more.",
    "limit-below-display": "A limit of {limit} is below the display; set {display} or more.",
    "display-cents": "A display has whole cents, which {amount} has not.",
    "not-per-dollar": "{amount} at a base bet of {base} is no number of whole cents for a $1 bet; change one of them.",
    "meter-closed": "Meter {meter} is already closed.",
    "meter-open": "Meter {meter} is already open.",
    "meter-differs": "Meter {meter} cannot reopen because it differs from its ledger: {difference}.",
    "meter-figure": "Pay table {paytable} prints no {what}; give one.",
    "no-meter-bet": "Pay table {paytable} pays from no meter; choose one of a jackpot.",
    "no-level": "Choose a level of pay table {paytable}: {levels}.",
    "two-meters-for-level": "{first} and {second} are both meters for {level}; link one meter to each level.",
    # wins, corrections, displays
    "no-number": "There is no {what} number {number}; the newest is {newest}.",
    "none-yet": "There is no {what} yet.",
    "decided": "The {what} number {number} is already decided.",
    "voted": "You have already voted on this win; another supervisor has to vote.",
    "dealt-round": "You dealt the round of this win; another supervisor has to vote.",
    "no-server-votes": "Meter {meter} takes no votes of servers; a supervisor has to vote.",
    "server-refuses": "A server can only approve a win; a supervisor has to refuse it.",
    "server-after-refusal": "{actor} has refused this win; only supervisors can vote on it now.",
    "second-server": "{actor}, another server, has already voted; a supervisor has to vote.",
    "no-reason": "Give a reason for your refusal.",
    "own-proposal": "You proposed this yourself; another {role} has to decide.",
    "empty-correction": "A correction has to change the meter or its reserve.",
    "bonus-correction": "A bonus jackpot holds no money to correct; set its display.",
    "progressive-display": "A progressive meter cannot be set; propose a correction.",
    "too-many-corrections": "{waiting} corrections are waiting, which is the limit; decide some first.",
    "correction-below-zero": "A correction by {amount} would take the meter below zero.",
    "amount-too-large": "{amount} is more than the books can hold, which is {most}.",
    "above-limit": "{amount} is above the limit of meter {meter}, which is {limit}.",
}
"""The sentence of each code: what happened and what to do next, with `{values}`."""
