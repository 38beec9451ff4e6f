// Sounds: short tones, each with a caption. This module is only loaded for players who want sounds.
import { fill } from "../core/dom.js";
import { say } from "../core/words.js";

/** The tones of each sound in hertz, one after the other. @type {Record<string, number[]>} */
const TONES = {
  bet: [520],
  deal: [330, 392],
  turn: [660, 880],
  win: [523, 659, 784],
  lose: [262],
  jackpot: [523, 659, 784, 1047],
};
const TONE_S = 0.09;
const SHOWN_MS = 1500;

/** @type {AudioContext | null} */
let context = null;
/** @type {number | undefined} */
let wiping;

/** @param {string} name one of the tones @param {Element} caption where it is written too */
export function play(name, caption) {
  context ??= new AudioContext();
  TONES[name].forEach((hertz, at) => {
    if (!context) return;
    const tone = new OscillatorNode(context, { frequency: hertz, type: "triangle" });
    const gain = new GainNode(context, { gain: 0.12 });
    const start = context.currentTime + at * TONE_S;
    gain.gain.setTargetAtTime(0, start + TONE_S / 2, 0.03);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + 3 * TONE_S);
  });
  fill(caption, say("heard", { what: say(`sound.${name}`) }));
  clearTimeout(wiping);
  wiping = setTimeout(() => fill(caption, ""), SHOWN_MS);
}
