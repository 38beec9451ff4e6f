// The time that is left to bet or to decide, in words and as a bar.
import { fill, h } from "../core/dom.js";
import { say } from "../core/words.js";

const SHORT_MS = 5000;

export function clock() {
  const text = h("span.clock-text");
  const bar = h("progress", { max: 1, value: 1, "aria-hidden": "true" });
  const element = h("p.clock", text, bar);

  /** @param {import("./state.js").Clock | null} running @param {number} now */
  function draw(running, now) {
    element.hidden = !running || running.for === "pause";
    if (!running || element.hidden) return;
    const left = Math.max(0, running.ends - now);
    fill(text, say(`clock.${running.for}`, { seconds: Math.ceil(left / 1000) }));
    bar.value = Math.min(1, left / running.whole);
    element.classList.toggle("short", left < SHORT_MS);
  }

  return { element, draw };
}
