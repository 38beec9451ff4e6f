// What the wire carries, made from `web/shapes.py` by `make docs`; do not edit.

export type Suit = "c" | "d" | "h" | "s";

export type Role = "player" | "dealer" | "supervisor" | "cashier" | "auditor" | "administrator" | "server";

export type Kind = "person" | "bot" | "guest";

export type Fact =
  | WagersPlaced
  | WagersCleared
  | DiceRolled
  | WagersLocked
  | Contributed
  | ContributionReversed
  | DynamicDrawn
  | HandDealt
  | PacketDealt
  | PacketCollected
  | Folded
  | Raised
  | BonusShown
  | HandVoided
  | RoundVoided
  | DealerShown
  | WagerSettled
  | MeterMoved
  | RoundSettled
  | Seated
  | SeatLeft
  | TableSwitched
  | Warned
  | RoundOpened
  | SeedNamed
  | SeedCommitted
  | HandTakenBack
  | HandShown;

export type ServerSays =
  | Hello
  | TableMessage
  | ToldMessage
  | DoneMessage
  | RefusedMessage
  | PongMessage
  | BalanceMessage
  | MeterMessage
  | WinMessage
  | ByeMessage;

export type ClientSays =
  | Watch
  | Unwatch
  | Do
  | Ping;

export type PlayerCommand =
  | Sit
  | Leave
  | NameSeed
  | PlaceWagers
  | ClearWagers
  | Fold
  | Raise;

/** What calls answer. */
export interface Answers {
  "POST /guest": Me;
  "POST /register": Me;
  "POST /login": Me;
  "GET /me": Me;
  "POST /refill": Balance;
  "POST /ticket": Ticket;
  "POST /second-factor": Factor;
  "GET /sessions": SignedIn[];
  "POST /tokens": Token;
  "POST /codes": Code;
  "POST /codes/use": Signed;
  "GET /tables": Place[];
  "GET /tables/{name}": TableNow;
  "GET /tables/{name}/events": Event[];
  "GET /tables/{name}/rules": Rules;
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
  "GET /rulebooks": Rulebook[];
  "GET /rulebooks/{name}": Rules;
  "GET /odds/hand": HandOdds;
  "GET /odds/paytable": TableOdds;
  "GET /openapi.json": Document;
  "GET /asyncapi.json": Document;
  "GET /health": Health;
}

export interface Me {
  name: string;
  role: Role;
  kind: Kind;
  /** Of who has a wallet. */
  balance_cents?: number;
}

export interface Balance {
  balance_cents: number;
}

export interface Ticket {
  ticket: string;
}

export interface Factor {
  second_factor: FactorKey;
}

/** A session, or a token of a program. */
export interface SignedIn {
  id: string;
  kind: "session" | "token";
  name: string | null;
  made_ms: number;
  until_ms: number;
  /** Whether it is the one that asks. */
  this: boolean;
}

export interface Token {
  id: string;
  kind: "session" | "token";
  name: string | null;
  made_ms: number;
  until_ms: number;
  this: boolean;
  /** Shown now and never again. */
  token: string;
}

export interface Code {
  code: string;
  person: string;
  until_ms: number;
}

/** The name to sign in with, and what staff are shown now and never again. */
export interface Signed {
  name: string;
  second_factor?: FactorKey;
}

/** A table. */
export interface Place {
  name: string;
  rulebook: string;
  title: string;
  physical: boolean;
  open: boolean;
  phase: string | null;
  round: Round | null;
  seats: number;
  /** Who sits where, by the number of the seat. */
  taken: { [key: string]: string };
  limits: { [key: string]: Limit };
  /** Pay tables by side bet. */
  offers: { [key: string]: string };
  /** Meters by level. */
  meters: { [key: string]: string };
  /** Whether the coach helps there. */
  coach: boolean;
}

/** A table as the caller may see it. */
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
  limits: { [key: string]: Limit };
  offers: { [key: string]: string };
  meters: { [key: string]: string };
  coach: boolean;
  seq: number;
  view: View | null;
  you: You | null;
  clock: Clock | null;
}

export interface Event {
  seq: number;
  at_ms: number;
  kind: string;
  told: Fact[];
}

