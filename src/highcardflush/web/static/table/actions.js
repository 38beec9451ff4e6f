// The player's actions at the table: commands to the server, and updates of what the player prepares.
import { post, RefusalError } from "../core/api.js";
import { parseDollars } from "../core/numbers.js";
import { complain } from "../core/page.js";
import { prefs, setPrefs } from "../core/prefs.js";
import { say, sayError } from "../core/words.js";
import { choose, chooseNext, complete, offerSuits, raiseOf, tapCard, turnAll, warningFor } from "./choice.js";
import { wrongRaise } from "./deciding.js";
import { seedOf, randomSeed } from "./seed.js";
import { addChip, betsToPlace, clear, double, looseCents, pick, total, type, wrong } from "./slip.js";
import { isBetweenRounds, isInHand, isOnlyPerson, isRevealed, limitsNow } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").PlayerCommand} Command
 * @typedef {import("./choice.js").Choice} Choice
 * @typedef {{readonly state: State, update: (change: (state: State) => State) => void}} Store
 * @typedef {(command: Command) => Promise<unknown>} Send
 * @typedef {(command: Command) => Promise<boolean>} Act
 */

/** Under these keys the browser keeps the last bets, that a decision was made, and the table with the player's seat. */
const LAST = "hcf-last-bets";
const DECIDED = "hcf-decided";
const SEATED = "hcf-seated";

/** A value that this browser keeps, or null. @param {string} key @param {Storage} [storage] */
function recall(key, storage = localStorage) {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value @param {Storage} [storage] */
function keep(key, value, storage = localStorage) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // This browser stores nothing, so the value lasts only while the page is open.
  }
}

/** What this device knows of the player. @param {string} table @returns {Partial<State>} */
export function remembered(table) {
  const last = recall(LAST);
  return {
    last: last ?? {},
    isNewcomer: !last,
    isLearner: !recall(DECIDED),
    lostSeat: recall(SEATED, sessionStorage) === table,
    seedText: randomSeed(),
  };
}

/** @param {Store} store @param {Send} send */
export function actions(store, send) {
  const { update } = store;

  /** Send a command, and return true if the server accepted it. @param {Command} command */
  async function act(command) {
    update((state) => ({ ...state, isSending: true }));
    try {
      await send(command);
      complain("");
      return true;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      complain(sayError(error.error));
      return false;
    } finally {
      update((state) => ({ ...state, isSending: false }));
    }
  }

  return { ...seatActions(store, act), ...betActions(store, act, send), ...handActions(store, act) };
}

/** @param {Store} store */
const seatOf = ({ state }) => state.you?.seat ?? 0;

/** @param {Store} store @param {Act} act */
function seatActions(store, act) {
  const { update } = store;

  /** Take the first free seat. Return true if the player sits. */
  async function sitDown() {
    const { seats, taken } = store.state;
    const free = Array.from({ length: seats }, (_, at) => at + 1).find((each) => !taken[each]);
    if (free) return act({ type: "Sit", seat: free });
    complain(say("full"));
    return false;
  }

  /** Take a seat if the address requests one. Return true if the player sits. */
  async function takeSeat() {
    if (!new URLSearchParams(location.search).has("sit") || store.state.you) return false;
    history.replaceState(null, "", location.pathname);
    return sitDown();
  }

  /** Leave the seat, during a hand when the hand is over. Wagers that are not locked go back first. */
  async function leave() {
    const { state } = store;
    const seat = seatOf(store);
    if (isInHand(state)) return act({ type: "Leave", seat, after_hand: true });
    update((now) => ({ ...now, isLosing: true, isQueued: false }));
    const isFree = !looseCents(state) || (await act({ type: "ClearWagers", seat }));
    const hasLeft = isFree && (await act({ type: "Leave", seat }));
    if (!hasLeft) update((now) => ({ ...now, isLosing: false }));
    return hasLeft;
  }

  /** Get new play money. */
  async function refill() {
    try {
      const { balance_cents } = await post("/refill");
      complain("");
      update((now) => ({ ...now, balance_cents, purse_cents: balance_cents }));
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      complain(sayError(error.error));
    }
  }

  return {
    takeSeat,
    sitDown,
    leave,
    refill,
    sit: (/** @type {number} */ seat) => act({ type: "Sit", seat }),
    /** Remember where the player sits, so that a page that is loaded again knows a seat that was lost. */
    noteSeat: () => keep(SEATED, store.state.you || store.state.lostSeat ? store.state.name : null, sessionStorage),
    forgetSeat: () => {
      keep(SEATED, null, sessionStorage);
      update((state) => ({ ...state, lostSeat: false }));
    },
  };
}

