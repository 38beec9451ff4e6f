// Types of the interface, generated from OpenAPI and AsyncAPI by `make docs`; do not edit.

export type Suit = "c" | "d" | "h" | "s";

export type Fact = WagersPlaced | WagersCleared | DiceRolled | WagersLocked | Contributed | ContributionReversed | DynamicDrawn | HandDealt | PacketDealt | PacketCollected | Folded | Raised | BonusShown | HandVoided | RoundVoided | DealerShown | WagerSettled | MeterMoved | RoundSettled | Seated | SeatLeft | SeatLeaving | TableSwitched | Warned | RoundOpened | SeedNamed | SeedCommitted | HandTakenBack | HandShown;

export type PlayerCommand = Sit | Leave | Skip | NameSeed | PlaceWagers | ClearWagers | Fold | Raise;

export type ServerSays = Hello | TableMessage | ToldMessage | DoneMessage | RefusedMessage | PongMessage | BalanceMessage | MeterMessage | WinMessage | ByeMessage;

export type ClientSays = Watch | Unwatch | Do | Ping;

/** Answers by call. */
export interface Answers {
  "POST /guest": Me;
  "POST /register": Me;
  "POST /login": Me;
  "GET /me": Me;
  "POST /second-factor": Factor;
  "POST /refill": Balance;
  "POST /ticket": Ticket;
  "GET /sessions": SignedIn[];
  "POST /tokens": Token;
  "POST /codes": Code;
  "POST /codes/use": Signed;
  "GET /tables": Place[];
  "GET /tables/{name}": TableNow;
  "GET /tables/{name}/events": Event[];
  "POST /alone": TableForOne;
  "GET /tables/{name}/advice": Advice;
  "GET /tables/{name}/bets": SideBets;
  "GET /me/rounds": OwnRounds;
  "GET /me/statement": OwnStatement;
  "GET /me/session": GradedSession;
  "GET /break": Break;
  "POST /break": Break;
  "GET /meters": Meter[];
  "GET /meters/{name}": Meter;
  "POST /commands/{stream}": Accepted;
  "GET /rounds/{table}/{number}": Record;
  "GET /rounds/{table}/{number}/steps": Steps;
  "GET /rulebooks": Listed[];
  "GET /rulebooks/{name}": Rules;
  "GET /tables/{name}/rules": Rules;
  "GET /odds/hand": HandOdds;
  "GET /odds/paytable": TableOdds;
  "GET /openapi.json": Document;
  "GET /asyncapi.json": Document;
  "GET /health": Health;
}

export interface WagersPlaced {
  type: "WagersPlaced";
  seat: number;
  wagers: { [key: string]: number };
  line?: string;
  own_line?: string;
}

export interface WagersCleared {
  type: "WagersCleared";
  seat: number;
  line?: string;
  own_line?: string;
}

export interface DiceRolled {
  type: "DiceRolled";
  dice: [number, number, number];
  clockwise: boolean;
  first_position: number;
  line?: string;
  own_line?: string;
}

/** Betting is closed. Wins of a bonus jackpot are percentages of the amount displayed now. */
export interface WagersLocked {
  type: "WagersLocked";
  displays: { [key: string]: number };
  line?: string;
  own_line?: string;
}

/** Contribution of one bet to one meter and its reserve, added when the wagers lock. */
export interface Contributed {
  type: "Contributed";
  seat: number;
  meter: string;
  amount: JackpotMeter;
  line?: string;
  own_line?: string;
}

export interface ContributionReversed {
  type: "ContributionReversed";
  seat: number;
  meter: string;
  amount: JackpotMeter;
  line?: string;
  own_line?: string;
}

export interface DynamicDrawn {
  type: "DynamicDrawn";
  pays: [string, number][];
  line?: string;
  own_line?: string;
}

/** One hand was dealt. Seat 0 is the dealer. */
export interface HandDealt {
  type: "HandDealt";
  seat: number;
  hand: string;
  line?: string;
  own_line?: string;
}

