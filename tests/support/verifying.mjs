// Checks records as the web client does: one JSON object per line of the file that is named, and one verdict per line.

import { readFileSync } from "node:fs";
import { withSignatures } from "../../api/web/proof/notes.js";
import { verify } from "../../api/web/proof/verify.js";

const OLD = readFileSync(new URL("../../service/features/records/old_records.txt", import.meta.url), "utf8").split("\n");
const isOld = (chain) => OLD.includes(chain.slice(0, 32));

for (const line of readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean)) {
  const { content, kept = null, sheet = null } = JSON.parse(line);
  const found = await verify(Buffer.from(content, "base64"), kept, sheet, isOld);
  console.log(JSON.stringify(kept ? await withSignatures(found, kept) : found));
}
