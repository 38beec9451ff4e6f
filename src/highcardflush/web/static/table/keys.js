// Keyboard shortcuts. A button with `data-key` is pressed by that key. `?` lists all keys.
import { fill, h } from "../core/dom.js";
import { say } from "../core/words.js";

/** @typedef {{key: string, label: () => string, act: () => void}} Key a key without a button */

/** The keys that lay a chip on the usual spots. @type {Record<string, string>} */
const SPOT_KEYS = { ante: "a", flush: "u", "straight-flush": "i", progressive: "p" };
/** Letters with another use at the table. */
const OTHER_KEYS = "bcdefghklmrstvwxz";

/**
 * The key that lays a chip on each spot. Any other side bet gets its own key, or a letter of its name if that key is
 * taken.
 * @param {string[]} wagers
 * @param {Record<string, import("../wire.js").SideBetRule>} bets
 */
export function spotKeys(wagers, bets) {
  /** @type {Record<string, string>} */
  const keys = {};
  for (const wager of wagers) {
    const usedKeys = [...OTHER_KEYS, ...Object.values(SPOT_KEYS), ...Object.values(keys)];
    const letters = [bets[wager]?.key ?? "", ...wager, ..."abcdefghijklmnopqrstuvwxyz"];
    keys[wager] =
      SPOT_KEYS[wager] ?? letters.find((letter) => /^[a-z]$/.test(letter) && !usedKeys.includes(letter)) ?? "";
  }
  return keys;
}

/**
 * @param {Key[]} more
 * @param {() => void} flush draw the newest state, so that a key finds the buttons that it enables
 */
export function keys(more, flush) {
  const list = h("dl");
  const overlay = h(
    "dialog.keys",
    { "aria-label": say("keys") },
    h("h2", say("keys")),
    list,
    h("form", { method: "dialog" }, h("button", say("close"))),
  );
  document.body.append(overlay);

  function show() {
    const buttons = [...document.querySelectorAll("button[data-key]")].filter(
      (button) => button instanceof HTMLElement && button.offsetParent,
    );
    const rows = [
      ...buttons.map((button) => [
        button.getAttribute("data-key") ?? "",
        button.textContent || button.getAttribute("aria-label") || "",
      ]),
      ...more.map(({ key, label }) => [key, label()]),
      ["?", say("key.?")],
    ];
    fill(list, ...rows.flatMap(([key, label]) => [h("dt", h("kbd", key)), h("dd", label)]));
    if (!overlay.open) overlay.showModal();
    overlay.scrollTo(0, 0); // its only button is at the end
  }

  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]"))
      return;
    if ((at instanceof HTMLInputElement && at.type !== "checkbox") || at instanceof HTMLSelectElement) return;
    flush();
    const button = [...document.querySelectorAll(`button[data-key="${CSS.escape(event.key)}"]`)].find(
      (each) => each instanceof HTMLElement && each.offsetParent,
    );
    const further = more.find(({ key }) => key === event.key);
    if (event.key === "?") show();
    else if (button instanceof HTMLButtonElement && !button.disabled) button.click();
    else if (further) further.act();
    else return;
    event.preventDefault();
  });
  return { show };
}
