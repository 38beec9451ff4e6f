// Drag an element with a finger, a pen or a mouse, and drop it on a place.
import { h } from "../core/dom.js";

const AWAY_PX = 8;

/**
 * @param {HTMLElement} source what is picked up
 * @param {string} targets a selector of where it may be dropped
 * @param {(place: HTMLElement) => void} onDrop
 */
export function draggable(source, targets, onDrop) {
  /** @type {HTMLElement | null} */
  let ghost = null;
  let from = { x: 0, y: 0 };

  /** @param {PointerEvent} event */
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(targets);

  source.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = { x: event.clientX, y: event.clientY };
    source.setPointerCapture(event.pointerId);
  });
  source.addEventListener("pointermove", (event) => {
    if (!source.hasPointerCapture(event.pointerId)) return;
    if (!ghost && Math.hypot(event.clientX - from.x, event.clientY - from.y) > AWAY_PX) {
      ghost = h("span", { class: `${source.className} carried`, "aria-hidden": "true" }, source.textContent);
      document.body.append(ghost);
    }
    ghost?.style.setProperty("translate", `${event.clientX}px ${event.clientY}px`);
    for (const target of document.querySelectorAll(targets))
      target.classList.toggle("over", Boolean(ghost) && target === under(event));
  });
  const end = (/** @type {PointerEvent} */ event) => {
    for (const target of document.querySelectorAll(targets)) target.classList.remove("over");
    const target = ghost && event.type === "pointerup" ? under(event) : null;
    if (ghost) {
      // A mouse ends a drag with a click, which must not count. A finger does not, so its next tap must count.
      const swallow = (/** @type {Event} */ click) => click.stopImmediatePropagation();
      source.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => source.removeEventListener("click", swallow, { capture: true }));
    }
    ghost?.remove();
    ghost = null;
    if (target instanceof HTMLElement) onDrop(target);
  };
  source.addEventListener("pointerup", end);
  source.addEventListener("pointercancel", end);
}
