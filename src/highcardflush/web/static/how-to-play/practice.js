// Practice: random hands for which folding and raising are almost equal, with a score and a streak. The server's
// calculator knows the exact value of each decision.
import { bySuit, rankOf, RANKS, sayCards } from "../core/cards.js";
import { fill, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { valuesOf } from "../core/odds.js";
import { complain, sayFailure } from "../core/page.js";
import { prefs, setPrefs } from "../core/prefs.js";
import { say } from "../core/words.js";
import { drawHand } from "../core/worths.js";

const RULEBOOK = "oxford";
const ANTE_CENTS = 1000;
/** The largest difference between folding and raising in a close decision, in Antes. */
const CLOSE_ANTES = 0.3;
/** The longest flush, and its highest cards, for which the decision can be close. */
const CLOSE_LENGTH = 3;
const CLOSE_TOPS = "9TJQ";
const FOLD_KEY = "f";
const RAISE_KEY = "r";
const NEXT_KEY = "n";

/** @typedef {import("../core/odds.js").HandValues} HandValues */

const DECK = [..."cdhs"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** Seven random cards. */
function deal() {
  const deck = [...DECK];
  return Array.from({ length: 7 }, () => deck.splice(Math.floor(Math.random() * deck.length), 1)[0]);
}

/** True if the decision may be close. @param {string[]} cards */
function mayBeClose(cards) {
  const [flush] = bySuit(cards);
  return flush.length === CLOSE_LENGTH && CLOSE_TOPS.includes(RANKS[rankOf(flush[0])]);
}

/** A random hand with a close decision, and its exact values. */
async function closeHand() {
  for (;;) {
    let cards = deal();
    while (!mayBeClose(cards)) cards = deal();
    const hand = bySuit(cards).flat().join(" ");
    const values = await valuesOf(hand, RULEBOOK);
    if (Math.abs(values.raise - values.fold) < CLOSE_ANTES) return { hand, values };
  }
}

export function practice() {
  const score = h("p.score", { "aria-live": "off" });
  const body = h("div.drill");
  const element = h(
    "section.practice",
    { id: "practice", "aria-labelledby": "practice-head", onkeydown: press },
    h("div.practice-head", h("h2", { id: "practice-head", tabindex: -1 }, say("practice")), score),
    h("p.quiet", say("practice.text", { ante: formatDollars(ANTE_CENTS) })),
    body,
  );
  let [right, answered, streak] = [0, 0, 0];
  fill(body, keyButton(say("practice.begin"), "", begin, true));

  function drawScore() {
    fill(score, say("practice.score", { right, answered, streak, best: prefs.bestStreak }));
  }

  async function begin() {
    drawScore();
    await next();
  }

  async function next() {
    for (const button of body.querySelectorAll("button")) button.disabled = true;
    try {
      const { hand, values } = await closeHand();
      ask(hand, values);
      complain("");
    } catch (error) {
      complain(sayFailure(error));
      fill(body, keyButton(say("drill.again"), NEXT_KEY, next, true));
    }
  }

  /** @param {string} hand @param {HandValues} values */
  function ask(hand, values) {
    const response = h("div.told", { role: "status" });
    const answers = h("div.answers", { role: "group", "aria-label": say("drill.ask") });
    /** @param {"fold" | "raise"} choice */
    const answer = (choice) => grade(choice, values, answers, response);
    answers.append(
      keyButton(say("fold"), FOLD_KEY, () => answer("fold")),
      keyButton(say("learn.raise-it", { ante: formatDollars(ANTE_CENTS) }), RAISE_KEY, () => answer("raise")),
    );
    const drawing = drawHand(hand);
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-label", sayCards(hand.split(" ")));
    fill(body, drawing, answers, response);
    /** @type {HTMLElement} */ (answers.firstElementChild).focus({ preventScroll: true });
  }

  /**
   * @param {"fold" | "raise"} choice
   * @param {HandValues} values
   * @param {HTMLElement} answers
   * @param {HTMLElement} response
   */
  function grade(choice, values, answers, response) {
    const best = values.raise > values.fold ? "raise" : "fold";
    const isRight = choice === best;
    answered += 1;
    right += Number(isRight);
    streak = isRight ? streak + 1 : 0;
    if (streak > prefs.bestStreak) setPrefs({ bestStreak: streak });
    drawScore();
    for (const button of answers.querySelectorAll("button")) button.disabled = true;
    const money = (/** @type {number} */ antes) => formatDollars(Math.round(Math.abs(antes) * ANTE_CENTS));
    fill(
      response,
      h(
        "p",
        h(
          "span",
          { class: `grade ${isRight ? "best" : "mistake"}` },
          say(isRight ? "practice.right" : "practice.wrong"),
        ),
        " ",
        say(`practice.why.${best}`, {
          raise: money(values.raise),
          fold: money(values.fold),
          saves: money(values.raise - values.fold),
        }),
      ),
      keyButton(say("practice.next"), NEXT_KEY, next, true),
    );
    response.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Press the button of a key. @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const button = body.querySelector(`button[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]:enabled`);
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    button.click();
  }

  return { element, begin };
}

/**
 * A button that shows its key.
 * @param {string} text
 * @param {string} key empty if it has none
 * @param {() => unknown} onPress
 * @param {boolean} [isMain]
 */
const keyButton = (text, key, onPress, isMain = false) =>
  h(
    "button",
    { type: "button", class: isMain ? "main-action" : null, "aria-keyshortcuts": key || null, onclick: onPress },
    text,
    key && h("kbd", { "aria-hidden": "true" }, key.toUpperCase()),
  );
