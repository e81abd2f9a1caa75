// Checks the record of a finished match on the reader's own machine, written from docs/fair-dealing.md and docs/records.md.
// It needs WebCrypto and nothing else, in browsers and in Node.js. It does not judge moves or scores: `tafelrunde verify` does.

import { base64, hex, hmac, hmacKey, joined, need, raw, said, same, sha256, unpacked, utf8, Wrong } from "./bytes.js";
import { cardsOf, commitmentTo, DRAWS, Draw, GAMES } from "./games.js";

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
const OWN =
  "match.timed-out match.hint-taken match.misses-forgotten match.return-noted coup.card-drafted coup.passed matchmaster.bid-placed stich-meister.rule-chosen stich-meister.cards-passed stich-meister.card-set-aside stich-meister.opening-chosen stich-meister.card-hidden-played"
    .split(" ")
    .map((name) => `${name}.1`);
const WITHHELD = ["match.seat-played.1", "match.drawn.1"];
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
  if (!text.startsWith('{"lines":['))
    return (need(text.endsWith("\n"), "the end of the last line"), text.slice(0, -1).split("\n"));
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
    const says = {
      time_ms,
      actor,
      command_id,
      correlation_id,
      event,
      command: command.length ? unpacked(command) : null,
      digest: hex(digest) || null,
    };
    for (const [name, value] of Object.entries(says)) same(line[name], value, `${at}: what it says: ${name}`);
    need(
      isPlain(event) && typeof event.type === "string" && (!command.length || isPlain(line.command)),
      `${at}: its event or command`,
    );
    need(Number.isInteger(time_ms) && time_ms >= 0 && time_ms < LATEST_MS, `${at}: its time`);
    need(complete === command.length > 0, `${at}: a command where the one before is complete, and only there`);
    complete = digest.length === 32 || (need(!digest.length, `${at}: its digest`), false);
  }
  need(complete, "the state after the last command");
}

/** Check that the first and the last line say what the entries say, and the commitment to the secret. */
async function checkEnds(head, end, entries) {
  const events = entries.map(({ event }) => event);
  const last = events.filter(({ type }) => Object.hasOwn(ENDS, type));
  const opened = events[0];
  same([head.format, head.entries], ["tafelrunde.record.1", entries.length], "head: its format and number of entries");
  need(
    opened?.type === "match.opened.1" && events.filter(({ type }) => type.startsWith("match.opened.")).length === 1,
    "one opening, as the first entry",
  );
  need(last.length === 1, "one end");
  for (const name of ["game", "rules_version", "seats", "options", "commitment"]) same(head[name], opened[name], `head: ${name}`);
  need(
    isPlain(head.schemas) && Object.keys(head.schemas).every((name) => events.some(({ type }) => type === name)),
    "head: schemas",
  );
  need(Number.isInteger(head.seats) && head.seats > 0 && head.seats < 100, "head: seats");
  const nonces = Array(head.seats).fill("");
  for (const event of events) if (SEATED.includes(event.type)) nonces[event.seat] = event.nonce ?? "";
  const { placings = null } = last[0];
  const daily = events.some(({ type }) => type === "match.deal-of-day.1");
  const secret = daily ? opened.secret : last[0].secret;
  const told = {
    line: "end",
    status: ENDS[last[0].type],
    secret,
    nonces,
    placings,
    chain: entries.at(-1).chain,
    state: entries.at(-1).digest,
  };
  same(end, told, "end: what the entries say");
  same(last[0].secret, daily ? "" : opened.secret, "the secret of the opening, or none in the deal of a day");
  need(/^m[a-z2-7]{24}$/.test(head.match) && !head.match.endsWith("\n"), "the match's id");
  need(/^[0-9a-f]{64}$/.test(secret) && secret.length === 64, "a secret of 64 hex digits");
  need(
    nonces.every((nonce) => /^[A-Za-z0-9_-]{0,64}$/.test(nonce)),
    "the nonces",
  );
  same(head.commitment, await commitmentTo(head.match, secret), "the commitment to the secret");
}

/** What the tables of the games say about a kind of events; undefined for one that they do not have. */
const about = (table, { type }) => (Object.hasOwn(table, type) ? table[type] : undefined);

