/** What a game's drawing is, and what it is given: `games/<game>.js` has all of it as its exports. */
import type { Shapes } from "./contract";
import type { Printed } from "./art/pen.js";
import type { Sheet } from "./core/sheet.js";

/** The games of the contract. A type that is given none of them stands for any. */
export type Game = Shapes["GameView"]["type"];
/** A game's table as a viewer sees it, a seat at it, and a card as its name stands on the table. */
export type Table<Of extends Game = Game> = Extract<Shapes["GameView"], { type: Of }>;
export type Seat<Of extends Game = Game> = Table<Of>["seats"][number];
export type Card = number | string;

/** A command of a game, why one is refused, and what the viewer is asked. */
export type Command<Of extends Game = Game> = Extract<Shapes["GameCommand"], { type: `${Of}.${string}` }>;
export type Refused<Of extends Game = Game> = Omit<Shapes["RefusedCommand"], "command"> & { command: Command<Of> };
export type Question<Of extends Game = Game> = Omit<Shapes["Question"], "legal" | "answered" | "refused"> & {
  legal: Command<Of>[];
  answered: Command<Of> | null;
  refused: Refused<Of>[];
};

/** A view of a match that has a table, and an item of its feed. */
export type Seen<Of extends Game = Game> = Omit<Shapes["View"], "table" | "question"> & {
  table: Table<Of>;
  question: Question<Of> | null;
};
export type Item = Shapes["FeedEntry"];

/** What all drawings are given alike: what is to be seen. */
export interface Scene<Of extends Game = Game> {
  view: Seen<Of>;
  table: Table<Of>;
  /** The viewer's own seat; the view may be that of another one, in a replay. */
  you: number | null;
  sheet: Sheet;
  /** The card that was played most recently. */
  newest: Card | null;
  /** The hands that were hidden until the end, by their seats. */
  opened: Map<number, Table<Of>["hand"]>;
  chair(seat: number): Shapes["ChairFacts"] | undefined;
  name(seat: number): string;
  /** The time that a seat has left: as a share of the whole, and in seconds, as the whole is; null for one that is not asked. */
  time(seat: number): { share: number; seconds: number; whole: number } | null;
  /** What is said of a seat whose player is on vacation; null of another one. */
  away(seat: number): string | null;
}

/** What a game's drawing is given: what is to be seen, what is asked, and what its buttons may do. */
export interface Ctx<Of extends Game = Game> extends Scene<Of> {
  /** What is asked here; null also where the view only shows what was. */
  question: Question<Of> | null;
  /** The cards that are chosen for a command which needs several of them. */
  picked: Set<Card>;
  /** The label of a button's key, which gives the command from now on: without a key, the command's place among the legal ones. */
  key(command: Command<Of>, key?: string): unknown;
  /** The mark of a recommended command, if it is one of these. */
  star(commands: Command<Of>[]): unknown;
  /** What a command does, for screen readers; it says if the command is the recommended one. */
  label(command: Command<Of>): string;
  /** A command about one card in words, with that *name* of the card. */
  named(command: Command<Of>, card: Card, name: string): string;
  give(command: Command<Of>): void;
  pick(card: Card): void;
  /** Why something is refused, in words; say it, as the answer to a click. */
  refusal(each: Refused<Of>): string;
  explain(why: string | null): void;
}

/** What is given to draw what lies before a viewer who plays. */
export type OwnCtx<Of extends Game = Game> = Ctx<Of> & { table: { seat: number } };

/** What a drawing says of a trick: its cards in the order of play, and who took it. */
export type Trick = { plays: { seat: number; card: number }[]; winner: number };
/** A trick that ended, and the table on which it lies. */
export type Rested<Of extends Game = Game> = { trick: Trick; table: Table<Of> };

/**
 * What moves from one element of the table to another (`data-anchor`): a card (null: a hidden one), coins; or what appears where it is: a
 * claim at a seat, a card that is turned up.
 */
