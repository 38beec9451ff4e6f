// Fold or raise: only what the server says is legal, each with its amount and its key. Where one flush is kept and the
// rest thrown away, the kept suit is chosen by tapping its cards; the best is chosen already, and a straight flush among
// the rest lies face up unless the player says otherwise.
import { fill, h, set } from "./dom.js";
import { parseCards, straightFlush } from "./hands.js";
import * as money from "./money.js";
import { options, ownSeat } from "./store.js";
import { say } from "./words.js";

/**
 * @typedef {import("./store.js").Table} Table
 * @typedef {import("./wire.js").Option} Option
 * @typedef {import("./wire.js").Fold} Fold
 * @typedef {import("./wire.js").Raise} Raise
 * @typedef {Omit<Fold, "seat"> | Omit<Raise, "seat">} Choice
 */

const KEYS = ["r", "d", "t"];

/**
 * What is wrong with a Raise that was typed; nothing if it may be made.
 * @param {string} text
 * @param {Option} option
 */
export function wrongRaise(text, option) {
  const cents = money.parse(text);
  const [least, most] = [option.minimum_cents ?? 0, option.maximum_cents ?? 0];
  const limits = { least: money.say(least), most: money.say(most) };
  if (cents === null) return say("raise-unread", { text, ...limits });
  return cents < least || cents > most ? say("raise-outside", { read: money.say(cents), ...limits }) : "";
}

/** Raises of whole Antes, else the ends of what is allowed. @param {Option} option @param {number} ante */
export function raiseAmounts(option, ante) {
  if (option.amounts_cents?.length) return option.amounts_cents;
  const least = option.minimum_cents ?? ante;
  const most = option.maximum_cents ?? least;
  const whole = [1, 2, 3].map((times) => times * ante).filter((cents) => cents >= least && cents <= most);
  return [...new Set([least, ...whole])].sort((a, b) => a - b);
}

/**
 * @param {(choice: Choice) => void} onDecide
 * @param {boolean} mustShow whether a straight flush that is thrown away pays only face up
 */
