// The player's settings, in a dialog that every page opens from its head. They are stored on this device.
import { addArrowKeys, h } from "./dom.js";
import { icon } from "./icons.js";
import { prefs, setPrefs } from "./prefs.js";
import { say } from "./words.js";

/** @type {{theme: string[], sounds: boolean[], deck: string[], palette: string[], speed: number[]}} */
const CHOICES = {
  theme: ["system", "light", "dark"],
  sounds: [false, true],
  deck: ["four", "two"],
  palette: ["usual", "safe"],
  speed: [0, 2, 1, 0.5],
};

/** A setting as a row of radio buttons. @param {keyof typeof CHOICES} name */
function chooser(name) {
  const buttons = CHOICES[name].map((value) =>
    h("button", { type: "button", role: "radio", onclick: () => choose(value) }, say(`${name}.${value}`)),
  );
  const group = h("div.choice", { role: "radiogroup", "aria-labelledby": `setting-${name}` }, buttons);
  addArrowKeys(group);

  /** @param {string | number | boolean} value */
  function choose(value) {
    setPrefs({ [name]: value });
    draw();
  }

  function draw() {
    buttons.forEach((button, at) => {
      const isChosen = CHOICES[name][at] === prefs[name];
      button.ariaChecked = String(isChosen);
      button.tabIndex = isChosen ? 0 : -1;
    });
  }

  draw();
  const hint = say(`${name}.hint`, {}, "");
  return h("div.setting", h("h3", { id: `setting-${name}` }, say(name)), hint !== "" && h("p.quiet", hint), group);
}

/** All settings, for a page that has its own place for them. */
export const settings = () =>
  h("div.settings", /** @type {(keyof typeof CHOICES)[]} */ (Object.keys(CHOICES)).map(chooser));

/** Open the settings over the page. */
export function openSettings() {
  const dialog = h(
    "dialog.settings-dialog",
    { "aria-label": say("settings"), onclose: () => dialog.remove(), onclick: closeOutside },
    h(
      "div.dialog-head",
      h("h2", say("settings")),
      h("button.plain", { type: "button", "aria-label": say("close"), onclick: () => dialog.close() }, icon("close")),
    ),
    settings(),
    h("p.quiet", say("settings-stay")),
  );

  /** @param {MouseEvent} event */
  function closeOutside(event) {
    if (event.target === dialog) dialog.close();
  }

  document.body.append(dialog);
  dialog.showModal();
}
