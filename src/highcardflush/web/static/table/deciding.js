// Fold or raise: only what the server says is legal, each with its amount and its key. Where one flush is kept and the
// rest thrown away, the kept suit is chosen by tapping its cards; the best is chosen already, and a straight flush among
// the rest lies face up unless the player says otherwise. Who folds throws everything away: there it is one among all cards.
import { arrows, fill, find, h, set } from "../core/dom.js";
import { parseCards, straightFlush } from "../core/hands.js";
import * as money from "../core/money.js";
import { options, ownSeat } from "./store.js";
import { say } from "../core/words.js";

/**
 * @typedef {import("./store.js").Table} Table
 * @typedef {import("../wire.js").Option} Option
 * @typedef {import("../wire.js").Fold} Fold
 * @typedef {import("../wire.js").Raise} Raise
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

/** @param {Set<string>} cards @param {string} card */
const flip = (cards, card) => cards.delete(card) || cards.add(card);

/**
 * @param {(choice: Choice) => void} onDecide
 * @param {boolean} mustShow whether a straight flush that is thrown away pays only face up
 */
export function deciding(onDecide, mustShow) {
  /** @type {import("../wire.js").Suit | null} */
  let keep = null;
  /** What the player has turned: down of what pays face up, and up of all else. @type {Set<string>} */
  let down = new Set();
  /** @type {Set<string>} */
  let up = new Set();
  let round = -1;
  let warned = "";
  /** @type {Table | null} */
  let now = null;

  const suits = h("div", { class: "suits", role: "radiogroup", "aria-label": say("keep-which") });
  const lies = h("span", {});
  const turn = h("button", { "data-key": "e", onclick: turnAll }, "");
  const lying = h("p", { class: "face-up" }, lies, " ", turn);
  const warning = h("p", { class: "warning", role: "alert", hidden: true });
  const fold = h("button", { class: "fold", "data-key": "f", onclick: () => decide({ type: "Fold" }) }, say("fold"));
  const raises = h("span", { class: "raises" });
  const typed = h("input", { inputmode: "decimal", autocomplete: "off", "aria-label": say("raise-other"), placeholder: say("raise-other"), "aria-describedby": "raise-error" });
  const unfit = h("p", { class: "raise-error", id: "raise-error", role: "alert" });
  const other = h("form", { class: "raise-other", novalidate: true, onsubmit: raiseTyped }, typed, h("button", {}, say("raise-this")));
  const byDefault = h("p", { class: "quiet default" });
  const element = h("section", { class: "deciding", "aria-label": say("your-decision"), hidden: true }, suits, lying, warning, h("div", { class: "actions" }, fold, raises, other), unfit, byDefault);
  arrows(suits);
  let drawn = "";

  /** What of the straight flush bet would be thrown away. @param {Choice} choice */
  function hidden(choice) {
    const run = mustShow ? paying(optionOf(choice)) : [];
    return run.some((card) => down.has(card)) ? run.join("") : "";
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
    const open = faceUp(option);
    const shown = open.length ? { expose: open.join("") } : {};
    if (choice.type === "Fold") onDecide({ ...choice, ...shown });
    else onDecide({ ...choice, ...(keep ? { keep } : {}), ...shown });
  }

  /** The Raise by the suit that is kept. */
  const way = () => (now ? options(now, "Raise").find((each) => (each.keep ?? null) === keep) : undefined);
  const folding = () => (now ? options(now, "Fold")[0] : undefined);

  /** @param {SubmitEvent} event */
  function raiseTyped(event) {
    event.preventDefault();
    const option = way();
    const error = option ? wrongRaise(typed.value, option) : "";
    fill(unfit, error);
    set(typed, { "aria-invalid": error ? "true" : null });
    if (option && !error) decide({ type: "Raise", amount_cents: money.parse(typed.value) ?? 0 });
  }

  /** What may lie face up. @param {Option | undefined} option */
  const exposable = (option) => parseCards(option?.exposable ?? "");

  /** What pays if it lies face up; nothing of a fold where all cards count anyway. @param {Option | null | undefined} option */
  function paying(option) {
    const seat = now && ownSeat(now);
    if (!option || !seat?.wagers["straight-flush"] || (option.type === "Fold" && !mustShow)) return [];
    const run = straightFlush(exposable(option));
    return run.length >= 3 ? run : [];
  }

  /** What lies face up: the safe choice, but for what the player has turned. @param {Option | undefined} option */
  function faceUp(option) {
    const pays = paying(option);
    return exposable(option).filter((card) => (pays.includes(card) ? !down.has(card) : up.has(card)));
  }

  /** All that pays face up, whatever is decided. */
  const runs = () => [...new Set([...paying(way()), ...paying(folding())])];

  /** The safe choice again. */
  function preselect() {
    down = new Set();
    up = new Set();
  }

  /** @param {Table} table */
  function draw(table) {
    now = table;
    const ways = options(table, "Raise");
    const seat = ownSeat(table);
    if (!seat?.hand || !table.round) return;
    if (table.round.number !== round) {
      round = table.round.number;
      keep = ways[0]?.keep ?? null;
      preselect();
      typed.value = "";
      fill(unfit, "");
    }
    const shown = JSON.stringify([round, keep, [...up], [...down], table.you?.legal, table.you?.default]);
    if (shown === drawn) return;
    drawn = shown;
    warned = "";
    warning.hidden = true;
    const chose = suits.contains(document.activeElement);
    const cards = parseCards(seat.hand.seen);
    suits.hidden = ways.length < 2;
    fill(
      suits,
      ...ways.map((way) =>
        h("button", { role: "radio", "aria-checked": way.keep === keep ? "true" : "false", onclick: () => choose(way) }, say("keep-suit", { suit: say(`suit.${way.keep}`), count: cards.filter((card) => card[1] === way.keep).length })),
      ),
    );
    if (chose) find("[aria-checked=true]", suits).focus();
    const raise = way();
    const [raised, folded] = [faceUp(raise), faceUp(folding())].map((cards) => cards.join(" "));
    lying.hidden = !runs().length && !raised;
    fill(lies, say("lies-face-up", { cards: raised, folded }));
    fill(turn, say(runs().some((card) => !down.has(card)) ? "turn-down" : "turn-up"));
    turn.hidden = !runs().length;
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
    preselect();
    changed();
  }

  /** The next suit is kept. */
  function chooseNext() {
    const ways = now ? options(now, "Raise") : [];
    const at = ways.findIndex((each) => (each.keep ?? null) === keep);
    if (ways.length > 1) choose(ways[(at + 1) % ways.length]);
  }

  function changed() {
    if (now) draw(now);
    element.dispatchEvent(new CustomEvent("kept", { bubbles: true }));
  }

  /** All that pays face up is turned at once: by key too. */
  function turnAll() {
    const isUp = runs().some((card) => !down.has(card));
    up = new Set();
    down = new Set(isUp ? runs() : []);
    changed();
  }

  /** A card of one's own was tapped: where it pays face up it is turned, else its suit is kept. @param {string} card */
  function tap(card) {
    if (!now) return;
    const other = options(now, "Raise").find((each) => each.keep === card[1] && each.keep !== keep);
    if (runs().includes(card)) flip(down, card);
    else if (other && !up.has(card)) choose(other);
    else if (way()?.keep && exposable(way()).includes(card)) flip(up, card);
    draw(now);
  }

  return { element, draw, tap, chooseNext, get keep() { return keep; }, get exposed() { return new Set(faceUp(way())); } };
}
