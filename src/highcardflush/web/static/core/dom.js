// Elements from data: the only place where they are made. Text is text, never markup.

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * @typedef {Record<string, unknown>} Props
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. `class`, `data-*`, `aria-*` and other attributes by name; `onclick` and the like are listeners;
 * `true` is an empty attribute, `false`, `null` and `undefined` are none.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  set(made, props);
  fill(made, ...children);
  return made;
}

/**
 * The same of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, props = {}, ...children) {
  const made = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  set(made, props);
  fill(made, ...children);
  return made;
}

/**
 * @param {Element} element
 * @param {Props} props
 */
export function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on") && typeof value === "function")
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(name, "");
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

/**
 * What an element holds from now on; nothing is touched that holds just this text already.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const nodes = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  if (nodes.length === 1 && !(nodes[0] instanceof Node)) {
    if (element.textContent !== String(nodes[0]) || element.firstElementChild) element.textContent = String(nodes[0]);
  } else element.replaceChildren(...nodes.map((node) => (node instanceof Node ? node : String(node))));
}

/** In a group of radio buttons an arrow goes to the next one and chooses it. @param {HTMLElement} group */
export function arrows(group) {
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const radios = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("[role=radio]")]);
    const at = radios.findIndex((radio) => radio === event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = radios[(at + step + radios.length) % radios.length];
    next.focus();
    next.click();
  });
}

/**
 * An element of the page that must be there.
 * @param {string} selector
 * @param {ParentNode} [inside]
 * @returns {HTMLElement}
 */
export function find(selector, inside = document) {
  const found = inside.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`no element ${selector}`);
  return found;
}
