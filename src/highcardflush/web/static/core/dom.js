// Functions that make and change elements. Text is always set as text, never as markup.

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * @typedef {Record<string, unknown>} Props
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element: `h("p.quiet", { hidden: true }, "text")`. The attributes may be omitted. `onclick` and the like add
 * listeners. `true` sets an empty attribute; `false`, `null` and `undefined` remove it.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K | `${K}.${string}`} kind
 * @param {Props | Child | Child[]} [first]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(kind, first, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = /** @type {HTMLElementTagNameMap[K]} */ (document.createElement(tag));
  element.classList.add(...classes);
  return build(element, first, children);
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props | Child | Child[]} [first]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, first, ...children) {
  return build(/** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag)), first, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Props | Child | Child[]} first attributes, or a child
 * @param {(Child | Child[])[]} children
 */
function build(element, first, children) {
  if (isProps(first)) {
    set(element, first);
    fill(element, ...children);
  } else fill(element, first, ...children);
  return element;
}

/** @param {Props | Child | Child[]} value @returns {value is Props} */
const isProps = (value) =>
  typeof value === "object" && value !== null && !(value instanceof Node) && !Array.isArray(value);

/**
 * Make a table. Headings of columns with numbers are aligned to the right.
 * @param {"table" | `table.${string}`} kind
 * @param {string} caption for screen readers; may be empty
 * @param {[text: string, isNumber: boolean][]} heads
 * @param {Child[]} rows
 */
export const drawTable = (kind, caption, heads, rows) =>
  h(
    kind,
    caption !== "" && h("caption.seen-not", caption),
    h("thead", h("tr", ...heads.map(([text, isNumber]) => drawHead(text, isNumber)))),
    h("tbody", rows),
  );

/** @param {string} text @param {boolean} isNumber */
export const drawHead = (text, isNumber) => h(isNumber ? "th.number" : "th", { scope: "col" }, text);

/**
 * Set attributes and listeners, but leave an attribute that already has the value.
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
 * Replace the children of an element, but leave an element that already contains exactly this text.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const nodes = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  if (nodes.length === 1 && !(nodes[0] instanceof Node)) {
    if (element.textContent !== String(nodes[0]) || element.firstElementChild) element.textContent = String(nodes[0]);
  } else element.replaceChildren(...nodes.map((node) => (node instanceof Node ? node : String(node))));
}

/**
 * Call `draw` unless this value equals the last one for the element.
 * @param {Element} element
 * @param {unknown} value anything that JSON can write
 * @param {() => void} draw
 */
export function drawIfChanged(element, value, draw) {
  const key = JSON.stringify(value);
  if (lastValues.get(element) === key) return;
  lastValues.set(element, key);
  draw();
}

/** The last value for each element, as JSON. @type {WeakMap<Element, string>} */
const lastValues = new WeakMap();

/**
 * Draw once per animation frame if `request` was called. `flush` draws a request immediately.
 * @param {() => void} draw
 */
export function everyFrame(draw) {
  let isRequested = false;
  const flush = () => {
    if (isRequested) draw();
    isRequested = false;
  };
  const request = () => {
    if (!isRequested) requestAnimationFrame(flush);
    isRequested = true;
  };
  return { request, flush };
}

/** Make the arrow keys move to the next radio button of a group and choose it. @param {HTMLElement} group */
export function addArrowKeys(group) {
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

/** Find an element that must exist. @param {string} selector @param {ParentNode} [inside] @returns {HTMLElement} */
export function find(selector, inside = document) {
  const element = inside.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`no element ${selector}`);
  return element;
}
