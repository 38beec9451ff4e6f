// A round that is over, played again: each step as the table stood after it, by buttons, slider or keys.
import { bySuit, card, parseCards, sayCards } from "../core/cards.js";
import { fill, h, set, svg } from "../core/dom.js";
import * as money from "../core/money.js";
import { prefs } from "../core/prefs.js";
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
const icon = (name) => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: ICONS[name] }));

/** The cards of the flush that plays: of the suit that is kept, else of the best. @param {string[]} cards @param {string | null} [keep] */
const playing = (cards, keep) => bySuit(cards).find((held) => !keep || held[0][1] === keep) ?? [];

/** What a step says, all of it. @param {Step} step @param {Steps} played */
function caption(step, { you, bonus, base_cents }) {
  if (step.kind === "settle") return say("round.settled", { seats: totals(step.view) });
  const facts = step.told.filter((fact) => !SILENT.has(fact.type));
  return facts.map((fact) => sayTold(fact, { you: you ?? 0, bonus, base_cents })).filter(Boolean).join(" ");
}

/** What each seat has won or lost, in the order in which they are settled. @param {View} view */
function totals(view) {
  /** @type {Map<number, number>} */
  const seats = new Map();
  for (const { seat, net_cents: net } of view.results) seats.set(seat, (seats.get(seat) ?? 0) + net);
  return [...seats].map(([seat, net]) => ({ seat, net: money.sayNet(net) }));
}

/** Whose step it is: a seat, 0 for the dealer, null for the table. @param {Step} step */
function whose(step) {
  const [fact] = step.told;
  return fact && "seat" in fact && step.kind !== "lock" && step.kind !== "settle" ? fact.seat : null;
}

// --- a place on the felt -------------------------------------------------------------------------

/** A hand that is drawn anew only if it is another. */
function handPlace() {
  const cards = h("div", { class: "hand" });
  const name = h("p", { class: "playing" });
  /** @param {Hand | null} hand @param {boolean} plays @param {string | null} [keep] @param {string} [expose] */
  function draw(hand, plays, keep, expose = "") {
    const held = hand ? bySuit(parseCards(hand.seen)) : [];
    const up = plays ? playing(held.flat(), keep) : [];
    const key = `${hand?.seen ?? ""}|${up.join("")}|${expose}`;
    if (cards.dataset.key === key) return;
    cards.dataset.key = key;
    const shown = parseCards(expose);
    fill(cards, held.flat().map((text) => {
      const drawn = card(text, { lifted: up.includes(text) });
      drawn.classList.toggle("exposed", shown.includes(text));
      return drawn;
    }));
    fill(name, up.length ? sayCards(up) : "");
  }
  return { cards, name, draw };
}

/** @param {number} number @param {Steps} played */
function seatPlace(number, { you, bonus }) {
  const own = number === you;
  const hand = handPlace();
  const chips = h("p", { class: "stakes" });
  const said = h("p", { class: "said" });
  const net = h("p", { class: "net" });
  const place = h(
    "li",
    { class: `place${own ? " own" : ""}`, "data-seat": number },
    h("h3", {}, say("round.seat", { seat: number }), own && h("span", { class: "badge" }, say("you"))),
    net, hand.cards, hand.name, chips, said,
  );
  /** @param {Seat | undefined} seat @param {View} view */
  function draw(seat, view) {
    place.classList.toggle("waits", !seat);
    const decision = seat?.decision ?? null;
    hand.draw(seat?.hand ?? null, Boolean(decision?.raise_cents), decision?.keep, decision?.expose);
    place.classList.toggle("folded", Boolean(decision && !decision.raise_cents));
    const stakes = Object.entries(seat?.wagers ?? {});
    if (decision?.raise_cents) stakes.splice(1, 0, ["raise", decision.raise_cents]);
    fill(chips, stakes.map(([wager, cents]) =>
      h("span", { class: `chips ${wager}` }, h("span", { class: "chip-name" }, sayWager({ wager, bonus })), money.say(cents))));
    fill(said, decided(seat, view));
    const results = view.results.filter((result) => result.seat === number);
    const total = results.reduce((sum, result) => sum + result.net_cents, 0);
    fill(net, results.length ? money.sayNet(total) : "");
    net.className = `net ${total > 0 ? "won" : total < 0 ? "lost" : "even"}`;
  }
  return { place, draw };
}

/** @param {Seat | undefined} seat @param {View} view */
function decided(seat, view) {
  if (!seat) return "";
  if (seat.void) return say("hand-void");
  if (seat.decision) return seat.decision.raise_cents ? say("raised") : say("folded");
  return view.phase === "dealt" || view.phase === "acting" ? say("round.thinks") : "";
}

// --- the replay ----------------------------------------------------------------------------------

