// Fold or raise: the buttons for what the server allows now, each with its amount and its key. The best suit is kept
// automatically; where the rules keep one flush, the player may keep another. Discards that may lie face up can be
// turned.
import { addArrowKeys, drawIfChanged, fill, find, h, set } from "../core/dom.js";
import { parseCards } from "../core/hands.js";
import { formatDollars, parseDollars } from "../core/numbers.js";
import { say } from "../core/words.js";
import { faceUp, foldOf, isRunUp, keptSuit, raiseAmounts, raiseOf, runs } from "./choice.js";
import { options, ownSeat } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").Option} Option
 * @typedef {import("./choice.js").Choice} Choice
 * @typedef {object} Decisions
 * @property {(choice: Choice) => void} decide
 * @property {(keep: string | null) => void} choose
 * @property {() => void} offerSuits
 * @property {() => void} turnAll
 * @property {(text: string) => void} typeRaise
 * @property {() => void} raiseTyped
 */

const RAISE_KEYS = ["r", "d", "t"];

/** The error of a typed Raise; empty if the player may make it. @param {string} text @param {Option} option */
export function wrongRaise(text, option) {
  const cents = parseDollars(text);
  const [least, most] = [option.minimum_cents ?? 0, option.maximum_cents ?? 0];
  if (cents !== null && cents >= least && cents <= most) return "";
  const error = cents === null ? say("raise-unread", { text }) : say("raise-outside", { amount: formatDollars(cents) });
  return `${error} ${say("raise-limits", { least: formatDollars(least), most: formatDollars(most) })}`;
}

/** @param {Decisions} decisions @param {Element} ask the coach's button */
export function deciding(decisions, ask) {
  const tools = [suits(decisions), faceUpLine(decisions), otherRaise(decisions)];
  const row = buttons(decisions);
  const element = h(
    "section.deciding",
    { "aria-label": say("your-decision"), hidden: true },
    h(
      "div.tools",
      tools.map((part) => part.element),
    ),
    h("div.actions", ask, row.elements),
  );

  /** @param {State} state */
  const draw = (state) => [...tools, row].forEach((part) => part.draw(state));
  return { element, draw };
}

/** A link that offers the suits that may be kept. @param {Decisions} decisions */
function suits({ choose, offerSuits }) {
  const group = h("span.suit-choice", { role: "radiogroup", "aria-label": say("keep-which") });
  const link = h("button.link", { onclick: offerSuits }, say("keep-another"));
  const element = h("div.suits", link, group);
  addArrowKeys(group);

  /** @param {State} state */
  function draw(state) {
    const raises = options(state, "Raise");
    const suit = keptSuit(state);
    const cards = parseCards(ownSeat(state)?.hand?.seen ?? "");
    element.hidden = raises.length < 2;
    link.hidden = state.isChoosingSuit;
    group.hidden = !state.isChoosingSuit;
    drawIfChanged(group, [raises, suit, cards], () => {
      const hadFocus = group.contains(document.activeElement);
      fill(
        group,
        raises.map(({ keep = null }) => {
          const count = cards.filter((card) => card[1] === keep).length;
          const isChecked = String(keep === suit);
          return h(
            "button",
            { role: "radio", "aria-checked": isChecked, onclick: () => choose(keep) },
            say("keep-suit", { suit: say(`suit.${keep}`), count }),
          );
        }),
      );
      if (hadFocus) find("[aria-checked=true]", group).focus();
    });
  }
  return { element, draw };
}

/** The cards that lie face up, and a button that turns them. @param {Decisions} decisions */
function faceUpLine({ turnAll }) {
  const text = h("span");
  const turn = h("button", { "data-key": "e", onclick: turnAll }, "");
  const element = h("p.face-up", text, turn);

  /** @param {State} state */
  function draw(state) {
    const [afterRaise, afterFold] = [raiseOf(state), foldOf(state)].map((option) => faceUp(state, option).join(" "));
    const hasRun = runs(state).length > 0;
    element.hidden = (!hasRun && !afterRaise) || state.isChoosingSuit;
    turn.hidden = !hasRun;
    fill(text, say("lies-face-up", { cards: afterRaise, folded: afterFold }));
    fill(turn, say(isRunUp(state) ? "turn-down" : "turn-up"));
  }
  return { element, draw };
}

/** Fold, and the amounts of a Raise. @param {Decisions} decisions */
function buttons({ decide }) {
  const fold = h(
    "button.fold",
    { "data-key": "f", "aria-keyshortcuts": "f", onclick: () => decide({ type: "Fold" }) },
    say("fold"),
  );
  const raises = h("span.raises");

  /** @param {number} cents @param {number} at @param {number} balance */
  const raise = (cents, at, balance) =>
    h(
      "button.main-action.raise",
      {
        "data-key": RAISE_KEYS[at] ?? null,
        "data-cents": cents,
        disabled: cents > balance,
        title: cents > balance ? say("raise-too-much") : null,
        onclick: () => decide({ type: "Raise", amount_cents: cents }),
      },
      say("raise-to", { amount: formatDollars(cents) }),
    );

  /** @param {State} state */
  function draw(state) {
    const option = raiseOf(state);
    const amounts = option ? raiseAmounts(option, ownSeat(state)?.wagers.ante ?? 0) : [];
    const balance = state.balance_cents ?? Infinity;
    drawIfChanged(raises, [amounts, amounts.map((cents) => cents > balance)], () =>
      fill(
        raises,
        amounts.map((cents, at) => raise(cents, at, balance)),
      ),
    );
  }
  return { elements: [fold, raises], draw };
}

/** A field for another amount of a Raise. @param {Decisions} decisions */
function otherRaise({ typeRaise, raiseTyped }) {
  const amount = h("input", {
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": say("raise-other"),
    placeholder: say("raise-other"),
    "aria-describedby": "guide",
    oninput: () => typeRaise(amount.value),
  });
  const element = h("form.raise-other", { novalidate: true, onsubmit: send }, amount, h("button", say("raise-this")));

  /** @param {SubmitEvent} event */
  function send(event) {
    event.preventDefault();
    raiseTyped();
  }

  /** @param {State} state */
  function draw(state) {
    const option = raiseOf(state);
    element.hidden = (option?.minimum_cents ?? 0) >= (option?.maximum_cents ?? 0) || state.isChoosingSuit;
    if (amount.value !== state.raiseText) amount.value = state.raiseText;
    set(amount, { "aria-invalid": state.raiseError ? "true" : null });
  }
  return { element, draw };
}
