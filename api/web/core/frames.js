// Batches changes into one drawing: in the next frame, or soon after where there are no frames, as in a hidden tab, which still has to play its sounds.

const LATE_MS = 200;

/** Return a function that requests *draw*. */
export function oncePerFrame(/** @type {() => void} */ draw) {
  let asked = false;
  const run = () => {
    if (!asked) return;
    asked = false;
    draw();
  };
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(run);
    setTimeout(run, LATE_MS);
  };
}
