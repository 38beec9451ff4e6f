// What is said, by code: `say("sit")`, `say("free", {seats: 3})`. Another language is another file beside words/en.js.
import en from "../words/en.js";

/** @typedef {Record<string, any>} Values */
/** @typedef {string | ((values: any) => string)} Entry */

/** @type {Record<string, Entry>} */
const catalogue = en;

/**
 * @param {string} code
 * @param {Values} [values]
 * @param {string} [otherwise] what is said if the catalogue does not have it
 */
export function say(code, values = {}, otherwise) {
  const entry = catalogue[code];
  if (entry === undefined) return otherwise ?? code;
  return typeof entry === "string" ? entry : entry(values);
}

/**
 * What the wire carries for a person to read, said to everybody or to the seat `you`.
 * @param {import("../wire.js").Words} words
 * @param {number} [you]
 * @param {string} [family] the catalogue's name for such codes
 * @returns {string}
 */
export function sayWords(words, you = 0, family = "reason") {
  const more = (words.more ?? []).map((each) => sayWords(each, you, family));
  return [say(`${family}.${words.code}`, { ...words.values, you }, words.text), ...more].join("; ");
}

/**
 * What a wager is called: a bonus jackpot never passes for a progressive.
 * @param {{wager: string, bonus?: boolean}} of
 * @param {"wager" | "spot"} [family] `spot`: as it is printed on the felt
 */
export const sayWager = ({ wager, bonus }, family = "wager") => say(`${family}.${bonus && wager === "progressive" ? "bonus" : wager}`);

/**
 * The dealer's line for a fact.
 * @param {any} fact
 * @param {Values} [around] `you`: the seat of who hears it; `base_cents` of a progressive; `bonus`: it is a bonus jackpot
 */
export function sayTold(fact, around = {}) {
  const { result = {}, reason, ...rest } = fact;
  const told = fact.result ? { ...result, wager: sayWager({ ...around, wager: result.wager }) } : rest;
  const words = result.reason ?? reason;
  const why = words?.code ? { why: sayWords(words, around.you) } : { reason };
  return say(`told.${fact.type}`, { ...told, ...why, ...around }, "");
}

/** A refusal. @param {{code: string, message: string}} error */
export const sayError = (error) => say(`error.${error.code}`, error, error.message);
