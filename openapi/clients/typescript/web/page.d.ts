/** The pages of the service's own client, and what their forms are made of. */

/** What is shown at an address. */
export interface Page {
  render(): unknown;
  load?(): unknown;
  close?(): void;
  /** What went wrong. */
  error?: unknown;
}

/** What may be chosen for a field of a game's options: undefined for what the game has by default. */
export type Choice = string | number | boolean | null | undefined;
/** A field of the form of a game's options, and how it is filled in. */
export type Field = { name: string; default?: Choice } & FieldInput;
export type FieldInput =
  | { input: "check" }
  | { input: "choice"; choices: (string | number)[]; numbers?: boolean }
  | { input: "number"; min?: number; max?: number }
  | { input: "none" };
/** As much of a JSON schema as describes the options of a game. */
export type OptionSchema = {
  $ref?: string;
  $defs?: Record<string, OptionSchema>;
  properties?: Record<string, OptionSchema>;
  anyOf?: OptionSchema[];
  type?: string;
  enum?: string[];
  const?: string;
  minimum?: number;
  maximum?: number;
  default?: Choice;
};

/** A place in a match: an item of its feed, and whose eyes see it (null: the reader's own). */
export type Moment = { n: number; perspective: string | null };

/** Addresses of the page around a table. */
export interface Links {
  lobby: string;
  rules(game: string): string;
  match(match: string): string;
  /** Go to a match. */
  go(match: string): void;
  invitation(match: string): string;
  /** Say in the title how many seats of the reader's open table are taken; null: there is none. */
  entitle?(taken: string | null): void;
  /** The moment that the address asks for. */
  wanted?(): Moment | null;
  /** Let the address lead to a moment; null: to the table as it is now. */
  lead?(match: string, at: Moment | null): void;
}

/** What a table's element has said last, by the name of the event. */
export type Said = Partial<Record<"error" | "ready" | "state" | "ended", string>>;
