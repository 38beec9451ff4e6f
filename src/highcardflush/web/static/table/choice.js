// The player's choices for a decision: the suit to keep, and the cards that lie face up. All updates of the state are
// pure. By default the best suit is kept, and a straight flush among the discards lies face up.
import { parseCards, straightFlush } from "../core/hands.js";
import { options, ownSeat } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").Option} Option
 * @typedef {Omit<import("../wire.js").Fold, "seat"> | Omit<import("../wire.js").Raise, "seat">} Choice
 */

const SMALLEST_STRAIGHT = 3;

/** @param {Option} option */
const suitOf = (option) => option.keep ?? null;

/**
 * The suit that is kept, or null if all cards count.
 * @param {State} state
 * @returns {import("../wire.js").Suit | null}
 */
export function keptSuit(state) {
  const [best] = options(state, "Raise");
  return /** @type {import("../wire.js").Suit | null} */ (
    state.keep !== undefined ? state.keep : best ? suitOf(best) : null
  );
}

/** The Raise with the kept suit. @param {State} state */
export const raiseOf = (state) => options(state, "Raise").find((option) => suitOf(option) === keptSuit(state));

/** @param {State} state */
export const foldOf = (state) => options(state, "Fold")[0];

/** @param {Option | undefined} option */
const exposable = (option) => parseCards(option?.exposable ?? "");

/**
 * The cards that pay if they lie face up. After a fold there are none if all cards count anyway.
 * @param {State} state
 * @param {Option | undefined} option
 */
function payingCards(state, option) {
  const isStaked = ownSeat(state)?.wagers["straight-flush"];
  if (!option || !isStaked || (option.type === "Fold" && !state.mustShow)) return [];
  const run = straightFlush(exposable(option));
  return run.length >= SMALLEST_STRAIGHT ? run : [];
}

/** The cards that lie face up with this option. @param {State} state @param {Option | undefined} option */
export function faceUp(state, option) {
  const payers = payingCards(state, option);
  return exposable(option).filter((card) =>
    payers.includes(card) ? !state.down.includes(card) : state.up.includes(card),
  );
}

/** The cards that pay face up with a Raise or a fold. @param {State} state */
export const runs = (state) => [
  ...new Set([...payingCards(state, raiseOf(state)), ...payingCards(state, foldOf(state))]),
];

/** @param {State} state */
export const isRunUp = (state) => runs(state).some((card) => !state.down.includes(card));

/**
 * The straight flush that would not be paid because it lies face down.
 * @param {State} state
 * @param {Option | undefined} option
 */
export function unpaidRun(state, option) {
  const run = state.mustShow ? payingCards(state, option) : [];
  return run.some((card) => state.down.includes(card)) ? run.join("") : "";
}

/** Keep a suit, and turn its paying cards face up. @param {State} state @param {string | null} keep @returns {State} */
export const choose = (state, keep) => ({
  ...state,
  keep,
  isChoosingSuit: false,
  down: [],
  up: [],
  warning: "",
});

/** Offer the suits, or put them away. @param {State} state @returns {State} */
export const offerSuits = (state) => ({ ...state, isChoosingSuit: !state.isChoosingSuit });

/** Keep the next suit. @param {State} state @returns {State} */
export function chooseNext(state) {
  const raises = options(state, "Raise");
  const at = raises.findIndex((option) => suitOf(option) === keptSuit(state));
  return raises.length > 1 ? choose(state, suitOf(raises[(at + 1) % raises.length])) : state;
}

/** @param {string[]} cards @param {string} card */
const flip = (cards, card) => (cards.includes(card) ? cards.filter((each) => each !== card) : [...cards, card]);

/**
 * Turn a card that pays if it lies face up. For any other card, keep its suit, or turn the card up.
 * @param {State} state
 * @param {string} card
 * @returns {State}
 */
export function tapCard(state, card) {
  const other = options(state, "Raise").find((option) => option.keep === card[1] && option.keep !== keptSuit(state));
  if (runs(state).includes(card)) return { ...state, down: flip(state.down, card), warning: "" };
  if (other && !state.up.includes(card)) return choose(state, suitOf(other));
  const raise = raiseOf(state);
  return raise?.keep && exposable(raise).includes(card) ? { ...state, up: flip(state.up, card), warning: "" } : state;
}

/** Turn all cards that pay if they lie face up. @param {State} state @returns {State} */
export const turnAll = (state) => ({ ...state, up: [], down: isRunUp(state) ? runs(state) : [], warning: "" });

/**
 * A choice with the kept suit and the cards that lie face up; null if the rules do not allow it now.
 * @param {State} state
 * @param {Choice} choice
 * @returns {Choice | null}
 */
export function complete(state, choice) {
  const option = choice.type === "Fold" ? foldOf(state) : raiseOf(state);
  if (!option) return null;
  const open = faceUp(state, option);
  const keep = keptSuit(state);
  return {
    ...choice,
    ...(choice.type === "Raise" && keep ? { keep } : {}),
    ...(open.length ? { expose: open.join("") } : {}),
  };
}

/**
 * The key of the warning that a choice needs; empty if it needs none or the player has just seen it.
 * @param {State} state
 * @param {Choice} choice
 */
export function warningFor(state, choice) {
  const run = unpaidRun(state, choice.type === "Fold" ? foldOf(state) : raiseOf(state));
  const key = JSON.stringify([choice, run]);
  return run && state.warning !== key ? key : "";
}

/** The amounts of the buttons: the minimum, and 1 to 3 Antes if allowed. @param {Option} option @param {number} ante */
export function raiseAmounts(option, ante) {
  if (option.amounts_cents?.length) return option.amounts_cents;
  const least = option.minimum_cents ?? ante;
  const most = option.maximum_cents ?? least;
  const whole = [1, 2, 3].map((times) => times * ante).filter((cents) => cents >= least && cents <= most);
  return [...new Set([least, ...whole])].sort((a, b) => a - b);
}
