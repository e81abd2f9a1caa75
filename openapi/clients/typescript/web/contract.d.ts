/** What the service answers, as the contract says it. */
import type { components, paths } from "../schema";

export type Shapes = components["schemas"];

/** A path of the contract as the client writes it: without the first slash, and with texts or numbers in place of its arguments. */
type Filled<Path extends string> = Path extends `${infer Head}{${string}}${infer Tail}` ? `${Head}${string}${Filled<Tail>}` : Path;
type Bare<Asked extends string> = Asked extends `${infer Path}?${string}` ? Path : Asked;
type Parts<Path extends string> = Path extends `${infer Head}/${infer Tail}` ? [Head, ...Parts<Tail>] : [Path];
/** Whether each part of a path fits: a text of the contract is the same text, and an argument takes any. */
type Fills<Asked, Path> = Asked extends [infer One, ...infer Rest]
  ? Path extends [infer Other, ...infer More]
    ? [One] extends [Other]
      ? string extends One
        ? string extends Other
          ? Fills<Rest, More>
          : false
        : Fills<Rest, More>
      : false
    : false
  : Path extends []
    ? true
    : false;
type Place<Asked extends string> = {
  [Path in keyof paths]: Path extends `/${infer Rest}` ? (Fills<Parts<Bare<Asked>>, Parts<Filled<Rest>>> extends true ? Path : never) : never;
}[keyof paths];

type Json<Answer> = Answer extends { content: { "application/json": infer Body } } ? Body : never;
type Text<Answer> = Answer extends { content: infer All } ? All[keyof All] : never;
type Said<Answers> = Answers extends { 200: infer Answer } | { 201: infer Answer }
  ? [Json<Answer>] extends [never]
    ? Text<Answer>
    : Json<Answer>
  : Answers extends { 204: unknown }
    ? null
    : never;
type Answer<Path, Method extends string> = Path extends { [Name in Lowercase<Method>]: { responses: infer Answers } } ? Said<Answers> : never;

/** What a GET of a path answers; that of a path which is not in the contract has nothing that could be read. */
export type Got<Asked extends string> = Place<Asked> extends infer Path extends keyof paths ? Answer<paths[Path], "GET"> : never;

/** What changes something, and what it answers. */
export type Method = "POST" | "PUT" | "PATCH" | "DELETE";
export type Changed<Asked extends string, How extends Method = "POST"> =
  Place<Asked> extends infer Path extends keyof paths ? Answer<paths[Path], How> : never;
type Request<Path, Method extends string> = Path extends { [Name in Lowercase<Method>]: { requestBody?: infer Body } }
  ? NonNullable<Body> extends { content: { "application/json": infer Sent } }
    ? Sent
    : never
  : never;
/** What may be sent to change something; the answer and the body of a path that is put together elsewhere are not known here. */
export type Sent<Asked extends string, How extends Method = "POST"> = string extends Asked
  ? object
  : Place<Asked> extends infer Path extends keyof paths
    ? Request<paths[Path], How>
    : never;

/** The facts of a match, what a viewer sees of it, and what a change of it answers. */
export type Facts = Got<`matches/${string}`>;
export type View = Got<`matches/${string}/view`>;
export type Receipt = Shapes["Receipt"];
export type Chair = Facts["chairs"][number];
export type Command = Shapes["GameCommand"];
/** The settings with which a match is opened, who sits down with the one who opens it, and whether it starts at once. */
export type MatchWish = MatchSettings & Pick<Shapes["MatchRequest"], "bots" | "start">;
/** The settings of a match, which its rematch takes over. */
export type MatchSettings = Required<
  Pick<Shapes["MatchRequest"], "game" | "seats" | "options" | "clock" | "spectators" | "visibility" | "rated" | "hints">
>;
/** All that is known of a match when its table is drawn. */
export type Known = { facts: Facts; view: View; sheet: import("./core/sheet.js").Sheet };
/** What is said above a table: that something was copied or reset, how much was caught up, a text to copy by hand, or what went wrong. */
export type Notice = "copied" | "reset" | { caught: number } | { text: string } | Error;

/** An event of the browser at one of its elements. */
export type At<Element extends EventTarget> = Event & { target: Element };

/** What is shown in its turn: something that moves, a trick that rests, the result of a round, or a step of a replay. *view* is drawn meanwhile, *before* was drawn until then. */
export type Step = {
  kind: "move" | "trick" | "round" | "replay";
  trick: import("./drawing").Trick | null;
  view: import("./drawing").Seen;
  before: import("./drawing").Seen;
  items: import("./drawing").Item[];
};
