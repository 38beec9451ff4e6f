// A notice that celebrates and explains a jackpot at the table or the player's Envy Pay, and the state of a win that
// waits for a supervisor.
import { fill, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { say, sayWager, sayWords } from "../core/words.js";

/** @typedef {import("../wire.js").Result} Result */

const SHOWN_MS = 15_000;
const JACKPOTS = ["takes", "takes-bonus"];

export function celebration() {
  const list = h("div.prizes");
  const close = h("button", { onclick: () => (element.hidden = true) }, say("close"));
  const element = h("div.jackpot", { role: "alert", hidden: true }, list, close);
  const win = h("p.win", { role: "status" });
  /** @type {number | undefined} */
  let timer;

  /**
   * Celebrate the great wins among these facts, and return true if there are any.
   * @param {import("../wire.js").Fact[]} facts
   * @param {number} you
   * @param {string | null} notice the notice of a bonus jackpot
   */
  function celebrate(facts, you, notice) {
    const results = facts.flatMap((fact) => (fact.type === "WagerSettled" ? [fact.result] : []));
    const big = results.filter(({ reason }) => JACKPOTS.includes(reason.code));
    const envy = results.filter(({ seat, reason }) => reason.code === "envy" && seat === you);
    if (!big.length && !envy.length) return false;
    fill(
      list,
      big.map((result) => jackpot(result, you)),
      envy.map(envyPrize),
      notice && big.length > 0 && h("p.notice", notice),
    );
    element.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => (element.hidden = true), SHOWN_MS);
    return true;
  }

  /** @param {import("../wire.js").WinMessage} message */
  const tellWin = ({ state, amount_cents }) => fill(win, say(`win.${state}`, { amount: formatDollars(amount_cents) }));

  return { element, win, celebrate, tellWin };
}

/** @param {Result} result @param {number} you */
function jackpot({ seat, wager, paid_cents, reason }, you) {
  const bonus = reason.code === "takes-bonus";
  const head = say(seat === you ? "jackpot.own" : "jackpot.other", { seat, name: sayWager({ wager, bonus }) });
  return prize("great", head, paid_cents, sayWords(reason), say(bonus ? "jackpot-why.bonus" : "jackpot-why"));
}

/** @param {Result} result */
const envyPrize = ({ paid_cents, reason }) =>
  prize("envy", say("envy-own"), paid_cents, sayWords(reason), say("envy-why"));

/** @param {string} kind @param {string} head @param {number} cents @param {...string} why */
const prize = (kind, head, cents, ...why) =>
  h(
    "div",
    { class: `prize ${kind}` },
    h("strong.prize-head", head),
    h("span.prize-amount", formatDollars(cents)),
    why.map((text) => h("span.prize-why", text)),
  );
