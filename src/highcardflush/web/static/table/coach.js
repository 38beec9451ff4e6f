// The coach: advice on request, a question before a mistake, a grade after a decision, and the value of the side bets.
// The server computes all values. The answers are in the state of the page.
import { get, RefusalError } from "../core/api.js";
import { drawIfChanged, fill, h, set } from "../core/dom.js";
import { onChoice, prefs, setPrefs } from "../core/prefs.js";
import { say } from "../core/words.js";
import { drawAdvice, drawBets, drawGrade, mistakeDialog, sayGrade } from "./advice.js";
import { isRevealed, mayDecide } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
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

/** A chooser of the coach's mode. */
export function modeChooser() {
  const mode = h(
    "select",
    { onchange: () => setPrefs({ coach: mode.value }) },
    MODES.map((each) => h("option", { value: each }, say(`coach.mode.${each}`))),
  );
  const show = () => (mode.value = modeNow());
  onChoice(show);
  show();
  return h("label.coach-mode", h("span", say("coach.mode")), mode);
}

/**
 * The coach of a table, whose answers are drawn into a sheet.
 * @param {import("./actions.js").Store} store
 * @param {() => void} show open the sheet
 */
export function coach(store, show) {
  const request = requestsTo(store.state.name);
  const question = mistakeDialog();
  const answer = h("div.coach-answer", { "aria-live": "polite" });
  const bets = h("div.coach-bets");
  const element = h("section.coach", answer, bets, modeChooser());
  const ask = h(
    "button.coach-ask",
    { type: "button", "data-key": "c", "aria-label": say("coach.ask"), onclick: showAdvice },
    say("coach"),
  );
  const chip = h("button.grade-chip", { hidden: true, onclick: show }, "");
  /** The comparison of the command about which the coach was asked last. @type {Comparison | null} */
  let comparison = null;
  onChoice(() => store.update((state) => ({ ...state })));

  /** @param {State} state */
  function draw(state) {
    const { advice, grade, finished, you, round, sideBets } = state;
    const isGraded = grade !== null && grade.number === (finished ?? round)?.number;
    const shownGrade = isGraded && modeNow() !== "off" && isRevealed(state) ? grade.comparison : null;
    ask.hidden = modeNow() === "off";
    set(ask, { class: state.isLearner ? "coach-ask glows" : "coach-ask" });
    drawIfChanged(chip, shownGrade, () => {
      chip.hidden = !shownGrade;
      set(chip, { class: `grade-chip grade ${shownGrade?.worth.severity ?? ""}` });
      fill(chip, shownGrade && sayGrade(shownGrade));
    });
    drawIfChanged(answer, [advice, shownGrade], () => fill(answer, answerOf(advice, shownGrade)));
    if (you) drawIfChanged(element, [round?.number, you.seat], askBets);
    drawIfChanged(bets, sideBets, () => fill(bets, drawBets(sideBets)));
  }

  /** Show the advice that the player requests. It is requested once in each decision. */
  async function showAdvice() {
    const { state } = store;
    if (!mayDecide(state) || modeNow() === "off") return;
    show();
    if (state.advice) return;
    /** @type {Advice | null} */
    const advice = await request("advice");
    store.update((now) => (now.round?.number === state.round?.number ? { ...now, advice } : now));
  }

  /** Ask for the value of each side bet. */
  async function askBets() {
    /** @type {import("../wire.js").SideBets | null} */
    const answer = await request("bets");
    if (answer) store.update((state) => ({ ...state, sideBets: answer.bets }));
  }

  /**
   * Compare a decision with the best one before it is sent; false to hold it back. Only the mode `warn` asks the
   * player, and only before a mistake.
   * @param {Command} command
   */
  async function warn(command) {
    comparison = null;
    if (modeNow() !== "warn" && modeNow() !== "grade") return true;
    /** @type {Advice | null} */
    const advice = await request(`advice?${queryOf(command)}`);
    comparison = advice?.asked ? { worth: advice.asked, best: advice.best } : null;
    if (!comparison || comparison.worth.severity === "best" || modeNow() !== "warn") return true;
    return question.ask(comparison);
  }

  /** Grade the decision about which `warn` was called. */
  function grade() {
    const number = store.state.round?.number ?? 0;
    const shown = comparison && { number, comparison };
    store.update((state) => ({ ...state, grade: shown }));
  }

  return { element, ask, chip, question: question.element, draw, warn, grade };
}

/** @param {Advice | null | undefined} advice @param {Comparison | null} grade */
function answerOf(advice, grade) {
  if (grade) return drawGrade(grade);
  if (advice) return drawAdvice(advice);
  return [h("p", say(advice === null ? "coach.silent" : "coach.thinks"))];
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

/** @param {Command} command */
function queryOf({ type, amount_cents, keep, expose }) {
  const entries = Object.entries({ type, amount_cents, keep, expose }).filter(([, value]) => value);
  return new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
}
