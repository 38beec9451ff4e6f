// The button that leaves the seat. During a hand the seat is given up after the hand; wagers that are not locked are
// taken back first, which the player confirms.
import { fill, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { say } from "../core/words.js";
import { looseCents } from "./slip.js";
import { isInHand } from "./state.js";

/** @param {import("./actions.js").Store} store @param {() => Promise<unknown>} leave */
export function leaving(store, leave) {
  const button = h("button.leave", { hidden: true, onclick: ask }, "");
  const question = h("p", { id: "leave-question" });
  const dialog = h(
    "dialog.leave-question",
    { "aria-labelledby": "leave-question" },
    question,
    h(
      "form",
      { method: "dialog" },
      h("button.main-action", { onclick: leave }, say("leave-now")),
      h("button", say("stay")),
    ),
  );

  function ask() {
    const { state } = store;
    const stakes = looseCents(state);
    if (!stakes) leave();
    else {
      fill(question, say("take-back-and-leave", { total: formatDollars(stakes) }));
      dialog.showModal();
    }
  }

  /** @param {import("./state.js").State} state */
  function draw(state) {
    button.hidden = !state.you;
    button.disabled = Boolean(state.you?.leaving);
    fill(button, say(isInHand(state) ? "leave-after" : "leave"));
  }
  return { button, dialog, draw };
}
