// What the player does at the table: commands to the server, and changes of what is prepared.
import { Refused } from "../core/api.js";
import * as money from "../core/money.js";
import { complain } from "../core/page.js";
import { choose as choosePrefs, prefs } from "../core/prefs.js";
import { say, sayError } from "../core/words.js";
import { choose, chooseNext, complete, raiseOf, tap, turnAll, warningFor } from "./choice.js";
import { wrongRaise } from "./deciding.js";
import { add, clear, double, lay, pick, type, wrong } from "./slip.js";
import { sorted } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").PlayerCommand} Command
 * @typedef {import("./choice.js").Choice} Choice
 * @typedef {{readonly state: State, update: (change: (state: State) => State) => void}} Store
 */

const LAST = "hcf-last-bets";

/** The wagers that were placed last on this device. @returns {import("./state.js").Slip} */
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
    // this browser stores nothing: the wagers are remembered until the page is left
  }
}

/**
 * @param {Store} store
 * @param {(command: Command) => Promise<unknown>} send
 */
export function actions(store, send) {
  const { update } = store;
  const seat = () => store.state.you?.seat ?? 0;

  /** Send a command; true if the server accepted it. @param {Command} command */
  async function act(command) {
    update((state) => ({ ...state, sending: true }));
    try {
      await send(command);
      complain("");
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      complain(sayError(error.error));
      return false;
    } finally {
      update((state) => ({ ...state, sending: false }));
    }
  }

  /** Give a new player the first free seat. The address asks for it, once. True if the player sits. */
  async function takeSeat() {
    const { you, seats, taken } = store.state;
    if (!new URLSearchParams(location.search).has("sit") || you) return false;
    history.replaceState(null, "", location.pathname);
    const free = Array.from({ length: seats }, (_, at) => at + 1).find((each) => !taken[each]);
    if (free) return act({ type: "Sit", seat: free });
    complain(say("full"));
    return false;
  }

  /** Place the slip; the player's seed for the shuffle goes first. @param {() => void} sendSeed */
  function place(sendSeed) {
    const { state } = store;
    if (wrong(state)) return;
    const wagers = sorted(state.slip);
    const round = state.round?.number ?? 0;
    if (state.seeded !== round) sendSeed();
    rememberBets(wagers);
    update((now) => ({ ...now, last: wagers, seeded: round }));
    act({ type: "PlaceWagers", seat: seat(), wagers });
  }

  function clearBets() {
    const isPlaced = Object.keys(store.state.placed).length > 0;
    update(clear);
    if (isPlaced) act({ type: "ClearWagers", seat: seat() });
  }

  /**
   * Send a decision. The first time that it would lose a straight flush, warn instead.
   * @param {Choice} choice
   * @param {{warn: (command: Choice) => Promise<boolean>, grade: (command: Choice) => Promise<void>}} coach
   */
  async function decide(choice, coach) {
    const command = complete(store.state, choice);
    if (!command) return;
    const warned = warningFor(store.state, choice);
    if (warned) return update((state) => ({ ...state, warned }));
    if (!(await coach.warn(command))) return;
    await act(/** @type {Command} */ ({ ...command, seat: seat() }));
    coach.grade(command);
  }

  return {
    act,
    place,
    decide,
    takeSeat,
    clear: clearBets,
    sit: (/** @type {number} */ number) => act({ type: "Sit", seat: number }),
    sendSeed: (/** @type {string} */ seed) => send({ type: "NameSeed", seat: seat(), seed }),
    leave: () => act({ type: "Leave", seat: seat() }),
    rebet: () => update((state) => lay(state, state.last)),
    double: () => update(double),
    pick: (/** @type {number} */ cents) => update((state) => pick(state, cents)),
    add: (/** @type {string} */ wager, /** @type {number | undefined} */ cents = undefined) =>
      update((state) => add(state, wager, cents)),
    type: (/** @type {string} */ wager, /** @type {string} */ text) => update((state) => type(state, wager, text)),
    keepSides: (/** @type {boolean} */ keepSides) => update((state) => ({ ...state, keepSides })),
    choose: (/** @type {string | null} */ keep) => update((state) => choose(state, keep)),
    chooseNext: () => update(chooseNext),
    tap: (/** @type {string} */ card) => update((state) => tap(state, card)),
    turnAll: () => update(turnAll),
    regroup() {
      choosePrefs({ order: prefs.order === "suit" ? "rank" : "suit" });
      update((state) => ({ ...state }));
    },
    /** Check a typed Raise; the caller sends it if it is good. @param {string} text @returns {Choice | null} */
    typedRaise(text) {
      const option = raiseOf(store.state);
      if (!option) return null;
      const raiseError = wrongRaise(text, option);
      update((state) => ({ ...state, raiseError }));
      return raiseError ? null : { type: "Raise", amount_cents: money.parse(text) ?? 0 };
    },
  };
}
