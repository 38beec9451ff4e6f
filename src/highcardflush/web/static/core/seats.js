// The stakes, the decision and the net of a seat, for the table and for the replay of a round.
import { say } from "./words.js";

/**
 * @typedef {import("../wire.js").Seat} Seat
 * @typedef {import("../wire.js").Result} Result
 */

/** @param {Result[]} results */
export const netOf = (results) => results.reduce((sum, result) => sum + result.net_cents, 0);

/** @param {number} net */
export const outcome = (net) => (net > 0 ? "won" : net < 0 ? "lost" : "even");

/**
 * The wagers of a seat in cents, with the Raise after the Ante.
 * @param {Seat | null | undefined} seat
 * @returns {[string, number][]}
 */
export function stakesOf(seat) {
  const stakes = Object.entries(seat?.wagers ?? {});
  const raise = seat?.decision?.raise_cents;
  return raise ? [stakes[0], ["raise", raise], ...stakes.slice(1)] : stakes;
}

/** The player's own seat first, then the others by number. @param {number[]} seats @param {number | null} you */
export const ownFirst = (seats, you) =>
  [...seats].sort((one, other) => Number(other === you) - Number(one === you) || one - other);

/** `raised` or `folded`; empty before the decision. @param {Seat | undefined} seat */
export const sayDecision = (seat) => (seat?.decision ? say(seat.decision.raise_cents ? "raised" : "folded") : "");

/** @param {Seat | null | undefined} seat */
export const isFolded = (seat) => Boolean(seat?.decision && !seat.decision.raise_cents);
