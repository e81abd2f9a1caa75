// Shows what the web client's check of records computes and knows, as one line of JSON.

import { readFileSync } from "node:fs";
import { AUDIENCES, below, commitmentTo, rootOf, shuffled } from "../../api/web/proof/verify.js";

const text = readFileSync(new URL("vectors.json", import.meta.url), "utf8");
const vectors = JSON.parse(text);
/** The bounds as they are written: one of them is too large for a number of JSON in JavaScript. */
const bounds = [...text.matchAll(/"bound": (\d+)/g)].map(([, digits]) => digits);

const bytes = (hex) => Uint8Array.from(hex.match(/../g), (each) => parseInt(each, 16));

async function shown() {
  const { secret, match, deal, shuffle } = vectors;
  const numbers = [];
  for (const [place, { prefix }] of vectors.below.entries()) numbers.push(String(await below(secret, prefix, bounds[place])));
  const listed = Object.entries(deal.hands).flatMap(([seat, cards]) => cards.map((card) => [Number(seat), card]));
  return {
    commitment: await commitmentTo(match, secret),
    below: numbers,
    shuffle: await shuffled(secret, shuffle.prefix, shuffle.items),
    order: await shuffled(secret, `tafelrunde/order/1|${match}|${deal.deal}`, listed),
    root: Buffer.from(await rootOf(deal.leaves.map(bytes))).toString("hex"),
  };
}

console.log(JSON.stringify(process.argv[2] === "vectors" ? await shown() : AUDIENCES));
