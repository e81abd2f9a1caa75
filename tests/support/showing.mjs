// Shows what the web client's check of records computes and knows, as one line of JSON.

import { readFileSync } from "node:fs";
import { packed } from "../../api/web/proof/bytes.js";
import { below, commitmentTo, committed, keyOf, numbers, shuffled } from "../../api/web/proof/draws.js";

const text = readFileSync(new URL("vectors.json", import.meta.url), "utf8");
const vectors = JSON.parse(text);
/** The bounds as they are written: one of them is too large for a number of JSON in JavaScript. */
const bounds = [...text.matchAll(/"bound": (\d+)/g)].map(([, digits]) => digits);

async function shown() {
  const { secret, match, deal, shuffle } = vectors;
  const key = await keyOf(secret);
  const found = [];
  for (const [place, { prefix }] of vectors.below.entries()) found.push(String(await below(numbers(key, prefix), BigInt(bounds[place]))));
  const lying = Object.entries(deal.hands).flatMap(([seat, cards]) => cards.map((card) => [Number(seat), card]));
  const { cards, root } = await committed(key, match, deal.deal, lying);
  return {
    commitment: await commitmentTo(match, secret),
    below: found,
    shuffle: await shuffled(numbers(key, shuffle.prefix), shuffle.items),
    order: cards,
    root,
  };
}

const [, , what, file] = process.argv;
const packs = () => JSON.parse(readFileSync(file, "utf8")).map((value) => Buffer.from(packed(value)).toString("hex"));
console.log(JSON.stringify(what === "vectors" ? await shown() : packs()));
