// The player's betting spots, printed on the felt, with the stakes and the announced results.
import { fill, h, set } from "../core/dom.js";
import { formatDollars, formatNet } from "../core/numbers.js";
import { outcome, stakesOf } from "../core/seats.js";
import { say, sayWager } from "../core/words.js";
import { stack } from "../core/chips.js";
import { boardSeat, isBonus, limitsNow, ownResults } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {(wager: string) => void} OnTap */
/** @typedef {(wager: string, text: string) => void} OnType */

/** @param {OnTap} onTap @param {OnType} onType */
export function spots(onTap, onType) {
  const element = h("div.spots", { role: "group", "aria-label": say("your-spots") });
  /** @type {ReturnType<typeof spot>[]} */
  let items = [];

  /** @param {State} state */
  function draw(state) {
    const wagers = [state.spotWagers[0], "raise", ...state.spotWagers.slice(1)];
    if (!items.length) {
      items = wagers.map((wager) => spot(wager, onTap, onType));
      fill(element, ...items.map(({ item }) => item));
    }
    element.classList.toggle("open", limitsNow(state) !== null);
    for (const each of items) each.draw(state);
  }

  return { element, draw };
}

/** @param {string} wager @param {OnTap} onTap @param {OnType} onType */
function spot(wager, onTap, onType) {
  const input = h("input", {
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: "$0",
    onchange: () => onType(wager, input.value),
  });
  const pile = h("span.pile", { "aria-hidden": "true" });
  const name = h("span.spot-name");
  const net = h("span.spot-net");
  const button = h("button.spot-button", { onclick: () => onTap(wager) }, name, pile);
  const amount = h("span.amount");
  const limit = h("span.limit", { "data-posted": wager === "raise" ? "raise" : "limit" });
  const item = h(
    "div",
    { class: `spot ${wager}`, "data-wager": wager },
    button,
    net,
    h("div.spot-foot", input, amount, limit),
  );
  /** The amount that the pile shows, in cents. */
  let pileCents = 0;

  /** @param {State} state */
  function draw(state) {
    const limits = limitsNow(state);
    const open = limits?.[wager];
    const cents = (limits ? state.slip : Object.fromEntries(stakesOf(boardSeat(state))))[wager] ?? 0;
    const result = ownResults(state).find((each) => each.wager === wager);
    const title = sayWager({ wager, bonus: isBonus(state) });
    fill(name, sayWager({ wager, bonus: isBonus(state) }, "spot"));
    set(button, { "aria-label": title, disabled: !open, title: open ? say("amounts-short", open) : null });
    fill(limit, limitOf(state, wager, title));
    set(input, { "aria-label": say("stake-of", { name: title }) });
    input.hidden = !open;
    // Leave an amount that the player is typing.
    if (document.activeElement !== input || cents !== pileCents)
      input.value = cents ? formatDollars(cents).slice(1) : "";
    if (cents !== pileCents) fill(pile, cents > 0 && stack(cents));
    pileCents = cents;
    const classes = ["spot", wager, cents && "staked", result && outcome(result.net_cents), !open && limits && "shut"];
    set(item, { class: classes.filter(Boolean).join(" ") });
    fill(amount, open || !cents ? "" : formatDollars(cents));
    fill(net, result ? formatNet(result.net_cents) : "");
  }

  return { item, draw };
}

/** The posted limits of a wager, without its name. @param {State} state @param {string} wager @param {string} title */
function limitOf({ posted, least_raise_antes: least, most_raise_antes: most }, wager, title) {
  if (wager === "raise") return say("raise-span", { least, most });
  const line = posted.find(({ code, values }) => code === "limit" && values.wager === wager);
  return line ? line.short.replace(`${title} `, "") : "";
}
