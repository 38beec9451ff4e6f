// The state of the table page: the table as the server last described it, the results announced so far, and what the
// player has prepared for the round. All updates are pure functions; the page draws the state.

/** Two clocks that end within this time of each other are the same clock. */
const SAME_CLOCK_MS = 1500;

/**
 * @typedef {import("../wire.js").ServerSays} ServerSays
 * @typedef {import("../wire.js").Meter} Meter
 * @typedef {import("../wire.js").Result} Result
 * @typedef {Record<string, number>} Slip cents by wager
 * @typedef {{for: "betting" | "decision" | "pause", ends: number, whole: number}} Clock `ends` by the page's clock;
 *   `whole` is the longest time that this page has seen on it, in milliseconds
 *
 * @typedef {object} Setup what does not change while the page is open
 * @property {string} name
 * @property {number} seats
 * @property {string[]} spotWagers wagers with a spot, in the order of the felt
 * @property {boolean} mustShow a straight flush pays only if it is kept or laid face up
 * @property {Record<string, Meter>} levels the meters by level, as they were when the page was loaded
 *
 * @typedef {object} Prepared what the player has prepared for a round; it starts empty in each round
 * @property {Slip} slip chips on the spots
 * @property {string} unread a typed stake that is not an amount
 * @property {string | null | undefined} keep the suit that the player has chosen; undefined before a choice
 * @property {string[]} down cards that would pay face up, and were turned down
 * @property {string[]} up other cards that were turned up
 * @property {string} warning the decision about which the player was warned
 * @property {string} raiseError why a typed Raise was not sent
 * @property {string[]} announcedKeys results that were announced, as `SEAT WAGER`
 *
 * @typedef {object} Live
 * @property {number} seq
 * @property {import("../wire.js").Round | null} round
 * @property {Record<string, string>} taken
 * @property {import("../wire.js").View | null} view
 * @property {import("../wire.js").You | null} you
 * @property {Clock | null} clock
 * @property {number | undefined} balance_cents
 * @property {Record<string, number>} meters what each meter shows, in micro-dollars
 * @property {boolean} isOnline
 * @property {boolean} isSending a command waits for its answer
 * @property {number} seedRound the last round for which the player's seed was sent
 * @property {number} chip cents that a tap lays down
 * @property {boolean} keepSides side bets stay on the spots in the next round
 * @property {Slip} last the wagers that were placed last
 * @property {Slip} betsInPlay the wagers that the server has
 * @property {{number: number, results: Result[]}} lastResults the player's results in the last settled round
 * @property {number} tellingSeat the seat whose results are being announced, or 0
 *
 * @typedef {Setup & Prepared & Live} State
 */

/** @type {Prepared} */
const NOTHING = {
  slip: {},
  unread: "",
  keep: undefined,
  down: [],
  up: [],
  warning: "",
  raiseError: "",
  announcedKeys: [],
};

/**
 * The state before the server's first message.
 * @param {Setup} setup
 * @param {{chip: number, last: Slip}} chosen
 * @returns {State}
 */
export const start = (setup, { chip, last }) => ({
  ...setup,
  ...NOTHING,
  seq: 0,
  round: null,
  taken: {},
  view: null,
  you: null,
  clock: null,
  balance_cents: undefined,
  meters: {},
  isOnline: false,
  isSending: false,
  seedRound: 0,
  chip,
  keepSides: false,
  last,
  betsInPlay: {},
  lastResults: { number: 0, results: [] },
  tellingSeat: 0,
});

// --- messages of the server ----------------------------------------------------------------------

/** The state after a message. @param {State} state @param {ServerSays} message @param {number} now @returns {State} */
export function after(state, message, now) {
  switch (message.type) {
    case "table":
      return message.table === state.name ? announceAll(withTable(state, message, now)) : state;
    case "told":
      return message.table === state.name ? withTable(state, message, now) : state;
    case "hello":
    case "balance":
      return { ...state, balance_cents: message.balance_cents };
    case "meter":
      return { ...state, meters: { ...state.meters, [message.name]: message.amount_micros } };
    default:
      return state;
  }
}