/** A rulebook as data: what stands here, and all else of its document. */
export interface Rules {
  name: string;
  title: string;
  version: string;
  sha256: string;
  rules: any[];
  notices: any[];
  notices_in_force: string[];
  paytables: { [key: string]: any }[];
  side_bets: { [key: string]: SideBetRule };
  settings: { [key: string]: any }[];
  traits: Traits;
  /** At a table. */
  limits?: { [key: string]: Limit };
}

export interface Advice {
  seat: number;
  best: Worth;
  options: Worth[];
  /** A sentence each. */
  why: Words[];
  asked: AskedWorth | null;
}

export interface SideBets {
  table: string;
  bets: SideBet[];
}

/** The oldest first; `before` asks for those before them. */
export interface OwnRounds {
  rounds: OwnRound[];
  before: number | null;
}

export interface OwnStatement {
  opening_cents: number;
  lines: OwnLine[];
  balance_cents: number;
  agrees: boolean;
  before: number | null;
}

/** result = expectation - mistakes + luck. */
export interface GradedSession {
  rounds: GradedRound[];
  /** Rounds of which nothing can be graded. */
  left_out: number;
  net_cents: number;
  expected_cents: number;
  cost_cents: number;
  luck_cents: number;
  z: number;
  luck: Words;
  /** When the first of them ended. */
  since_ms: number | null;
}

export interface Break {
  /** Until then no wager of the caller is taken; None: no break. */
  until_ms: number | null;
}

export interface Meter {
  name: string;
  paytable: string;
  kind: "progressive" | "bonus";
  amount_micros: number;
  notice: string | null;
  tables: string[];
  last_hits: Hit[];
}

/** A command that is on disk: the event that it made. */
export interface Accepted {
  stream: string;
  seq: number;
  kind: string;
}

/** A round that is over. */
export interface Record {
  table: string;
  number: number;
  rulebook: string;
  sha256: string;
  notation: string;
  proof: string;
  results: Result[];
}

/** A round that is over, step by step. */
export interface Steps {
  table: string;
  number: number;
  /** The seat that the caller had. */
  you: number | null;
  /** Whether its jackpot was a bonus jackpot, which must not pass for a progressive. */
  bonus: boolean;
  /** What the dollars of the jackpot's pay table are for; null where none was offered. */
  base_cents: number | null;
  steps: Step[];
  rules: { [key: string]: string };
  /** The side bets of these rulebooks. */
  side_bets: { [key: string]: SideBetRule };
}

export interface Rulebook {
  name: string;
  title: string;
  version: string;
  sha256: string;
  paytables: string[];
  traits: Traits;
}

/** `hcf odds hand --json`: an exact value is a text n/d. */
export interface HandOdds {
  fold: string;
  best: string;
}

/** `hcf odds paytable --json`. */
export interface TableOdds {
  wager: string;
  lines: { [key: string]: any }[];
  house_edge: number;
  house_edge_exact: string;
}

/** This interface. */
export interface Document {
  info: { [key: string]: any };
}

/** Answer of /health; `reasons` are empty while all is well. */
export interface Health {
  status: string;
  database: string;
  reasons?: string[];
  disk_free_bytes?: number;
  /** Difference to the database's clock. */
  clock_ahead_ms?: number;
  audit_age_s?: number;
}

export interface WagersPlaced {
  type: "WagersPlaced";
  seat: number;
  wagers: { [key: string]: number };
}

export interface WagersCleared {
  type: "WagersCleared";
  seat: number;
}

export interface DiceRolled {
  type: "DiceRolled";
  dice: [number, number, number];
  clockwise: boolean;
  first_position: number;
}

/** Betting is closed. Wins of a bonus jackpot are percentages of the amount displayed now. */
export interface WagersLocked {
  type: "WagersLocked";
  displays: { [key: string]: number };
}

/** Contribution of one bet to one meter and its reserve, added when the wagers lock. */
export interface Contributed {
  type: "Contributed";
  seat: number;
  meter: string;
  amount: MeterAmount;
}

export interface ContributionReversed {
  type: "ContributionReversed";
  seat: number;
  meter: string;
  amount: MeterAmount;
}

export interface DynamicDrawn {
  type: "DynamicDrawn";
  pays: [string, number][];
}

/** One hand was dealt. Seat 0 is the dealer. */
export interface HandDealt {
  type: "HandDealt";
  seat: number;
  hand: string;
}

/** A packet was dealt to an empty seat, where the deal goes to every position. */
export interface PacketDealt {
  type: "PacketDealt";
  seat: number;
}

