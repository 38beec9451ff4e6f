// Fold or raise: the buttons for what the server allows now, each with its amount and its key. If the rules keep one
// flush, the player chooses the suit. If discards may lie face up, the player may turn them.
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
 * @property {() => void} turnAll
 * @property {(text: string) => void} raiseTyped
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

/** @param {Decisions} decisions */
export function deciding(decisions) {
  const parts = [suits(decisions), faceUpLine(decisions), warning(), buttons(decisions), byDefault()];
  const element = h(
    "section.deciding",
    { "aria-label": say("your-decision"), hidden: true },
    parts.flatMap((part) => part.elements),
  );

  /** @param {State} state */
  const draw = (state) => parts.forEach((part) => part.draw(state));
  return { element, draw };
}

/** The suits that may be kept. @param {Decisions} decisions */
function suits({ choose }) {
  const element = h("div.suits", { role: "radiogroup", "aria-label": say("keep-which") });
  addArrowKeys(element);

  /** @param {State} state */
  function draw(state) {
    const raises = options(state, "Raise");
    const suit = keptSuit(state);
    const cards = parseCards(ownSeat(state)?.hand?.seen ?? "");
    element.hidden = raises.length < 2;
    drawIfChanged(element, [raises, suit, cards], () => {
      const hadFocus = element.contains(document.activeElement);
      fill(
        element,
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
      if (hadFocus) find("[aria-checked=true]", element).focus();
    });
  }
  return { elements: [element], draw };
}

/** The cards that lie face up, and a button that turns them. @param {Decisions} decisions */
function faceUpLine({ turnAll }) {
  const text = h("span");
  const turn = h("button", { "data-key": "e", onclick: turnAll }, "");
  const element = h("p.face-up", text, " ", turn);

  /** @param {State} state */
  function draw(state) {
    const [afterRaise, afterFold] = [raiseOf(state), foldOf(state)].map((option) => faceUp(state, option).join(" "));
    const hasRun = runs(state).length > 0;
    element.hidden = !hasRun && !afterRaise;
    turn.hidden = !hasRun;
    fill(text, say("lies-face-up", { cards: afterRaise, folded: afterFold }));
    fill(turn, say(isRunUp(state) ? "turn-down" : "turn-up"));
  }
  return { elements: [element], draw };
}

function warning() {
  const element = h("p.warning", { role: "alert", hidden: true });
  /** @param {State} state */
  function draw({ warning }) {
    element.hidden = !warning;
    fill(element, warning ? say("throws-away") : "");
  }
  return { elements: [element], draw };
}

/** Fold, the amounts of a Raise, and a field for another amount. @param {Decisions} decisions */
function buttons({ decide, raiseTyped }) {
  const fold = h(
    "button.fold",
    { "data-key": "f", "aria-keyshortcuts": "f", onclick: () => decide({ type: "Fold" }) },
    say("fold"),
  );
  const raises = h("span.raises");
  const amount = h("input", {
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": say("raise-other"),
    placeholder: say("raise-other"),
    "aria-describedby": "raise-error",
  });
  const error = h("p.raise-error", { id: "raise-error", role: "alert" });
  const other = h("form.raise-other", { novalidate: true, onsubmit: send }, amount, h("button", say("raise-this")));

  /** @param {SubmitEvent} event */
  function send(event) {
    event.preventDefault();
    raiseTyped(amount.value);
  }

  /** @param {number} cents @param {number} at */
  const raise = (cents, at) =>
    h(
      "button.main-action.raise",
      {
        "data-key": RAISE_KEYS[at] ?? null,
        "data-cents": cents,
        onclick: () => decide({ type: "Raise", amount_cents: cents }),
      },
      say("raise-to", { amount: formatDollars(cents) }),
    );

  /** @param {State} state */
  function draw(state) {
    const option = raiseOf(state);
    const amounts = option ? raiseAmounts(option, ownSeat(state)?.wagers.ante ?? 0) : [];
    drawIfChanged(raises, amounts, () => fill(raises, amounts.map(raise)));
    drawIfChanged(amount, state.round?.number, () => (amount.value = ""));
    other.hidden = error.hidden = (option?.minimum_cents ?? 0) >= (option?.maximum_cents ?? 0);
    fill(error, state.raiseError);
    set(amount, { "aria-invalid": state.raiseError ? "true" : null });
  }
  return { elements: [h("div.actions", fold, raises, other), error], draw };
}

/** The decision that is made if the clock runs out. */
function byDefault() {
  const element = h("p.quiet.default");
  /** @param {State} state */
  function draw({ you }) {
    const choice = you?.default;
    const what =
      choice?.type === "Fold" ? say("fold") : say("raise-to", { amount: formatDollars(choice?.amount_cents ?? 0) });
    fill(element, choice ? say("by-default", { what }) : "");
  }
  return { elements: [element], draw };
}
