// The player's own seed for the shuffle: made by the page, shown, changeable until the wagers lock.
import { Refused } from "./api.js";
import { fill, h } from "./dom.js";
import { say, sayError } from "./words.js";

const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {(seed: string) => Promise<unknown>} onName */
export function seed(onName) {
  const input = h("input", { value: random(), "aria-label": say("seed"), maxlength: 64, spellcheck: "false", autocomplete: "off" });
  const state = h("span", { class: "quiet", role: "status" });
  const name = h("button", { onclick: () => send() }, say("seed-name"));
  const fresh = h("button", { onclick: () => (input.value = random()) }, say("seed-new"));
  const element = h("section", { class: "seed" }, h("p", { class: "quiet" }, say("seed-why")), input, h("div", { class: "actions" }, name, fresh), state);
  async function send() {
    const named = input.value.trim();
    try {
      await onName(named);
      fill(state, say("seed-named", { seed: named }));
    } catch (error) {
      fill(state, error instanceof Refused ? sayError(error.error) : String(error));
    }
  }

  return {
    element,
    /** Named for a round, before one's wagers. */
    send,
    /** @param {import("./store.js").Table} table */
    draw(table) {
      name.disabled = !table.you || table.view?.phase !== "betting";
    },
  };
}
