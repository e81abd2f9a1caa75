/** What the worker of the pages uses of its surroundings: the compiler knows either those of pages or those of workers. */

export interface Asked extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

export interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

/** A message by push, as the service sends it. */
export interface Shown {
  title?: string;
  body?: string;
  match?: string | null;
  tag?: string;
}

export interface Pushed extends Lasting {
  readonly data: { json(): Shown } | null;
}

export interface Sent extends Lasting {
  readonly data: unknown;
}

export interface Touched extends Lasting {
  readonly notification: Notification;
}

/** A page of the service. */
export interface Window {
  readonly focused: boolean;
  readonly frameType: "auxiliary" | "nested" | "none" | "top-level";
  readonly url: string;
  focus(): Promise<Window>;
  navigate(address: string): Promise<Window | null>;
}

interface Events {
  install: Lasting;
  activate: Lasting;
  fetch: Asked;
  message: Sent;
  push: Pushed;
  notificationclick: Touched;
}

export interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(which: { type: "window"; includeUncontrolled?: boolean }): Promise<Window[]>;
    openWindow(address: string): Promise<Window | null>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Kind extends keyof Events>(kind: Kind, heard: (event: Events[Kind]) => void): void;
}
