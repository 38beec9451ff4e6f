// The coach beside a table: what each decision is worth and why, a word before a mistake, a grade after it, and what side
// bets cost now. It only ever shows what the server has counted, and never stands in the way of a decision.
import { get, Refused } from "../core/api.js";
import { oddsBar, percent } from "../core/bar.js";
import { fill, h } from "../core/dom.js";
import * as money from "../core/money.js";
import { choose, onChoice, prefs } from "../core/prefs.js";
import { say, sayWager } from "../core/words.js";

/**
 * @typedef {import("../wire.js").Advice} Advice
 * @typedef {import("../wire.js").Worth} Worth
 * @typedef {import("../wire.js").AskedWorth} AskedWorth
 * @typedef {import("../wire.js").SideBet} SideBet
 * @typedef {import("../wire.js").TableMessage | import("../wire.js").ToldMessage} TableMessage
 * @typedef {{type: string, amount_cents?: number, keep?: string | null, expose?: string}} Command
 * @typedef {"off" | "ask" | "warn" | "grade"} Mode
 */

/** @type {Mode[]} */
export const MODES = ["off", "ask", "warn", "grade"];
const STYLE = "/static/core/coach.css";
const CLOSE = 0.02; // Antes: nearer values are told with more digits

/** `+0.42 antes`. @param {number} antes @param {boolean} [close] */
export const sayAntes = (antes, close = false) => say("antes", { antes: signed(antes, close) });

/** @param {number} antes @param {boolean} close */
const signed = (antes, close) => `${antes < 0 ? "−" : "+"}${Math.abs(antes).toFixed(close ? 4 : 2)}`;

/** What something costs: `$4.21`, or less than a cent. @param {number} cents */
export const sayCost = (cents) => (cents >= 1 ? money.say(Math.round(cents)) : say("coach.under-a-cent"));

/** `raise $20, keep spades`. @param {Worth} option */
function sayOption(option) {
  if (option.type === "Fold") return say("coach.fold");
  const keep = option.keep ? say(`suit.${option.keep}`) : null;
  return say("coach.raise", { amount: money.say(option.amount_cents ?? 0), keep });
}

/** @param {Worth} option @param {Command | Worth} other */
const isSame = (option, other) =>
  option.type === other.type &&
  (option.type === "Fold" || (option.amount_cents === other.amount_cents && (option.keep ?? null) === (other.keep ?? null)));

class Coach extends HTMLElement {
  constructor() {
    super();
    /** Which decision is due: table, round and seat. @type {string | null} */
    this.decision = null;
    /** Where it is. */
    this.table = "";
    /** Whether the floor lets the coach help, by table. @type {Map<string, Promise<boolean>>} */
    this.helps = new Map();
    /** The advice of this decision, asked for once. @type {Promise<Advice | null> | null} */
    this.advice = null;
    /** What was thought of last. @type {{command: string, asked: AskedWorth | null, best: Worth} | null} */
    this.weighed = null;
    this.parts = this.make();
  }

  connectedCallback() {
    if (this.childElementCount) return;
    if (!document.querySelector(`link[href="${STYLE}"]`))
      document.head.append(h("link", { rel: "stylesheet", href: STYLE }));
    if (!this.hasAttribute("mode")) this.mode = /** @type {Mode} */ (prefs.coach);
    onChoice(() => (this.mode = /** @type {Mode} */ (prefs.coach)));
    this.append(this.parts.section, this.parts.warning);
    this.show();
  }

  static observedAttributes = ["mode"];

  attributeChangedCallback() {
    this.show();
  }

  /** @returns {Mode} */
  get mode() {
    const said = /** @type {Mode} */ (this.getAttribute("mode"));
    return MODES.includes(said) ? said : "ask";
  }

  set mode(chosen) {
    if (this.getAttribute("mode") !== chosen) this.setAttribute("mode", chosen);
  }