/**
 * @param {State} state
 * @param {import("../wire.js").TableMessage | import("../wire.js").ToldMessage} message
 * @param {number} now
 */
function withTable(state, { seq, round, taken, view, you, clock }, now) {
  const isNew = round?.number !== state.round?.number;
  return withStakes(
    withResults({
      ...(isNew ? newRound(state) : state),
      seq,
      round: round ?? null,
      taken: taken ?? {},
      view: view ?? null,
      you: you ?? null,
      clock: clock ? clockAfter(state.clock, clock, now) : null,
    }),
  );
}

/**
 * Forget what the player prepared for the last round, except side bets to keep.
 * @param {State} state
 * @returns {State}
 */
function newRound(state) {
  const sides = Object.entries(state.last).filter(([wager]) => wager !== "ante");
  return { ...state, ...NOTHING, betsInPlay: {}, slip: state.keepSides ? Object.fromEntries(sides) : {} };
}

/** Put the stakes that the server has on the spots. @param {State} state @returns {State} */
function withStakes(state) {
  const bets = sortSlip(ownSeat(state)?.wagers ?? {});
  if (JSON.stringify(bets) === JSON.stringify(state.betsInPlay)) return state;
  return { ...state, betsInPlay: bets, slip: Object.keys(bets).length ? bets : state.slip };
}

/** Keep the player's results until the next cards are dealt. @param {State} state @returns {State} */
function withResults(state) {
  const results = ownResults(state);
  if (results.length) return { ...state, lastResults: { number: state.round?.number ?? 0, results } };
  const isOver = ownSeat(state)?.hand || !state.you;
  return isOver ? { ...state, lastResults: { ...state.lastResults, results: [] } } : state;
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

// --- announcements -------------------------------------------------------------------------------

/** Announce a fact. @param {State} state @param {import("../wire.js").Fact} fact @returns {State} */
export function announce(state, fact) {
  if (fact.type !== "WagerSettled") return { ...state, tellingSeat: 0 };
  return { ...state, tellingSeat: fact.result.seat, announcedKeys: [...state.announcedKeys, keyOf(fact.result)] };
}

/** @param {State} state @returns {State} */
const announceAll = (state) => ({ ...state, announcedKeys: (state.view?.results ?? []).map(keyOf) });

/** @param {State} state @returns {State} */
export const endAnnouncement = (state) => ({ ...state, tellingSeat: 0 });

/** @param {State} state @param {{seat: number, wager: string}} result */
export const isAnnounced = (state, result) => state.announcedKeys.includes(keyOf(result));

/** @param {{seat: number, wager: string}} result */
const keyOf = ({ seat, wager }) => `${seat} ${wager}`;

// --- questions -----------------------------------------------------------------------------------

/**
 * The options of one type that the player has now.
 * @param {Pick<State, "you">} state
 * @param {import("../wire.js").Option["type"]} type
 */
export const options = (state, type) => (state.you?.legal ?? []).filter((option) => option.type === type);

/** The limits of the wagers that the player may place now, or null. @param {State} state */
export const limitsNow = (state) => options(state, "PlaceWagers")[0]?.wagers ?? null;

/** @param {State} state */
export const mayDecide = (state) => options(state, "Fold").length > 0;

/** The player's seat in the round, if it has wagers. @param {Pick<State, "view" | "you">} state */
export const ownSeat = (state) => state.view?.seats.find((seat) => seat.number === state.you?.seat) ?? null;

/** @param {State} state */
export const ownResults = (state) => (state.view?.results ?? []).filter((result) => result.seat === state.you?.seat);

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
  return state.meters[meter.name] ?? state.view?.meters[level]?.amount_micros ?? meter.amount_micros;
}

/** A slip without empty spots, in a fixed order. @param {Slip} slip @returns {Slip} */
export const sortSlip = (slip) =>
  Object.fromEntries(
    Object.entries(slip)
      .filter(([, cents]) => cents > 0)
      .sort(([a], [b]) => a.localeCompare(b)),
  );
