// The replay of a finished round: the table after each step, by buttons, slider or keys.
import { bySuit, card, parseCards, playing, sayCards } from "../core/cards.js";
import { changed, fill, h, set, svg } from "../core/dom.js";
import * as money from "../core/money.js";
import { prefs } from "../core/prefs.js";
import { isFolded, netOf, outcome, sayDecision, stakesOf } from "../core/seats.js";
import { say, sayTold, sayWager } from "../core/words.js";

/** @typedef {import("../wire.js").Step} Step */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").Seat} Seat */
/** @typedef {import("../wire.js").Hand} Hand */
/** @typedef {import("../wire.js").Steps} Steps */

const STEP_MS = 1400;
const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7Z",
  back: "M17 5 7 12l10 7Z",
  play: "M7 5l12 7-12 7Z",
  pause: "M8 5v14M16 5v14",
  next: "M7 5l10 7-10 7Z",
  last: "M18 5v14M5 5l10 7-10 7Z",
};
/** Facts that the replay shows in another place. */
const SILENT = new Set(["WagerSettled"]);

/** @param {keyof typeof ICONS} name */
const icon = (name) =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: ICONS[name] }));

/** The text of a step. @param {Step} step @param {Steps} played */
function caption(step, { you, bonus, base_cents }) {
  if (step.kind === "settle") return say("round.settled", { seats: totals(step.view) });
  const facts = step.told.filter((fact) => !SILENT.has(fact.type));
  return facts
    .map((fact) => sayTold(fact, { you: you ?? 0, bonus, base_cents }))
    .filter(Boolean)
    .join(" ");
}

/** The net of each seat, in the order of settlement. @param {View} view */
function totals(view) {
  /** @type {Map<number, number>} */
  const seats = new Map();
  for (const { seat, net_cents: net } of view.results) seats.set(seat, (seats.get(seat) ?? 0) + net);
  return [...seats].map(([seat, net]) => ({ seat, net: money.sayNet(net) }));
}

/** The seat that acts in a step: 0 is the dealer, null the table. @param {Step} step */
function whose(step) {
  const [fact] = step.told;
  return fact && "seat" in fact && step.kind !== "lock" && step.kind !== "settle" ? fact.seat : null;
}

// --- a place on the felt -------------------------------------------------------------------------

/** A hand and the name of its flush. */
function handPlace() {
  const cards = h("div.hand");
  const name = h("p.playing");
  /** @param {Hand | null} hand @param {boolean} plays @param {string | null} [keep] @param {string} [expose] */
  function draw(hand, plays, keep, expose = "") {
    const ordered = hand ? bySuit(parseCards(hand.seen)).flat() : [];
    const flush = plays ? playing(ordered, keep) : [];
    const exposed = parseCards(expose);
    changed(cards, [ordered, flush, exposed], () => {
      fill(
        cards,
        ordered.map((text) => card(text, { lifted: flush.includes(text), exposed: exposed.includes(text) })),
      );
      fill(name, flush.length ? sayCards(flush) : "");
    });
  }
  return { cards, name, draw };
}

/** @param {number} number @param {Steps} played */
function seatPlace(number, { you, bonus }) {
  const own = number === you;
  const hand = handPlace();
  const chips = h("p.stakes");
  const said = h("p.said");
  const net = h("p.net");
  const element = h(
    "li",
    { class: `place${own ? " own" : ""}`, "data-seat": number },
    h("h3", say("round.seat", { seat: number }), own && h("span.badge", say("you"))),
    net,
    hand.cards,
    hand.name,
    chips,
    said,
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
        h("span", { class: `chips ${wager}` }, h("span.chip-name", sayWager({ wager, bonus })), money.say(cents)),
      ),
    );
    fill(said, decided(seat, view));
    fill(net, results.length ? money.sayNet(netOf(results)) : "");
    net.className = `net ${outcome(netOf(results))}`;
  }
  return { element, draw };
}

/** @param {Seat | undefined} seat @param {View} view */
function decided(seat, view) {
  if (!seat) return "";
  if (seat.void) return say("hand-void");
  const thinks = view.phase === "dealt" || view.phase === "acting" ? say("round.thinks") : "";
  return sayDecision(seat) || thinks;
}

// --- the replay ----------------------------------------------------------------------------------

/**
 * The replay of a round, with its buttons, slider and keys.
 * @param {Steps} played
 * @param {number} first the step that it begins with
 * @param {(at: number) => void} onStep called when the replay goes to another step
 */