export type Motion =
  | { kind: "card"; card: Card | null; from: string; to: string }
  | { kind: "coins"; count: number; from: string; to: string }
  | { kind: "claim"; seat: number }
  | { kind: "turn"; at: string };

/** A game's drawing. All but `draw` may be left out. */
export interface Drawing<Of extends Game = Game> {
  /** The seats, and what lies between them. */
  draw(ctx: Ctx<Of>): unknown;
  /** What lies before the viewer. */
  own?(ctx: OwnCtx<Of>): unknown;
  /** What can be done with the picked card. With this, all answers of a viewer stand in one box. */
  offers?(ctx: OwnCtx<Of>): unknown;
  /** Answers that are drawn otherwise than as a row of buttons, and the types of the commands which need no button. */
  panel?(ctx: Ctx<Of>): unknown;
  handles?(view: Seen<Of>): Set<string>;
  /** The sign on the button of a command. */
  mark?(command: Command<Of>): unknown;
  /** What led to a question, and is said with it. */
  because?(view: Seen<Of>, items: Item[]): Item | null;
  /** What stands beside a command that may go wrong. */
  risk?(ctx: Ctx<Of>, command: Command<Of>): unknown;
  /** The command that lets things pass, and what tells one turn from another. */
  pass?(view: Seen<Of>): Command<Of> | null | undefined;
  turnOf?(items: Item[]): number;
  /** Whether letting things pass leaves the viewer alone; the command that plays the viewer's last card, if nothing else can be done. */
  passesBy?(view: Seen<Of>): boolean;
  lastCard?(view: Seen<Of>): Command<Of> | null;
  /** What moves when something happens, between the views before and after it. */
  motions?(item: Item, before: Seen<Of>, after: Seen<Of>): Motion[];
  /** What the signs mean, beside the hand. */
  aid?(ctx: Ctx<Of>): unknown;
  /** What is drawn on a card. */
  picture?(printed: Printed): unknown;
  /** The pictures of the rule sheet: cards, the place of the one that wins, and the key of the sentence. */
  examples?: { key: string; cards: Card[]; wins: number | null }[];
  /** The last trick, the score sheet, and the whole table as text. */
  last?(ctx: Ctx<Of>): unknown;
  sheet?(ctx: Ctx<Of>): unknown;
  text?(ctx: Ctx<Of>): string[];
  /** The event that ends a trick, and the options that a number of seats needs. */
  trickDone?: RegExp;
  needs?(seats: number): Record<string, unknown>;
  /** Whether an option means something with that many seats; without this, all do. */
  matters?(option: string, seats: number): boolean;
  /** The tricks that ended between two tables; null as long as their cards have not come. */
  rested?(before: Table<Of>, after: Table<Of>, items: Item[]): Rested<Of>[] | null;
  /** Why a trick was won that is the last one, or that has rested. */
  reason?(ctx: Ctx<Of>, trick: Trick): string | null;
  /** How the newest round ended: a row of cells for every seat. */
  ended?(ctx: Ctx<Of>): { title: string; heads: unknown[]; rows: unknown[][] };
  /** By what the match was won, behind "wins by", where the game has several ways; whether a seat was out before the end. */
  wonBy?(table: Table<Of>, sheet: Sheet): string | null;
  out?(table: Table<Of>, seat: number): boolean;
  /** The seats whose hands are still hidden when the match is over. */
  hidden?(table: Table<Of>): number[];
}

/** Every game's module is a drawing of its own table, and exports nothing else. */
type Is<Of extends Game, Module extends Drawing<Of> & Record<Exclude<keyof Module, keyof Drawing>, never>> = [Of, Module];
export type Drawings = [
  Is<"coup", typeof import("./games/coup.js")>,
  Is<"matchmaster", typeof import("./games/matchmaster.js")>,
  Is<"meister-coup", typeof import("./games/meister-coup.js")>,
  Is<"mondkrone", typeof import("./games/mondkrone.js")>,
  Is<"stich-meister", typeof import("./games/stich-meister.js")>,
];
