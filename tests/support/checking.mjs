// Checks a match as the web client does on a device: the named file has what was kept, the record, and the service's answers to each
// request, once for every reader (null: the service says nothing of its log); for each a line with the conclusion and what is open.
// `now_ms`: what time it is by the clock of the device, if that matters.

import "../web/units/browser.js";
import { readFileSync } from "node:fs";

const { kept, record, readers, now_ms = Date.now() } = JSON.parse(readFileSync(process.argv[2], "utf8"));
Date.now = () => now_ms;
const shelf = new Map([[`tafelrunde.kept.${kept.match}`, JSON.stringify(kept)]]);
globalThis.localStorage = { getItem: (name) => shelf.get(name) ?? null, setItem: (name, text) => shelf.set(name, text) };
const { check } = await import("../../api/web/proof/check.js");

for (const answers of readers) {
  const get = async (/** @type {string} */ path) => {
    if (!answers) throw new Error("no answer");
    return answers[path] ?? answers[path.split("?")[0]];
  };
  const send = async () => new Response(record);
  const { own } = await check({ keep: true, get, send, base: "/" }, kept.match, {}, [], { audiences: null });
  console.log(JSON.stringify([own.conclusion, own.open]));
}
