// The slip: the chips on the spots before the player places the bets. All updates of the state are pure.
import { formatDollars, parseDollars } from "../core/numbers.js";
import { say, sayWager } from "../core/words.js";
import { isAlone, isBonus, limitsNow, options, ownSeat, sortSlip } from "./state.js";

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
export const pick = (state, chip) => ({ ...state, chip, hasPicked: true });

/** The bets that the main button places: the slip, or the last bets if the slip is empty. @param {State} state */
export function betsToPlace(state) {
  if (total(state.slip)) return sortSlip(state.slip);
  return sortSlip(limitsNow(state) ? lay(state, state.last).slip : state.last);
}

/** @param {State} state */
export const isPlaced = (state) =>
  limitsNow(state) !== null &&
  total(state.betsInPlay) > 0 &&
  JSON.stringify(betsToPlace(state)) === JSON.stringify(state.betsInPlay);

/** The label of the main button. @param {State} state */
export function sayPlacing(state) {
  const bets = betsToPlace(state);
  const amount = total(bets) ? formatDollars(total(bets)) : "";
  if (isPlaced(state)) return say("bets-placed", { total: amount });
  if (state.isQueued) return say("bets-queued", { total: amount });
  if (isAlone(state)) return say("deal", { total: amount });
  const isAgain = amount && JSON.stringify(bets) === JSON.stringify(sortSlip(state.last));
  return say(isAgain ? "rebet" : "place-bets", { total: amount });
}

/** The player's money, with the stakes that the server has. @param {State} state */
export const purseOf = (state) => (state.balance_cents ?? 0) + total(ownSeat(state)?.wagers ?? {});

/** The stakes that the player may still take back. @param {State} state */
export const looseCents = (state) => (options(state, "ClearWagers").length ? total(state.betsInPlay) : 0);

/** True if the player cannot place the smallest bet. @param {State} state */
export const isBroke = (state) =>
  state.balance_cents !== undefined &&
  !total(state.betsInPlay) &&
  state.balance_cents < (state.limits.ante?.minimum_cents ?? 0);

/** A sentence if the bets leave too little for a Raise; else empty. @param {State} state */
export function tooLittleLeft(state) {
  const ante = state.slip.ante ?? 0;
  const left = purseOf(state) - total(state.slip);
  if (!ante || left < 0) return "";
  const [least, most] = [state.least_raise_antes, state.most_raise_antes].map((antes) => Math.ceil(antes * ante));
  if (left >= most) return "";
  const values = { left: formatDollars(left), raise: formatDollars(left < least ? least : most) };
  return say(left < least ? "leaves-no-raise" : "leaves-less-raise", values);
}

/** The error of the bets; empty if the player may place them. @param {State} state */
export function wrong(state, slip = state.slip) {
  for (const [wager, limit] of Object.entries(limitsNow(state) ?? {})) {
    const error = wrongStake(slip[wager] ?? 0, limit, sayWager({ wager, bonus: isBonus(state) }));
    if (error) return error;
  }
  const purse = purseOf(state);
  const stakes = total(slip);
  return stakes > purse ? say("bet-purse", { total: formatDollars(stakes), purse: formatDollars(purse) }) : "";
}

/** @param {number} cents @param {Limit} limit @param {string} name */
function wrongStake(cents, { minimum_cents: least, maximum_cents: most, step_cents: step, required }, name) {
  if (!cents) return required ? say("bet-needed", { name, least: formatDollars(least) }) : "";
  if (cents < least) return say("bet-least", { name, least: formatDollars(least) });
  if (most !== null && cents > most) return say("bet-most", { name, most: formatDollars(most) });
  return cents % step ? say("bet-steps", { name, step: formatDollars(step) }) : "";
}