  make() {
    const mode = h(
      "select",
      { "aria-label": say("coach.mode"), onchange: () => choose({ coach: mode.value }) },
      ...MODES.map((each) => h("option", { value: each }, say(`coach.mode.${each}`))),
    );
    const ask = h("button", { type: "button", class: "coach-ask", "data-key": "c", onclick: () => this.tell() }, say("coach.ask"));
    const advice = h("div", { class: "coach-advice", "aria-live": "polite" });
    const grade = h("p", { class: "coach-grade", role: "status" });
    const bets = h("div", { class: "coach-bets" });
    const section = h(
      "section",
      { class: "coach panel", "aria-label": say("coach") },
      h("div", { class: "coach-head" }, h("h3", {}, say("coach")), mode),
      grade,
      ask,
      advice,
      bets,
    );
    const question = h("p", { id: "coach-question" });
    const warning = h(
      "dialog",
      { class: "coach-warning", "aria-labelledby": "coach-question" },
      question,
      h(
        "form",
        { method: "dialog" },
        h("button", { value: "back", class: "main-action", autofocus: true }, say("coach.back")),
        h("button", { value: "on" }, say("coach.anyway")),
      ),
    );
    return { section, mode, ask, advice, grade, bets, warning, question };
  }

  show() {
    const { mode, ask, advice, grade, section } = this.parts;
    const off = this.mode === "off";
    mode.value = this.mode;
    section.classList.toggle("off", off);
    ask.hidden = off || !this.decision;
    advice.hidden = off;
    grade.hidden = off;
    if (off) fill(advice);
  }

  /**
   * Where the table stands: if a decision of one's own is due, the coach is ready for it.
   * @param {TableMessage} message
   * @param {string} table
   */
  consider(message, table) {
    const { you, round } = message;
    const due = you?.legal.some((option) => option.type === "Fold") ? `${table} ${round?.number} ${you.seat}` : null;
    if (due === this.decision) return;
    this.decision = due;
    this.table = table;
    this.advice = null;
    if (due) {
      this.weighed = null;
      fill(this.parts.grade);
    }
    fill(this.parts.advice);
    this.show();
  }

  /** Whether the coach may help at a table. @param {string} table */
  mayHelp(table) {
    const found = this.helps.get(table) ?? get(`/tables/${table}`).then((place) => place.coach !== false);
    this.helps.set(table, found);
    return found;
  }

  /**
   * What the server says of this decision; null if it says nothing.
   * @param {Command} [command] a decision that is thought of
   * @returns {Promise<Advice | null>}
   */
  async fetch(command) {
    try {
      if (!(await this.mayHelp(this.table))) return null;
      const query = new URLSearchParams();
      if (command) {
        query.set("type", command.type);
        if (command.amount_cents) query.set("amount_cents", String(command.amount_cents));
        if (command.keep) query.set("keep", command.keep);
        if (command.expose) query.set("expose", command.expose);
      }
      return await get(`/tables/${this.table}/advice${command ? `?${query}` : ""}`);
    } catch (error) {
      if (error instanceof Refused || error instanceof TypeError) return null; // it is over, or the line is down
      throw error;
    }
  }

  /** On request: all that there is to say. */
  async tell() {
    const decision = this.decision;
    if (!decision || this.mode === "off") return;
    this.advice ??= this.fetch();
    const advice = await this.advice;
    if (decision !== this.decision) return;
    if (!advice) this.advice = null;
    fill(this.parts.advice, ...(advice ? drawAdvice(advice) : [h("p", {}, say("coach.silent"))]));
  }

  /**
   * Before a decision is sent: true to go on. Only in the mode `warn` is anybody asked, and only before a mistake.
   * @param {Command} command
   * @returns {Promise<boolean>}
   */
  async warn(command) {
    if (this.mode !== "warn" && this.mode !== "grade") return true;
    const found = await this.fetch(command);
    this.weighed = found && { command: keyOf(command), asked: found.asked ?? null, best: found.best };
    const asked = found?.asked;
    if (!found || !asked || asked.severity === "best" || this.mode !== "warn") return true;
    const { warning, question } = this.parts;
    const only = asked.mistakes.every((mistake) => mistake.kind === "hidden");
    fill(
      question,
      say("coach.gives-away", { cost: sayCost(asked.cost_cents), antes: sayAntes(-asked.cost_antes, asked.cost_antes < CLOSE) }),
      " ",
      only ? say("coach.show-it") : say("coach.best-is", { option: sayOption(found.best) }),
    );
    warning.returnValue = "back";
    warning.showModal();
    return new Promise((resolve) => {
      warning.addEventListener("close", () => resolve(warning.returnValue === "on"), { once: true });
    });
  }

