// What people read comes from the words, which are in both languages: no template has a text of its own.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const WEB = fileURLToPath(new URL("../../../api/web/", import.meta.url));
/** Names, keys of the keyboard, and signs for seconds and sums: they are the same in each language. */
const SAME = ["Tafelrunde", "https://…", "H", "L", "P", "s", "Σ"];
/** Attributes that are read out or shown. */
const SHOWN = /\b(?:aria-label|aria-description|title|placeholder|alt|label)="([^"]*)"/g;

/** The client's own modules. @returns {string[]} */
function modules(folder = WEB) {
  return readdirSync(folder)
    .filter((name) => name !== "vendor" && !name.startsWith("swagger"))
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return modules(path);
      return path.endsWith(".js") ? [path] : [];
    });
}

/** Reads the literal parts of templates for elements; a hole is a line feed. */
class Reader {
  at = 0;
  /** @type {string[]} */
  found = [];

  constructor(/** @type {string} */ code) {
    this.code = code;
  }

  /** Read code to its end, or to the end of a hole. */
  read(isHole = false) {
    let depth = 0;
    while (this.at < this.code.length) {
      const rest = this.code.slice(this.at, this.at + 2);
      if (rest[0] === "}" && isHole && depth === 0) return this.found;
      if (rest[0] === "{") depth += 1;
      if (rest[0] === "}") depth -= 1;
      if (rest === "//") this.at = this.code.indexOf("\n", this.at);
      else if (rest === "/*") this.at = this.code.indexOf("*/", this.at) + 2;
      else if (rest[0] === "/" && this.isRegExp()) this.skip(/\/(?:\[(?:\\.|[^\]])*\]|\\.|[^/[])+\//y);
      else if (rest[0] === '"') this.skip(/"(?:\\.|[^"])*"/y);
      else if (rest[0] === "'") this.skip(/'(?:\\.|[^'])*'/y);
      else if (rest[0] === "`") this.template();
      else this.at += 1;
    }
    return this.found;
  }

  isRegExp() {
    return /(?:[(,=:[!&|?{};]|return|=>)\s*$/.test(this.code.slice(Math.max(0, this.at - 20), this.at));
  }

  skip(/** @type {RegExp} */ pattern) {
    pattern.lastIndex = this.at;
    assert.ok(pattern.test(this.code), this.code.slice(this.at, this.at + 60));
    this.at = pattern.lastIndex;
  }

  template() {
    const isDrawn = /(?:html|svg)$/.test(this.code.slice(0, this.at));
    let text = "";
    for (this.at += 1; this.code[this.at] !== "`"; this.at += 1) {
      if (this.code[this.at] === "\\") this.at += 1;
      const isHole = this.code.startsWith("${", this.at);
      if (isHole) this.at += 2;
      if (isHole) this.read(true);
      text += isHole ? "\n" : this.code[this.at];
    }
    this.at += 1;
    if (isDrawn) this.found.push(text);
  }
}

/** The texts that a template says by itself. */
function textsIn(/** @type {string} */ template) {
  const attributes = [...template.matchAll(SHOWN)].map(([, text]) => text);
  const between = template.replace(/<[^>]*>/g, "\n").split("\n");
  return [...attributes, ...between].map((each) => each.trim()).filter((each) => /\p{L}/u.test(each) && !SAME.includes(each));
}

test("no template has words of its own", () => {
  const found = modules().flatMap((path) =>
    new Reader(readFileSync(path, "utf-8"))
      .read()
      .flatMap(textsIn)
      .map((text) => `${path.slice(WEB.length)}: ${text}`),
  );
  assert.deepEqual(found, []);
});

test("words in a template and in its attributes are found", () => {
  const code = 'html`<p title="A title">${/[`"]/.test(x) ? html`<b>Inner words</b>` : "x"} and outer ones</p>`';
  assert.deepEqual(new Reader(code).read().flatMap(textsIn), ["Inner words", "A title", "and outer ones"]);
});

test("what the service says in English only is shown to no one", () => {
  const found = modules().filter((path) =>
    /[.{ ](?:detail|title)\b.*problem|problem.*[.{ ](?:detail|title)\b/i.test(readFileSync(path, "utf-8")),
  );
  assert.deepEqual(
    found.map((path) => path.slice(WEB.length)),
    ["core/client.js"],
  ); // what its error is called in a log
});

test("all that is stored begins with the same word, so that it can be cleared", () => {
  const found = modules().flatMap((path) => [
    ...readFileSync(path, "utf-8").matchAll(/^(?:export )?const [A-Z]+ = "(tafelrunde\.[^"]*)";$/gm),
  ]);
  assert.ok(found.length >= 10, String(found.length));
  const stores = modules().filter((path) => /Storage\.setItem\(/.test(readFileSync(path, "utf-8")));
  const unnamed = stores.filter((path) => !/["`]tafelrunde\./.test(readFileSync(path, "utf-8")));
  assert.deepEqual(
    unnamed.map((path) => path.slice(WEB.length)),
    [],
  );
});
