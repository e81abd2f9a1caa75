/** What the vendored Lit gives the web client. */
export interface Drawn {
  readonly drawn: unique symbol;
}
type Template = (texts: TemplateStringsArray, ...values: unknown[]) => Drawn;
export const nothing: Drawn;
export const html: Template;
export const svg: Template;
export function render(drawn: unknown, root: Node): void;
export function repeat<T>(all: T[], key: (each: T) => unknown, draw: (each: T) => unknown): Drawn;
export function keyed(key: unknown, drawn: unknown): Drawn;
export function ref(told: (element: Element | undefined) => void): Drawn;
