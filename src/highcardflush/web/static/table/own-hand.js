// One's own cards, large, in front: by suit or by rank, the flush that plays lifted and named. A tap on a card is a choice where
// one flush is kept.
import { card, ordered, parseCards, playing, sayCards, sayFlush, sayStraight } from "../core/cards.js";
import { fill, h, set } from "../core/dom.js";
import { choose, prefs } from "../core/prefs.js";
import { ownSeat } from "./store.js";
import { say } from "../core/words.js";

/** As long as cards move. */
const DEAL_MS = 1200;

/**
 * @param {{keep: string | null, exposed: Set<string>, tap: (card: string) => void}} choice what is chosen of the cards
 * @param {() => void} onChange
 */
export function ownHand(choice, onChange) {
  const hand = h("div", { class: "hand own-hand" });
  const name = h("p", { class: "own-name" });
  const regroup = h("button", { class: "regroup", "data-key": "g", onclick: turn }, say("regroup"));
  const head = h("div", { class: "own-head" }, name, regroup);
  const element = h("div", { class: "own-area", hidden: true }, hand, head);
  let shown = "";

  function turn() {
    choose({ order: prefs.order === "suit" ? "rank" : "suit" });
    onChange();
  }

  hand.addEventListener("click", (event) => {
    const tapped = event.target instanceof Element ? event.target.closest("[data-card]") : null;
    if (tapped) choice.tap(tapped.getAttribute("data-card") ?? "");
    onChange();
  });

  /** @param {import("./store.js").Table} table @param {boolean} mayDecide */
  function draw(table, mayDecide) {
    const seat = ownSeat(table);
    const cards = parseCards(seat?.hand?.seen ?? "");
    const keep = mayDecide ? choice.keep : (seat?.decision?.keep ?? null);
    const exposed = mayDecide ? choice.exposed : new Set(parseCards(seat?.decision?.expose ?? ""));
    const folded = Boolean(seat?.decision && !seat.decision.raise_cents);
    const now = JSON.stringify([cards, keep, prefs.order, [...exposed], folded]);
    if (shown === now) return;
    if (element.hidden && cards.length) deal();
    shown = now;
    element.hidden = !cards.length;
    element.classList.toggle("folded", folded);
    const plays = playing(cards, keep);
    fill(
      hand,
      ordered(cards, /** @type {import("../core/hands.js").Order} */ (prefs.order)).map((each) => {
        const made = card(each, { lifted: plays.includes(each) });
        made.classList.toggle("exposed", exposed.has(each));
        return made;
      }),
    );
    set(hand, { role: cards.length ? "group" : null, "aria-label": cards.length ? words(table) : null });
    const run = sayStraight(cards);
    fill(name, sayFlush(cards, keep), run && h("span", { class: "straight" }, ` · ${run}`));
  }

  function deal() {
    hand.classList.add("dealing");
    setTimeout(() => hand.classList.remove("dealing"), DEAL_MS);
  }

  /** @param {import("./store.js").Table} table */
  function words(table) {
    const cards = parseCards(ownSeat(table)?.hand?.seen ?? "");
    return cards.length ? say("own-hand", { cards: sayCards(cards) }) : say("no-hand");
  }

  return { element, draw, words };
}
