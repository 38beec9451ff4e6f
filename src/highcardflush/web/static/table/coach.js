// The coach: advice on request, a question before a mistake, a grade after a decision, and the value of the side bets.
// The server computes all values.
import { get, RefusalError } from "../core/api.js";
import { drawIfChanged, fill, h } from "../core/dom.js";
import { onChoice, prefs, setPrefs } from "../core/prefs.js";
import { say } from "../core/words.js";
import { same } from "../core/worths.js";
import { drawAdvice, drawBets, drawGrade, mistakeDialog } from "./advice.js";
import { options } from "./state.js";

/**
 * @typedef {import("../wire.js").Advice} Advice
 * @typedef {import("./advice.js").Comparison} Comparison
 * @typedef {{type: string, amount_cents?: number, keep?: string | null, expose?: string}} Command
 * @typedef {"off" | "ask" | "warn" | "grade"} Mode
 */

/** @type {Mode[]} */
const MODES = ["off", "ask", "warn", "grade"];

/** @returns {Mode} */
function modeNow() {
  const mode = /** @type {Mode} */ (prefs.coach);
  return MODES.includes(mode) ? mode : "ask";
}

/** The coach of a table. @param {string} table */
export function coach(table) {
  const request = requestsTo(table);
  const lesson = lessonFrom(request);
  const panel = coachPanel(showAdvice);
  const question = mistakeDialog();
  const element = h("div.coach-place", panel.element, question.element);
  const show = () => panel.show(lesson.decision !== null);
  onChoice(show);
  show();

  /** @param {Pick<import("./state.js").State, "you" | "round">} state */
  function draw({ you, round }) {
    const decision = you && options({ you }, "Fold").length ? `${round?.number} ${you.seat}` : null;
    if (decision !== lesson.decision) {
      lesson.begin(decision);
      if (decision) fill(panel.grade);
      fill(panel.advice);
      show();
    }
    if (you) drawIfChanged(panel.bets, [round?.number, you.seat], showBets);
  }

  /** Show the advice that the player requests. */
  async function showAdvice() {
    const { decision } = lesson;
    if (!decision || modeNow() === "off") return;
    const advice = await lesson.advise();
    if (decision !== lesson.decision) return;
    fill(panel.advice, ...(advice ? drawAdvice(advice) : [h("p", say("coach.silent"))]));
  }

  /** Show the value of each side bet. */
  async function showBets() {
    /** @type {import("../wire.js").SideBets | null} */
    const answer = await request("bets");
    if (answer) fill(panel.bets, drawBets(answer.bets));
  }

  /**
   * Compare a decision with the best one before it is sent; false to hold it back. Only the mode `warn` asks the
   * player, and only before a mistake.
   * @param {Command} command
   */
  async function warn(command) {
    if (modeNow() !== "warn" && modeNow() !== "grade") return true;
    const comparison = await lesson.compare(command);
    if (!comparison || comparison.worth.severity === "best" || modeNow() !== "warn") return true;
    return question.ask(comparison);
  }

  /** Grade a decision after it was sent. @param {Command} command */
  async function grade(command) {
    if (modeNow() !== "grade" && modeNow() !== "warn") return;
    const comparison = await lesson.recall(command);
    if (comparison) fill(panel.grade, ...drawGrade(comparison));
  }

  return { element, draw, warn, grade };
}

/**
 * A function that asks the server's coach. Its answer is null if the floor does not allow the coach, the decision is
 * over or the connection is down.
 * @param {string} table
 */
function requestsTo(table) {
  const path = `/tables/${encodeURIComponent(table)}`;
  /** @type {Promise<boolean> | null} */
  let isAllowed = null;

  /** @template T @param {string} call @returns {Promise<T | null>} */
  return async function request(call) {
    try {
      isAllowed ??= get(path).then((tableInfo) => tableInfo.coach !== false);
      return (await isAllowed) ? await get(`${path}/${call}`) : null;
    } catch (error) {
      if (error instanceof RefusalError || error instanceof TypeError) return null;
      throw error;
    }
  };
}

/**
 * The player's current decision, the advice on it, and the last comparison of a command with the best decision.
 * @param {ReturnType<typeof requestsTo>} request
 */
function lessonFrom(request) {
  /** Requested once for each decision. @type {Promise<Advice | null> | null} */
  let advice = null;
  /** @type {{query: string, result: Comparison | null} | null} */
  let last = null;

  const lesson = {
    /** The round and the seat, or null if the player has nothing to decide. @type {string | null} */
    decision: null,

    /** @param {string | null} decision */
    begin(decision) {
      lesson.decision = decision;
      advice = null;
      if (decision) last = null;
    },

    async advise() {
      const current = (advice ??= request("advice"));
      const answer = await current;
      if (!answer && advice === current) advice = null;
      return answer;
    },

    /** @param {Command} command */
    async compare(command) {
      const query = queryOf(command);
      /** @type {Advice | null} */
      const answer = await request(`advice?${query}`);
      const result = answer?.asked ? { worth: answer.asked, best: answer.best } : null;
      last = answer && { query, result };
      return result;
    },

    /** The last comparison, or one from the advice that the player requested. @param {Command} command */
    async recall(command) {
      if (last?.query === queryOf(command)) return last.result;
      const answer = await advice;
      const option = answer?.options.find((each) => same(each, command));
      return answer && option ? { worth: { ...option, mistakes: [] }, best: answer.best } : null;
    },
  };
  return lesson;
}

/** The mode, the advice, the last grade and the side bets. @param {() => void} onAsk */
function coachPanel(onAsk) {
  const mode = h(
    "select",
    { "aria-label": say("coach.mode"), onchange: () => setPrefs({ coach: mode.value }) },
    MODES.map((each) => h("option", { value: each }, say(`coach.mode.${each}`))),
  );
  const ask = h("button.coach-ask", { type: "button", "data-key": "c", onclick: onAsk }, say("coach.ask"));
  const advice = h("div.coach-advice", { "aria-live": "polite" });
  const grade = h("p.coach-grade", { role: "status" });
  const bets = h("div.coach-bets");
  const element = h(
    "section.coach.panel",
    { "aria-label": say("coach") },
    h("div.coach-head", h("h3", say("coach")), mode),
    grade,
    ask,
    advice,
    bets,
  );

  /** @param {boolean} mayDecide */
  function show(mayDecide) {
    mode.value = modeNow();
    const isOff = mode.value === "off";
    element.classList.toggle("off", isOff);
    ask.hidden = isOff || !mayDecide;
    advice.hidden = grade.hidden = isOff;
    if (isOff) fill(advice);
  }
  return { element, advice, grade, bets, show };
}

/** @param {Command} command */
function queryOf({ type, amount_cents, keep, expose }) {
  const entries = Object.entries({ type, amount_cents, keep, expose }).filter(([, value]) => value);
  return new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
}
