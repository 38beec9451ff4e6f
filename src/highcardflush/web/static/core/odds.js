// Exact values of the decisions for a hand, from the server's calculator.
import { get } from "./api.js";

/**
 * @typedef {object} HandValues in Antes, on Ante and Raise
 * @property {number} fold
 * @property {number} raise the value of a Raise of one Ante
 * @property {number} beaten the share of the dealer's hands against which raising wins
 */

/** @param {string} hand @param {string} rulebook @returns {Promise<HandValues>} */
export async function valuesOf(hand, rulebook) {
  /** @type {import("../wire.js").HandOdds} */
  const odds = await get(`/odds/hand?rulebook=${encodeURIComponent(rulebook)}&hand=${encodeURIComponent(hand)}`);
  const { not_qualified, win, tie, lose } = odds;
  return {
    fold: quotient(odds.fold),
    raise: quotient(odds.raise["1"]),
    beaten: (not_qualified + win) / (not_qualified + win + tie + lose),
  };
}

/** The number of a fraction such as `-1/1`. @param {string} fraction */
function quotient(fraction) {
  const [numerator, denominator] = fraction.split("/").map(Number);
  return numerator / denominator;
}
