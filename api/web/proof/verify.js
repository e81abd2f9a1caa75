// Checks the record of a finished match on the reader's own machine, written from docs/fair-dealing.md and docs/records.md.
// It needs WebCrypto and nothing else, in browsers and in Node.js. It does not judge moves or scores: `tafelrunde verify` does.

import { base64, hex, hmac, hmacKey, joined, need, raw, said, same, sha256, unpacked, utf8, Wrong } from "./bytes.js";
import { cardsOf, commitmentTo, DEALINGS, Draw, GAMES } from "./games.js";

export { unpacked, Wrong } from "./bytes.js";
export { below, commitmentTo, shuffled } from "./games.js";

// What each viewer was sent of an event: fields that no one ([]), the seats in other fields, or each seat for its part may know.

const HIDDEN = {
  "match.opened.1": { secret: [] },
  "coup.dealt.1": { hands: "each", court: [] },
  "coup.sets-taken.1": { third: [] },
  "coup.claim-proved.1": { drawn: ["seat"], court: [] },
  "coup.cards-drawn.1": { roles: ["seat"] },
  "coup.cards-returned.1": { kept: ["seat"], court: [] },
  "coup.card-examined.1": { role: ["seat", "target"] },
  "coup.card-replaced.1": { returned: ["seat", "target"], drawn: ["target"], court: [] },
  "matchmaster.dealt.1": { hands: "each" },
  "meister-coup.dealt.1": { hands: "each" },
  "mondkrone.round-dealt.1": { hands: "each", deck: [] },
  "mondkrone.cards-drawn.1": { cards: ["seat"] },
  "stich-meister.dealt.1": { hands: "each", new_rules: "each", rule_deck: [] },
  "stich-meister.cards-received.1": { received: "each" },
  "stich-meister.cards-set-aside.1": { cards: "each" },
};
/** Events that only their own seat was sent, and those that no one was. */
const OWN = "match.timed-out match.hint-taken match.misses-forgotten match.return-noted coup.card-drafted coup.passed matchmaster.bid-placed stich-meister.rule-chosen stich-meister.cards-passed stich-meister.card-set-aside stich-meister.opening-chosen stich-meister.card-hidden-played".split(" ").map((name) => `${name}.1`);
const WITHHELD = ["match.seat-played.1"];
export const AUDIENCES = { HIDDEN, OWN, WITHHELD };

/** Return an event as a seat (null: a spectator) was sent it, or null. */
function redacted(event, seat) {
  if (WITHHELD.includes(event.type) || (OWN.includes(event.type) && event.seat !== seat)) return null;
  const hidden = HIDDEN[event.type] ?? {};
  const seen = (name, value) => {
    if (hidden[name] === "each") return value.map((part, place) => (place === seat ? part : null));
    return !hidden[name] || (seat !== null && hidden[name].some((field) => event[field] === seat)) ? value : null;
  };
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [name, seen(name, value)]));
}

/** Return the chains of a viewer's feed, after 0, 1, 2 ... items. */
async function feedOf(entries, seat) {
  const chains = [new Uint8Array(32)];
  for (const { event, time_ms } of entries) {
    const seen = redacted(event, seat);
    if (seen) chains.push(await sha256(joined(chains.at(-1), utf8(said([chains.length, time_ms, seen])))));
  }
  return chains.map(hex);
}

// The record

const NAMES = {
  head: "line format match game rules_version rules software seats options commitment entries schemas",
  entry: "line version bytes chain time_ms actor command_id correlation_id event command digest",
  deal: "line deal root cards",
  end: "line status secret nonces placings chain state",
  sum: "line sum",
};
const ENDS = { "match.ended.1": "over", "match.aborted.1": "aborted" };
const SEATED = ["match.seat-taken.1", "match.bot-seated.1", "match.seat-left.1", "match.seat-cleared.1"];
const LATEST_MS = 253_402_300_800_000;
const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Return the lines of a record: of the lines themselves, or of the one document that the service gives by default. */
function rowsOf(content) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  if (!text.startsWith('{"lines":[')) return (need(text.endsWith("\n"), "the end of the last line"), text.slice(0, -1).split("\n"));
  const document = JSON.parse(text);
  same(Object.keys(document), ["lines"], "a document of lines");
  need(said(document) === text.trimEnd(), "the usual way to write a line");
  return document.lines.map(said);
}

