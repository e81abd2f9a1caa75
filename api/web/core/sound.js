// Three short sounds, synthesized rather than loaded. Silent unless switched on.

import { settings } from "./settings.js";

const TONES = {
  move: [[660, 0, 0.03]],
  turn: [
    [660, 0, 0.07],
    [880, 0.09, 0.1],
  ],
  over: [
    [523, 0, 0.12],
    [659, 0.12, 0.12],
    [784, 0.24, 0.25],
  ],
};
let context = null;

/** Play `move`, `turn` or `over`. */
export function sound(name) {
  if (!settings.sound) return;
  context ??= new AudioContext();
  for (const [pitch, after, length] of TONES[name]) {
    const start = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const loudness = new GainNode(context, { gain: 0.08 });
    loudness.gain.setTargetAtTime(0, start + length, 0.03);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + length + 0.2);
  }
}
