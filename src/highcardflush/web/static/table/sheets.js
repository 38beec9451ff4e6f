// Sheets over the felt: full texts, pay tables, the coach, the log. A sheet covers neither the clock nor the buttons,
// and the game goes on behind it. Only one sheet is open at a time.
import { fill, h } from "../core/dom.js";
import { say } from "../core/words.js";

/** @typedef {{element: HTMLDialogElement, show: () => void, close: () => void}} Sheet */

export function sheets() {
  const element = h("div.sheets");
  /** @type {Sheet[]} */
  const all = [];

  /**
   * @param {string} code of its title
   * @param {...import("../core/dom.js").Child} inside
   * @returns {Sheet & {fill: (...inside: import("../core/dom.js").Child[]) => void}}
   */
  function sheet(code, ...inside) {
    const body = h("div.sheet-body", { tabindex: 0 }, ...inside);
    const dialog = h(
      "dialog.sheet",
      { "aria-label": say(code), "data-sheet": code, onkeydown: closeOnEscape },
      h(
        "div.sheet-head",
        h("h2", say(code)),
        h("button.sheet-close", { "aria-label": say("close"), onclick: close }, "×"),
      ),
      body,
    );
    /** @type {Element | null} */
    let opener = null;

    function show() {
      for (const other of all) if (other.element !== dialog) other.close();
      opener = document.activeElement;
      if (!dialog.open) dialog.show();
      body.scrollTo(0, 0);
    }

    function close() {
      const hadFocus = dialog.contains(document.activeElement);
      if (dialog.open) dialog.close();
      if (hadFocus && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    }

    /** @param {KeyboardEvent} event */
    function closeOnEscape(event) {
      if (event.key === "Escape") close();
    }

    const made = { element: dialog, show, close, fill: (/** @type {any[]} */ ...inside) => fill(body, ...inside) };
    all.push(made);
    element.append(dialog);
    return made;
  }

  return { element, sheet, closeAll: () => all.forEach((each) => each.close()) };
}