/** The packet of an empty seat was discarded, after all packets were dealt. */
export interface PacketCollected {
  type: "PacketCollected";
  seat: number;
}

export interface Folded {
  type: "Folded";
  seat: number;
  expose: string;
  timed_out: boolean;
}

export interface Raised {
  type: "Raised";
  seat: number;
  amount_cents: number;
  keep: Suit | null;
  expose: string;
  timed_out: boolean;
  from_wins_cents: number;
}

/** A straight flush was laid face up for a side bet. `paid_now`: it is paid with the Raise that exposes it, otherwise at settlement. */
export interface BonusShown {
  type: "BonusShown";
  seat: number;
  pay_cents: number;
  paid_now: boolean;
  reason: Words;
}

export interface HandVoided {
  type: "HandVoided";
  seat: number;
  disposition: "return" | "forfeit";
  reason: string;
  text: string;
  by: string;
}

export interface RoundVoided {
  type: "RoundVoided";
  reason: string;
  text: string;
  by: string;
}

export interface DealerShown {
  type: "DealerShown";
  hand: string;
  qualifies: boolean;
  reason: Words;
}

export interface WagerSettled {
  type: "WagerSettled";
  result: Result;
}

export interface MeterMoved {
  type: "MeterMoved";
  meter: string;
  move: Move;
}

/** The round is over; `meters` are the amounts after it. */
export interface RoundSettled {
  type: "RoundSettled";
  meters: { [key: string]: MeterAmount };
}

/** Somebody has sat down; without a name it is somebody with chips. */
export interface Seated {
  type: "Seated";
  seat: number;
  player: string | null;
}

export interface SeatLeft {
  type: "SeatLeft";
  seat: number;
}

/** The table is open, paused or closed from now on. */
export interface TableSwitched {
  type: "TableSwitched";
  state: "open" | "paused" | "closed";
  reason: string;
}

export interface Warned {
  type: "Warned";
  seat: number;
  reason: string;
}

/** Wagers are open. `closed`: why the progressive is not taken. */
export interface RoundOpened {
  type: "RoundOpened";
  number: number;
  meters: { [key: string]: MeterAmount };
  commitment: string | null;
  closed: Words | null;
}

/** A player's seed, named in the open or revealed. */
export interface SeedNamed {
  type: "SeedNamed";
  seat: number;
  seed: string;
}

export interface SeedCommitted {
  type: "SeedCommitted";
  seat: number;
  commitment: string;
}

/** A hand that was keyed in wrongly; seat 0 is the dealer. */
export interface HandTakenBack {
  type: "HandTakenBack";
  seat: number;
}

/** The cards of a seat that lie face up when it is settled, and the suit that the player kept. */
export interface HandShown {
  type: "HandShown";
  seat: number;
  hand: string;
  keep: Suit | null;
}

/** The first message. */
export interface Hello {
  type: "hello";
  protocol: number;
  name: string;
  role: Role;
  balance_cents?: number;
}

/** The whole of a table: after `watch`, and whenever a client has fallen behind. */
export interface TableMessage {
  type: "table";
  table: string;
  seq: number;
  round: Round | null;
  taken: { [key: string]: string };
  view: View | null;
  you: You | null;
  clock: Clock | null;
}

/** One committed event: what was told, and everything after it. */
export interface ToldMessage {
  type: "told";
  table: string;
  seq: number;
  kind: string;
  told: Fact[];
  round: Round | null;
  taken: { [key: string]: string };
  view: View | null;
  you: You | null;
  clock: Clock | null;
}

/** A command is on disk. */
export interface DoneMessage {
  type: "done";
  key: string;
  answer: Accepted;
}

/** A message that could not be read, or a command that was refused and did nothing. */
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

export interface WinMessage {
  type: "win";
  meter: string;
  table: string;
  seat: number;
  amount_cents: number;
  state: string;
}

/** Before the server closes. */
export interface ByeMessage {
  type: "bye";
  code: string;
  message: string;
}

export interface Watch {
  type: "watch";
  table: string;
  after?: number | null;
}

export interface Unwatch {
  type: "unwatch";
  table: string;
}

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

/** A player takes a seat. Without a player, at a physical table: somebody who plays with chips. Whoever seats a player shows the token of that player's consent. */
export interface Sit {
  type: "Sit";
  seat: number;
  player?: string | null;
  /** At random, 32 to 64 hex digits. */
  token?: string | null;
}

