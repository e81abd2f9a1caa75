// Short, quiet sounds, synthesized rather than loaded, and vibration.

import { settings } from "./settings.js";

/** Pitch in hertz, start and length in seconds of each tone. */
const TONES = {
  card: [[520, 0, 0.025]],
  coins: [
    [1320, 0, 0.02],
    [1760, 0.05, 0.03],
  ],
  claim: [[392, 0, 0.06]],
  trick: [
    [440, 0, 0.04],
    [587, 0.06, 0.06],
  ],
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

/** Low: a sound is a sign, and startles no one. */
const LOUDNESS = 0.045;

/** Milliseconds of vibration when the viewer is asked. */
const BUZZ = 60;

/** @type {AudioContext | null} */
let context = null;

/** How many tones have not ended: with none the context is suspended, since it would play silence, which costs power. */
let tones = 0;

/** Play `card`, `coins`, `claim`, `trick`, `turn` or `over`. */
export function sound(/** @type {keyof typeof TONES} */ name) {
  if (settings.vibration && name === "turn") navigator.vibrate?.(BUZZ);
  if (!settings.sound || !isTouched()) return;
  context ??= woken(new AudioContext());
  resume(context);
  for (const [pitch, after, length] of TONES[name]) {
    const start = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const loudness = new GainNode(context, { gain: LOUDNESS });
    loudness.gain.setTargetAtTime(0, start + length, 0.03);
    tone.connect(loudness).connect(context.destination);
    tone.addEventListener("ended", ended);
    tones += 1;
    tone.start(start);
    tone.stop(start + length + 0.2);
  }
}

/** Browsers give a page no sound before it has been touched. */
const isTouched = () => navigator.userActivation?.hasBeenActive ?? true;

async function ended() {
  tones -= 1;
  if (tones || !context) return;
  await context.suspend().catch(() => {});
  if (tones) resume(context); // a sound began meanwhile
}

const resume = (/** @type {AudioContext} */ made) => made.state === "suspended" && made.resume().catch(() => {});

/** Browsers suspend sound until the page has been touched: what waits to be heard is heard then. */
function woken(/** @type {AudioContext} */ made) {
  const touched = () => tones && resume(made);
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touched, { capture: true, passive: true });
  return made;
}
