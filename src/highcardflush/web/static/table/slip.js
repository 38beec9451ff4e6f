// The slip: the chips on the spots before the player places the bets. All updates of the state are pure.
import { formatDollars, parseDollars } from "../core/numbers.js";
import { say, sayWager } from "../core/words.js";
import { isBonus, limitsNow, ownSeat } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Slip} Slip
 * @typedef {import("../wire.js").Limit} Limit
 */

/** @param {Slip} slip */
export const total = (slip) => Object.values(slip).reduce((sum, cents) => sum + cents, 0);

/**
 * The largest allowed amount up to `cents`, or the minimum if `cents` is below it.
 * @param {number} cents
 * @param {Limit} limit
 */
export function fit(cents, limit) {
  if (cents <= 0) return 0;
  const most = limit.maximum_cents ?? cents;
  const within = Math.max(limit.minimum_cents, Math.min(cents, most));
  return within - (within % Math.max(1, limit.step_cents));
}

/**
 * Lay chips on the spots. Each amount is changed to fit its limits.
 * @param {State} state
 * @param {Slip} stakes
 * @returns {State}
 */
export function lay(state, stakes) {
  const limits = limitsNow(state) ?? {};
  const entries = Object.entries(stakes).filter(([wager, cents]) => limits[wager] && cents > 0);
  return {
    ...state,
    unread: "",
    slip: Object.fromEntries(entries.map(([wager, cents]) => [wager, fit(cents, limits[wager])])),
  };
}

/**
 * Add a chip to a spot. If a spot allows only one amount, switch it on or off.
 * @param {State} state
 * @param {string} wager
 * @param {number} [cents]
 * @returns {State}
 */
export function addChip(state, wager, cents = state.chip) {
  const limit = limitsNow(state)?.[wager];
  if (!limit) return state;
  const before = state.slip[wager] ?? 0;
  const isSwitch = limit.maximum_cents === limit.minimum_cents;
  return lay(state, {
    ...state.slip,
    [wager]: isSwitch ? (before ? 0 : limit.minimum_cents) : fit(before + cents, limit),
  });
}

/**
 * Stake a typed amount, as it was typed.
 * @param {State} state
 * @param {string} wager
 * @param {string} text
 * @returns {State}
 */
export function type(state, wager, text) {
  const cents = text.trim() ? parseDollars(text) : 0;
  return cents === null
    ? { ...state, unread: text }
    : { ...state, unread: "", slip: { ...state.slip, [wager]: cents } };
}

/** @param {State} state @returns {State} */
export const double = (state) =>
  lay(state, Object.fromEntries(Object.entries(state.slip).map(([wager, cents]) => [wager, cents * 2])));

/** @param {State} state @returns {State} */
export const clear = (state) => ({ ...state, slip: {}, unread: "" });

/** @param {State} state @param {number} chip @returns {State} */
export const pick = (state, chip) => ({ ...state, chip });

/** The error of the slip; empty if the player may place it. @param {State} state */
export function wrong(state) {
  for (const [wager, limit] of Object.entries(limitsNow(state) ?? {})) {
    const error = wrongStake(state.slip[wager] ?? 0, limit, sayWager({ wager, bonus: isBonus(state) }));
    if (error) return error;
  }
  const purse = (state.balance_cents ?? 0) + total(ownSeat(state)?.wagers ?? {});
  const stakes = total(state.slip);
  return stakes > purse ? say("bet-purse", { total: formatDollars(stakes), purse: formatDollars(purse) }) : "";
}

/** @param {number} cents @param {Limit} limit @param {string} name */
function wrongStake(cents, { minimum_cents: least, maximum_cents: most, step_cents: step, required }, name) {
  if (!cents) return required ? say("bet-needed", { name, least: formatDollars(least) }) : "";
  if (cents < least) return say("bet-least", { name, least: formatDollars(least) });
  if (most !== null && cents > most) return say("bet-most", { name, most: formatDollars(most) });
  return cents % step ? say("bet-steps", { name, step: formatDollars(step) }) : "";
}
