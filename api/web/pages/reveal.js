// Bringing what is new into view.

/** On a small screen new content appears below the edge: scroll to it, or to its top if it is long. */
export function reveal(/** @type {Element | undefined} */ found) {
  if (!(found instanceof HTMLElement)) return;
  requestAnimationFrame(() => found.scrollIntoView({ block: found.offsetHeight > innerHeight ? "start" : "nearest" }));
}
