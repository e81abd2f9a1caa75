// Draws what is printed on cards, as one line of JSON: for each card of each game its markup, and what is wrong with it.

import { readFileSync } from "node:fs";
import "../web/units/browser.js";

const { faults, markup } = await import("../web/units/drawings.js");
const games = JSON.parse(readFileSync(0, "utf8"));
const found = {};
for (const [game, cards] of Object.entries(games)) {
  const art = await import(`../../api/web/art/${game}.js`);
  const { picture } = game === "mondkrone" ? await import("../../api/web/art/scenes.js") : art;
  found[game] = cards.map((printed) => markup(picture(printed))).map((drawn) => ({ drawn, faults: faults(drawn) }));
  if (art.crest) found[game].push({ drawn: "", faults: faults(markup(art.crest())) });
}
console.log(JSON.stringify(found));
