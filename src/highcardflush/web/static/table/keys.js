// Keyboard shortcuts. A button with `data-key` is pressed by that key. `?` lists all keys.
import { h } from "../core/dom.js";
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

/** The keys of the buttons, in every phase. */
const BUTTON_KEYS = ["b", "v", "x", "s", "f", "r", "d", "t", "e", "g", "c"];

/**
 * @param {Key[]} more
 * @param {() => void} flush draw the newest state, so that a key finds the buttons that it enables
 * @param {ReturnType<ReturnType<typeof import("./sheets.js").sheets>["sheet"]>} sheet that lists the keys
 */
export function keys(more, flush, sheet) {
  function show() {
    const rows = [
      ...BUTTON_KEYS.map((key) => [key, say(`key.${key}`)]),
      ...more.map(({ key, label }) => [key, label()]),
      ["?", say("key.?")],
    ];
    sheet.fill(
      h(
        "dl",
        rows.flatMap(([key, label]) => [h("dt", h("kbd", key)), h("dd", label)]),
      ),
    );
    sheet.show();
  }

  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog:modal"))
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
