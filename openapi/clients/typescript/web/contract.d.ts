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
  event: { type: string; seat?: number; round?: number; decision?: number };
};

/** What a game's drawing is given; the table is that of its game. */
export type Ctx<Table extends keyof Shapes = any> = Omit<ReturnType<import("./table.js").TablePage["context"]>, "table"> & {
  table: Shapes[Table];
};