  /**
   * After a decision was sent: how good it was.
   * @param {Command} command
   */
  async grade(command) {
    if (this.mode !== "grade" && this.mode !== "warn") return;
    const known = this.weighed?.command === keyOf(command) ? this.weighed : await this.recall(command);
    if (!known?.asked) return;
    const { asked, best } = known;
    const values = { cost: sayCost(asked.cost_cents), antes: sayAntes(-asked.cost_antes, asked.cost_antes < CLOSE) };
    fill(
      this.parts.grade,
      h("span", { class: `grade ${asked.severity}` }, say(`severity.${asked.severity}`)),
      " ",
      asked.severity === "best" ? say("coach.well-done") : say("coach.gave-away", { ...values, option: sayOption(best) }),
    );
  }

  /**
   * A decision among those that were told, where nobody asked beforehand.
   * @param {Command} command
   */
  async recall(command) {
    const advice = await this.advice;
    const option = advice?.options.find((each) => isSame(each, command));
    return advice && option ? { command: "", asked: { ...option, mistakes: [] }, best: advice.best } : null;
  }

  /**
   * What each side bet is worth now.
   * @param {string} table
   */
  async bets(table) {
    try {
      if (!(await this.mayHelp(table))) return;
      /** @type {import("../wire.js").SideBets} */
      const said = await get(`/tables/${table}/bets`);
      fill(this.parts.bets, said.bets.length > 0 && drawBets(said.bets));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof TypeError)) throw error;
    }
  }
}

/** @param {Command} command */
const keyOf = ({ type, amount_cents, keep, expose }) => JSON.stringify([type, amount_cents ?? 0, keep ?? null, expose ?? ""]);

/**
 * @param {Advice} advice
 * @returns {HTMLElement[]}
 */
function drawAdvice(advice) {
  const { best, options } = advice;
  const [fold] = options;
  const close = options.slice(1).some((option) => Math.abs(option.antes - fold.antes) < CLOSE);
  const shown = best.bar ?? options.find((option) => option.bar)?.bar;
  const heads = ["coach.decision", "coach.antes", "coach.money", "coach.cost"];
  return [
    h("p", { class: "coach-best" }, say("coach.best", { option: sayOption(best) })),
    h(
      "table",
      { class: "coach-options" },
      h("caption", { class: "seen-not" }, say("coach.values")),
      h("thead", {}, h("tr", {}, ...heads.map((code, at) => h("th", { scope: "col", class: at ? "number" : null }, say(code))))),
      h("tbody", {}, ...options.map((option) => drawOption(option, isSame(option, best), close))),
    ),
    ...(shown ? [h("p", { class: "quiet" }, say("coach.if-you-raise")), oddsBar(shown)] : []),
    h("p", { class: "coach-why" }, advice.why.map(({ text }) => text).join(" ")),
  ];
}

/** @param {Worth} option @param {boolean} isBest @param {boolean} close */
function drawOption(option, isBest, close) {
  return h(
    "tr",
    { class: isBest ? "best" : null },
    h("th", { scope: "row" }, isBest && h("span", { "aria-hidden": "true" }, "★ "), sayOption(option)),
    h("td", { class: "number", "data-exact": option.antes_exact }, signed(option.antes, close)),
    h("td", { class: "number" }, money.sayNet(Math.round(option.value_cents))),
    h("td", { class: "number" }, isBest ? say("coach.nothing") : sayCost(option.cost_cents)),
  );
}

/** @param {SideBet[]} bets */
function drawBets(bets) {
  return h(
    "details",
    {},
    h("summary", {}, say("coach.bets")),
    h("ul", {}, ...bets.map(drawBet)),
  );
}

/** @param {SideBet} bet */
function drawBet(bet) {
  const value = Math.round(bet.value_cents);
  const worth = { value: money.say(Math.abs(value)), edge: percent(Math.abs(bet.edge)) };
  return h(
    "li",
    { class: bet.in_your_favour ? "favour" : null },
    h("span", { class: "bet" }, say("coach.bet", { wager: sayWager(bet), stake: money.say(bet.stake_cents) })),
    h("span", {}, say(bet.in_your_favour ? "coach.gives" : "coach.costs", worth)),
    bet.in_your_favour && h("strong", { class: "mark" }, say("coach.favour")),
    ...bet.meters.map((meter) =>
      h(
        "span",
        { class: "quiet" },
        say("coach.break-even", {
          meter: say("meter-name", { kind: bet.bonus ? "bonus" : "progressive", level: meter.meter }),
          now: meter.amount_micros === null ? null : money.sayMeter(meter.amount_micros),
          least: money.sayMeter(meter.break_even_micros),
        }),
      ),
    ),
    bet.notice && h("span", { class: "quiet" }, bet.notice),
  );
}

customElements.define("hcf-coach", Coach);

export { Coach };
