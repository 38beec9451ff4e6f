// A break from betting: the player chooses how long, sees when it ends, and confirms.
import { get, post } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { complain, sayFailure } from "../core/page.js";
import { say } from "../core/words.js";
import { formatTime } from "./parts.js";

const SHORT_MINUTES = [15, 60, 24 * 60];
const LONG_MINUTES = [7 * 24 * 60];
const MINUTE_MS = 60_000;

export function breakPanel() {
  const status = h("p.resting", { role: "status", hidden: true });
  const begin = h("button", { type: "button", onclick: () => confirmation(show) }, say("own.break.begin"));
  const elements = [h("h2", say("own.break")), h("p.quiet", say("own.break.why")), status, begin];

  /** @param {import("../wire.js").Break} current */
  function show({ until_ms }) {
    fill(status, until_ms ? say("own.break.until", { time: formatTime(until_ms) }) : "");
    status.hidden = !until_ms;
    fill(begin, say(until_ms ? "own.break.longer" : "own.break.begin"));
  }

  return { elements, load: () => get("/break").then(show) };
}

/**
 * Ask how long the break lasts, and begin it only after a second press.
 * @param {(now: import("../wire.js").Break) => void} onBreak
 */
function confirmation(onBreak) {
  const until = h("p.until", { role: "status" });
  const start = h("button.main-action", { type: "button", disabled: true, onclick: take }, say("own.break.start"));
  let minutes = 0;
  const dialog = h(
    "dialog.settings-dialog.break-dialog",
    { "aria-label": say("own.break"), onclose: () => dialog.remove() },
    h("h2", say("own.break")),
    h("p", say("own.break.how-long")),
    h("div.lengths", { role: "group", "aria-label": say("own.break.how-long") }, SHORT_MINUTES.map(option)),
    h("p.quiet", say("own.break.long")),
    h("div.lengths", { role: "group", "aria-label": say("own.break.long") }, LONG_MINUTES.map(option)),
    until,
    h("p.answers", start, h("button", { type: "button", onclick: () => dialog.close() }, say("own.break.cancel"))),
  );

  /** @param {number} length */
  function option(length) {
    const radio = h("input", { type: "radio", name: "break", onchange: () => choose(length) });
    return h("label", radio, say("own.break.take", { minutes: length }));
  }

  /** @param {number} length */
  function choose(length) {
    minutes = length;
    const time = formatTime(Date.now() + minutes * MINUTE_MS);
    fill(until, say("own.break.confirm", { time }));
    start.disabled = false;
  }

  async function take() {
    start.disabled = true;
    try {
      onBreak(await post("/break", { minutes }));
    } catch (error) {
      complain(sayFailure(error));
    }
    dialog.close();
  }

  document.body.append(dialog);
  dialog.showModal();
}