/** One match on its way through its events: every deck is dealt again, and all hands are compared with their commitments. */
class Dealt {
  constructor(head, entries, key) {
    const { dealing = "cards" } = entries[0].event;
    const { version: keyed = 1 } = entries.map(({ event }) => event).find(({ type }) => type === "match.draws-keyed.1") ?? {};
    this.match = head.match;
    this.key = key;
    this.keyed = keyed > 1;
    this.counts = new Map();
    /** Labels of draws that are noted and still to be made. */
    this.noted = [];
    this.version = this.drawn = this.draws = this.done = 0;
    this.taken = false;
    /** The seats whose hands the last event has changed unseen. */
    this.changed = null;
    /** The day whose deal it is; what names its draws. */
    this.daily = entries.map(({ event }) => event).find(({ type }) => type === "match.deal-of-day.1")?.day;
    this.name = this.daily ? `daily-${head.game}-${this.daily}` : head.match;
    this.commits = Object.hasOwn(entries[0].event, "dealing");
    this.nonces = Array(head.seats).fill("");
    this.prefix = dealing === "cards" && Object.hasOwn(DRAWS, keyed) ? DRAWS[keyed] : null;
    this.game = Object.hasOwn(GAMES, head.game) ? GAMES[head.game] : null;
    this.known = Boolean(this.prefix && this.game) && entries.every(({ event }) => event.type.endsWith(".1"));
    this.table = { seats: head.seats, options: head.options, hands: [], round: 0, scored: [], ruleHands: [] };
  }

  draw(label) {
    if (this.keyed) same(this.noted.shift(), label, "match.drawn.1: its labels");
    const made = new Draw(this.key, this.prefix(this, label));
    this.counts.set(label, (this.counts.get(label) ?? 0) + 1);
    this.draws += 1;
    this.drawn += 1;
    return made;
  }

  below(label, bound) {
    return this.draw(label).below(bound);
  }

  shuffle(label, items) {
    return this.draw(label).shuffle(items);
  }

  /** Note what an event changes around the table: which draws come, and whose nonces count. */
  note({ event, command }, place) {
    if (command) Object.assign(this, { version: place, drawn: 0 });
    if (SEATED.includes(event.type) && !this.daily) this.nonces[event.seat] = event.nonce ?? "";
    if (event.type === "match.branched.1" || event.type === "match.lesson-begun.1") this.taken = true;
    if (event.type === "match.drawn.1") this.noted.push(...event.labels);
    if (event.type === "match.decision-opened.1") this.taken = false;
  }

  async commitment(event, deals) {
    need(this.done < deals.length, `deal ${this.done + 1}: its commitment`);
    const line = deals[this.done];
    const cards = this.known ? this.changed.flatMap((seat) => cardsOf(this.game, this.table, seat)) : line.cards;
    await checkDeal(this.match, line, event, cards, (this.done += 1), this.key);
  }

  async follow(entry, place, deals) {
    const { event } = entry;
    this.note(entry, place);
    const committed = event.type === "match.cards-committed.1";
    const due = this.commits && Boolean(this.changed);
    need(!this.known || committed === due, `entry ${place + 1}: a commitment where hands changed, and only there`);
    if (committed) await this.commitment(event, deals);
    if (!this.known) return;
    if (!this.taken) await about(this.game.deals, event)?.(this.table, event, this);
    this.changed = about(this.game.folds, event)?.(this.table, event) || null;
  }
}

/** Deal every deck again; return the number of deals and of draws, and whether game and dealing are known here. */
async function checkDeals(head, entries, deals, key) {
  const dealt = new Dealt(head, entries, key);
  const ended = entries.findIndex(({ event }) => Object.hasOwn(ENDS, event.type));
  for (const [place, entry] of entries.entries()) {
    need(place <= ended || entry.event.type !== "match.cards-committed.1", `deal ${dealt.done + 1}: a commitment after the end`);
    await dealt.follow(entry, place, deals);
  }
  need(!dealt.changed || !dealt.commits, "a commitment to the last hands");
  if (dealt.known) same(dealt.noted, [], "match.drawn.1: its labels");
  same(dealt.done, deals.length, "a line for each deal");
  return { deals: dealt.done, draws: dealt.draws, known: dealt.known };
}

