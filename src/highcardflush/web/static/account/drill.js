// Drill the player's mistakes: each decision again, with the cards that were visible then. The page shows the best
// choice, the loss and the reasons, and counts right answers. Keys work while the focus is inside.
import { get } from "../core/api.js";
import { parseCards, sayCards, straightFlush } from "../core/cards.js";
import { fill, find, h } from "../core/dom.js";
import * as money from "../core/money.js";
import { sayFailure } from "../core/page.js";
import { say } from "../core/words.js";
import { choices, drawnHand, same, sayChoice, sayGiven } from "../core/worths.js";

/**
 * @typedef {import("../wire.js").GradedRound} GradedRound
 * @typedef {import("../wire.js").Weighed} Weighed
 * @typedef {import("../wire.js").Worth} Worth
 * @typedef {{round: GradedRound, right: boolean}} Answer
 */

/** The fewest cards of a straight flush. */
const STRAIGHT = 3;
const FOLD_KEY = "f";
const NEXT_KEY = "n";

/**
 * The caller's own decision in a round that is over.
 * @param {GradedRound} round
 * @returns {Promise<Weighed | undefined>}
 */
async function decisionOf({ table, number }) {
  const { steps, you } = /** @type {import("../wire.js").Steps} */ (
    await get(`/rounds/${encodeURIComponent(table)}/${number}/steps`)
  );
  return steps.flatMap((step) => step.weighed ?? []).find((weighed) => weighed.seat === you);
}

/** True if a straight flush may have to be laid face up. @param {Weighed} weighed */
const mayHide = ({ hand, options }) =>
  options.some((option) => option.keep) && straightFlush(parseCards(hand)).length >= STRAIGHT;

/**
 * The drill; `begin` starts it with rounds of the player, and `ended` is called when the player leaves it.
 * @param {() => void} ended
 */
export function drill(ended) {
  const place = h("section.drill", { "aria-labelledby": "drill-head", hidden: true, onkeydown: press });
  /** @type {GradedRound[]} */
  let rounds = [];
  /** @type {Answer[]} */
  let answers = [];

  /** Press the button of a key. @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const button = place.querySelector(
      `button[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]:not(:disabled)`,
    );
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    button.click();
  }

  /** @param {GradedRound[]} wanted */
  function begin(wanted) {
    rounds = wanted;
    answers = [];
    place.hidden = false;
    return next();
  }

  function end() {
    place.hidden = true;
    fill(place);
    ended();
  }

  /** @param {...(Node | false | null)} nodes */
  function show(...nodes) {
    fill(place, ...nodes);
    find("#drill-head", place).focus();
  }

  async function next() {
    const round = rounds[answers.length];
    if (!round) return summary();
    try {
      const weighed = await decisionOf(round);
      if (weighed) return ask(round, weighed);
      rounds = rounds.filter((each) => each !== round);
      return next();
    } catch (error) {
      return show(
        head(),
        h("p", sayFailure(error)),
        h("p.answers", keyed("drill.again", NEXT_KEY, next), keyed("drill.end", "", end)),
      );
    }
  }

  const head = () =>
    h(
      "h3",
      { id: "drill-head", tabindex: -1 },
      say("drill.count", { at: Math.min(answers.length + 1, rounds.length), of: rounds.length }),
    );

  /** @param {GradedRound} round @param {Weighed} weighed */
  function ask(round, weighed) {
    const { hand, seen, options, ante_cents: ante } = weighed;
    const response = h("div.told", { role: "status" });
    const up = mayHide(weighed) ? h("input", { type: "checkbox" }) : null;
    const buttons = options.map((option, i) =>
      keyed(
        "",
        option.type === "Fold" ? FOLD_KEY : i < 10 ? String(i) : "",
        () => answer(option),
        sayChoice(option, ante),
      ),
    );

    /** @param {Worth} option */
    function answer(option) {
      const hidden =
        up !== null && !up.checked ? weighed.made.mistakes.find((mistake) => mistake.kind === "hidden") : undefined;
      answers.push({ round, right: option.severity === "best" && !hidden });
      for (const button of buttons) button.disabled = true;
      if (up) up.disabled = true;
      const last = answers.length === rounds.length;
      const on = keyed(last ? "drill.sum" : "drill.next", NEXT_KEY, next);
      fill(response, verdict(weighed, option, hidden?.cost_cents));
      response.after(
        h(
          "div.lesson",
          choices(weighed, option),
          h(
            "p",
            h("a", { href: `/round/${encodeURIComponent(round.table)}/${round.number}` }, say("own.round", round)),
          ),
        ),
        h("p.answers", on, keyed("drill.end", "", end)),
      );
      on.classList.add("main-action");
      on.focus();
    }

    show(
      head(),
      h("p", say("drill.spot", { ...round, ante: money.say(ante) })),
      drawnHand(hand),
      h("p.quiet.held", sayCards(parseCards(hand))),
      seen !== "" && h("p.quiet", say("drill.seen", { cards: sayCards(parseCards(seen)) })),
      up && h("p", h("label.up", up, say("drill.face-up"))),
      h("div.answers", { role: "group", "aria-label": say("drill.ask") }, buttons),
      response,
    );
  }

  function summary() {
    const wrong = answers.filter((each) => !each.right).map((each) => each.round);
    const again = wrong.length > 0 && keyed("drill.wrong-again", NEXT_KEY, () => begin(wrong));
    show(
      h(
        "h3",
        { id: "drill-head", tabindex: -1 },
        say("drill.done", { right: answers.length - wrong.length, of: answers.length }),
      ),
      h("p.answers", again, keyed("drill.end", "", end)),
    );
  }

  return { element: place, begin };
}

/**
 * A button that shows its key.
 * @param {string} code
 * @param {string} key empty if it has none
 * @param {() => unknown} act
 * @param {string} [words]
 */
function keyed(code, key, act, words = say(code)) {
  return h(
    "button",
    { type: "button", "aria-keyshortcuts": key || null, onclick: act },
    words,
    key && h("kbd", { "aria-hidden": "true" }, key.toUpperCase()),
  );
}

/**
 * The value of an answer, the best choice, the choice at the table, and the reasons.
 * @param {Weighed} weighed
 * @param {Worth} option
 * @param {number} [hidden] what is lost by not laying a straight flush face up, in cents
 */
function verdict(weighed, option, hidden) {
  const { best, made, why, ante_cents: ante } = weighed;
  const right = option.severity === "best";
  const severity = right && hidden ? "mistake" : option.severity;
  return [
    h(
      "p",
      h("span", { class: `grade ${severity}` }, say(`severity.${severity}`)),
      " ",
      right
        ? say("drill.right", { choice: sayChoice(option, ante) })
        : say("drill.wrong", { choice: sayChoice(option, ante), best: sayChoice(best, ante), ...sayGiven(option) }),
      hidden ? ` ${say("drill.hidden", { money: money.say(Math.round(hidden)) })}` : "",
      !same(made, option) && ` ${say("drill.then", { choice: sayChoice(made, ante) })}`,
    ),
    h("p.quiet", why.map(({ text }) => text).join(" ")),
  ];
}
