// After every hour at the table: what it has come to, and a way out by one tap.
import { post } from "./api.js";
import { h } from "./dom.js";
import * as money from "./money.js";
import { say } from "./words.js";

const BREAK_MINUTES = 15;

/** @param {number} net since the page was opened @param {() => Promise<void>} leave */
export function realityCheck(net, leave) {
  const dialog = h(
    "dialog",
    { "aria-label": say("reality") },
    h("h2", {}, say("reality")),
    h("p", {}, say("reality-says", { net: money.sayNet(net) })),
    h("form", { method: "dialog" }, h("button", { class: "main-action" }, say("go-on")), h("button", { onclick: takeBreak }, say("take-break"))),
  );
  async function takeBreak() {
    await post("/break", { minutes: BREAK_MINUTES });
    await leave();
    location.href = "/";
  }
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
