// What modules of the client need of a browser while they are loaded, and no more: a test of a pure part must need none of it.

const none = { createElement: () => ({}), createTreeWalker: () => ({}), createComment: () => ({}), addEventListener() {} };

Object.assign(globalThis, {
  HTMLElement: class {},
  document: none,
  addEventListener() {},
  removeEventListener() {},
  location: { href: "http://table.test/#/me", hash: "#/me" },
  localStorage: { getItem: () => null },
  sessionStorage: { getItem: () => null },
});
Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });
