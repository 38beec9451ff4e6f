// The player's settings: speed of announcements, deck, colours, sounds. They are stored on this device.
import { h } from "../core/dom.js";
import { prefs, setPrefs } from "../core/prefs.js";
import { say } from "../core/words.js";

/** @type {{speed: number[], deck: string[], palette: string[], theme: string[]}} */
const CHOICES = {
  speed: [0, 0.5, 1, 2],
  deck: ["four", "two"],
  palette: ["usual", "safe"],
  theme: ["system", "light", "dark"],
};

/** @param {keyof typeof CHOICES} name */
function chooser(name) {
  const values = CHOICES[name];
  const choice = h(
    "select",
    { onchange: () => setPrefs({ [name]: values[choice.selectedIndex] }) },
    values.map((value) =>
      h(
        "option",
        { selected: value === prefs[name] },
        typeof value === "number" ? say("speed-of", { speed: value }) : say(`${name}.${value}`),
      ),
    ),
  );
  return h("label", h("span", say(name)), choice);
}

export function settings() {
  const soundBox = h("input", {
    type: "checkbox",
    checked: prefs.sounds,
    onchange: () => setPrefs({ sounds: soundBox.checked }),
  });
  return h(
    "div.settings",
    chooser("speed"),
    chooser("deck"),
    chooser("palette"),
    chooser("theme"),
    h("label.heard", soundBox, say("sounds")),
  );
}
