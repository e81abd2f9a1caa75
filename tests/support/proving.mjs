// Checks proofs of the log as the web client does: the named file has lists of proofs; for each list a line of verdicts.

import { readFileSync } from "node:fs";
import { continues, rootFrom } from "../../api/web/proof/merkle.js";

const { inclusions, consistencies } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const included = inclusions.map(async ({ leaf, index, size, path, root }) => (await rootFrom(leaf, index, size, path)) === root);
const continued = consistencies.map(({ earlier, later, path }) => continues(earlier, later, path));
console.log(JSON.stringify(await Promise.all(included)));
console.log(JSON.stringify(await Promise.all(continued)));