/** Check one deal: its number, its root, and where the cards lie. */
async function checkDeal(match, line, event, cards, number, key) {
  same(
    [event.deal, event.size, event.root, line.deal, line.cards.length],
    [number, line.cards.length, line.root, number, cards.length],
    `deal ${number}: its commitment, once and in order`,
  );
  need(
    cards.every(([seat, card]) => Number.isInteger(seat) && typeof card === "string"),
    `deal ${number}: seats and cards`,
  );
  const listed = [...cards].sort(([one, a], [other, b]) => one - other || (a < b ? -1 : a > b ? 1 : 0));
  const order = await new Draw(key, `tafelrunde/order/1|${match}|${number}`).shuffle(listed);
  same(line.cards, order, `deal ${number}: its cards`);
  const leaf = async ([seat, card], index) =>
    sha256(
      joined(
        [0],
        await hmac(key, `tafelrunde/salt/1|${match}|${number}|${index}`),
        utf8(`${match}|${number}|${index}|${seat}|${card}`),
      ),
    );
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

/** Return a key that checks signatures; null where there is no Ed25519. */
const publicKey = (bytes) =>
  crypto.subtle.importKey("raw", bytes, { name: "Ed25519" }, false, ["verify"]).catch((error) => {
    if (error.name === "NotSupportedError") return null;
    throw error;
  });

/** Return whether a note is signed by one of some public keys (`name+id+base64`); null where that cannot be checked here. */
export async function isSigned(note, keys) {
  const [text, lines] = [note.slice(0, note.lastIndexOf("\n\n") + 1), note.slice(note.lastIndexOf("\n\n") + 2).split("\n")];
  for (const [, name, coded] of keys.map((key) => key.match(/^([^\s+]+)\+[0-9a-f]{8}\+(\S+)$/) ?? [])) {
    const line = lines.find((each) => each.startsWith(`\u2014 ${name} `));
    const bytes = raw(coded ?? "");
    if (!line || bytes[0] !== 1) continue;
    const signature = raw(line.slice(name.length + 3)).slice(4);
    const key = await publicKey(bytes.slice(1));
    if (!key) return null;
    if (await crypto.subtle.verify("Ed25519", key, signature, utf8(text))) return true;
  }
  return false;
}

/** Compare the nonce that was kept; return whether it came after the commitment, in a command of its own. */
function checkNonce({ seat, nonce }, entries) {
  const place = entries.findLastIndex(({ event }) => event.type === "match.seat-taken.1" && event.seat === seat);
  same(entries[place]?.event.nonce, nonce, "kept: your nonce");
  return entries.slice(1, place + 1).some(({ command }) => command);
}

/** Check a signed mark of a feed that was kept; return whether its signature could be checked here. */
async function checkMark(note, { origin, keys = [] }, head, entries) {
  const [kind, by, match, viewer, n, chain] = note.split("\n");
  same([kind, by, match], ["tafelrunde.feed.1", origin, head.match], "kept: what was signed");
  const chains = await feedOf(entries, viewer === "spectator" ? null : Number(viewer.slice(5)));
  same(chains[Number(n)], chain, "kept: your signed feed");
  const signed = await isSigned(note, keys);
  need(signed !== false, "kept: the signature");
  return signed !== null;
}

/** Compare a record with what was kept of its match; return what was compared, and what could not be. */
async function compared(kept, head, entries) {
  const done = [];
  const open = [];
  const note = (name, found) => (found ? done : open).push(name);
  same([kept.format, kept.match], ["tafelrunde.kept.1", head.match], "kept: its format and match");
  same(head.commitment, kept.commitment, "kept: the commitment");
  note("commitment", true);
  if (kept.nonce) note("nonce", checkNonce(kept, entries));
  const roots = entries.map(({ event }) => event).filter(({ type }) => type === "match.cards-committed.1");
  for (const { deal, size, root } of kept.deals ?? []) {
    const { size: found, root: other } = roots[deal - 1] ?? {};
    same([found, other], [size, root], `kept: the root of deal ${deal}`);
  }
  if (kept.deals?.length) note("roots", true);
  if (kept.feed?.n) {
    const chains = await feedOf(entries, kept.feed.seat);
    same(chains[kept.feed.n], kept.feed.chain, "kept: your feed");
    note("feed", true);
  }
  for (const mark of kept.marks ?? []) note("signature", await checkMark(mark, kept, head, entries));
  return { compared: [...new Set(done)], open: [...new Set(open)] };
}

/** Check that the lines of a record come in their order, and their sum; return them by kind. */
async function sortedOut(rows) {
  const lines = rows.map(lineOf);
  const [head, end, sum] = [lines[0], lines.at(-2), lines.at(-1)];
  const entries = lines.filter(({ line }) => line === "entry");
  const deals = lines.filter(({ line }) => line === "deal");
  const kinds = ["head", ...entries.map(() => "entry"), ...deals.map(() => "deal"), "end", "sum"];
  same(
    lines.map(({ line }) => line),
    kinds,
    "the order of the lines",
  );
  const content = rows.slice(0, -1).map((row) => `${row}\n`);
  same(sum.sum, hex(await sha256(utf8(content.join("")))), "the sum over all lines");
  return { head, entries, deals, end };
}

/**
 * Check a record (bytes, lines or one document), and compare it with what was kept of its match (null: nothing). Never throws.
 * `conclusion`: "right", "wrong" (`wrong` says what), or "undecided" for a game or a dealing that is not known here.
 */
export async function verify(content, kept = null) {
  try {
    const { head, entries, deals, end } = await sortedOut(rowsOf(content));
    await checkEntries(entries);
    await checkEnds(head, end, entries);
    const dealt = await checkDeals(head, entries, deals, await hmacKey(end.secret));
    const more = kept ? await compared(kept, head, entries) : { compared: [], open: [] };
    const { match, game, commitment } = head;
    return {
      conclusion: dealt.known ? "right" : "undecided",
      wrong: null,
      match,
      game,
      commitment,
      chain: end.chain,
      entries: entries.length,
      ...dealt,
      ...more,
    };
  } catch (error) {
    return {
      conclusion: "wrong",
      wrong: error instanceof Wrong ? error.message : `a record that can be read (${error.name}: ${error.message})`,
    };
  }
}
