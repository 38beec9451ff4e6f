// The state of the table page: the table as the server last described it, the last finished round and how much of it
// has been revealed, and what the player has prepared. All updates are pure functions; the page draws the state.
import { bySuit, parseCards } from "../core/hands.js";
import { netOf } from "../core/seats.js";

/** Two clocks that end within this time of each other are the same clock. */
const SAME_CLOCK_MS = 1500;
const MOST_LINES = 60;
/** The stage of the reveal at which everything is shown. */
const ALL = Infinity;

/**
 * @typedef {import("../wire.js").ServerSays} ServerSays
 * @typedef {import("../wire.js").Meter} Meter
 * @typedef {import("../wire.js").Result} Result
 * @typedef {Record<string, number>} Slip cents by wager
 * @typedef {{for: "betting" | "decision" | "pause", ends: number, whole: number}} Clock `ends` by the page's clock;
 *   `whole` is the longest time that this page has seen on it, in milliseconds
 * @typedef {{number: number, seat: number, view: import("../wire.js").View, timedOut: boolean}} Finished a settled
 *   round, and the player's seat in it, or 0
 * @typedef {import("./advice.js").Comparison} Comparison
 *
 * @typedef {object} Setup what does not change while the page is open
 * @property {string} name
 * @property {number} seats
 * @property {string[]} spotWagers wagers with a spot, in the order of the felt
 * @property {boolean} mustShow a straight flush pays only if it is kept or laid face up
 * @property {number} least_raise_antes the smallest Raise
 * @property {number} most_raise_antes the largest Raise
 * @property {Record<string, import("../wire.js").Limit>} limits of each wager
 * @property {import("../wire.js").Posted[]} posted
 * @property {Record<string, Meter>} levels the meters by level, as they were when the page was loaded
 *
 * @typedef {object} Prepared what belongs to one round; it starts empty in each round
 * @property {Slip} slip chips on the spots
 * @property {string} unread a typed stake that is not an amount
 * @property {string | null | undefined} keep the suit that the player has chosen; undefined before a choice
 * @property {boolean} isChoosingSuit the suits are offered
 * @property {string[]} down cards that would pay face up, and were turned down
 * @property {string[]} up other cards that were turned up
 * @property {string} warning the decision about which the player was warned
 * @property {string} raiseText a typed Raise
 * @property {string} raiseError why a typed Raise was not sent
 * @property {string} seedNote the answer to the player's seed
 * @property {boolean} timedOut the clock has decided for the player
 * @property {boolean} isQueued the bets are sent as soon as the betting opens
 * @property {import("../wire.js").Advice | null | undefined} advice of the coach; null if the coach is silent
 *
 * @typedef {object} Live
 * @property {number} seq
 * @property {import("../wire.js").Round | null} round
 * @property {number | null} nextRound the round in which the next bet will be, if another one stays in view
 * @property {Record<string, string>} taken
 * @property {number[]} housePlayers
 * @property {import("../wire.js").View | null} view
 * @property {import("../wire.js").You | null} you
 * @property {Clock | null} clock
 * @property {number | undefined} balance_cents
 * @property {number | undefined} purse_cents the balance as it is shown; it takes a result only when it is revealed
 * @property {Record<string, number>} meters what each meter shows, in micro-dollars
 * @property {boolean} isOnline
 * @property {boolean} isSending a command waits for its answer
 * @property {number} seedRound the last round for which the player's seed was sent
 * @property {string} seedText the player's seed
 * @property {number} chip cents that a tap lays down
 * @property {boolean} hasPicked a chip was picked on this page
 * @property {boolean} keepBets the bets stay on the spots in the next round
 * @property {Slip} last the wagers that were placed last
 * @property {Slip} betsInPlay the wagers that the server has
 * @property {Finished | null} finished the last settled round, until the player bets or cards are dealt again
 * @property {number} reveal the number of the dealer's suits that are turned up, or more if everything is shown
 * @property {{number: number, comparison: Comparison} | null} grade of the last decision
 * @property {import("../wire.js").SideBet[]} sideBets with what each is worth now
 * @property {string} says the dealer's last line
 * @property {string[]} log the announcements, the newest first
 * @property {boolean} isLosing the seat is given up by the player
 * @property {boolean} lostSeat the seat was given up while the player was away
 * @property {number | null} break_ends_ms the end of the player's break, as a date
 * @property {boolean} isNewcomer no bet was ever placed on this device
 * @property {boolean} isLearner no decision was ever made on this device
 * @property {boolean} isSoundOffered
 *
 * @typedef {Setup & Prepared & Live} State
 */

/** @type {Prepared} */
const NOTHING = {
  slip: {},
  unread: "",
  keep: undefined,
  isChoosingSuit: false,
  down: [],
  up: [],
  warning: "",
  raiseText: "",
  raiseError: "",
  seedNote: "",
  timedOut: false,
  isQueued: false,
  advice: undefined,
};

/**
 * The state before the server's first message.
 * @param {Setup} setup
 * @param {Partial<Live>} chosen
 * @returns {State}
 */
