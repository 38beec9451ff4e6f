// Wins are celebrated in three levels: any win, a great one, a jackpot. A jackpot at the table and the player's Envy
// Pay are also explained, on the seats, where they cover neither the dealer's hand nor a betting spot.
import { fill, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { say, sayWager, sayWords } from "../core/words.js";

/**
 * @typedef {import("../wire.js").Result} Result
 * @typedef {import("../wire.js").Fact} Fact
 * @typedef {"" | "win" | "great" | "jackpot"} Level
 */

const PRIZE_MS = 15_000;
const LIGHT_MS = 2500;
const JACKPOTS = ["takes", "takes-bonus"];
/** The smallest great win in Antes, and the fewest cards of a great bonus. */
const GREAT_ANTES = 10;
const GREAT_CARDS = 5;

/** @param {Fact[]} facts */
const resultsOf = (facts) => facts.flatMap((fact) => (fact.type === "WagerSettled" ? [fact.result] : []));

/** How great the player's win in a settlement is. @param {Fact[]} facts @param {number} you @returns {Level} */
export function levelOf(facts, you) {
  const results = resultsOf(facts).filter(({ seat }) => seat === you);
  const ante = results.find(({ wager }) => wager === "ante")?.stake_cents ?? 0;
  const net = results.reduce((sum, { net_cents }) => sum + net_cents, 0);
  if (results.some(({ reason }) => JACKPOTS.includes(reason.code))) return "jackpot";
  const hasBonus = results.some(
    ({ wager, net_cents, reason }) =>
      !["ante", "raise"].includes(wager) && net_cents > 0 && Number(reason.values.cards) >= GREAT_CARDS,
  );
  if (hasBonus || (ante > 0 && net >= GREAT_ANTES * ante)) return "great";
  return net > 0 ? "win" : "";
}

export function celebration() {
  const list = h("div.prizes");
  const close = h("button", { onclick: () => (element.hidden = true) }, say("close"));
  const element = h("div.jackpot", { role: "alert", hidden: true }, list, close);
  const win = h("p.win", { role: "status" });
  const light = h("div.light", { "aria-hidden": "true" });
  /** @type {number | undefined} */
  let timer;
  /** @type {number | undefined} */
  let lightTimer;

  /**
   * Celebrate the great wins among these facts, and return true if there are any to explain.
   * @param {Fact[]} facts
   * @param {number} you
   * @param {string | null} notice the notice of a bonus jackpot
   * @param {Level} level of the player's own win
   */
  function celebrate(facts, you, notice, level = "") {
    if (level) shine(level);
    const results = resultsOf(facts);
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
    timer = setTimeout(() => (element.hidden = true), PRIZE_MS);
    return true;
  }

  /** Light the felt. @param {Level} level */
  function shine(level) {
    light.className = "light";
    requestAnimationFrame(() => (light.className = `light ${level}`));
    clearTimeout(lightTimer);
    lightTimer = setTimeout(() => (light.className = "light"), LIGHT_MS);
  }

  /** @param {import("../wire.js").WinMessage} message */
  const tellWin = ({ state, amount_cents }) => fill(win, say(`win.${state}`, { amount: formatDollars(amount_cents) }));

  return { element, win, light, celebrate, tellWin };
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
