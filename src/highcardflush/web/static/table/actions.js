// The player's actions at the table: commands to the server, and updates of what the player prepares.
import { RefusalError } from "../core/api.js";
import { parseDollars } from "../core/numbers.js";
import { complain } from "../core/page.js";
import { prefs, setPrefs } from "../core/prefs.js";
import { say, sayError } from "../core/words.js";
import { choose, chooseNext, complete, raiseOf, tapCard, turnAll, warningFor } from "./choice.js";
import { wrongRaise } from "./deciding.js";
import { addChip, clear, double, lay, pick, type, wrong } from "./slip.js";
import { sortSlip } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").PlayerCommand} Command
 * @typedef {import("./choice.js").Choice} Choice
 * @typedef {{readonly state: State, update: (change: (state: State) => State) => void}} Store
 * @typedef {(command: Command) => Promise<unknown>} Send
 * @typedef {(command: Command) => Promise<boolean>} Act
 */

const LAST = "hcf-last-bets";

/** The last wagers placed on this device. @returns {import("./state.js").Slip} */
export function lastBets() {
  try {
    return JSON.parse(localStorage.getItem(LAST) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {import("./state.js").Slip} wagers */
function rememberBets(wagers) {
  try {
    localStorage.setItem(LAST, JSON.stringify(wagers));
  } catch {
    // This browser stores nothing, so the wagers are remembered only while the page is open.
  }
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
  /** Take the first free seat if the address requests a seat. Return true if the player sits. */
  async function takeSeat() {
    const { you, seats, taken } = store.state;
    if (!new URLSearchParams(location.search).has("sit") || you) return false;
    history.replaceState(null, "", location.pathname);
    const free = Array.from({ length: seats }, (_, at) => at + 1).find((each) => !taken[each]);
    if (free) return act({ type: "Sit", seat: free });
    complain(say("full"));
    return false;
  }

  return {
    takeSeat,
    sit: (/** @type {number} */ seat) => act({ type: "Sit", seat }),
    leave: () => act({ type: "Leave", seat: seatOf(store) }),
  };
}

/** @param {Store} store @param {Act} act @param {Send} send */
function betActions(store, act, send) {
  const { update } = store;

  /** Send the slip as wagers, after the player's seed for the shuffle. @param {() => void} sendSeed */
  function placeBets(sendSeed) {
    const { state } = store;
    if (wrong(state)) return;
    const wagers = sortSlip(state.slip);
    const round = state.round?.number ?? 0;
    if (state.seedRound !== round) sendSeed();
    rememberBets(wagers);
    update((now) => ({ ...now, last: wagers, seedRound: round }));
    act({ type: "PlaceWagers", seat: seatOf(store), wagers });
  }

  function clearBets() {
    const hasBets = Object.keys(store.state.betsInPlay).length > 0;
    update(clear);
    if (hasBets) act({ type: "ClearWagers", seat: seatOf(store) });
  }

  return {
    placeBets,
    clearBets,
    sendSeed: (/** @type {string} */ seed) => send({ type: "NameSeed", seat: seatOf(store), seed }),
    rebet: () => update((state) => lay(state, state.last)),
    double: () => update(double),
    pick: (/** @type {number} */ cents) => update((state) => pick(state, cents)),
    addChip: (/** @type {string} */ wager, /** @type {number | undefined} */ cents = undefined) =>
      update((state) => addChip(state, wager, cents)),
    type: (/** @type {string} */ wager, /** @type {string} */ text) => update((state) => type(state, wager, text)),
    keepSides: (/** @type {boolean} */ keepSides) => update((state) => ({ ...state, keepSides })),
  };
}

/** @param {Store} store @param {Act} act */
function handActions(store, act) {
  const { update } = store;

  /**
   * Send a decision. The first time that it would lose a straight flush, warn instead.
   * @param {Choice} choice
   * @param {{warn: (command: Choice) => Promise<boolean>, grade: (command: Choice) => Promise<void>}} coach
   */
  async function decide(choice, coach) {
    const command = complete(store.state, choice);
    if (!command) return;
    const warning = warningFor(store.state, choice);
    if (warning) return update((state) => ({ ...state, warning }));
    if (!(await coach.warn(command))) return;
    await act(/** @type {Command} */ ({ ...command, seat: seatOf(store) }));
    coach.grade(command);
  }

  /** Check a typed Raise; the caller sends it if it is good. @param {string} text @returns {Choice | null} */
  function typedRaise(text) {
    const option = raiseOf(store.state);
    if (!option) return null;
    const raiseError = wrongRaise(text, option);
    update((state) => ({ ...state, raiseError }));
    return raiseError ? null : { type: "Raise", amount_cents: parseDollars(text) ?? 0 };
  }

  function regroup() {
    setPrefs({ order: prefs.order === "suit" ? "rank" : "suit" });
    update((state) => ({ ...state }));
  }

  return {
    decide,
    typedRaise,
    regroup,
    choose: (/** @type {string | null} */ keep) => update((state) => choose(state, keep)),
    chooseNext: () => update(chooseNext),
    tapCard: (/** @type {string} */ card) => update((state) => tapCard(state, card)),
    turnAll: () => update(turnAll),
  };
}
