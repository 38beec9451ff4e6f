// The replay of a finished round: the table after each step, by buttons, slider or keys.
import { fill, h, set, svg } from "../core/dom.js";
import { prefs } from "../core/prefs.js";
import { say } from "../core/words.js";
import { replayFelt } from "./felt.js";

const STEP_MS = 1400;
const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7Z",
  back: "M17 5 7 12l10 7Z",
  play: "M7 5l12 7-12 7Z",
  pause: "M8 5v14M16 5v14",
  next: "M7 5l10 7-10 7Z",
  last: "M18 5v14M5 5l10 7-10 7Z",
};

/** @param {keyof typeof ICONS} name */
const icon = (name) =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: ICONS[name] }));

/**
 * The replay of a round, with its buttons, slider and keys.
 * @param {import("../wire.js").Steps} playback
 * @param {number} first the step that it begins with
 * @param {(at: number) => void} onStep called when the replay goes to another step
 */
export function replay(playback, first, onStep) {
  const { steps } = playback;
  const newest = steps.length - 1;
  let at = 0;

  const felt = replayFelt(playback);
  const clock = ticker(() => go(at + 1));
  const panel = controls(newest, {
    go,
    first: () => go(0),
    back: () => go(at - 1),
    play: () => (clock.isRunning() ? pause() : play()),
    next: () => go(at + 1),
    last: () => go(newest),
  });
  const element = h("div.replayer", felt.element, panel.element);
  document.addEventListener("keydown", press);
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (entry.contentRect.width === width) return;
    width = entry.contentRect.width;
    felt.keepHeight(steps);
    felt.draw(steps[at]);
  }).observe(element);
  show(first);

  /** @param {number} step */
  function show(step) {
    at = Math.min(Math.max(step, 0), newest);
    if (at === newest) pause();
    panel.show(at, felt.draw(steps[at]));
  }

  /** Go to a step, and scroll to the seat that acts. @param {number} step */
  function go(step) {
    show(step);
    onStep(at);
    element.querySelector(".now")?.scrollIntoView({ block: "nearest" });
  }

  function play() {
    if (at === newest) go(0);
    panel.drawPlay("pause");
    clock.start();
  }

  function pause() {
    clock.stop();
    panel.drawPlay("play");
  }

  /** Step by arrow keys, unless another part of the page uses them. @param {KeyboardEvent} event */
  function press(event) {
    const isInside = event.target instanceof Node && element.contains(event.target);
    if (panel.isSlider(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isInside && event.target !== document.body) return;
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, ...(isInside && { Home: 0, End: newest }) };
    if (targets[event.key] === undefined) return;
    event.preventDefault();
    go(targets[event.key]);
  }

  return { element };
}

/** A timer that repeats an action at the player's speed. @param {() => void} act */
function ticker(act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const start = () => (timer = setTimeout(tick, STEP_MS / (prefs.speed || 1)));
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const tick = () => {
    start();
    act();
  };
  return { start, stop, isRunning: () => timer !== undefined };
}

/**
 * The buttons and the slider.
 * @param {number} newest the last step
 * @param {{go: (step: number) => void} & Record<"first" | "back" | "play" | "next" | "last", () => void>} on
 */
function controls(newest, on) {
  const count = h("output.count");
  const slider = h("input", {
    type: "range",
    min: 0,
    max: newest,
    step: 1,
    "aria-label": say("round.slider"),
    oninput: () => on.go(Number(slider.value)),
  });
  const [first, back, play, next, last] = /** @type {const} */ (["first", "back", "play", "next", "last"]).map((name) =>
    button(name, on[name]),
  );
  const element = h("div.controls", h("div.buttons", first, back, play, next, last), slider, count);

  /** @param {number} at @param {string} text */
  function show(at, text) {
    const position = say("round.count", { at: at + 1, of: newest + 1 });
    fill(count, position);
    slider.value = String(at);
    set(slider, { "aria-valuetext": `${position}: ${text}` });
    for (const each of [first, back]) set(each, { "aria-disabled": at === 0 && "true" });
    for (const each of [next, last]) set(each, { "aria-disabled": at === newest && "true" });
  }

  /** @param {"play" | "pause"} name */
  function drawPlay(name) {
    play.ariaLabel = say(`round.${name}`);
    fill(play, icon(name));
  }

  return { element, show, drawPlay, isSlider: (/** @type {EventTarget | null} */ target) => target === slider };
}

/** @param {keyof typeof ICONS} name @param {() => void} onPress */
const button = (name, onPress) => {
  const label = say(`round.${name}`);
  return h(
    "button",
    { type: "button", class: `to-${name}`, "aria-label": label, title: label, onclick: onPress },
    icon(name),
  );
};