/** Return a line; there is one way to write it. */
function lineOf(row, number) {
  const line = JSON.parse(row);
  need(said(line) === row, `line ${number + 1}: the usual way to write a line`);
  need(isPlain(line) && Object.hasOwn(NAMES, line.line), `line ${number + 1}: its kind`);
  same(Object.keys(line), NAMES[line.line].split(" "), `line ${number + 1}: its names`);
  return line;
}

/** Check numbers and chain, that lines say what their bytes say, and that commands are complete. */
async function checkEntries(entries) {
  let chain = new Uint8Array(32);
  let complete = true;
  for (const [place, line] of entries.entries()) {
    const at = `entry ${place + 1}`;
    const content = raw(line.bytes);
    same([line.version, line.bytes], [place + 1, base64(content)], `${at}: its number and bytes`);
    same(line.chain, hex((chain = await sha256(joined(chain, content)))), `${at}: the chain`);
    const [time_ms, actor, command_id, correlation_id, event, command, digest] = unpacked(content);
    need(command instanceof Uint8Array && digest instanceof Uint8Array, `${at}: its command and digest`);
    const { version, bytes, line: _, chain: __, ...told } = line;
    const says = { time_ms, actor, command_id, correlation_id, event, command: command.length ? unpacked(command) : null, digest: hex(digest) || null };
    same(told, says, `${at}: what it says`);
    need(isPlain(event) && typeof event.type === "string" && (!command.length || isPlain(told.command)), `${at}: its event or command`);
    need(Number.isInteger(time_ms) && time_ms >= 0 && time_ms < LATEST_MS, `${at}: its time`);
    need(complete === command.length > 0, `${at}: a command where the one before is complete, and only there`);
    complete = digest.length === 32 || (need(!digest.length, `${at}: its digest`), false);
  }
  need(complete, "the state after the last command");
}

/** Check that the first and the last line say what the entries say, and the commitment to the secret. */
async function checkEnds(head, end, entries) {
  const events = entries.map(({ event }) => event);
  const last = events.filter(({ type }) => type in ENDS);
  const opened = events[0];
  same([head.format, head.entries], ["tafelrunde.record.1", entries.length], "head: its format and number of entries");
  need(opened?.type === "match.opened.1" && events.filter(({ type }) => type.startsWith("match.opened.")).length === 1, "one opening, as the first entry");
  need(last.length === 1, "one end");
  for (const name of ["game", "rules_version", "seats", "options", "commitment"]) same(head[name], opened[name], `head: ${name}`);
  need(isPlain(head.schemas) && Object.keys(head.schemas).every((name) => events.some(({ type }) => type === name)), "head: schemas");
  need(Number.isInteger(head.seats) && head.seats > 0 && head.seats < 100, "head: seats");
  const nonces = Array(head.seats).fill("");
  for (const event of events) if (SEATED.includes(event.type)) nonces[event.seat] = event.nonce ?? "";
  const { secret, placings = null } = last[0];
  const told = { line: "end", status: ENDS[last[0].type], secret, nonces, placings, chain: entries.at(-1).chain, state: entries.at(-1).digest };
  same(end, told, "end: what the entries say");
  same(secret, opened.secret, "the secret of the opening");
  need(/^m[a-z2-7]{24}$/.test(head.match) && !head.match.endsWith("\n"), "the match's id");
  need(/^[0-9a-f]{64}$/.test(secret) && secret.length === 64, "a secret of 64 hex digits");
  need(nonces.every((nonce) => /^[A-Za-z0-9_-]{0,64}$/.test(nonce)), "the nonces");
  same(head.commitment, await commitmentTo(head.match, secret), "the commitment to the secret");
}