export function deciding(onDecide, mustShow) {
  /** @type {import("./wire.js").Suit | null} */
  let keep = null;
  /** @type {Set<string>} */
  let exposed = new Set();
  let round = -1;
  let warned = "";
  /** @type {Table | null} */
  let now = null;

  const suits = h("div", { class: "suits", role: "radiogroup", "aria-label": say("keep-which") });
  const lies = h("span", {});
  const turn = h("button", { "data-key": "e", onclick: turnAll }, "");
  const faceUp = h("p", { class: "face-up" }, lies, " ", turn);
  const warning = h("p", { class: "warning", role: "alert", hidden: true });
  const fold = h("button", { class: "fold", "data-key": "f", onclick: () => decide({ type: "Fold" }) }, say("fold"));
  const raises = h("span", { class: "raises" });
  const typed = h("input", { inputmode: "decimal", autocomplete: "off", "aria-label": say("raise-other"), placeholder: say("raise-other"), "aria-describedby": "raise-error" });
  const unfit = h("p", { class: "raise-error", id: "raise-error", role: "alert" });
  const other = h("form", { class: "raise-other", novalidate: true, onsubmit: raiseTyped }, typed, h("button", {}, say("raise-this")));
  const byDefault = h("p", { class: "quiet default" });
  const element = h("section", { class: "deciding", "aria-label": say("your-decision"), hidden: true }, suits, faceUp, warning, h("div", { class: "actions" }, fold, raises, other), unfit, byDefault);
  let drawn = "";

  /** What of the straight flush bet would be thrown away. @param {Choice} choice */
  function hidden(choice) {
    const seat = now && ownSeat(now);
    const option = optionOf(choice);
    if (!mustShow || !seat?.wagers["straight-flush"] || !option?.exposable) return "";
    const run = straightFlush(parseCards(option.exposable));
    return run.length >= 3 && !run.every((card) => exposed.has(card)) ? run.join("") : "";
  }

  /** @param {Choice} choice */
  const optionOf = (choice) => now && options(now, choice.type).find((option) => choice.type === "Fold" || (option.keep ?? null) === keep);

  /** @param {Choice} choice */
  function decide(choice) {
    const option = optionOf(choice);
    if (!now || !option) return;
    const lost = hidden(choice);
    const again = JSON.stringify([choice, lost]);
    if (lost && warned !== again) {
      warned = again;
      warning.hidden = false;
      fill(warning, say("throws-away"));
      return;
    }
    const open = parseCards(option.exposable ?? "").filter((card) => exposed.has(card));
    const shown = open.length ? { expose: open.join("") } : {};
    if (choice.type === "Fold") onDecide({ ...choice, ...shown });
    else onDecide({ ...choice, ...(keep ? { keep } : {}), ...shown });
  }

  /** The Raise by the suit that is kept. */
  const way = () => (now ? options(now, "Raise").find((each) => (each.keep ?? null) === keep) : undefined);

  /** @param {SubmitEvent} event */
  function raiseTyped(event) {
    event.preventDefault();
    const option = way();
    const error = option ? wrongRaise(typed.value, option) : "";
    fill(unfit, error);
    set(typed, { "aria-invalid": error ? "true" : null });
    if (option && !error) decide({ type: "Raise", amount_cents: money.parse(typed.value) ?? 0 });
  }

  /** What pays if it lies face up. @param {Option | undefined} option */
  function paying(option) {
    const seat = now && ownSeat(now);
    const run = seat?.wagers["straight-flush"] ? straightFlush(parseCards(option?.exposable ?? "")) : [];
    return run.length >= 3 ? run : [];
  }

  /** The safe choice. @param {Option | undefined} option */
  const preselect = (option) => (exposed = new Set(paying(option)));

  /** @param {Table} table */
  function draw(table) {
    now = table;
    const ways = options(table, "Raise");
    const seat = ownSeat(table);
    if (!seat?.hand || !table.round) return;
    if (table.round.number !== round) {
      round = table.round.number;
      keep = ways[0]?.keep ?? null;
      preselect(ways[0]);
      warned = "";
      warning.hidden = true;
      typed.value = "";
      fill(unfit, "");
    }
    const shown = JSON.stringify([round, keep, [...exposed], table.you?.legal, table.you?.default]);
    if (shown === drawn) return;
    drawn = shown;
    const cards = parseCards(seat.hand.seen);
    suits.hidden = ways.length < 2;
    fill(
      suits,
      ...ways.map((way) =>
        h("button", { role: "radio", "aria-checked": way.keep === keep ? "true" : "false", onclick: () => choose(way) }, say("keep-suit", { suit: say(`suit.${way.keep}`), count: cards.filter((card) => card[1] === way.keep).length })),
      ),
    );
    const raise = way();
    const pays = paying(raise);
    faceUp.hidden = !pays.length && !exposed.size;
    fill(lies, say("lies-face-up", { cards: [...exposed].join(" ") }));
    fill(turn, say(pays.some((card) => exposed.has(card)) ? "turn-down" : "turn-up"));
    const amounts = raise ? raiseAmounts(raise, seat.wagers.ante) : [];
    other.hidden = unfit.hidden = (raise?.minimum_cents ?? 0) >= (raise?.maximum_cents ?? 0);
    fill(
      raises,
      ...amounts.map((cents, at) => h("button", { class: "main-action raise", "data-key": KEYS[at] ?? null, "data-cents": cents, onclick: () => decide({ type: "Raise", amount_cents: cents }) }, say("raise-to", { amount: money.say(cents) }))),
    );
    const late = table.you?.default;
    fill(byDefault, late ? say("by-default", { what: late.type === "Fold" ? say("fold") : say("raise-to", { amount: money.say(late.amount_cents ?? 0) }) }) : "");
    set(fold, { "aria-keyshortcuts": "f" });
  }

  /** @param {Option} way */
  function choose(way) {
    keep = way.keep ?? null;
    preselect(way);
    if (now) draw(now);
    element.dispatchEvent(new CustomEvent("kept", { bubbles: true }));
  }

  /** All that pays face up is turned at once: by key too. */
  function turnAll() {
    const pays = paying(way());
    exposed = new Set(pays.some((card) => exposed.has(card)) ? [] : pays);
    if (now) draw(now);
    element.dispatchEvent(new CustomEvent("kept", { bubbles: true }));
  }

  /** A card of one's own was tapped: where it pays face up it is turned, else its suit is kept. @param {string} card */
  function tap(card) {
    const raise = way();
    if (!now || !raise?.keep || !parseCards(raise.exposable ?? "").includes(card)) return;
    const other = options(now, "Raise").find((each) => each.keep === card[1]);
    if (exposed.has(card)) exposed.delete(card);
    else if (other && !paying(raise).includes(card)) choose(other);
    else exposed.add(card);
    draw(now);
  }

  return { element, draw, tap, get keep() { return keep; }, get exposed() { return exposed; } };
}