/** A packet was dealt to an empty seat, because a deal by dice goes to every position. */
export interface PacketDealt {
  type: "PacketDealt";
  seat: number;
  line?: string;
  own_line?: string;
}

/** The packet of an empty seat was discarded after all packets had been dealt. */
export interface PacketCollected {
  type: "PacketCollected";
  seat: number;
  line?: string;
  own_line?: string;
}

export interface Folded {
  type: "Folded";
  seat: number;
  expose: string;
  timed_out: boolean;
  line?: string;
  own_line?: string;
}

export interface Raised {
  type: "Raised";
  seat: number;
  amount_cents: number;
  keep: Suit | null;
  expose: string;
  timed_out: boolean;
  from_wins_cents: number;
  line?: string;
  own_line?: string;
}

/** A straight flush was laid face up for a side bet. */
export interface BonusShown {
  type: "BonusShown";
  seat: number;
  pay_cents: number;
  paid_now: boolean;
  reason: Words;
  line?: string;
  own_line?: string;
}

export interface HandVoided {
  type: "HandVoided";
  seat: number;
  disposition: "forfeit" | "return";
  reason: string;
  text: string;
  by: string;
  line?: string;
  own_line?: string;
}

export interface RoundVoided {
  type: "RoundVoided";
  reason: string;
  text: string;
  by: string;
  line?: string;
  own_line?: string;
}

export interface DealerShown {
  type: "DealerShown";
  hand: string;
  qualifies: boolean;
  reason: Words;
  line?: string;
  own_line?: string;
}

export interface WagerSettled {
  type: "WagerSettled";
  result: Result;
  line?: string;
  own_line?: string;
}

export interface MeterMoved {
  type: "MeterMoved";
  meter: string;
  move: Move;
  line?: string;
  own_line?: string;
}

/** The round is over. `meters` contains the amounts after the round. */
export interface RoundSettled {
  type: "RoundSettled";
  meters: { [key: string]: JackpotMeter };
  line?: string;
  own_line?: string;
}

/** Somebody has sat down. A person without a name plays with chips. */
export interface Seated {
  type: "Seated";
  seat: number;
  player: string | null;
  line?: string;
  own_line?: string;
}

/** A seat is free. `code`, if set, is the reason why the server freed it. */
export interface SeatLeft {
  type: "SeatLeft";
  seat: number;
  code: "away" | "idle" | null;
  line?: string;
  own_line?: string;
}

/** Somebody leaves the seat when the round ends. */
export interface SeatLeaving {
  type: "SeatLeaving";
  seat: number;
  line?: string;
  own_line?: string;
}

/** The table is open, paused or closed from now on. */
export interface TableSwitched {
  type: "TableSwitched";
  state: "closed" | "open" | "paused";
  reason: string;
  line?: string;
  own_line?: string;
}

export interface Warned {
  type: "Warned";
  seat: number;
  reason: string;
  line?: string;
  own_line?: string;
}

/** A round has opened for wagers. `closed`, if set, is the reason why it takes no progressive bets. */
export interface RoundOpened {
  type: "RoundOpened";
  number: number;
  meters: { [key: string]: JackpotMeter };
  commitment: string | null;
  closed: Words | null;
  line?: string;
  own_line?: string;
}

/** A player's seed has been named or revealed. */
export interface SeedNamed {
  type: "SeedNamed";
  seat: number;
  seed: string;
  line?: string;
  own_line?: string;
}

export interface SeedCommitted {
  type: "SeedCommitted";
  seat: number;
  commitment: string;
  line?: string;
  own_line?: string;
}

/** A hand that was keyed in incorrectly is taken back. Seat 0 is the dealer. */
export interface HandTakenBack {
  type: "HandTakenBack";
  seat: number;
  line?: string;
  own_line?: string;
}

