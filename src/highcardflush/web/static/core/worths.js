// The value of each decision of a round: every choice with its exact value, the choice that was made, and its cost.
import { card, bySuit, parseCards } from "./cards.js";
import { drawTable, h } from "./dom.js";
import * as money from "./money.js";
import { say } from "./words.js";

/** @typedef {import("../wire.js").Weighed} Weighed */
/** @typedef {import("../wire.js").Worth} Worth */

/** Values in Antes that differ by less are shown with more digits. */
export const CLOSE = 0.02;

/** `+0.42 antes`. @param {number} antes @param {boolean} [close] */
export const sayAntes = (antes, close = false) => say("antes", { antes: signedAntes(antes, close) });

/** @param {number} antes @param {boolean} close */
export const signedAntes = (antes, close) => `${antes < 0 ? "−" : "+"}${Math.abs(antes).toFixed(close ? 4 : 2)}`;

/** An average cost: `$4.21`, or less than a cent. @param {number} cents */
export const sayCost = (cents) => (cents >= 1 ? money.say(Math.round(cents)) : say("coach.under-a-cent"));

/** A smaller loss, in cents, counts as none. */
const NOTHING = 0.005;

/** All decisions, the player's first. @param {Weighed[]} decisions @param {number | null} you */
export function worths(decisions, you) {
  const ordered = [...decisions].sort((a, b) => Number(b.seat === you) - Number(a.seat === you));
  return ordered.map((weighed) => decision(weighed, weighed.seat === you));
}

/** @param {Weighed} weighed @param {boolean} own */
function decision(weighed, own) {
  const { seat, hand, made } = weighed;
  const gave = made.cost_cents > NOTHING;
  return h(
    "section",
    { class: `worth panel${own ? " own" : ""}`, "data-seat": seat },
    h("h3", say("round.seat", { seat }), own && h("span.badge", say("you"))),
    drawnHand(hand),
    h(
      "p",
      { class: `cost ${gave ? "some" : "none"}`, "data-exact": made.cost_cents_exact },
      gave ? say("round.cost", sayGiven(made)) : say("round.best-made"),
    ),
    choices(weighed, made),
  );
}

/** A hand suit by suit, the longest first. @param {string} hand */
export const drawnHand = (hand) =>
  h(
    "div.hand",
    bySuit(parseCards(hand))
      .flat()
      .map((text) => card(text)),
  );

/** The cost of a decision, in money and in Antes. @param {Worth} made */
export const sayGiven = (made) => ({ money: exactMoney(made.cost_cents), antes: antes(made.cost_antes, false) });

/** `Raise $20 (2×), keep spades`. @param {Worth} option @param {number} ante_cents */
export function sayChoice({ type, amount_cents: cents = 0, keep }, ante_cents) {
  return type === "Fold"
    ? say("fold")
    : say("round.raise", { amount: money.say(cents), times: cents / ante_cents, keep });
}

/** The headings of a table of choices. @returns {[string, boolean][]} */
export const valueHeads = () => [
  [say("coach.decision"), false],
  [say("coach.antes"), true],
  [say("coach.money"), true],
];

/**
 * Every choice with its value. The best choice and the one that was made are marked.
 * @param {Weighed} weighed
 * @param {Worth} chosen
 */
export function choices({ seat, options, best, ante_cents: ante }, chosen) {
  const greatest = Math.max(...options.map((option) => Math.abs(option.value_cents)), 1);
  const rows = options.map((option) => choice(option, ante, greatest, same(option, best), same(option, chosen)));
  return drawTable("table.choices", say("round.choices", { seat }), valueHeads(), rows);
}

/** @param {Worth} option @param {number} ante @param {number} greatest @param {boolean} best @param {boolean} chosen */
function choice(option, ante, greatest, best, chosen) {
  const bar = h("span", { class: `bar ${option.value_cents < 0 ? "loses" : "gains"}`, "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.abs(option.value_cents) / greatest));
  return h(
    "tr",
    {
      class: `${best ? "best" : ""} ${chosen ? "made" : ""}`,
      "data-choice": option.type === "Fold" ? "fold" : String((option.amount_cents ?? 0) / ante),
      "data-exact": option.value_cents_exact,
    },
    h(
      "th",
      { scope: "row" },
      sayChoice(option, ante),
      chosen && h("span.mark.chosen", say("round.chosen")),
      best && h("span.mark", say("round.best")),
      bar,
    ),
    h("td.number", antes(option.antes)),
    h("td.number", exactMoney(option.value_cents, true)),
  );
}

/** @typedef {{type: string, amount_cents?: number, keep?: string | null}} Choice */

/** @param {Choice} one @param {Choice} other */
export const same = (one, other) =>
  one.type === other.type &&
  (one.type === "Fold" || (one.amount_cents === other.amount_cents && (one.keep ?? null) === (other.keep ?? null)));

/** @param {number} value @param {boolean} [signed] */
const antes = (value, signed = true) =>
  `${value < 0 ? "−" : signed && value > 0 ? "+" : ""}${Math.abs(value).toFixed(4)}`;

/** Whole cents, or words for less than a cent. @param {number} cents @param {boolean} [signed] */
function exactMoney(cents, signed = false) {
  const whole = Math.round(cents);
  if (!whole && Math.abs(cents) > NOTHING) return say("coach.under-a-cent");
  return signed ? money.sayNet(whole) : money.say(whole);
}
