// The coach: the value of each decision and the reasons, a question before a mistake, a grade after a decision, and the
// value of the side bets. It shows what the server has counted.
import { get, Refused } from "../core/api.js";
import { changed, drawTable, fill, h } from "../core/dom.js";
import * as money from "../core/money.js";
import { choose as choosePrefs, onChoice, prefs } from "../core/prefs.js";
import { say, sayWager } from "../core/words.js";
import { CLOSE, same, sayAntes, sayCost, signedAntes, valueHeads } from "../core/worths.js";
import { oddsBar, percent } from "./bar.js";
import { options } from "./state.js";

/**
 * @typedef {import("../wire.js").Advice} Advice
 * @typedef {import("../wire.js").Worth} Worth
 * @typedef {import("../wire.js").AskedWorth} AskedWorth
 * @typedef {import("../wire.js").SideBet} SideBet
 * @typedef {{type: string, amount_cents?: number, keep?: string | null, expose?: string}} Command
 * @typedef {"off" | "ask" | "warn" | "grade"} Mode
 */

/** @type {Mode[]} */
const MODES = ["off", "ask", "warn", "grade"];
/** `raise $20, keep spades`. @param {Worth} option */
function sayOption(option) {
  if (option.type === "Fold") return say("coach.fold");
  const keep = option.keep ? say(`suit.${option.keep}`) : null;
  return say("coach.raise", { amount: money.say(option.amount_cents ?? 0), keep });
}

/**
 * The coach of a table.
 * @param {string} table
 */
export function coach(table) {
  const path = `/tables/${encodeURIComponent(table)}`;
  /** The player's decision that is due: round and seat. @type {string | null} */
  let decision = null;
  /** The advice for this decision, requested once. @type {Promise<Advice | null> | null} */
  let advice = null;
  /**
   * The last decision that was compared with the best.
   * @type {{command: string, asked: AskedWorth | null, best: Worth} | null}
   */
  let weighed = null;
  /** Does the floor allow the coach here? @type {Promise<boolean> | null} */
  let allowed = null;

  const mode = h(
    "select",
    { "aria-label": say("coach.mode"), onchange: () => choosePrefs({ coach: mode.value }) },
    MODES.map((each) => h("option", { value: each }, say(`coach.mode.${each}`))),
  );
  const ask = h("button.coach-ask", { type: "button", "data-key": "c", onclick: tell }, say("coach.ask"));
  const adviceBox = h("div.coach-advice", { "aria-live": "polite" });
  const mark = h("p.coach-grade", { role: "status" });
  const bets = h("div.coach-bets");
  const question = dialog();
  const section = h(
    "section.coach.panel",
    { "aria-label": say("coach") },
    h("div.coach-head", h("h3", say("coach")), mode),
    mark,
    ask,
    adviceBox,
    bets,
  );
  const element = h("div.coach-place", section, question.element);
  onChoice(show);
  show();

  /** @returns {Mode} */
  function modeNow() {
    const chosen = /** @type {Mode} */ (prefs.coach);
    return MODES.includes(chosen) ? chosen : "ask";
  }

  function show() {
    const off = modeNow() === "off";
    mode.value = modeNow();
    section.classList.toggle("off", off);
    ask.hidden = off || !decision;
    adviceBox.hidden = mark.hidden = off;
    if (off) fill(adviceBox);
  }

  /** @param {Pick<import("./state.js").State, "you" | "round">} state */
  function draw({ you, round }) {
    const due = you && options({ you }, "Fold").length ? `${round?.number} ${you.seat}` : null;
    if (due !== decision) begin(due);
    if (you) changed(bets, [round?.number, you.seat], showBets);
  }

  /** @param {string | null} due */
  function begin(due) {
    decision = due;
    advice = null;
    if (due) {
      weighed = null;
      fill(mark);
    }
    fill(adviceBox);
    show();
  }

  /**
   * Ask the server; null if the floor does not allow it, the decision is over or the connection is down.
   * @template T
   * @param {string} what
   * @returns {Promise<T | null>}
   */
  async function request(what) {
    try {
      allowed ??= get(path).then((place) => place.coach !== false);
      return (await allowed) ? await get(`${path}/${what}`) : null;
    } catch (error) {
      if (error instanceof Refused || error instanceof TypeError) return null;
      throw error;
    }
  }

  /** Show the advice that the player asked for. */
  async function tell() {
    const asked = decision;
    if (!asked || modeNow() === "off") return;
    advice ??= request("advice");
    const answer = await advice;
    if (asked !== decision) return;
    if (!answer) advice = null;
    fill(adviceBox, ...(answer ? drawAdvice(answer) : [h("p", say("coach.silent"))]));
  }

  /**
   * Weigh a decision before it is sent; false to hold it back. Only the mode `warn` asks the player, and only before a
   * mistake.
   * @param {Command} command
   * @returns {Promise<boolean>}
   */
  async function warn(command) {
    if (modeNow() !== "warn" && modeNow() !== "grade") return true;
    /** @type {Advice | null} */
    const answer = await request(`advice?${queryOf(command)}`);
    weighed = answer && { command: keyOf(command), asked: answer.asked ?? null, best: answer.best };
    if (!answer?.asked || answer.asked.severity === "best" || modeNow() !== "warn") return true;
    return question.ask(answer.asked, answer.best);
  }

  /** Grade a decision after it was sent. @param {Command} command */
  async function grade(command) {
    if (modeNow() !== "grade" && modeNow() !== "warn") return;
    const compared = weighed?.command === keyOf(command) ? weighed : await recall(command);
    if (!compared?.asked) return;
    const { asked, best } = compared;
    const text =
      asked.severity === "best"
        ? say("coach.well-done")
        : say("coach.gave-away", { ...lossOf(asked), option: sayOption(best) });
    fill(mark, h("span", { class: `grade ${asked.severity}` }, say(`severity.${asked.severity}`)), " ", text);
  }

  /** Find a decision in the advice that the player asked for. @param {Command} command */
  async function recall(command) {
    const answer = await advice;
    const option = answer?.options.find((each) => same(each, command));
    return answer && option ? { asked: { ...option, mistakes: [] }, best: answer.best } : null;
  }

  /** Show the value of each side bet. */
  async function showBets() {
    /** @type {import("../wire.js").SideBets | null} */
    const answer = await request("bets");
    if (answer) fill(bets, answer.bets.length > 0 && drawBets(answer.bets));
  }

  return { element, draw, warn, grade };
}