export interface Leave {
  type: "Leave";
  seat: number;
}

/** A player's part of the chance, in the open, once a round before the lock; hex, at most 64 bytes. */
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

export interface FactorKey {
  key: string;
  uri: string;
}

export interface Round {
  number: number;
  commitment: string | null;
  /** Why the progressive is not taken. */
  closed: Words | null;
  /** Why it can only be voided. */
  stale: Words | null;
}

export interface Limit {
  minimum_cents: number;
  maximum_cents: number | null;
  step_cents: number;
  required: boolean;
}

export interface View {
  phase: "betting" | "locked" | "dealt" | "acting" | "showdown" | "settled" | "void";
  /** Those with wagers. */
  seats: Seat[];
  dealer: Hand | null;
  /** What the displays show. */
  meters: { [key: string]: MeterAmount };
  dynamic: { [key: string]: number } | null;
  dice: [number, number, number] | null;
  results: Result[];
  void: RoundVoid | null;
  /** What stands beside the amount of a bonus jackpot, word for word. */
  notice: string | null;
}

export interface You {
  seat: number;
  legal: Option[];
  /** What happens when the clock runs out. */
  default: Default | null;
}

export interface Clock {
  for: "betting" | "decision" | "pause";
  ends_in_ms: number;
}

/** A side bet: its names, and the hands that it pays for. */
export interface SideBetRule {
  title: string;
  /** The hands in its pay table: a five-card *flush*. */
  noun: string;
  /** The preferred key on a keyboard; empty if it has none. */
  key: string;
  /** The bet counts the cards of one suit, or the longest run in one suit; null if neither describes it. */
  counts: "cards" | "run" | null;
  /** The ranks that count. */
  ranks: string;
  /** The fewest cards that count. */
  smallest: number;
  /** Only cards that are kept or face up count, where the rulebook requires it. */
  shown: boolean;
  jackpot: boolean;
}

/** What tells a rulebook from another. */
export interface Traits {
  expose: "refused" | "optional" | "required";
  paid_at_once: boolean;
  dealing_methods: ("left-to-right" | "dice")[];
  /** Of the Raise; in steps where an own rulebook says so. */
  kind: "exact" | "multiples" | "between" | "steps";
  minimum_open: boolean;
  side_bets: string[];
  jackpot_modes: ("progressive" | "bonus")[];
  envy: boolean;
  dynamic: boolean;
  /** The most meters that a pay table has. */
  levels: number;
  raises: RaiseOf[];
  /** The limits that the document prints. */
  posted: Words[];
}

/** What a decision is worth on Ante and Raise, in cents and in Antes, and beside the best; exactly as a text n/d. */
export interface Worth {
  type: "Fold" | "Raise";
  amount_cents?: number;
  keep?: Suit | null;
  value_cents: number;
  value_cents_exact: string;
  antes: number;
  antes_exact: string;
  /** Against the best. */
  cost_cents: number;
  cost_cents_exact: string;
  cost_antes: number;
  severity: "best" | "inaccuracy" | "mistake" | "blunder";
  bar?: Bar;
}

/** What a person reads: by code and values for other languages, and in English. */
export interface Words {
  code: string;
  values: { [key: string]: number | string };
  text: string;
  /** The text for the player in the seat that it is about, where it differs: "you folded". */
  own_text?: string;
  /** What is said after it. */
  more?: Words[];
}

/** A decision that was asked about or made, with what is laid face up. */
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
  severity: "best" | "inaccuracy" | "mistake" | "blunder";
  bar?: Bar;
  mistakes: MistakeMade[];
}

/** What a side bet is worth: below nothing it costs money. */
export interface SideBet {
  wager: string;
  stake_cents: number;
  value_cents: number;
  value_cents_exact: string;
  edge: number;
  edge_exact: string;
  in_your_favour: boolean;
  /** Whether it is a bonus jackpot, which must not pass for a progressive. */
  bonus: boolean;
  /** What stands beside the amount of a bonus jackpot, word for word. */
  notice: string | null;
  meters: BreakEven[];
}

