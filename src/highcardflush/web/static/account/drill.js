// A drill of the player's mistakes: each decision again, with the cards that were visible then. The page shows the best
// choice, the loss and the reasons, and counts right answers. Keys work while the focus is inside.
import { get } from "../core/api.js";
import { parseCards, sayCards, straightFlush } from "../core/cards.js";
import { fill, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { sayFailure } from "../core/page.js";
import { say } from "../core/words.js";
import { choicesTable, drawHand, lossValues, same, sayChoice } from "../core/worths.js";
import { linkRound } from "./parts.js";

/**
 * @typedef {import("../wire.js").GradedRound} GradedRound
 * @typedef {import("../wire.js").Weighed} Weighed
 * @typedef {import("../wire.js").Worth} Worth
 * @typedef {{round: GradedRound, isRight: boolean}} Answer
 */

/** Minimum number of cards in a straight flush. */
const STRAIGHT = 3;
const FOLD_KEY = "f";
const NEXT_KEY = "n";

/** The player's own decision in a finished round. @param {GradedRound} round @returns {Promise<Weighed | undefined>} */
async function decisionOf({ table, number }) {
  const { steps, you } = /** @type {import("../wire.js").Steps} */ (
    await get(`/rounds/${encodeURIComponent(table)}/${number}/steps`)
  );
  return steps.flatMap((step) => step.weighed ?? []).find((decision) => decision.seat === you);
}

/** True if the hand has a straight flush that the player may have to lay face up. @param {Weighed} decision */
const mayHide = ({ hand, options }) =>
  options.some((option) => option.keep) && straightFlush(parseCards(hand)).length >= STRAIGHT;

/**
 * The drill; `begin` starts it with rounds of the player.
 * @param {() => void} onEnd called when the player leaves the drill
 */
export function drill(onEnd) {
  const element = h("section.drill", { "aria-labelledby": "drill-head", hidden: true, onkeydown: pressButton });
  /** @type {GradedRound[]} */
  let rounds = [];
  /** @type {Answer[]} */
  let answers = [];

  /** @param {GradedRound[]} mistakes */
  function begin(mistakes) {
    rounds = mistakes;
    answers = [];
    element.hidden = false;
    return next();
  }

  function end() {
    element.hidden = true;
    fill(element);
    onEnd();
  }

  const endButton = () => keyButton(say("drill.end"), "", end);
  const count = () => say("drill.count", { at: Math.min(answers.length + 1, rounds.length), of: rounds.length });

  /** @param {string} title @param {...(Node | false | null)} nodes */
  function show(title, ...nodes) {
    const heading = h("h3", { id: "drill-head", tabindex: -1 }, title);
    fill(element, heading, ...nodes);
    heading.focus();
  }

  async function next() {
    const round = rounds[answers.length];
    if (!round) return showSummary();
    try {
      const decision = await decisionOf(round);
      if (decision) return show(count(), ...question(round, decision, (isRight) => record(round, isRight)));
      rounds = rounds.filter((each) => each !== round);
      return next();
    } catch (error) {
      const again = keyButton(say("drill.again"), NEXT_KEY, next);
      return show(count(), h("p", sayFailure(error)), h("p.answers", again, endButton()));
    }
  }

  /** Record an answer, and return the buttons that follow it. @param {GradedRound} round @param {boolean} isRight */
  function record(round, isRight) {
    answers.push({ round, isRight });
    const on = keyButton(say(answers.length === rounds.length ? "drill.sum" : "drill.next"), NEXT_KEY, next);
    on.classList.add("main-action");
    return [on, endButton()];
  }

  function showSummary() {
    const wrong = answers.filter((each) => !each.isRight).map((each) => each.round);
    const again = wrong.length > 0 && keyButton(say("drill.wrong-again"), NEXT_KEY, () => begin(wrong));
    const title = say("drill.done", { right: answers.length - wrong.length, of: answers.length });
    show(title, h("p.answers", again, endButton()));
  }

  return { element, begin };
}

/** Press the button of a key. @param {KeyboardEvent} event */
function pressButton(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const key = CSS.escape(event.key.toLowerCase());
  const place = /** @type {HTMLElement} */ (event.currentTarget);
  const button = place.querySelector(`button[aria-keyshortcuts="${key}"]:not(:disabled)`);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click();
}

/**
 * A decision with a button for each choice, and the lesson after the answer.
 * @param {GradedRound} round
 * @param {Weighed} decision
 * @param {(isRight: boolean) => HTMLElement[]} onAnswer returns the buttons that follow the answer
 */
function question(round, decision, onAnswer) {
  const { hand, seen, options, ante_cents: ante } = decision;
  const response = h("div.told", { role: "status" });
  const faceUp = mayHide(decision) ? h("input", { type: "checkbox" }) : null;
  const buttons = options.map((option, i) =>
    keyButton(sayChoice(option, ante), option.type === "Fold" ? FOLD_KEY : i < 10 ? String(i) : "", () =>
      answer(option),
    ),
  );

  /** @param {Worth} option */
  function answer(option) {
    const hidden = faceUp && !faceUp.checked && decision.made.mistakes.find((mistake) => mistake.kind === "hidden");
    for (const control of [...buttons, faceUp]) if (control) control.disabled = true;
    const following = onAnswer(option.severity === "best" && !hidden);
    fill(response, verdict(decision, option, hidden ? hidden.cost_cents : 0));
    response.after(
      h("div.lesson", choicesTable(decision, option), h("p", linkRound(round.table, round.number))),
      h("p.answers", following),
    );
    following[0].focus();
  }

  return [
    h("p", say("drill.spot", { ...round, ante: formatDollars(ante) })),
    drawHand(hand),
    h("p.quiet.held", sayCards(parseCards(hand))),
    seen !== "" && h("p.quiet", say("drill.seen", { cards: sayCards(parseCards(seen)) })),
    faceUp && h("p", h("label.up", faceUp, say("drill.face-up"))),
    h("div.answers", { role: "group", "aria-label": say("drill.ask") }, buttons),
    response,
  ];
}

/**
 * A button that shows its key.
 * @param {string} text
 * @param {string} key empty if it has none
 * @param {() => unknown} onPress
 */
const keyButton = (text, key, onPress) =>
  h(
    "button",
    { type: "button", "aria-keyshortcuts": key || null, onclick: onPress },
    text,
    key && h("kbd", { "aria-hidden": "true" }, key.toUpperCase()),
  );

/**
 * The value of an answer, the best choice, the choice at the table, and the reasons.
 * @param {Weighed} decision
 * @param {Worth} option
 * @param {number} hidden_cents the loss from not laying a straight flush face up
 */
function verdict(decision, option, hidden_cents) {
  const { best, made, why, ante_cents: ante } = decision;
  const isRight = option.severity === "best";
  const severity = isRight && hidden_cents ? "mistake" : option.severity;
  const choice = sayChoice(option, ante);
  return [
    h(
      "p",
      h("span", { class: `grade ${severity}` }, say(`severity.${severity}`)),
      " ",
      isRight
        ? say("drill.right", { choice })
        : say("drill.wrong", { choice, best: sayChoice(best, ante), ...lossValues(option) }),
      hidden_cents > 0 && ` ${say("drill.hidden", { money: formatDollars(Math.round(hidden_cents)) })}`,
      !same(made, option) && ` ${say("drill.then", { choice: sayChoice(made, ante) })}`,
    ),
    h("p.quiet", why.map(({ text }) => text).join(" ")),
  ];
}