/** Deal every deck again, and compare all hands with what was committed to. Returns the number of deals and of draws. */
async function checkDeals(head, entries, deals, key) {
  const { dealing } = entries[0].event;
  const game = GAMES[head.game] ?? { deals: {}, folds: {} };
  const known = head.game in GAMES && (dealing === undefined || dealing in DEALINGS);
  const table = { seats: head.seats, options: head.options, hands: [], round: 0, scored: [], ruleHands: [] };
  const draws = { match: head.match, nonces: Array(head.seats).fill(""), version: 0, drawn: 0, all: 0 };
  const drawOf = (label) => ((draws.all += 1), new Draw(key, DEALINGS[dealing ?? "cards"]({ ...draws, drawn: draws.drawn++ }, label)));
  const draw = { below: (label, bound) => drawOf(label).below(bound), shuffle: (label, items) => drawOf(label).shuffle(items) };
  let [taken, changed, done, over] = [false, null, 0, false];
  for (const [place, { event, command }] of entries.entries()) {
    if (command) Object.assign(draws, { version: place, drawn: 0 });
    if (SEATED.includes(event.type)) draws.nonces[event.seat] = event.nonce ?? "";
    if (event.type === "match.branched.1") taken = true;
    if (event.type === "match.decision-opened.1") taken = false;
    const committed = event.type === "match.cards-committed.1";
    over ||= event.type in ENDS;
    if (known && dealing) need(committed === Boolean(changed), `entry ${place + 1}: a commitment where hands changed, and only there`);
    if (committed) {
      need(!over && done < deals.length, `deal ${done + 1}: its commitment`);
      const cards = known ? changed.flatMap((seat) => cardsOf(game, table, seat)) : deals[done].cards;
      await checkDeal(head.match, deals[done], event, cards, (done += 1), key);
    }
    if (known && !taken) await game.deals[event.type]?.(table, event, draw);
    changed = (known && game.folds[event.type]?.(table, event)) || null;
  }
  need(!changed || !dealing, "a commitment to the last hands");
  same(done, deals.length, "a line for each deal");
  return { deals: done, draws: draws.all, known };
}

/** Check one deal: its number, its root, and where the cards lie. */
async function checkDeal(match, line, event, cards, number, key) {
  same([event.deal, event.size, event.root, line.deal, line.cards.length], [number, line.cards.length, line.root, number, cards.length], `deal ${number}: its commitment, once and in order`);
  need(cards.every(([seat, card]) => Number.isInteger(seat) && typeof card === "string"), `deal ${number}: seats and cards`);
  const listed = [...cards].sort(([one, a], [other, b]) => one - other || (a < b ? -1 : a > b ? 1 : 0));
  const order = await new Draw(key, `tafelrunde/order/1|${match}|${number}`).shuffle(listed);
  same(line.cards, order, `deal ${number}: its cards`);
  const leaf = async ([seat, card], index) => sha256(joined([0], await hmac(key, `tafelrunde/salt/1|${match}|${number}|${index}`), utf8(`${match}|${number}|${index}|${seat}|${card}`)));
  same(line.root, hex(await rootOf(await Promise.all(order.map(leaf)))), `deal ${number}: its root`);
}

/** Return the root of the Merkle tree of RFC 6962 over hashed leaves. */
export async function rootOf(leaves) {
  if (leaves.length < 2) return leaves[0] ?? sha256(new Uint8Array());
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(joined([1], await rootOf(leaves.slice(0, split)), await rootOf(leaves.slice(split))));
}

// What the reader has kept

/** Return whether a note is signed by one of some public keys (`name+id+base64`); null where that cannot be checked here. */
export async function isSigned(note, keys) {
  const [text, lines] = [note.slice(0, note.lastIndexOf("\n\n") + 1), note.slice(note.lastIndexOf("\n\n") + 2).split("\n")];
  for (const [name, , coded] of keys.map((key) => key.split(/\+(.*?)\+/s))) {
    const line = lines.find((each) => each.startsWith(`\u2014 ${name} `));
    const bytes = raw(coded);
    if (!line || bytes[0] !== 1) continue;
    const signature = raw(line.slice(name.length + 3)).slice(4);
    const key = await crypto.subtle.importKey("raw", bytes.slice(1), { name: "Ed25519" }, false, ["verify"]).catch(() => null);
    if (!key) return null;
    if (await crypto.subtle.verify("Ed25519", key, signature, utf8(text))) return true;
  }
  return false;
}