/** A seat's cards that lie face up when the seat is settled, and the suit that the player kept. */
export interface HandShown {
  type: "HandShown";
  seat: number;
  hand: string;
  keep: Suit | null;
  line?: string;
  own_line?: string;
}

/** Take a seat. At a physical table, omit `player` for somebody who plays with chips. Staff who seat a player must show the token of the player's consent. */
export interface Sit {
  type: "Sit";
  seat: number;
  player?: string | null;
  token?: string | null;
}

/** Leave a seat without a wager in play. With `after_hand`, a player with a wager leaves when the round ends. */
export interface Leave {
  type: "Leave";
  seat: number;
  after_hand?: boolean;
  code?: "away" | "idle" | null;
}

/** End the pause between two rounds of a virtual table. Only a player who sits alone with house players may. */
export interface Skip {
  type: "Skip";
  seat: number;
}

/** Give a player's seed for the round, at most 64 bytes in hex. A player can do this once, before the lock. */
export interface NameSeed {
  type: "NameSeed";
  seat: number;
  seed: string;
}

/** Place all wagers of a seat, replacing any earlier ones. */
export interface PlaceWagers {
  type: "PlaceWagers";
  seat: number;
  wagers: { [key: string]: number };
}

/** Take the seat's wagers back and sit out. */
export interface ClearWagers {
  type: "ClearWagers";
  seat: number;
}

export interface Fold {
  type: "Fold";
  seat: number;
  expose?: string;
}

/** `game.actions.Raise` with its suit as a letter. */
export interface Raise {
  type: "Raise";
  seat: number;
  amount_cents: number;
  keep?: Suit | null;
  expose?: string;
}

/** First message of every connection. */
export interface Hello {
  type: "hello";
  protocol: number;
  name: string;
  role: "administrator" | "auditor" | "cashier" | "dealer" | "player" | "server" | "supervisor";
  balance_cents?: number;
}

/** The whole state of a table, sent after `watch` and to a client that has fallen behind. */
export interface TableMessage {
  type: "table";
  table: string;
  seq: number;
  round: Round | null;
  taken: { [key: string]: string };
  view: View | null;
  you: You | null;
  clock: Clock | null;
  next?: Round | null;
}

/** A committed event: its facts, and the table after it. */
export interface ToldMessage {
  type: "told";
  table: string;
  seq: number;
  round: Round | null;
  taken: { [key: string]: string };
  view: View | null;
  you: You | null;
  clock: Clock | null;
  next?: Round | null;
  kind: string;
  told: Fact[];
}

/** The command has been accepted, and its event is on disk. */
export interface DoneMessage {
  type: "done";
  key: string;
  answer: Accepted;
}

/** The message could not be read, or the command was refused and changed nothing. */
export interface RefusedMessage {
  type: "refused";
  key: string | null;
  error: Refusal;
}

export interface PongMessage {
  type: "pong";
  n: number;
}

export interface BalanceMessage {
  type: "balance";
  balance_cents: number;
}

export interface MeterMessage {
  type: "meter";
  name: string;
  amount_micros: number;
}

/** A meter was hit, or supervisors have decided on one of its wins. */
export interface WinMessage {
  type: "win";
  meter: string;
  table: string;
  seat: number;
  amount_cents: number;
  state: string;
}

/** Last message before the server closes the connection. */
export interface ByeMessage {
  type: "bye";
  code: string;
  message: string;
}

/** Subscribe to a table's events. Those after number `after` come first, or the whole table if `after` is absent. */
export interface Watch {
  type: "watch";
  table: string;
  after?: number | null;
}

export interface Unwatch {
  type: "unwatch";
  table: string;
}

/** Submit a command under an idempotency key. */
export interface Do {
  type: "do";
  key: string;
  stream: string;
  command: PlayerCommand;
}

export interface Ping {
  type: "ping";
  n?: number;
}