export const start = (setup, chosen) => ({
  ...setup,
  ...NOTHING,
  seq: 0,
  round: null,
  nextRound: null,
  taken: {},
  housePlayers: [],
  view: null,
  you: null,
  clock: null,
  balance_cents: undefined,
  purse_cents: undefined,
  meters: {},
  isOnline: false,
  isSending: false,
  seedRound: 0,
  seedText: "",
  chip: 500,
  hasPicked: false,
  keepBets: true,
  last: {},
  betsInPlay: {},
  finished: null,
  reveal: ALL,
  grade: null,
  sideBets: [],
  says: "",
  log: [],
  isLosing: false,
  lostSeat: false,
  break_ends_ms: null,
  isNewcomer: false,
  isLearner: false,
  isSoundOffered: false,
  ...chosen,
});

// --- messages of the server ----------------------------------------------------------------------

/** The state after a message. @param {State} state @param {ServerSays} message @param {number} now @returns {State} */
export function after(state, message, now) {
  switch (message.type) {
    case "table":
      return message.table === state.name ? withTable(state, message, now, ALL) : state;
    case "told":
      return message.table === state.name ? withTable(withFacts(state, message), message, now, 0) : state;
    case "hello":
    case "balance":
      return withPurse({ ...state, balance_cents: message.balance_cents });
    case "meter":
      return { ...state, meters: { ...state.meters, [message.name]: message.amount_micros } };
    default:
      return state;
  }
}

/**
 * @param {State} state
 * @param {(import("../wire.js").TableMessage | import("../wire.js").ToldMessage) & {house_players?: number[]}} message
 * @param {number} now
 * @param {number} reveal the stage at which the dealer's cards begin to be shown
 */
function withTable(state, { seq, round, next: nextRound, taken, house_players, view, you, clock }, now, reveal) {
  const isNew = round?.number !== state.round?.number;
  const later = {
    ...(isNew ? newRound(state) : state),
    seq,
    round: round ?? null,
    nextRound: nextRound?.number ?? null,
    taken: taken ?? {},
    housePlayers: house_players ?? state.housePlayers,
    view: view ?? null,
    you: you ?? null,
    clock: clock ? clockAfter(state.clock, clock, now) : null,
    reveal: !state.view?.dealer?.seen && view?.dealer?.seen ? reveal : state.reveal,
    lostSeat: you ? false : state.lostSeat || Boolean(state.you && !state.isLosing),
    isLosing: Boolean(you) && state.isLosing,
  };
  return withPurse(withFinished(withStakes(later)));
}

/** Forget what the player prepared for the last round, except bets to keep. @param {State} state @returns {State} */
const newRound = (state) => ({
  ...state,
  ...NOTHING,
  betsInPlay: {},
  isQueued: state.isQueued,
  slip: state.isQueued ? state.slip : state.keepBets ? playedBets(state) : {},
});

/** The player's own bets in the last round; not those of somebody who had the seat before. @param {State} state */
const playedBets = (state) => (state.finished ? sortSlip(boardSeat(state)?.wagers ?? {}) : state.betsInPlay);

/**
 * Note that the clock decided for the player.
 * @param {State} state
 * @param {import("../wire.js").ToldMessage} message
 */
const withFacts = (state, { told }) =>
  told?.some((fact) => "timed_out" in fact && fact.timed_out && fact.seat === state.you?.seat)
    ? { ...state, timedOut: true }
    : state;

/** Put the stakes that the server has on the spots. @param {State} state @returns {State} */
function withStakes(state) {
  const bets = isBetweenRounds(state) ? {} : sortSlip(ownSeat(state)?.wagers ?? {});
  if (JSON.stringify(bets) === JSON.stringify(state.betsInPlay)) return state;
  return { ...state, betsInPlay: bets, slip: Object.keys(bets).length ? bets : state.slip };
}

/**
 * Keep a settled round on the felt until the player bets again or cards are dealt.
 * @param {State} state
 * @returns {State}
 */
function withFinished(state) {
  const number = state.round?.number ?? 0;
  const { finished, view, you, timedOut } = state;
  if (view?.phase === "settled") {
    if (finished?.number === number) return { ...state, finished: { ...finished, view } };
    const slip = state.keepBets || state.isQueued ? state.slip : {};
    return { ...state, slip, finished: { number, seat: you?.seat ?? 0, view, timedOut } };
  }
  const isNext = !view || view.phase !== "betting" || Object.keys(state.betsInPlay).length > 0;
  return finished && isNext ? { ...state, finished: null } : state;
}

/** Show the balance, but no win before it is revealed. @param {State} state @returns {State} */
function withPurse(state) {
  const { balance_cents: balance, purse_cents: purse } = state;
  const isInPlay = state.view && !["betting", "settled", "void"].includes(state.view.phase) && ownSeat(state);
  const isHeld = isInPlay || !isRevealed(state);
  const cents = isHeld && balance !== undefined && purse !== undefined ? Math.min(balance, purse) : balance;
  return cents === purse ? state : { ...state, purse_cents: cents };
}

