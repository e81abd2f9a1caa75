// Reactions as small drawings: a face or a sign, in 24 by 24.

import { html, svg } from "../vendor/lit.js";

const FACE = "M12 2.5a9.500 9.500 0 1 1 0 19a9.500 9.500 0 1 1 0-19Z";
const EYES = "M8.500 9v1.500 M15.500 9v1.500";

/** The filled shape of each reaction, and the lines on it. @type {Record<string, [string, string]>} */
const DRAWN = {
  smile: [FACE, `${EYES} M7.500 14c2 3 7 3 9 0`],
  laughter: [FACE, "M7 10l1.500-1.500L10 10 M14 10l1.500-1.500L17 10 M7 13.500h10c0 6-10 6-10 0Z"],
  applause: [
    "M9 20.500 4.500 14c-1-1.600 1-2.800 2-1.400L5 8.500c-.6-1.700 1.500-2.600 2.300-.9L9 11 8.500 6c0-1.900 2.300-2 2.500 0l.8 5 .8-4c.4-1.800 2.500-1.400 2.300.4l-.4 5.600 1.300-2c1-1.500 2.800-.4 2 1.200l-3 7c-1 2.300-4 3-5.800 1.300Z",
    "M16 3.500v-2 M18.500 5.500 20 4 M19.500 8.500h2",
  ],
  "thumbs-up": [
    "M3 11h4v9H3Z M8 11l4-8c2 0 3 1.500 2.500 3.500L14 9.500h5c1.500 0 2.300 1.200 2 2.500l-1.500 6.500c-.3 1-1 1.500-2 1.500H8Z",
    "",
  ],
  amazement: [FACE, `M8.500 8.500v2 M15.500 8.500v2 M12 13a2 2.600 0 1 1 0 5.200a2 2.600 0 1 1 0-5.200Z`],
  puzzlement: [FACE, "M8.500 10v1.500 M15.500 10v1.500 M7 7.500l3 .5 M14 7l3-1 M8 16.500l3-1.500 2.500 1 2.500-1.500"],
  sigh: [FACE, "M7 10.500c1 .8 2 .8 3 0 M14 10.500c1 .8 2 .8 3 0 M8.500 17c2-2.200 5-2.200 7 0"],
  heart: ["M12 20.500C4 14.500 3 10.500 3 8.500a4.600 4.600 0 0 1 9-1.300a4.600 4.600 0 0 1 9 1.300c0 2-1 6-9 12Z", ""],
};

/** A reaction, drawn; its name is said beside it. @type {(id: string) => unknown} */
export function reaction(id) {
  const [shape, lines] = DRAWN[id] ?? DRAWN.smile;
  return html`<svg class="reaction ${id}" viewBox="0 0 24 24" aria-hidden="true">
    ${svg`<path d=${shape}></path><path class="lines" d=${lines}></path>`}
  </svg>`;
}