/** The caller. */
export interface Me {
  name: string;
  role: "administrator" | "auditor" | "cashier" | "dealer" | "player" | "server" | "supervisor";
  kind: "bot" | "guest" | "person";
  registered: boolean;
  balance_cents?: number;
  break_until_ms?: number | null;
}

export interface Factor {
  second_factor: FactorKey;
}

export interface Balance {
  balance_cents: number;
}

export interface Ticket {
  ticket: string;
}

/** A session, or a program's token. */
export interface SignedIn {
  id: string;
  kind: "session" | "token";
  name: string | null;
  made_ms: number;
  until_ms: number;
  this: boolean;
}

/** A program's new token: its secret, which is shown once, and the fields of `SignedIn`. */
export interface Token {
  token: string;
  id: string;
  kind: "session" | "token";
  name: string | null;
  made_ms: number;
  until_ms: number;
  this: boolean;
}

/** One-time code with which a person sets a password. */
export interface Code {
  code: string;
  person: string;
  until_ms: number;
}

/** Answer to a call that has used a code: the name with which the person signs in. */
export interface Signed {
  name: string;
  second_factor?: FactorKey;
}

/** A table in the list of tables. */
export interface Place {
  name: string;
  rulebook: string;
  title: string;
  physical: boolean;
  open: boolean;
  phase: string | null;
  round: Round | null;
  seats: number;
  taken: { [key: string]: string };
  house_players: number[];
  limits: { [key: string]: Limit };
  offers: { [key: string]: string };
  meters: { [key: string]: string };
  coach: boolean;
}

/** A table, as the caller may see it. */
export interface TableNow {
  name: string;
  rulebook: string;
  title: string;
  physical: boolean;
  open: boolean;
  phase: string | null;
  round: Round | null;
  seats: number;
  taken: { [key: string]: string };
  house_players: number[];
  limits: { [key: string]: Limit };
  offers: { [key: string]: string };
  meters: { [key: string]: string };
  coach: boolean;
  seq: number;
  view: View | null;
  you: You | null;
  clock: Clock | null;
  next?: Round | null;
}

/** A table's committed event, as one viewer may see it. */
export interface Event {
  seq: number;
  at_ms: number;
  kind: string;
  told: Fact[];
}

/** A table at which the caller can play alone. */
export interface TableForOne {
  table: string;
}

export interface Advice {
  seat: number;
  best: Worth;
  options: Worth[];
  why: Words[];
  asked: AskedWorth | null;
}

export interface SideBets {
  table: string;
  bets: SideBet[];
}

/** Rounds, oldest first. To request earlier rounds, pass this `before` in the next call. */
export interface OwnRounds {
  rounds: OwnRound[];
  before: number | null;
}

export interface OwnStatement {
  opening_cents: number;
  lines: OwnLine[];
  entries: OwnEntry[];
  balance_cents: number;
  agrees: boolean;
  before: number | null;
}

/** Graded rounds and their totals, in which result = expectation - mistakes + luck. */
export interface GradedSession {
  rounds: GradedRound[];
  left_out: number;
  net_cents: number;
  expected_cents: number;
  cost_cents: number;
  luck_cents: number;
  z: number;
  luck: Words;
  since_ms: number | null;
}

export interface Break {
  until_ms: number | null;
}

export interface Meter {
  name: string;
  paytable: string;
  kind: "bonus" | "progressive";
  amount_micros: number;
  notice: string | null;
  posted: Posted[];
  tables: string[];
  last_hits: Hit[];
}

/** Event that an accepted command has written to disk. */
export interface Accepted {
  stream: string;
  seq: number;
  kind: string;
}

/** A finished round. */
export interface Record {
  table: string;
  number: number;
  rulebook: string;
  sha256: string;
  notation: string;
  proof: string;
  results: Result[];
}

/** A finished round, step by step. */
export interface Steps {
  table: string;
  number: number;
  you: number | null;
  bonus: boolean;
  base_cents: number | null;
  steps: Step[];
  rules: { [key: string]: string };
  side_bets: { [key: string]: SideBetRule };
}

