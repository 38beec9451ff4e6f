// The felt above the player's place: the table's name, its meters and everything posted, the dealer, and the seats.
import { card, handCards, parseCards, playingFlush, sayCards } from "../core/cards.js";
import { drawIfChanged, fill, h, set, svg } from "../core/dom.js";
import { say } from "../core/words.js";
import { seats } from "./seats.js";
import { boardView, dealerSuits, isRevealed } from "./state.js";

/** @typedef {import("./state.js").State} State */

/**
 * @param {import("../wire.js").TableNow} tableInfo
 * @param {any} rules
 * @param {{head: Element, posted: Element, place: Element, banner: Element, prize: Element, win: Element,
 *   light: Element, onSit: (seat: number) => void}} parts
 */
export function board(tableInfo, rules, { head, posted, place, banner, prize, win, light, onSit }) {
  const around = seats(tableInfo.seats, onSit);
  const dealer = h("div.hand.dealer-hand", { "data-name": say("dealer") });
  const says = h("p.says");
  const caption = h("p.caption", { "aria-hidden": "true" });
  const element = h(
    "section.felt",
    { "aria-label": say("table-of", { name: tableInfo.name }), class: tableInfo.seats === 1 ? "felt alone" : "felt" },
    head,
    posted,
    h("div.dealer", h("h2.seen-not", say("dealer")), dealer, says, caption),
    h("div.middle", feltText(rules.qualifier.text), around.element, banner, prize, win),
    place,
    light,
  );

  /** @param {State} state */
  function draw(state) {
    around.draw(state);
    const hand = boardView(state)?.dealer ?? null;
    drawIfChanged(dealer, [hand, state.reveal], () => drawDealer(dealer, hand, state));
    fill(says, state.says);
  }
  return { element, caption, draw };
}

/**
 * The dealer's cards. While they are revealed, the suits that are not yet turned lie face down in their places.
 * @param {Element} element
 * @param {import("../wire.js").Hand | null} hand
 * @param {State} state
 */
function drawDealer(element, hand, state) {
  const suits = dealerSuits(state);
  const down = isRevealed(state) ? 0 : suits.length - state.reveal;
  const visible = suits.slice(Math.max(0, down)).flat();
  const flush = down > 0 ? [] : playingFlush(visible);
  const turned = suits.flatMap((suit, at) =>
    suit.map((text) => (at < down ? card(null) : card(text, { isLifted: flush.includes(text) }))),
  );
  fill(element, suits.length ? turned : handCards(hand));
  set(element, {
    role: hand ? "group" : null,
    "aria-label": hand ? say("dealer-hand", { cards: sayCards(down > 0 ? [] : parseCards(hand.seen)) }) : null,
  });
}

/** Text printed on the felt, in an arc. It is decoration, and the rules say the same. @param {string} text */
const feltText = (text) =>
  svg(
    "svg",
    { class: "print", viewBox: "0 0 800 64", "aria-hidden": "true" },
    svg("path", { id: "arc", d: "M-20 4Q400 88 820 4", class: "line" }),
    svg("text", { "text-anchor": "middle", dy: "-7" }, svg("textPath", { href: "#arc", startOffset: "50%" }, text)),
  );
