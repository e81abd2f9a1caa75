// Runs first in each page: what it draws follows from the name of its tab, and a page that was left can begin again without being loaded.
// Loading the client is most of the work of a short test. What its modules keep is content, and what `leave` puts back.

if (self === top && name) {
  let state = 0;
  const seed = () => {
    state = [...name].reduce((hash, each) => Math.imul(hash ^ each.charCodeAt(), 16777619), 2166136261);
    name += "'";
  };
  const drawn = () => (state = (Math.imul(state, 1664525) + 1013904223) | 0) >>> 24;
  Crypto.prototype.getRandomValues = (all) => (all.set(all.map(drawn)), all);
  Crypto.prototype.randomUUID = () => Array.from({ length: 16 }, () => drawn().toString(16).padStart(2, "0")).join("");
  seed();

  const listened = [];
  const { addEventListener: listen, removeEventListener: unlisten } = EventTarget.prototype;
  window.addEventListener = (...all) => (listened.push(all), listen.apply(window, all));
  const ask = window.fetch;
  let asking = new AbortController();
  window.fetch = (what, how = {}) => ask(what, { ...how, signal: AbortSignal.any([asking.signal, how.signal ?? asking.signal]) });
  const app = () => document.querySelector('script[src$="/app.js"]')?.src;
  const load = (path) => import(new URL(path, app()));
  const task = () => new Promise((done) => setTimeout(done));
  let times = 0;
  let waits = false;

  const own = () => [window, document].flatMap(Object.getOwnPropertyNames).filter((each) => !/^(lit|reactive)/.test(each)).length;
  /** Whether a test has changed more of the page than what it shows. What a script changes of modules, it names in `altered`. */
  const isAltered = () =>
    own() !== usual || document.adoptedStyleSheets.length !== 1 || document.querySelector("body > :not(#app, template, noscript)");

  /** End all that the page does; return whether it can begin again. */
  window.leave = async () => {
    if (waits) return true;
    if (!app() || isAltered()) return false;
    await window.begun;
    const left = new Promise((done) => listen.call(window, "hashchange", done, { once: true }));
    location.hash = `#/match?${(times += 1)}`; // it leads nowhere: a page closes what it has open
    await left;
    dispatchEvent(new Event("offline")); // it closes sockets
    for (const each of listened.splice(0)) unlisten.apply(window, each);
    document.getElementById("app").outerHTML = '<div id="app"></div>';
    await task();
    asking.abort(); // the client would ask again a little later
    asking = new AbortController();
    await task();
    await task();
    for (let timer = setTimeout(() => {}); timer; timer -= 1) clearTimeout(timer);
    for (let frame = requestAnimationFrame(() => {}); frame; frame -= 1) cancelAnimationFrame(frame);
    await restore();
    waits = true;
    window.begun = new Promise((done) => listen.call(window, "hashchange", () => done(begin()), { once: true }));
    return true;
  };

  /** Put back what a reader has chosen, and what scripts have changed. */
  async function restore() {
    for (const [path, part] of altered.splice(0)) Object.assign((await load(path))[part], (await load(`${path}#fresh`))[part]);
    const parts = ["early.js", "core/words.js", "core/settings.js", "core/settings.js#fresh"];
    const [{ asked }, { speak }, { settings }, fresh] = await Promise.all(parts.map(load));
    const { isStill, ...usual } = fresh.settings;
    asked.clear();
    speak(navigator.language.startsWith("de") ? "de" : "en");
    Object.assign(settings, usual);
  }

  /** Begin as a page that is loaded does, whose load ends when it is drawn. */
  async function begin() {
    waits = false;
    seed();
    await load(`app.js#${times}`);
    await new Promise(requestAnimationFrame);
    if (document.querySelector("game-table")) await customElements.whenDefined("game-table");
    await new Promise(requestAnimationFrame);
  }

  window.altered = [];
  window.begun = null;
  const usual = own();
}
