// Drawings as the text that a browser would get of them.

import { nothing } from "../../../api/web/vendor/lit.js";

/**
 * The markup of a template, without the attributes that are left out.
 * @type {(drawn: unknown) => string}
 */
export function markup(drawn) {
  if (drawn === nothing || drawn === null || drawn === undefined) return "";
  if (Array.isArray(drawn)) return drawn.map(markup).join("");
  if (typeof drawn !== "object") return String(drawn).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const { strings, values } = /** @type {{strings: string[], values: unknown[]}} */ (drawn);
  return strings.reduce((text, next, place) => {
    const value = values[place - 1];
    const attribute = /\s[\w-]+=$/.exec(text);
    if (!attribute) return text + markup(value) + next;
    return value === nothing ? text.slice(0, attribute.index) + next : `${text}"${markup(value)}"${next}`;
  });
}

const PATH = /^(?:[MmLlHhVvCcSsQqTtAaZz]|[\s,]|-?\d*\.?\d+)+$/;

/**
 * What is wrong with a drawing: elements that do not match, a path that is none, or something that is neither a shape nor a tone.
 * @type {(text: string) => string[]}
 */
export function faults(text) {
  const open = /** @type {string[]} */ ([]);
  const found = /** @type {string[]} */ ([]);
  for (const [whole, closing, name, rest] of text.matchAll(/<(\/?)([\w-]+)([^>]*)>/g)) {
    if (closing) {
      if (open.pop() !== name) found.push(whole);
      continue;
    }
    if (!["svg", "path", "circle", "g"].includes(name)) found.push(whole);
    if (/\b(?:href|style|on\w+|url)\b|:\/\//.test(rest)) found.push(whole);
    const path = / d="([^"]*)"/.exec(rest)?.[1];
    if (name === "path" && !(path && PATH.test(path))) found.push(whole);
    if (/undefined|NaN/.test(rest)) found.push(whole);
    if (!rest.endsWith("/")) open.push(name);
  }
  return [...found, ...open];
}