/**
 * The page's clock. If it is the same clock as before, its whole time stays.
 * @param {Clock | null} before
 * @param {import("../wire.js").Clock} clock
 * @param {number} now
 * @returns {Clock}
 */
function clockAfter(before, clock, now) {
  const ends = now + clock.ends_in_ms;
  const same = before?.for === clock.for && Math.abs(before.ends - ends) < SAME_CLOCK_MS;
  return { for: clock.for, ends, whole: same ? before.whole : clock.ends_in_ms };
}

// --- the reveal of a settled round ---------------------------------------------------------------

/** Turn the dealer's next suit, and after the last one show the results. @param {State} state @returns {State} */
export function revealNext(state) {
  const reveal = state.reveal + 1;
  return withPurse({ ...state, reveal: reveal > dealerSuits(state).length ? ALL : reveal });
}

/** @param {State} state @returns {State} */
export const revealAll = (state) => withPurse({ ...state, reveal: ALL });

/** @param {State} state */
export const isRevealed = (state) => state.reveal === ALL;

/** The dealer's cards by suit, the longest first. @param {State} state */
export const dealerSuits = (state) => bySuit(parseCards(boardView(state)?.dealer?.seen ?? ""));

/**
 * Add announcements to the log. The dealer's bubble shows `says`.
 * @param {State} state
 * @param {string[]} lines
 * @param {string} says
 * @returns {State}
 */
export const withLines = (state, lines, says) => ({
  ...state,
  log: [...[...lines].reverse(), ...state.log].slice(0, MOST_LINES),
  says: says || state.says,
});

// --- questions -----------------------------------------------------------------------------------

/** What lies on the felt: the finished round while it is shown, else the live one. @param {State} state */
export const boardView = (state) => state.finished?.view ?? state.view;

/** The player's seat on the felt. @param {State} state */
export const boardSeat = (state) =>
  state.finished ? state.finished.view.seats.find(({ number }) => number === state.finished?.seat) : ownSeat(state);

/** The results that are shown. @param {State} state */
export const shownResults = (state) => (isRevealed(state) ? (state.finished?.view.results ?? []) : []);

/** The player's results that are shown. @param {State} state */
export const ownResults = (state) => shownResults(state).filter(({ seat }) => seat === state.finished?.seat);

/** The player's net in the finished round. @param {State} state */
export const ownNet = (state) => netOf(ownResults(state));

/**
 * The options of one type that the player has now.
 * @param {Pick<State, "you">} state
 * @param {import("../wire.js").Option["type"]} type
 */
export const options = (state, type) => (state.you?.legal ?? []).filter((option) => option.type === type);

/** The limits of the wagers that the player may place now, or null. @param {State} state */
export const limitsNow = (state) => options(state, "PlaceWagers")[0]?.wagers ?? null;

/** @param {Pick<State, "you">} state */
export const mayDecide = (state) => options(state, "Fold").length > 0;

/** The player's seat in the round, if it has wagers. @param {Pick<State, "view" | "you">} state */
export const ownSeat = (state) => state.view?.seats.find((seat) => seat.number === state.you?.seat) ?? null;

/** True if no other person sits at the table. @param {State} state */
export const isOnlyPerson = ({ taken, housePlayers, you }) =>
  Object.keys(taken).every((seat) => Number(seat) === you?.seat || housePlayers.includes(Number(seat)));

/** True if the table is for one player, without a clock. @param {State} state */
export const isAlone = (state) => state.seats === 1;

/** True if the player's wagers can no longer be taken back in this round. @param {State} state */
export const isInHand = (state) =>
  Boolean(ownSeat(state)) && !["betting", "settled", "void"].includes(state.view?.phase ?? "betting");

/** True while the round is settled and the next one is not open. @param {State} state */
export const isBetweenRounds = (state) => !state.view || ["settled", "void"].includes(state.view.phase);

/** True if a command waits for the connection to come back. @param {State} state */
export const isDelayed = (state) => state.isSending && !state.isOnline;

/** The notice of a bonus jackpot, or null for another jackpot. @param {State} state */
export const noticeOf = (state) =>
  (state.view ? state.view.notice : Object.values(state.levels).find((meter) => meter.notice)?.notice) ?? null;

/** True if the jackpot is a bonus jackpot. @param {State} state */
export function isBonus(state) {
  const meters = Object.values(state.levels);
  return meters.length > 0 && (state.view ? Boolean(state.view.notice) : meters.some(({ kind }) => kind === "bonus"));
}

/** The amount that a meter shows, in micro-dollars. @param {State} state @param {string} level */
export function microsOf(state, level) {
  const meter = state.levels[level];
  return state.meters[meter.name] ?? meter.amount_micros;
}

/** A slip without empty spots, in a fixed order. @param {Slip} slip @returns {Slip} */
export const sortSlip = (slip) =>
  Object.fromEntries(
    Object.entries(slip)
      .filter(([, cents]) => cents > 0)
      .sort(([a], [b]) => a.localeCompare(b)),
  );