/** The question before a mistake. */
function dialog() {
  const question = h("p", { id: "coach-question" });
  const back = h("button.main-action", { value: "back", autofocus: true }, say("coach.back"));
  const element = h(
    "dialog.coach-warning",
    { "aria-labelledby": "coach-question" },
    question,
    h("form", { method: "dialog" }, back, h("button", { value: "on" }, say("coach.anyway"))),
  );

  /** @param {AskedWorth} asked @param {Worth} best @returns {Promise<boolean>} */
  function ask(asked, best) {
    const onlyHidden = asked.mistakes.every((mistake) => mistake.kind === "hidden");
    fill(
      question,
      say("coach.gives-away", lossOf(asked)),
      " ",
      onlyHidden ? say("coach.show-it") : say("coach.best-is", { option: sayOption(best) }),
    );
    element.returnValue = "back";
    element.showModal();
    return new Promise((resolve) => {
      element.addEventListener("close", () => resolve(element.returnValue === "on"), { once: true });
    });
  }
  return { element, ask };
}

/** @param {AskedWorth} asked */
const lossOf = ({ cost_cents, cost_antes }) => ({
  cost: sayCost(cost_cents),
  antes: sayAntes(-cost_antes, cost_antes < CLOSE),
});

/** @param {Command} command */
function queryOf({ type, amount_cents, keep, expose }) {
  const entries = Object.entries({ type, amount_cents, keep, expose }).filter(([, value]) => value);
  return new URLSearchParams(entries.map(([key, value]) => [key, String(value)]));
}

/** @param {Command} command */
const keyOf = ({ type, amount_cents, keep, expose }) =>
  JSON.stringify([type, amount_cents ?? 0, keep ?? null, expose ?? ""]);

/**
 * @param {Advice} advice
 * @returns {HTMLElement[]}
 */
function drawAdvice(advice) {
  const { best, options } = advice;
  const [fold] = options;
  const close = options.slice(1).some((option) => Math.abs(option.antes - fold.antes) < CLOSE);
  const shown = best.bar ?? options.find((option) => option.bar)?.bar;
  return [
    h("p.coach-best", say("coach.best", { option: sayOption(best) })),
    drawTable(
      "table.coach-options",
      say("coach.values"),
      [...valueHeads(), [say("coach.cost"), true]],
      options.map((option) => drawOption(option, same(option, best), close)),
    ),
    ...(shown ? [h("p.quiet", say("coach.if-you-raise")), oddsBar(shown)] : []),
    h("p.coach-why", advice.why.map(({ text }) => text).join(" ")),
  ];
}

/** @param {Worth} option @param {boolean} isBest @param {boolean} close */
function drawOption(option, isBest, close) {
  return h(
    "tr",
    { class: isBest ? "best" : null },
    h("th", { scope: "row" }, isBest && h("span", { "aria-hidden": "true" }, "★ "), sayOption(option)),
    h("td.number", { "data-exact": option.antes_exact }, signedAntes(option.antes, close)),
    h("td.number", money.sayNet(Math.round(option.value_cents))),
    h("td.number", isBest ? say("coach.nothing") : sayCost(option.cost_cents)),
  );
}

/** @param {SideBet[]} bets */
function drawBets(bets) {
  return h("details", h("summary", say("coach.bets")), h("ul", ...bets.map(drawBet)));
}

/** @param {SideBet} bet */
function drawBet(bet) {
  const value = Math.round(bet.value_cents);
  const worth = { value: money.say(Math.abs(value)), edge: percent(Math.abs(bet.edge)) };
  return h(
    "li",
    { class: bet.in_your_favour ? "favour" : null },
    h("span.bet", say("coach.bet", { wager: sayWager(bet), stake: money.say(bet.stake_cents) })),
    h("span", say(bet.in_your_favour ? "coach.gives" : "coach.costs", worth)),
    bet.in_your_favour && h("strong.mark", say("coach.favour")),
    ...bet.meters.map((meter) =>
      h(
        "span.quiet",
        say("coach.break-even", {
          meter: say("meter-name", { kind: bet.bonus ? "bonus" : "progressive", level: meter.meter }),
          now: meter.amount_micros === null ? null : money.sayMeter(meter.amount_micros),
          least: money.sayMeter(meter.break_even_micros),
        }),
      ),
    ),
    bet.notice && h("span.quiet", bet.notice),
  );
}
