// The decisions of a round: every choice with its exact value, the player's choice, and its cost.
import { card, bySuit, parseCards } from "./cards.js";
import { drawTable, h } from "./dom.js";
import { formatAntes, formatAntesCost, formatDollars, formatNet } from "./numbers.js";
import { ownFirst } from "./seats.js";
import { say } from "./words.js";

/** @typedef {import("../wire.js").Weighed} Weighed */
/** @typedef {import("../wire.js").Worth} Worth */

/** `+0.42 antes`. @param {number} antes @param {boolean} [isExact] */
export const sayAntes = (antes, isExact) => say("antes", { antes: formatAntes(antes, isExact) });

/** An average cost: `$4.21`, or "less than a cent". @param {number} cents */
export const sayCost = (cents) => (cents >= 1 ? formatDollars(Math.round(cents)) : say("coach.under-a-cent"));

/** The largest loss that counts as none. */
const NEGLIGIBLE_CENTS = 0.005;

/** All decisions, the player's first. @param {Weighed[]} decisions @param {number | null} you */
export function decisionPanels(decisions, you) {
  const seats = ownFirst(
    decisions.map(({ seat }) => seat),
    you,
  );
  const sortedDecisions = [...decisions].sort((one, other) => seats.indexOf(one.seat) - seats.indexOf(other.seat));
  return sortedDecisions.map((decision) => decisionPanel(decision, decision.seat === you));
}

/** @param {Weighed} decision @param {boolean} isOwn */
function decisionPanel(decision, isOwn) {
  const { seat, hand, made: choice } = decision;
  const hasCost = choice.cost_cents > NEGLIGIBLE_CENTS;
  return h(
    "section",
    { class: `worth panel${isOwn ? " own" : ""}`, "data-seat": seat },
    h("h3", say("round.seat", { seat }), isOwn && h("span.badge", say("you"))),
    drawHand(hand),
    h(
      "p",
      { class: `cost ${hasCost ? "some" : "none"}`, "data-exact": choice.cost_cents_exact },
      hasCost ? say("round.cost", lossValues(choice)) : say("round.best-made"),
    ),
    choicesTable(decision, choice),
  );
}

/** A hand suit by suit, the longest first. @param {string} hand */
export const drawHand = (hand) =>
  h(
    "div.hand",
    bySuit(parseCards(hand))
      .flat()
      .map((text) => card(text)),
  );

/** The cost of a decision, in money and in Antes. @param {Worth} choice */
export const lossValues = (choice) => ({
  money: exactMoney(choice.cost_cents),
  antes: formatAntesCost(choice.cost_antes),
});

/** `Raise $20 (2×), keep spades`. @param {Worth} option @param {number} ante_cents */
export function sayChoice({ type, amount_cents: cents = 0, keep }, ante_cents) {
  return type === "Fold"
    ? say("fold")
    : say("round.raise", { amount: formatDollars(cents), times: cents / ante_cents, keep });
}

/** The headings of a table of choices. @returns {[string, boolean][]} */
export const valueHeads = () => [
  [say("coach.decision"), false],
  [say("coach.antes"), true],
  [say("coach.money"), true],
];

/**
 * A table of all choices with their values. It marks the best choice and the actual one.
 * @param {Weighed} weighed
 * @param {Worth} actual
 */
export function choicesTable({ seat, options, best, ante_cents: ante }, actual) {
  const greatest = Math.max(...options.map((option) => Math.abs(option.value_cents)), 1);
  const rows = options.map((option) => choiceRow(option, ante, greatest, same(option, best), same(option, actual)));
  return drawTable("table.choices", say("round.choices", { seat }), valueHeads(), rows);
}

/**
 * @param {Worth} option
 * @param {number} ante
 * @param {number} greatest the greatest value in the table, in cents
 * @param {boolean} isBest
 * @param {boolean} isActual
 */
function choiceRow(option, ante, greatest, isBest, isActual) {
  const bar = h("span", { class: `bar ${option.value_cents < 0 ? "loses" : "gains"}`, "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.abs(option.value_cents) / greatest));
  return h(
    "tr",
    {
      class: `${isBest ? "best" : ""} ${isActual ? "made" : ""}`,
      "data-choice": option.type === "Fold" ? "fold" : String((option.amount_cents ?? 0) / ante),
      "data-exact": option.value_cents_exact,
    },
    h(
      "th",
      { scope: "row" },
      sayChoice(option, ante),
      isActual && h("span.mark.chosen", say("round.chosen")),
      isBest && h("span.mark", say("round.best")),
      bar,
    ),
    h("td.number", formatAntes(option.antes, true)),
    h("td.number", exactMoney(option.value_cents, true)),
  );
}

/** @typedef {{type: string, amount_cents?: number, keep?: string | null}} Choice */

/** @param {Choice} one @param {Choice} other */
export const same = (one, other) =>
  one.type === other.type &&
  (one.type === "Fold" || (one.amount_cents === other.amount_cents && (one.keep ?? null) === (other.keep ?? null)));

/** Whole cents, or words for less than a cent. @param {number} cents @param {boolean} [isNet] */
function exactMoney(cents, isNet = false) {
  const whole = Math.round(cents);
  if (!whole && Math.abs(cents) > NEGLIGIBLE_CENTS) return say("coach.under-a-cent");
  return isNet ? formatNet(whole) : formatDollars(whole);
}