/** Compare a record with what was kept of its match; return what was compared, and what could not be. */
async function compared(kept, head, entries) {
  same(kept.format, "tafelrunde.kept.1", "kept: its format");
  const [done, open] = [[], []];
  const events = entries.map(({ event }) => event);
  same(head.match, kept.match, "kept: the match");
  if (kept.commitment) done.push(same(head.commitment, kept.commitment, "kept: the commitment") ?? "commitment");
  if (kept.nonce) {
    const place = events.findLastIndex((event) => event.type === "match.seat-taken.1" && event.seat === kept.seat);
    same(events[place]?.nonce, kept.nonce, "kept: your nonce");
    const opening = entries.findIndex(({ command }, at) => at > 0 && command);
    if (opening > 0 && place >= opening) done.push("nonce");
    else open.push("nonce");
  }
  const roots = events.filter(({ type }) => type === "match.cards-committed.1");
  for (const { deal, size, root } of kept.deals ?? []) same([roots[deal - 1]?.size, roots[deal - 1]?.root], [size, root], `kept: the root of deal ${deal}`);
  if (kept.deals?.length) done.push("roots");
  const chains = await feedOf(entries, kept.feed?.seat ?? null);
  if (kept.feed?.n) done.push(same(chains[kept.feed.n], kept.feed.chain, "kept: your feed") ?? "feed");
  for (const note of kept.marks ?? []) {
    const [kind, origin, match, viewer, n, chain] = note.split("\n");
    same([kind, origin, match], ["tafelrunde.feed.1", kept.origin, head.match], "kept: what was signed");
    const own = viewer === "spectator" ? await feedOf(entries, null) : await feedOf(entries, Number(viewer.slice(5)));
    same(own[Number(n)], chain, "kept: your signed feed");
    const signed = await isSigned(note, kept.keys ?? []);
    need(signed !== false, "kept: the signature");
    (signed ? done : open).push("signature");
  }
  return { compared: [...new Set(done)], open: [...new Set(open)] };
}

/**
 * Check a record (bytes, lines or one document), and compare it with what was kept of its match (null: nothing). Never throws.
 * `conclusion`: "right", "wrong" (`wrong` says what), or "undecided" for a game or a dealing that is not known here.
 */
export async function verify(content, kept = null) {
  try {
    const rows = rowsOf(content);
    const lines = rows.map(lineOf);
    const [head, end, sum] = [lines[0], lines.at(-2), lines.at(-1)];
    same([head?.line, end?.line, sum?.line], ["head", "end", "sum"], "the order of the lines");
    same(sum.sum, hex(await sha256(utf8(rows.slice(0, -1).map((row) => `${row}\n`).join("")))), "the sum over all lines");
    const entries = lines.filter(({ line }) => line === "entry");
    const deals = lines.filter(({ line }) => line === "deal");
    same([head, ...entries, ...deals, end, sum].map(({ line }) => line), lines.map(({ line }) => line), "the order of the lines");
    await checkEntries(entries);
    await checkEnds(head, end, entries);
    const dealt = await checkDeals(head, entries, deals, await hmacKey(end.secret));
    const more = kept ? await compared(kept, head, entries) : { compared: [], open: [] };
    const { match, game, commitment } = head;
    return { conclusion: dealt.known ? "right" : "undecided", wrong: null, match, game, commitment, chain: end.chain, entries: entries.length, ...dealt, ...more };
  } catch (error) {
    return { conclusion: "wrong", wrong: error instanceof Wrong ? error.message : `a record that can be read (${error.name}: ${error.message})` };
  }
}
