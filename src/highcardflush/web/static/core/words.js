// Look up texts by code: `say("sit")`, `say("free", {seats: 3})`. Another language is another file next to words/en.js.
import en from "../words/en.js";

/** @typedef {Record<string, any>} Values */
/** @typedef {string | ((values: any) => string)} Entry */

/** @type {Record<string, Entry>} */
const catalogue = en;

/**
 * @param {string} code
 * @param {Values} [values]
 * @param {string} [fallback] text for a code that the catalogue does not have
 */
export function say(code, values = {}, fallback) {
  const entry = catalogue[code];
  if (entry === undefined) return fallback ?? code;
  return typeof entry === "string" ? entry : entry(values);
}

/**
 * The server's text: for everybody, or for the player in seat `you`.
 * @param {import("../wire.js").Words} words
 * @param {number} [you]
 */
export const sayWords = ({ text, own_text, values }, you = 0) =>
  you && values.seat === you ? (own_text ?? text) : text;

/** Side bets by name, as the server describes them. @type {Map<string, import("../wire.js").SideBetRule>} */
const sideBets = new Map();

/**
 * Use the server's names for side bets that the catalogue does not list.
 * @param {Record<string, import("../wire.js").SideBetRule>} bets
 */
export function nameSideBets(bets) {
  for (const [wager, bet] of Object.entries(bets)) sideBets.set(wager, bet);
}

/**
 * The name of a wager, which for a bonus jackpot is never "Progressive".
 * @param {{wager: string, bonus?: boolean}} of
 * @param {"wager" | "spot"} [family] `spot` is the name printed on the felt
 */
export function sayWager({ wager, bonus }, family = "wager") {
  const title = sideBets.get(wager)?.title ?? wager.split("-").map(capital).join(" ");
  return say(`${family}.${bonus && wager === "progressive" ? "bonus" : wager}`, {}, title);
}

/** The noun for hands in the pay table of a side bet, such as "flush" in "five-card flush". @param {string} wager */
export const sayNoun = (wager) => sideBets.get(wager)?.noun ?? wager.replaceAll("-", " ");

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The dealer's line about a fact, as the player in seat `you` hears it; empty if the dealer says nothing about it.
 * @param {import("../wire.js").Fact} fact
 * @param {number} [you]
 */
export function sayFact(fact, you = 0) {
  const seat = "result" in fact ? fact.result.seat : "seat" in fact ? fact.seat : 0;
  return (you && seat === you && fact.own_line) || (fact.line ?? "");
}

/** The text for an error. @param {{code: string, message: string}} error */
export const sayError = (error) => say(`error.${error.code}`, error, say("error.other", error));