/** A round of one's own that is over. */
export interface OwnRound {
  table: string;
  number: number;
  at_ms: number;
  seat: number;
  outcome: "settled" | "void";
  /** Whether the jackpot of the table was then a bonus jackpot. */
  bonus: boolean;
  net_cents: number;
  results: Result[];
}

/** What moved the wallet, or the end of a round from which nothing came back. */
export interface OwnLine {
  at_ms: number;
  stream: string;
  round: number | null;
  /** By the kind of the event; the values are wagers that were placed. */
  what: Words;
  bonus: boolean;
  amount_cents: number;
  balance_cents: number;
  /** A 100 % win that supervisors decide. */
  pending_cents: number;
}

/** A round of one's own with its grade; what runs on is summed from the first one on. */
export interface GradedRound {
  table: string;
  number: number;
  at_ms: number;
  net_cents: number;
  expected_cents: number;
  cost_cents: number;
  cost_antes: number;
  severity: "best" | "inaccuracy" | "mistake" | "blunder";
  mistakes: MistakeMade[];
  /** All nets so far. */
  result_cents: number;
  /** What best play expects so far. */
  line_cents: number;
  low_cents: number;
  /** The band: two standard deviations about it. */
  high_cents: number;
}

export interface Hit {
  table: string;
  seat: number;
  at_ms: number;
  amount_cents: number;
  state: string;
}

export interface Result {
  seat: number;
  wager: string;
  stake_cents: number;
  outcome: string;
  paid_cents: number;
  net_cents: number;
  reason: Words;
}

/** One action of a round that is over. */
export interface Step {
  kind: string;
  told: Fact[];
  /** The round after it, all cards open. */
  view: View;
  /** Of a decision. */
  weighed?: Weighed;
}

/** Amounts of a meter and its reserve. A negative reserve is the house's advance. */
export interface MeterAmount {
  amount_micros: number;
  reserve_micros: number;
}

/** One movement of a meter: who gained and lost what. `seat` and `percent_bp` are 0 for a reseed. */
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

export interface Refusal {
  code: string;
  message: string;
  read?: string;
  expected?: string;
}

export interface Seat {
  number: number;
  wagers: { [key: string]: number };
  hand: Hand | null;
  decision: Decision | null;
  void: HandVoid | null;
}

export interface Hand {
  cards: number;
  /** What this viewer may see. */
  seen: string;
}

/** Void of the round, with its reason and the phase in which it happened. */
export interface RoundVoid {
  reason: string;
  text: string;
  phase: "betting" | "locked" | "dealt" | "acting" | "showdown" | "settled" | "void";
}

/** Something that may be done. */
export interface Option {
  type: "PlaceWagers" | "ClearWagers" | "Raise" | "Fold";
  wagers?: { [key: string]: Limit };
  amounts_cents?: number[];
  minimum_cents?: number;
  maximum_cents?: number | null;
  step_cents?: number;
  keep?: Suit | null;
  exposable?: string;
}

export interface Default {
  type: "Fold" | "Raise";
  amount_cents?: number;
  keep?: Suit | null;
}

/** The Raise with so many cards in the flush that plays, in Antes. */
export interface RaiseOf {
  cards: number;
  minimum_antes: number;
  maximum_antes: number;
  /** Between one Raise and the next; none where any amount may be raised. */
  step_antes: number | null;
}

/** The dealer's hands that a Raise meets, by what they do to it. */
export interface Bar {
  not_qualified: number;
  win: number;
  tie: number;
  lose: number;
}

export interface MistakeMade {
  kind: "fold" | "raise" | "amount" | "keep" | "hidden" | "short";
  cost_cents: number;
}

export interface BreakEven {
  meter: string;
  amount_micros: number | null;
  /** From so much on the bet is in the player's favour, the other meters at their seeds. */
  break_even_micros: number;
}

/** A decision that was made: what it was worth, and what each choice would have been. */
export interface Weighed {
  seat: number;
  ante_cents: number;
  hand: string;
  /** Of other seats, face up before it. */
  seen: string;
  best: Worth;
  /** Whole Antes, the ends and what was raised. */
  options: Worth[];
  /** A sentence each. */
  why: Words[];
  made: AskedWorth;
}

export interface Decision {
  /** A fold has none. */
  raise_cents?: number;
  keep: Suit | null;
  expose: string;
}

/** Void of one hand by a supervisor. */
export interface HandVoid {
  disposition: "return" | "forfeit";
  reason: string;
  text: string;
}
