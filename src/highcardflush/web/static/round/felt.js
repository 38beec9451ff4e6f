// The felt of a replay: the dealer, the seats, and the text of the step.
import { bySuit, card, parseCards, playingFlush, sayCards } from "../core/cards.js";
import { drawIfChanged, fill, h } from "../core/dom.js";
import { formatDollars, formatMeter, formatNet } from "../core/numbers.js";
import { isFolded, netOf, outcome, ownFirst, sayDecision, stakesOf } from "../core/seats.js";
import { say, sayFact, sayWager } from "../core/words.js";

/**
 * @typedef {import("../wire.js").Step} Step
 * @typedef {import("../wire.js").Steps} Steps
 * @typedef {import("../wire.js").View} View
 * @typedef {import("../wire.js").Seat} Seat
 */

/** Facts that the replay shows elsewhere. */
const SILENT = new Set(["WagerSettled"]);

/** The felt with the dealer and all seats. @param {Steps} playback */
export function replayFelt(playback) {
  const last = /** @type {Step} */ (playback.steps.at(-1)).view;
  const numbers = last.seats.map(({ number }) => number);
  const places = ownFirst(numbers, playback.you).map((number) => seatPlace(number, playback));
  const dealer = handPlace();
  const dealerPlace = h(
    "div.dealer-place",
    { hidden: !last.dealer },
    h("h3", say("dealer")),
    dealer.cards,
    dealer.name,
  );
  const extras = h("div.around");
  const status = h("p.caption", { role: "status", "aria-live": "polite" });
  const element = h(
    "div.felt",
    extras,
    dealerPlace,
    status,
    h("ol.places", ...places.map(({ element: place }) => place)),
  );

  /** Draw a step and return its text. @param {Step} step */
  function draw(step) {
    const { view } = step;
    const turn = whose(step);
    dealer.draw(view.dealer, view.phase === "showdown" || view.phase === "settled");
    dealerPlace.classList.toggle("now", turn === 0);
    for (const place of places) place.draw(view, turn);
    fill(extras, around(view, playback));
    const text = caption(step, playback);
    fill(status, text);
    return text;
  }

  /** Give the felt the height of its highest step, so that the buttons below never move. @param {Step[]} steps */
  function keepHeight(steps) {
    element.style.removeProperty("min-height");
    const heights = steps.map((step) => {
      draw(step);
      return element.offsetHeight;
    });
    element.style.setProperty("min-height", `${Math.max(...heights)}px`);
  }

  return { element, draw, keepHeight };
}

/** Meters, dice and Dynamic Pays. @param {View} view @param {Steps} playback */
function around(view, { bonus, base_cents }) {
  const dynamic = Object.entries(view.dynamic ?? {});
  return [
    ...Object.entries(view.meters).map(([name, meter]) =>
      h(
        "p.meter",
        say("meter-name", { kind: bonus ? "bonus" : "progressive", level: name }),
        " ",
        h("strong", formatMeter(meter.amount_micros)),
      ),
    ),
    view.notice && h("p.notice", view.notice),
    view.dice && h("p", say("round.dice", { dice: view.dice })),
    dynamic.length > 0 && h("p", say("round.dynamic", { pays: dynamic, base_cents })),
  ];
}

/** The text of a step. @param {Step} step @param {Steps} playback */
function caption(step, { you }) {
  if (step.kind === "settle") return say("round.settled", { seats: totals(step.view) });
  const facts = step.told.filter((fact) => !SILENT.has(fact.type));
  return facts
    .map((fact) => sayFact(fact, you ?? 0))
    .filter(Boolean)
    .join(" ");
}

/** The net of each seat, in the order of settlement. @param {View} view */
function totals(view) {
  /** @type {Map<number, number>} */
  const seats = new Map();
  for (const { seat, net_cents: net } of view.results) seats.set(seat, (seats.get(seat) ?? 0) + net);
  return [...seats].map(([seat, net]) => ({ seat, net: formatNet(net) }));
}

/** The seat that acts in a step: 0 is the dealer, null the table. @param {Step} step */
function whose(step) {
  const [fact] = step.told;
  return fact && "seat" in fact && step.kind !== "lock" && step.kind !== "settle" ? fact.seat : null;
}

/** A hand and the name of its flush. */
function handPlace() {
  const cards = h("div.hand");
  const name = h("p.playing");

  /**
   * @param {import("../wire.js").Hand | null} hand
   * @param {boolean} plays true if the flush is to be lifted
   * @param {string | null} [keep]
   * @param {string} [expose]
   */
  function draw(hand, plays, keep, expose = "") {
    const sortedCards = hand ? bySuit(parseCards(hand.seen)).flat() : [];
    const flush = plays ? playingFlush(sortedCards, keep) : [];
    const exposedCards = parseCards(expose);
    const drawOne = (/** @type {string} */ text) =>
      card(text, { isLifted: flush.includes(text), isExposed: exposedCards.includes(text) });
    drawIfChanged(cards, [sortedCards, flush, exposedCards], () => {
      fill(cards, sortedCards.map(drawOne));
      fill(name, flush.length ? sayCards(flush) : "");
    });
  }
  return { cards, name, draw };
}

/** @param {number} number @param {Steps} playback */
function seatPlace(number, { you, bonus }) {
  const own = number === you;
  const hand = handPlace();
  const chips = h("p.stakes");
  const status = h("p.said");
  const net = h("p.net");
  const element = h(
    "li",
    { class: `place${own ? " own" : ""}`, "data-seat": number },
    h("h3", say("round.seat", { seat: number }), own && h("span.badge", say("you"))),
    net,
    hand.cards,
    hand.name,
    chips,
    status,
  );
  /** @param {View} view @param {number | null} turn */
  function draw(view, turn) {
    const seat = view.seats.find((each) => each.number === number);
    const decision = seat?.decision ?? null;
    const results = view.results.filter((result) => result.seat === number);
    element.classList.toggle("waits", !seat);
    element.classList.toggle("now", turn === number);
    element.classList.toggle("folded", isFolded(seat));
    hand.draw(seat?.hand ?? null, Boolean(decision?.raise_cents), decision?.keep, decision?.expose);
    fill(
      chips,
      stakesOf(seat).map(([wager, cents]) =>
        h("span", { class: `chips ${wager}` }, h("span.chip-name", sayWager({ wager, bonus })), formatDollars(cents)),
      ),
    );
    fill(status, statusOf(seat, view));
    fill(net, results.length ? formatNet(netOf(results)) : "");
    net.className = `net ${outcome(netOf(results))}`;
  }
  return { element, draw };
}

/** @param {Seat | undefined} seat @param {View} view */
function statusOf(seat, view) {
  if (!seat) return "";
  if (seat.void) return say("hand-void");
  const thinks = view.phase === "dealt" || view.phase === "acting" ? say("round.thinks") : "";
  return sayDecision(seat) || thinks;
}
