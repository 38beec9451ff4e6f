// A hand with fixed cards in four steps: bet, look, decide, compare. The coach says what to do and why. The figures
// come from the server's calculator, and a test plays the same cards with the engine.
import { meOrGuest, post } from "../core/api.js";
import { bySuit, card, handCards, parseCards, playingFlush, sayCards, sayFlush } from "../core/cards.js";
import { stack } from "../core/chips.js";
import { fill, h, set } from "../core/dom.js";
import { formatDollars, formatPercent } from "../core/numbers.js";
import { valuesOf } from "../core/odds.js";
import { complain, sayFailure } from "../core/page.js";
import { say } from "../core/words.js";

export const HAND = { rulebook: "oxford", ante_cents: 1000, own: "KsJs8s4s Qh 7d 3c", dealer: "Qd9d5d Ah8h Tc 2s" };
const STEPS = /** @type {const} */ (["bet", "look", "decide", "compare"]);

/** @typedef {typeof STEPS[number]} Step */

/** @param {() => void} onPractice */
export function guidedHand(onPractice) {
  const dealer = h("div.hand", { role: "group", "aria-label": say("dealer") });
  const own = h("div.hand.own", { role: "group", "aria-label": say("learn.your-hand") });
  const bets = h("div.bets");
  const coach = h("p.coach-says", { role: "status" });
  const buttons = h("div.answers");
  const progress = h("ol.progress", { "aria-label": say("learn.steps") });
  const element = h(
    "section.guided",
    { "aria-labelledby": "guided-head" },
    h("h2.seen-not", { id: "guided-head" }, say("learn.hand")),
    progress,
    h(
      "div.felt",
      h("div.side", h("h3", say("dealer")), dealer),
      bets,
      h("div.side", own, h("h3", say("learn.your-hand"))),
    ),
    h("div.coach-box", coach, buttons),
  );
  const values = valuesOf(HAND.own, HAND.rulebook);
  values.catch(() => undefined); // an error is shown when the values are needed
  const ante = formatDollars(HAND.ante_cents);

  /** @param {Step} step @param {string} text @param {[string, () => unknown][]} choices the first is the main one */
  function show(step, text, choices) {
    fill(coach, text);
    fill(
      buttons,
      choices.map(([label, act], at) =>
        h("button", { type: "button", class: at === 0 ? "main-action" : null, onclick: act }, label),
      ),
    );
    fill(
      progress,
      STEPS.map((each, at) =>
        h(
          "li",
          { "aria-current": each === step && "step", class: at < STEPS.indexOf(step) ? "done" : null },
          say(`learn.step.${each}`),
        ),
      ),
    );
    set(element, { "data-step": step });
  }

  /** The same as a step of the hand, with the focus on the first button. @type {typeof show} */
  function go(...step) {
    show(...step);
    /** @type {HTMLElement | null} */ (buttons.firstElementChild)?.focus({ preventScroll: true });
  }

  const backs = () => Array.from({ length: 7 }, () => card(null));

  /** @param {string[]} names of the bets that lie on the felt */
  function drawBets(...names) {
    fill(
      bets,
      ["ante", "raise"].map((name) =>
        h(
          "div.spot",
          h("span", say(`wager.${name}`)),
          h("span.pile", names.includes(name) && [stack(HAND.ante_cents), h("strong", ante)]),
        ),
      ),
    );
  }

  function bet() {
    fill(dealer);
    fill(own);
    drawBets();
    show("bet", say("learn.bet", { ante }), [[say("learn.place", { ante }), look]]);
  }

  function look() {
    drawBets("ante");
    fill(dealer, backs());
    fill(
      own,
      bySuit(parseCards(HAND.own))
        .flat()
        .map((each) => card(each)),
    );
    const suits = ["s", "h", "d", "c"].map(
      (suit) => /** @type {[string, () => void]} */ ([say(`suit.${suit}`), () => pick(suit)]),
    );
    go("look", say("learn.look"), suits);
    for (const button of buttons.children) button.classList.remove("main-action");
  }

  /** @param {string} suit */
  function pick(suit) {
    const flush = playingFlush(parseCards(HAND.own));
    if (flush[0][1] === suit) decide();
    else fill(coach, say("learn.wrong-suit", { suit: say(`suit.${suit}`) }));
  }

  function decide() {
    fill(own, handCards({ cards: 7, seen: HAND.own }));
    const flush = sayFlush(parseCards(HAND.own));
    go("decide", say("learn.decide", { flush, ante }), [
      [say("learn.raise-it", { ante }), () => advise("raise")],
      [say("fold"), () => advise("fold")],
    ]);
  }

  /** Say what the exact figures say about the choice. @param {"raise" | "fold"} choice */
  async function advise(choice) {
    try {
      const { raise, fold, beaten } = await values;
      const money = (/** @type {number} */ antes) => formatDollars(Math.round(antes * HAND.ante_cents));
      const text = say(`learn.chose.${choice}`, {
        beaten: formatPercent(beaten),
        gain: money(raise),
        loss: money(-fold),
        better: money(raise - fold),
      });
      drawBets("ante", "raise");
      go("decide", text, [[say("learn.reveal"), compare]]);
    } catch (error) {
      complain(sayFailure(error));
    }
  }

  function compare() {
    fill(dealer, handCards({ cards: 7, seen: HAND.dealer }));
    const [dealers, yours] = [HAND.dealer, HAND.own].map((cards) => sayFlush(parseCards(cards)));
    set(dealer, { "aria-label": `${say("dealer")}: ${sayCards(parseCards(HAND.dealer))}` });
    go("compare", say("learn.compare", { dealers, yours, won: formatDollars(2 * HAND.ante_cents) }), [
      [say("learn.play"), play],
      [say("learn.practise"), onPractice],
      [say("learn.again"), bet],
    ]);
  }

  async function play() {
    try {
      await meOrGuest();
      const { table } = await post("/alone", { rulebook: HAND.rulebook });
      location.assign(`/table/${encodeURIComponent(table)}?sit`);
    } catch (error) {
      complain(sayFailure(error));
    }
  }

  bet();
  return { element };
}
