// Compares the log with a record as the web client does: the named file has what was kept, the record, and the service's answers to
// each request, once for every reader; for each a line says what was compared, and what is wrong.

import { readFileSync } from "node:fs";
import { compareLog } from "../../api/web/proof/log.js";

const { kept, record, readers } = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const answers of readers) {
  const client = { get: async (/** @type {string} */ path) => answers[path] ?? answers[path.split("?")[0]] };
  const { compared, wrong } = await compareLog(client, kept, new TextEncoder().encode(record));
  console.log(JSON.stringify([compared, wrong]));
}