/** Summary of a rulebook, for a list of rulebooks. */
export interface Listed {
  name: string;
  title: string;
  version: string;
  sha256: string;
  paytables: string[];
  traits: Traits;
}

/** A whole rulebook as data, as `hcf rules show --json` prints it, with the rules of its side bets. */
export interface Rules {
  name: string;
  title: string;
  version: string;
  sha256: string;
  table_hash: string;
  source: { [key: string]: string };
  extends: string;
  authority: string;
  qualifier: { [key: string]: any };
  raise: { [key: string]: any };
  raise_sizes: [string, string][];
  expose: string;
  settlement: { [key: string]: any };
  separate_games: { [key: string]: number } | null;
  posted_limits: boolean;
  mandatory_allowed: boolean;
  dealing_methods: string[];
  jackpot_modes: string[];
  meter_never_falls: boolean;
  paid_at_once: boolean;
  exposing_ends_bet: boolean;
  irregularities: { [key: string]: any };
  procedure: { [key: string]: any }[];
  rules: any[];
  notices: any[];
  notices_in_force: string[];
  posted: Posted[];
  notice: string;
  record: string[];
  offers: { [key: string]: any }[];
  paytables: { [key: string]: any }[];
  side_bets: { [key: string]: SideBetRule };
  settings: { [key: string]: any }[];
  traits: Traits;
  limits?: { [key: string]: Limit };
}

/** Number of dealer hands for each result, and values in Antes, as `hcf odds hand --json` prints them. An exact value is a string such as `1/3`. */
export interface HandOdds {
  not_qualified: number;
  win: number;
  tie: number;
  lose: number;
  fold: string;
  raise: { [key: string]: string };
  best: "fold" | "raise";
  raised: number | null;
}

/** Figures of a side bet, in units of one bet, as `hcf odds paytable --json` prints them. */
export interface TableOdds {
  what_if: { [key: string]: string } | null;
  rulebook: string;
  id: string;
  wager: string;
  pays: string;
  seats: number;
  lines: { [key: string]: any }[];
  return: string;
  house_edge: number;
  house_edge_exact: string;
  standard_deviation: number;
  hit_frequency: number;
  hit_frequency_exact: string;
  notice?: string;
  base_cents?: number;
  fixed_return_exact?: string;
  contributions_exact?: string;
  envy_exact?: string;
  break_even_meter?: number;
  break_even_meter_exact?: string;
  long_run_return?: string | null;
  meters?: { [key: string]: any }[];
  dynamic_draws?: number;
  dynamic_over_one?: number;
  dynamic_over_one_exact?: string;
}

/** An OpenAPI or AsyncAPI document. */
export interface Document {
  info: { [key: string]: any };
  components: { [key: string]: any };
  openapi?: string;
  paths?: { [key: string]: any };
  asyncapi?: string;
  channels?: { [key: string]: any };
  operations?: { [key: string]: any };
}

/** Answer of /health. `reasons` is empty if every check passes. */
export interface Health {
  status: string;
  database: string;
  reasons?: string[];
  disk_free_bytes?: number;
  clock_ahead_ms?: number;
  audit_age_s?: number;
}

/** Amounts of a meter and its reserve. A negative reserve is an advance from the house. */
export interface JackpotMeter {
  amount_micros: number;
  reserve_micros?: number;
}

/** Sentence in English, with the code and the values from which it can be built in other languages. */
export interface Words {
  code: string;
  values: { [key: string]: number | string };
  text: string;
  own_text?: string;
  more?: Words[];
}

/** Outcome of one wager. */
export interface Result {
  seat: number;
  wager: string;
  stake_cents: number;
  outcome: string;
  paid_cents: number;
  net_cents: number;
  reason: Words;
}

/** One pay or reseed of a meter, with each party's gain or loss. For a reseed, `seat` and `percent_bp` are 0. */
export interface Move {
  kind: "pay" | "reseed";
  seat: number;
  percent_bp: number;
  player_cents: number;
  meter_micros: number;
  reserve_micros: number;
  house_micros: number;
  before_micros: number;
  after_micros: number;
}