/** Fires `step` whenever it stands elsewhere. */
export class RoundReplay extends HTMLElement {
  /** @type {Step[]} */
  #steps = [];
  /** @type {Steps | undefined} */
  #played;
  #at = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #dealer = handPlace();
  #around = h("div", { class: "around" });
  #caption = h("p", { class: "caption", role: "status", "aria-live": "polite" });
  #seats = h("ol", { class: "places" });
  /** @type {Map<number, ReturnType<typeof seatPlace>>} */
  #places = new Map();
  #count = h("output", { class: "count" });
  #slider = h("input", {
    type: "range", min: 0, step: 1, "aria-label": say("round.slider"), oninput: () => this.go(Number(this.#slider.value)),
  });
  #buttons = {
    first: this.#button("first", () => this.go(0)),
    back: this.#button("back", () => this.go(this.#at - 1)),
    play: this.#button("play", () => this.#playOrPause()),
    next: this.#button("next", () => this.go(this.#at + 1)),
    last: this.#button("last", () => this.go(this.#steps.length - 1)),
  };

  /** @param {keyof typeof ICONS} name @param {() => void} act */
  #button(name, act) {
    return h("button", { type: "button", class: `to-${name}`, "aria-label": say(`round.${name}`), title: say(`round.${name}`), onclick: act }, icon(name));
  }

  /** What is played, and where it begins. @param {Steps} played @param {number} at */
  show(played, at) {
    const { steps } = played;
    this.#steps = steps;
    this.#played = played;
    const last = /** @type {Step} */ (steps.at(-1)).view;
    for (const { number } of last.seats) this.#places.set(number, seatPlace(number, played));
    fill(this.#seats, [...this.#places.values()].map(({ place }) => place));
    set(this.#slider, { max: steps.length - 1 });
    const dealer = h("div", { class: "dealer-place" }, h("h3", {}, say("dealer")), this.#dealer.cards, this.#dealer.name);
    if (!last.dealer) dealer.hidden = true;
    fill(
      this,
      h("div", { class: "felt" }, this.#around, dealer, this.#caption, this.#seats),
      h("div", { class: "controls" }, h("div", { class: "buttons" }, Object.values(this.#buttons)), this.#slider, this.#count),
    );
    document.addEventListener("keydown", (event) => this.#key(event));
    this.#stand(at);
  }

  get at() {
    return this.#at;
  }

  /** Stand at a step, with whose turn it is in sight. @param {number} at */
  go(at) {
    this.#stand(at);
    this.querySelector(".now")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} at */
  #stand(at) {
    this.#at = Math.min(Math.max(at, 0), this.#steps.length - 1);
    if (this.#at === this.#steps.length - 1) this.#pause();
    this.#draw(this.#steps[this.#at]);
    this.dispatchEvent(new CustomEvent("step"));
  }

  /** @param {Step} step */
  #draw(step) {
    const { view } = step;
    const played = /** @type {Steps} */ (this.#played);
    const turn = whose(step);
    const shown = view.phase === "showdown" || view.phase === "settled";
    this.#dealer.draw(view.dealer, shown);
    this.querySelector(".dealer-place")?.classList.toggle("now", turn === 0);
    for (const [number, { place, draw }] of this.#places) {
      draw(view.seats.find((seat) => seat.number === number), view);
      place.classList.toggle("now", turn === number);
    }
    fill(this.#around, around(view, played));
    const text = caption(step, played);
    fill(this.#caption, text);
    fill(this.#count, say("round.count", { at: this.#at + 1, of: this.#steps.length }));
    this.#slider.value = String(this.#at);
    set(this.#slider, { "aria-valuetext": `${say("round.count", { at: this.#at + 1, of: this.#steps.length })}: ${text}` });
    const [begun, over] = [this.#at === 0, this.#at === this.#steps.length - 1];
    const { first, back, next, last } = this.#buttons;
    for (const [button, off] of /** @type {[HTMLElement, boolean][]} */ ([[first, begun], [back, begun], [next, over], [last, over]]))
      set(button, { "aria-disabled": off && "true" });
  }

  #playOrPause() {
    if (this.#timer) return this.#pause();
    if (this.#at === this.#steps.length - 1) this.go(0);
    this.#buttons.play.ariaLabel = say("round.pause");
    fill(this.#buttons.play, icon("pause"));
    const tick = () => {
      this.#timer = setTimeout(tick, STEP_MS / (prefs.speed || 1));
      this.go(this.#at + 1);
    };
    this.#timer = setTimeout(tick, STEP_MS / (prefs.speed || 1));
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#buttons.play.ariaLabel = say("round.play");
    fill(this.#buttons.play, icon("play"));
  }

  /** Arrows, unless something else on the page uses them. @param {KeyboardEvent} event */
  #key(event) {
    const inside = event.target instanceof Node && this.contains(event.target);
    if (event.target === this.#slider || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!inside && event.target !== document.body) return;
    const to = { ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, ...(inside && { Home: 0, End: this.#steps.length - 1 }) };
    const at = /** @type {Record<string, number>} */ (to)[event.key];
    if (at === undefined) return;
    event.preventDefault();
    this.go(at);
  }
}
customElements.define("round-replay", RoundReplay);

/** Meters, dice and Dynamic Pays. @param {View} view @param {Steps} played */
function around(view, { bonus, base_cents }) {
  const dynamic = Object.entries(view.dynamic ?? {});
  return [
    ...Object.entries(view.meters).map(([name, meter]) =>
      h("p", { class: "meter" }, say("meter-name", { kind: bonus ? "bonus" : "progressive", level: name }), " ", h("strong", {}, money.sayMeter(meter.amount_micros)))),
    view.notice && h("p", { class: "notice" }, view.notice),
    view.dice && h("p", {}, say("round.dice", { dice: view.dice })),
    dynamic.length > 0 && h("p", {}, say("round.dynamic", { pays: dynamic, base_cents })),
  ];
}