export function replay(played, first, onStep) {
  const { steps } = played;
  const newest = steps.length - 1;
  let at = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const felt = table(played);
  const count = h("output.count");
  const slider = h("input", {
    type: "range",
    min: 0,
    max: newest,
    step: 1,
    "aria-label": say("round.slider"),
    oninput: () => go(Number(slider.value)),
  });
  const buttons = {
    first: button("first", () => go(0)),
    back: button("back", () => go(at - 1)),
    play: button("play", () => (timer ? pause() : play())),
    next: button("next", () => go(at + 1)),
    last: button("last", () => go(newest)),
  };
  const element = h(
    "div.replayer",
    felt.element,
    h("div.controls", h("div.buttons", Object.values(buttons)), slider, count),
  );
  document.addEventListener("keydown", press);
  show(first);

  /** @param {number} step */
  function show(step) {
    at = Math.min(Math.max(step, 0), newest);
    if (at === newest) pause();
    const text = felt.draw(steps[at]);
    const position = say("round.count", { at: at + 1, of: steps.length });
    fill(count, position);
    slider.value = String(at);
    set(slider, { "aria-valuetext": `${position}: ${text}` });
    for (const each of [buttons.first, buttons.back]) set(each, { "aria-disabled": at === 0 && "true" });
    for (const each of [buttons.next, buttons.last]) set(each, { "aria-disabled": at === newest && "true" });
  }

  /** Go to a step, and scroll to the seat that acts. @param {number} step */
  function go(step) {
    show(step);
    onStep(at);
    element.querySelector(".now")?.scrollIntoView({ block: "nearest" });
  }

  function play() {
    if (at === newest) go(0);
    drawPlay("pause");
    const wait = () => (timer = setTimeout(tick, STEP_MS / (prefs.speed || 1)));
    const tick = () => {
      wait();
      go(at + 1);
    };
    wait();
  }

  function pause() {
    clearTimeout(timer);
    timer = undefined;
    drawPlay("play");
  }

  /** @param {"play" | "pause"} name */
  function drawPlay(name) {
    buttons.play.ariaLabel = say(`round.${name}`);
    fill(buttons.play, icon(name));
  }

  /** Step by arrow keys, unless another part of the page uses them. @param {KeyboardEvent} event */
  function press(event) {
    const isInside = event.target instanceof Node && element.contains(event.target);
    if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isInside && event.target !== document.body) return;
    /** @type {Record<string, number>} */
    const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, ...(isInside && { Home: 0, End: newest }) };
    if (ways[event.key] === undefined) return;
    event.preventDefault();
    go(ways[event.key]);
  }

  return { element };
}

/** @param {keyof typeof ICONS} name @param {() => void} act */
const button = (name, act) =>
  h(
    "button",
    {
      type: "button",
      class: `to-${name}`,
      "aria-label": say(`round.${name}`),
      title: say(`round.${name}`),
      onclick: act,
    },
    icon(name),
  );

/** The felt with the dealer and all seats. @param {Steps} played */
function table(played) {
  const last = /** @type {Step} */ (played.steps.at(-1)).view;
  const places = last.seats.map(({ number }) => seatPlace(number, played));
  const dealer = handPlace();
  const dealerPlace = h(
    "div.dealer-place",
    { hidden: !last.dealer },
    h("h3", say("dealer")),
    dealer.cards,
    dealer.name,
  );
  const extras = h("div.around");
  const said = h("p.caption", { role: "status", "aria-live": "polite" });
  const element = h(
    "div.felt",
    extras,
    dealerPlace,
    said,
    h(
      "ol.places",
      places.map(({ element: place }) => place),
    ),
  );

  /** Draw a step; its text is returned. @param {Step} step */
  function draw(step) {
    const { view } = step;
    const turn = whose(step);
    dealer.draw(view.dealer, view.phase === "showdown" || view.phase === "settled");
    dealerPlace.classList.toggle("now", turn === 0);
    for (const place of places) place.draw(view, turn);
    fill(extras, around(view, played));
    const text = caption(step, played);
    fill(said, text);
    return text;
  }
  return { element, draw };
}

/** Meters, dice and Dynamic Pays. @param {View} view @param {Steps} played */
function around(view, { bonus, base_cents }) {
  const dynamic = Object.entries(view.dynamic ?? {});
  return [
    ...Object.entries(view.meters).map(([name, meter]) =>
      h(
        "p.meter",
        say("meter-name", { kind: bonus ? "bonus" : "progressive", level: name }),
        " ",
        h("strong", money.sayMeter(meter.amount_micros)),
      ),
    ),
    view.notice && h("p.notice", view.notice),
    view.dice && h("p", say("round.dice", { dice: view.dice })),
    dynamic.length > 0 && h("p", say("round.dynamic", { pays: dynamic, base_cents })),
  ];
}