/** The live round or, between rounds, the last one. */
export interface Round {
  number: number;
  commitment: string | null;
  closed: Words | null;
  stale: Words | null;
}

/** A round, as one viewer may see it. */
export interface View {
  phase: "acting" | "betting" | "dealt" | "locked" | "settled" | "showdown" | "void";
  dealer: Hand | null;
  meters: { [key: string]: JackpotMeter };
  dynamic: { [key: string]: number } | null;
  dice: [number, number, number] | null;
  results: Result[];
  void: RoundVoid | null;
  notice: string | null;
  seats: Seat[];
}

/** Commands that the viewer may send to this table. */
export interface You {
  seat: number;
  legal: Option[];
  default: Default | null;
  leaving?: boolean;
}

/** The running clock, with the time that is left when the message is sent. */
export interface Clock {
  for: "betting" | "decision" | "pause";
  ends_in_ms: number;
}

/** An error as clients see it, without file name and line number. */
export interface Refusal {
  code: string;
  message: string;
  read?: string;
  expected?: string;
  reason?: string;
  values?: { [key: string]: number | string };
}

/** Key and URI for an authenticator app, shown only once, when the factor is created. */
export interface FactorKey {
  key: string;
  uri: string;
}

/** Amounts allowed for a wager. */
export interface Limit {
  minimum_cents: number;
  maximum_cents: number | null;
  step_cents: number;
  required: boolean;
}

/** Value of a decision, counting Ante and Raise together, and its cost compared with the best decision. An exact value is a string such as `1/3`. */
export interface Worth {
  type: "Fold" | "Raise";
  amount_cents?: number;
  keep?: Suit | null;
  value_cents: number;
  value_cents_exact: string;
  antes: number;
  antes_exact: string;
  cost_cents: number;
  cost_cents_exact: string;
  cost_antes: number;
  severity: "best" | "blunder" | "inaccuracy" | "mistake";
  bar?: Bar;
}

/** Value of a decision that was made or asked about, with the cards that it exposes and its mistakes. */
export interface AskedWorth {
  type: "Fold" | "Raise";
  amount_cents?: number;
  keep?: Suit | null;
  value_cents: number;
  value_cents_exact: string;
  antes: number;
  antes_exact: string;
  cost_cents: number;
  cost_cents_exact: string;
  cost_antes: number;
  severity: "best" | "blunder" | "inaccuracy" | "mistake";
  bar?: Bar;
  mistakes: MistakeMade[];
  loss: Words;
}

/** Value of a side bet to the player. It is negative if the player loses money on average. */
export interface SideBet {
  wager: string;
  stake_cents: number;
  value_cents: number;
  value_cents_exact: string;
  edge: number;
  edge_exact: string;
  in_your_favour: boolean;
  bonus: boolean;
  notice: string | null;
  meters: BreakEven[];
}

/** A finished round that the caller played. */
export interface OwnRound {
  table: string;
  number: number;
  at_ms: number;
  seat: number;
  outcome: "settled" | "void";
  bonus: boolean;
  net_cents: number;
  results: Result[];
}

/** A change in the wallet, or the end of a round that returned nothing. */
export interface OwnLine {
  at_ms: number;
  stream: string;
  round: number | null;
  what: Words;
  bonus: boolean;
  amount_cents: number;
  balance_cents: number;
  pending_cents: number;
}

/** A round with its net result, or another change in the wallet. */
export interface OwnEntry {
  at_ms: number;
  stream: string;
  round: number | null;
  what: Words;
  bonus: boolean;
  net_cents: number;
  balance_cents: number;
  pending_cents: number;
}

