// The coach's advice, the grade of a decision, the value of the side bets, and the question before a mistake.
import { drawTable, fill, h } from "../core/dom.js";
import { CLOSE_ANTES, formatAntes, formatDollars, formatMeter, formatNet, formatPercent } from "../core/numbers.js";
import { say, sayWager } from "../core/words.js";
import { same, sayAntes, sayCost, valueHeads } from "../core/worths.js";
import { oddsBar } from "./bar.js";

/**
 * @typedef {import("../wire.js").Worth} Worth
 * @typedef {import("../wire.js").AskedWorth} AskedWorth
 * @typedef {import("../wire.js").SideBet} SideBet
 * @typedef {{worth: AskedWorth, best: Worth}} Comparison a command's worth, and the best decision
 */

/** `raise $20, keep spades`. @param {Worth} option */
function sayOption(option) {
  if (option.type === "Fold") return say("coach.fold");
  const keep = option.keep ? say(`suit.${option.keep}`) : null;
  return say("coach.raise", { amount: formatDollars(option.amount_cents ?? 0), keep });
}

/** @param {Worth} worth */
const lossOf = ({ cost_cents, cost_antes }) => ({
  cost: sayCost(cost_cents),
  antes: sayAntes(-cost_antes, cost_antes < CLOSE_ANTES),
});

/** `Best`, `Blunder, −$17.88 · why?`. @param {Comparison} comparison */
export const sayGrade = ({ worth }) =>
  say(worth.severity === "best" ? "severity.best" : "coach.grade", {
    severity: say(`severity.${worth.severity}`),
    cost: sayCost(worth.cost_cents),
  });

/** @param {Comparison} comparison */
export function drawGrade({ worth, best }) {
  const text =
    worth.severity === "best"
      ? say("coach.well-done")
      : say("coach.gave-away", { ...lossOf(worth), option: sayOption(best) });
  return [
    h("p.coach-grade", h("span", { class: `grade ${worth.severity}` }, say(`severity.${worth.severity}`)), " ", text),
  ];
}

/** The best decision and what it is worth, compared with the other one. @param {import("../wire.js").Advice} advice */
function sayBest({ best, options }) {
  const other = options.find(({ type }) => type !== best.type);
  const difference = other ? sayCost(best.value_cents - other.value_cents) : "";
  return say("coach.best", {
    option: sayOption(best),
    type: best.type,
    difference,
    gain: best.value_cents > 0 ? formatDollars(Math.round(best.value_cents)) : "",
  });
}

/** @param {import("../wire.js").Advice} advice */
export function drawAdvice(advice) {
  const { best, options } = advice;
  const [fold] = options;
  const isClose = options.slice(1).some((option) => Math.abs(option.antes - fold.antes) < CLOSE_ANTES);
  const bar = best.bar ?? options.find((option) => option.bar)?.bar;
  return [
    h("p.coach-best", sayBest(advice)),
    h("p.coach-why", advice.why.map(({ text }) => text).join(" ")),
    h(
      "details.coach-numbers",
      h("summary", say("coach.numbers")),
      drawTable(
        "table.coach-options",
        say("coach.values"),
        [...valueHeads(), [say("coach.cost"), true]],
        options.map((option) => drawOption(option, same(option, best), isClose)),
      ),
      ...(bar ? [h("p.quiet", say("coach.if-you-raise")), oddsBar(bar)] : []),
    ),
  ];
}

/** @param {Worth} option @param {boolean} isBest @param {boolean} isClose */
function drawOption(option, isBest, isClose) {
  return h(
    "tr",
    { class: isBest ? "best" : null },
    h("th", { scope: "row" }, isBest && h("span", { "aria-hidden": "true" }, "★ "), sayOption(option)),
    h("td.number", { "data-exact": option.antes_exact }, formatAntes(option.antes, isClose)),
    h("td.number", formatNet(Math.round(option.value_cents))),
    h("td.number", isBest ? say("coach.nothing") : sayCost(option.cost_cents)),
  );
}

/** @param {SideBet[]} bets */
export const drawBets = (bets) =>
  bets.length > 0 && h("details", h("summary", say("coach.bets")), h("ul", ...bets.map(drawBet)));

/** @param {SideBet} bet */
function drawBet(bet) {
  const value = Math.round(bet.value_cents);
  const worth = { value: formatDollars(Math.abs(value)), edge: formatPercent(Math.abs(bet.edge)) };
  return h(
    "li",
    { class: bet.in_your_favour ? "favour" : null },
    h("span.bet", say("coach.bet", { wager: sayWager(bet), stake: formatDollars(bet.stake_cents) })),
    h("span", say(bet.in_your_favour ? "coach.gives" : "coach.costs", worth)),
    bet.in_your_favour && h("strong.mark", say("coach.favour")),
    ...bet.meters.map((meter) =>
      h(
        "span.quiet",
        say("coach.break-even", {
          meter: say("meter-name", { kind: bet.bonus ? "bonus" : "progressive", level: meter.meter }),
          now: meter.amount_micros === null ? null : formatMeter(meter.amount_micros),
          least: formatMeter(meter.break_even_micros),
        }),
      ),
    ),
    bet.notice && h("span.quiet", bet.notice),
  );
}

/** The question before a mistake. */
export function mistakeDialog() {
  const question = h("p", { id: "coach-question" });
  const back = h("button.main-action", { value: "back", autofocus: true }, say("coach.back"));
  const element = h(
    "dialog.coach-warning",
    { "aria-labelledby": "coach-question" },
    question,
    h("form", { method: "dialog" }, back, h("button", { value: "on" }, say("coach.anyway"))),
  );

  /** True if the player insists. @param {Comparison} comparison @returns {Promise<boolean>} */
  function ask({ worth, best }) {
    const isOnlyHidden = worth.mistakes.every((mistake) => mistake.kind === "hidden");
    fill(
      question,
      worth.loss.text,
      " ",
      isOnlyHidden ? say("coach.show-it") : say("coach.best-is", { option: sayOption(best) }),
    );
    element.returnValue = "back";
    element.showModal();
    return new Promise((resolve) => {
      element.addEventListener("close", () => resolve(element.returnValue === "on"), { once: true });
    });
  }
  return { element, ask };
}
