/** What the check of a record reads: the lines of the record, and what was kept of its match. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A part of a record before it is compared with anything. any: a forged one may hold whatever it likes, and what fails on it is a finding. */
export type Unchecked = any;
export type AnyEvent = { type: string; [field: string]: Unchecked };

export type Head = {
  format: string;
  match: string;
  game: string;
  rules_version: number;
  rules: string;
  software: string;
  seats: number;
  options: Record<string, Unchecked>;
  commitment: string;
  entries: number;
  schemas: Record<string, Unchecked>;
  /** The number that the secret of a lesson is made of. */
  lesson?: number;
};
/** Who may know what of an event: the seats in the fields `only` (null: no limit), and of fields the seats in others, or each its part. */
export type Known = { only: string[] | null; hidden: Record<string, string[]>; parts: string[] };
/** Who may know what of events, by their tags. */
export type Audiences = Record<string, Known>;
export type Entry = {
  version: number;
  bytes: string;
  chain: string;
  time_ms: number;
  actor: Unchecked;
  command_id: Unchecked;
  correlation_id: Unchecked;
  event: AnyEvent;
  command: Unchecked;
  digest: string | null;
};
/** The cards of a deal, each with the seat at which it lies. */
export type Lying = [seat: number, card: string];
export type Deal = { deal: number; root: string; cards: Lying[] };
export type End = {
  status: string;
  secret: string;
  nonces: string[];
  placings: Unchecked;
  chain: string;
  state: string;
};
export type Line = ({ line: "head" } & Head) | ({ line: "entry" } & Entry) | ({ line: "deal" } & Deal) | ({ line: "end" } & End) | { line: "sum"; sum: string };

/** What binds the deals of a tournament; `deal_secret` is null until it is over. */
export type Terms = {
  tournament: string;
  draw_commitment: string;
  deal_commitment: string;
  public_ids: boolean;
  deal_secret: string | null;
};

/** What a player has kept of a tournament (docs/auditing.md): `ahead` are those who had joined before. */
export type KeptTournament = {
  format: "tafelrunde.kept-tournament.1";
  service: string;
  origin: string;
  keys: string[];
  checkpoints: string[];
  terms: Terms;
  game: string;
  seats: number;
  kind: string;
  options: Record<string, Unchecked>;
  nonce: string;
  player: string;
  ahead: string[];
};

/** What the owner of a seat has kept of a match (docs/auditing.md); `tournament`: the terms of the tournament that it is of. */
export type Kept = {
  format: "tafelrunde.kept.1";
  service: string;
  origin: string;
  keys: string[];
  match: string;
  commitment: string;
  seat: number | null;
  nonce: string;
  deals: { deal: number; size: number; root: string }[];
  feed: { seat: number | null; n: number; chain: string } | null;
  marks: string[];
  checkpoints: string[];
  tournament?: Terms | null;
  unacknowledged?: KeptAnswer[];
};
/** An answer that the service refused (`problem`: the type) or did not acknowledge, and when it was sent by the clock of this device. */
export type KeptAnswer = { decision: number; command: Record<string, Unchecked>; at_ms: number; problem: string };
/** Such an answer that the record does not have: what it has instead, and when; `closed`: other seats closed the decision. */
export type LostAnswer = {
  decision: number;
  command: Record<string, Unchecked>;
  at_ms: number;
  instead: "time" | "bot" | "other" | "closed";
  then_ms: number | null;
};

/** What the check of a record has found. */
export type Verdict = Wronged | Checked;
export type Wronged = { conclusion: "wrong"; wrong: string };
export type Checked = {
  conclusion: "right" | "undecided";
  wrong: null;
  match: string;
  game: string;
  commitment: string;
  chain: string;
  entries: number;
  deals: number;
  draws: number;
  /** How many answers bots gave. */
  answers: number;
} & Compared;
/** What was compared with what was kept, and what could not be. */
export type Compared = { compared: string[]; open: string[]; lost?: LostAnswer[] };
