// The time left to bet or to decide, in words and as a bar.
import { fill, h } from "../core/dom.js";
import { say } from "../core/words.js";
import { mayDecide } from "./state.js";

const SHORT_MS = 5000;

export function clock() {
  const text = h("span.clock-text");
  const bar = h("progress", { max: 1, value: 1, "aria-hidden": "true" });
  const element = h("p.clock", text, bar);

  /** @param {import("./state.js").State} state @param {number} now */
  function draw(state, now) {
    const { clock: current } = state;
    element.classList.toggle("idle", !current);
    if (!current) return fill(text, "");
    const leftMs = Math.max(0, current.ends - now);
    const whose = current.for === "decision" && !mayDecide(state) ? "others" : current.for;
    fill(text, say(`clock.${whose}`, { seconds: Math.ceil(leftMs / 1000) }));
    bar.value = Math.min(1, leftMs / current.whole);
    element.classList.toggle("short", leftMs < SHORT_MS && current.for !== "pause");
  }

  return { element, draw };
}