/** One of the caller's rounds with its grade. The running totals start at the session's first round. */
export interface GradedRound {
  table: string;
  number: number;
  at_ms: number;
  net_cents: number;
  expected_cents: number;
  cost_cents: number;
  cost_antes: number;
  severity: "best" | "blunder" | "inaccuracy" | "mistake";
  mistakes: MistakeMade[];
  result_cents: number;
  line_cents: number;
  low_cents: number;
  high_cents: number;
}

/** A line posted at a table. `text` is the whole text, and `short` is one line that fits next to the game. */
export interface Posted {
  code: string;
  short: string;
  text: string;
  values: { [key: string]: any };
}

export interface Hit {
  table: string;
  seat: number;
  at_ms: number;
  amount_cents: number;
  state: string;
}

/** One action of a finished round. */
export interface Step {
  kind: string;
  told: Fact[];
  view: View;
  weighed?: Weighed;
}

/** A side bet's names, and the cards that decide whether it wins. Pages need nothing else to name, place and check a side bet, so they need no change when `SIDE_BETS` grows. */
export interface SideBetRule {
  title: string;
  noun: string;
  key: string;
  counts: "cards" | "run" | null;
  ranks: string;
  smallest: number;
  shown: boolean;
  jackpot: boolean;
}

/** Properties in which rulebooks differ. */
export interface Traits {
  expose: "optional" | "refused" | "required";
  paid_at_once: boolean;
  exposing_ends_bet: boolean;
  dealing_methods: ("dice" | "left-to-right")[];
  kind: "between" | "exact" | "multiples" | "steps";
  minimum_open: boolean;
  side_bets: string[];
  jackpot_modes: ("bonus" | "progressive")[];
  envy: boolean;
  dynamic: boolean;
  levels: number;
  raises: RaiseOf[];
  posted: Posted[];
}

/** A hand, as far as the viewer may see it. */
export interface Hand {
  cards: number;
  seen: string;
}

/** A decision to void the round, with its reason and the phase in which it was made. */
export interface RoundVoid {
  reason: string;
  text: string;
  phase: "acting" | "betting" | "dealt" | "locked" | "settled" | "showdown" | "void";
}

export interface Seat {
  number: number;
  wagers: { [key: string]: number };
  hand: Hand | null;
  decision: Decision | null;
  void: HandVoid | null;
}

/** A command that the player may send, with its allowed amounts. */
export interface Option {
  type: "ClearWagers" | "Fold" | "PlaceWagers" | "Raise";
  wagers?: { [key: string]: Limit };
  keep?: Suit | null;
  amounts_cents?: number[];
  minimum_cents?: number;
  maximum_cents?: number | null;
  step_cents?: number;
  exposable?: string;
}

/** The decision that the server makes when the clock runs out. */
export interface Default {
  type: "Fold" | "Raise";
  amount_cents?: number;
  keep?: Suit | null;
}

/** Number of possible dealer hands for each outcome of a Raise. */
export interface Bar {
  not_qualified: number;
  win: number;
  tie: number;
  lose: number;
}

export interface MistakeMade {
  kind: "amount" | "fold" | "hidden" | "keep" | "raise" | "short";
  cost_cents: number;
}

export interface BreakEven {
  meter: string;
  amount_micros: number | null;
  break_even_micros: number;
}

/** A decision that was made, with its value and the values of other choices. */
export interface Weighed {
  seat: number;
  ante_cents: number;
  hand: string;
  seen: string;
  best: Worth;
  options: Worth[];
  why: Words[];
  made: AskedWorth;
}

/** Smallest and largest Raise, in Antes, when the flush that plays has this number of cards. */
export interface RaiseOf {
  cards: number;
  minimum_antes: number;
  maximum_antes: number;
  step_antes: number | null;
}

/** A Raise or a fold. A fold has no amount. */
export interface Decision {
  raise_cents?: number;
  keep: Suit | null;
  expose: string;
}

/** A supervisor's decision to void one hand. */
export interface HandVoid {
  disposition: "forfeit" | "return";
  reason: string;
  text: string;
}
