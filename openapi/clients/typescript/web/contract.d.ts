/** What the service answers, as the contract says it. */
import type { components, paths } from "../schema";

export type Shapes = components["schemas"];

/** A path of the contract as the client writes it: without the first slash, and with texts in place of its arguments. */
type Filled<Path extends string> = Path extends `${infer Head}{${string}}${infer Tail}` ? `${Head}${string}${Filled<Tail>}` : Path;
type Bare<Asked extends string> = Asked extends `${infer Path}?${string}` ? Path : Asked;
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Place<Asked extends string> = {
  [Path in keyof paths]: Path extends `/${infer Rest}` ? (Same<Filled<Rest>, Bare<Asked>> extends true ? Path : never) : never;
}[keyof paths];

type Json<Answer> = Answer extends { content: { "application/json": infer Body } } ? Body : never;
type Text<Answer> = Answer extends { content: infer All } ? All[keyof All] : never;
type Said<Answers> = Answers extends { 200: infer Answer } ? ([Json<Answer>] extends [never] ? Text<Answer> : Json<Answer>) : never;
type Read<Path> = Path extends { get: { responses: infer Answers } } ? Said<Answers> : never;

/** What a GET of a path answers; that of a path which is not in the contract has nothing that could be read. */
export type Got<Asked extends string> = Place<Asked> extends infer Path extends keyof paths ? Read<paths[Path]> : never;

/** An item of a feed, and what every game's events may have. */
export type Told = Omit<Got<`matches/${string}/feed`>["items"][number], "event"> & {
  event: { type: string; seat?: number; round?: number; decision?: number; card?: number | string };
};

/** What a game's drawing is given; the table is that of its game. */
export type Ctx<Table extends keyof Shapes = any> = Omit<ReturnType<import("./table/table.js").TablePage["context"]>, "table"> & {
  table: Shapes[Table];
};

/** What a drawing says of a trick: its cards in the order of play, and who took it. */
export type Trick = { plays: { seat: number; card: number }[]; winner: number };

/** What is shown in its turn: something that moves, a trick that rests, the result of a round, or a step of a replay. *view* is drawn meanwhile, *before* was drawn until then. */
export type Step = { kind: "move" | "trick" | "round" | "replay"; trick: Trick | null; view: any; before: any; items: Told[] };

/**
 * What moves from one element of the table to another (`data-anchor`): a card (null: a hidden one), coins; or a claim that appears at a seat.
 */
export type Motion =
  | { kind: "card"; card: number | string | null; from: string; to: string }
  | { kind: "coins"; count: number; from: string; to: string }
  | { kind: "claim"; seat: number };

/** A view of a match, with the table of its game. */
export type Seen<Table extends keyof Shapes = any> = Omit<Got<`matches/${string}/view`>, "table"> & { table: Shapes[Table] };

type Command = { type: string };

/** A game's drawing. All but `draw` may be left out. */
export interface Drawing<Table extends keyof Shapes = any> {
  /** The seats, and what lies between them. */
  draw(ctx: Ctx<Table>): unknown;
  /** What lies before the viewer. */
  own?(ctx: Ctx<Table>): unknown;
  /** Answers that are drawn otherwise than as a row of buttons, and the types of the commands which need no button. */
  panel?(ctx: Ctx<Table>): unknown;
  handles?(view: Seen<Table>): Set<string>;
  /** The sign on the button of a command. */
  mark?(command: Command): unknown;
  /** The command that lets things pass, and what tells one turn from another. */
  pass?(view: Seen<Table>): Command | null | undefined;
  turnOf?(items: Told[]): number;
  /** Whether letting things pass leaves the viewer alone; the command that plays the viewer's last card, if nothing else can be done. */
  passesBy?(view: Seen<Table>): boolean;
  lastCard?(view: Seen<Table>): Command | null;
  /** What moves when something happens, between the views before and after it. */
  motions?(item: Told, before: Seen<Table>, after: Seen<Table>): Motion[];
  /** What the signs mean, beside the hand. */
  aid?(ctx: Ctx<Table>): unknown;
  /** The pictures of the rule sheet: cards, the place of the one that wins, and the key of the sentence. */
  examples?: { key: string; cards: (number | string)[]; wins: number | null }[];
  /** The last trick, the score sheet, and the whole table as text. */
  last?(ctx: Ctx<Table>): unknown;
  sheet?(ctx: Ctx<Table>): unknown;
  text?(ctx: Ctx<Table>): string[];
  /** The event that ends a trick, and the options that a number of seats needs. */
  trickDone?: RegExp;
  needs?(seats: number): Record<string, unknown>;
  /** The tricks that ended between two tables, with the table on which each lies; null as long as its cards have not come. */
  rested?(before: Shapes[Table], after: Shapes[Table], items: Told[]): { trick: Trick; table: Shapes[Table] }[] | null;
  /** Why a trick was won. */
  reason?(ctx: Ctx<Table>, trick: any): string | null;
  /** How the newest round ended: a row of cells for every seat. */
  ended?(ctx: Ctx<Table>): { title: string; heads: unknown[]; rows: unknown[][] };
  /** The seats whose hands are still hidden when the match is over. */
  hidden?(table: Shapes[Table]): number[];
}

/** Every game's module is a drawing of its own table. */
type Fits<Table extends keyof Shapes, Game extends Drawing<Table>> = [Table, Game];
export type Drawings = [
  Fits<"CoupView", typeof import("./games/coup.js")>,
  Fits<"MatchmasterView", typeof import("./games/matchmaster.js")>,
  Fits<"MeisterCoupView", typeof import("./games/meister-coup.js")>,
  Fits<"MondkroneView", typeof import("./games/mondkrone.js")>,
  Fits<"StichMeisterView", typeof import("./games/stich-meister.js")>,
];