/** @param {Store} store @param {Act} act @param {Send} send */
function betActions(store, act, send) {
  const { update } = store;

  /** Place the slip or the last bets. Between two rounds the bets wait until the betting opens. */
  function placeBets() {
    const { state } = store;
    const wagers = betsToPlace(state);
    if (!total(wagers) || wrong(state, wagers)) return;
    if (!limitsNow(state)) return queue(wagers);
    const round = state.nextRound ?? state.round?.number ?? 0;
    if (state.seedRound !== round) sendSeed();
    keep(LAST, wagers);
    update((now) => ({ ...now, slip: wagers, last: wagers, seedRound: round, isQueued: false, isNewcomer: false }));
    act({ type: "PlaceWagers", seat: seatOf(store), wagers });
  }

  /** @param {import("./state.js").Slip} wagers */
  function queue(wagers) {
    if (!isBetweenRounds(store.state)) return;
    update((now) => ({ ...now, slip: wagers, isQueued: true }));
    skipPause();
  }

  /** End the pause, if nobody else sits at the table. */
  function skipPause() {
    const { state } = store;
    if (state.clock?.for === "pause" && state.you && isRevealed(state) && isOnlyPerson(state))
      act({ type: "Skip", seat: seatOf(store) });
  }

  /** Place the bets that wait, if the betting is open. */
  function placeQueued() {
    if (store.state.isQueued && limitsNow(store.state)) placeBets();
  }

  function clearBets() {
    const hasBets = Object.keys(store.state.betsInPlay).length > 0;
    update(clear);
    if (hasBets) act({ type: "ClearWagers", seat: seatOf(store) });
  }

  /** Send the player's seed for the shuffle. */
  async function sendSeed() {
    const seed = seedOf(store.state.seedText.trim());
    const note = (/** @type {string} */ seedNote) => update((state) => ({ ...state, seedNote }));
    if (!seed) return note(say("seed-long"));
    try {
      await send({ type: "NameSeed", seat: seatOf(store), seed });
      note(say("seed-named", { seed }));
    } catch (error) {
      note(error instanceof RefusalError ? sayError(error.error) : String(error));
    }
  }

  return {
    placeBets,
    placeQueued,
    skipPause,
    clearBets,
    sendSeed,
    typeSeed: (/** @type {string} */ seedText) => update((state) => ({ ...state, seedText })),
    newSeed: () => update((state) => ({ ...state, seedText: randomSeed() })),
    double: () => update(double),
    pick: (/** @type {number} */ cents) => update((state) => pick(state, cents)),
    addChip: (/** @type {string} */ wager, /** @type {number | undefined} */ cents = undefined) =>
      update((state) => addChip(state, wager, cents)),
    type: (/** @type {string} */ wager, /** @type {string} */ text) => update((state) => type(state, wager, text)),
    keepBets: (/** @type {boolean} */ keepBets) => {
      setPrefs({ keepBets });
      update((state) => ({ ...state, keepBets }));
    },
  };
}

/** @param {Store} store @param {Act} act */
function handActions(store, act) {
  const { update } = store;

  /**
   * Send a decision. The first time that it would lose a straight flush, warn instead.
   * @param {Choice} choice
   * @param {{warn: (command: Choice) => Promise<boolean>, grade: () => void}} coach
   */
  async function decide(choice, coach) {
    const command = complete(store.state, choice);
    if (!command) return;
    const warning = warningFor(store.state, choice);
    if (warning) return update((state) => ({ ...state, warning }));
    if (!(await coach.warn(command))) return;
    coach.grade();
    keep(DECIDED, true);
    update((state) => ({ ...state, isLearner: false }));
    await act(/** @type {Command} */ ({ ...command, seat: seatOf(store) }));
  }

  /** Check a typed Raise; the caller sends it if it is good. @returns {Choice | null} */
  function typedRaise() {
    const { state } = store;
    const option = raiseOf(state);
    if (!option) return null;
    const raiseError = wrongRaise(state.raiseText, option);
    update((now) => ({ ...now, raiseError }));
    return raiseError ? null : { type: "Raise", amount_cents: parseDollars(state.raiseText) ?? 0 };
  }

  function regroup() {
    setPrefs({ order: prefs.order === "suit" ? "rank" : "suit" });
    update((state) => ({ ...state }));
  }

  return {
    decide,
    typedRaise,
    regroup,
    typeRaise: (/** @type {string} */ raiseText) => update((state) => ({ ...state, raiseText, raiseError: "" })),
    offerSuits: () => update(offerSuits),
    choose: (/** @type {string | null} */ keep) => update((state) => choose(state, keep)),
    chooseNext: () => update(chooseNext),
    tapCard: (/** @type {string} */ card) => update((state) => tapCard(state, card)),
    turnAll: () => update(turnAll),
  };
}
