// Motion on the table: cards, coins and claims go from where they were to where they are. Only transforms and opacity change, so
// that nothing else moves, and what leaves the table is shown by a copy above it.

/** @import { Motion } from "../drawing" */
/** @typedef {{duration: number, delay: number}} Timing milliseconds */
/** @typedef {{element: HTMLElement, box: DOMRect}} Anchor */
/** @typedef {Anchor & {copy: HTMLElement, at: (anchor: string) => boolean}} Known a card that lay on the table */

const EASE = "cubic-bezier(0.25, 0.7, 0.3, 1)";
/** Between things that start together (milliseconds). */
const STAGGER = 35;
/** Coins drawn at most. */
const MOST_COINS = 4;

export class Flight {
  constructor() {
    /** @type {Animation[]} */
    this.animations = [];
    /** @type {HTMLElement[]} */
    this.copies = [];
  }

  /**
   * Draw, and play *motions*, those of each item after those of the one before; each takes *time* milliseconds.
   * @param {ParentNode} root
   * @param {Motion[][]} motions
   * @param {() => void} draw
   * @param {number} time
   */
  begin(root, motions, draw, time) {
    this.end();
    const before = new Places(root, motions.flat());
    draw();
    /** @type {HTMLElement | null} */
    const layer = root.querySelector(".flights");
    if (!layer || !root.querySelector(".board")) return;
    const after = new Places(root, motions.flat());
    let start = 0;
    for (const together of motions) {
      together.forEach((motion, place) =>
        this.play(motion, before, after, layer, { duration: time, delay: start + place * STAGGER }),
      );
      start += time + STAGGER * (together.length - 1);
    }
  }

  /**
   * @param {Motion} motion
   * @param {Places} before
   * @param {Places} after
   * @param {HTMLElement} layer
   * @param {Timing} timing
   */
  play(motion, before, after, layer, timing) {
    if (motion.kind === "claim") return this.pop(after.anchors.get(`claim:${motion.seat}`), timing);
    if (motion.kind === "turn") return this.turn(after.anchors.get(motion.at), timing);
    const to = after.anchor(motion.to) ?? before.anchor(motion.to);
    const known = motion.kind === "card" ? before.cards.get(String(motion.card)) : undefined;
    const from = known?.box ?? before.anchor(motion.from) ?? after.anchor(motion.from);
    if (!from || !to) return undefined;
    if (motion.kind === "coins") return this.pay(motion.count, from, to, layer, timing);
    const there = after.cards.get(String(motion.card));
    if (there?.at(motion.to)) return this.slide(there, from, timing);
    return this.send(known, from, to, layer, timing);
  }

  /** A card that lies there now comes from *from*. */
  slide(/** @type {Anchor} */ { element, box }, /** @type {DOMRect} */ from, /** @type {Timing} */ timing) {
    if (!box.width) return;
    const scale = Math.min(1, from.width / box.width);
    const begin = `translate(${middle(from).x - middle(box).x}px, ${middle(from).y - middle(box).y}px) scale(${scale})`;
    this.run(element, [{ transform: begin, zIndex: 5 }], timing);
  }

  /**
   * A card that lies here no more, or is not seen by the viewer, goes to *to*.
   * @param {Known | undefined} known
   * @param {DOMRect} from
   * @param {DOMRect} to
   * @param {HTMLElement} layer
   * @param {Timing} timing
   */
  send(known, from, to, layer, timing) {
    const size = known ? known.box : sized(from, layer);
    const copy = known?.copy ?? back();
    copy.style.setProperty("--card", `${size.width}px`);
    this.above(copy, size, layer);
    const scale = Math.min(1, (0.6 * to.height) / size.height);
    const end = `translate(${middle(to).x - middle(size).x}px, ${middle(to).y - middle(size).y}px) scale(${scale})`;
    this.run(
      copy,
      [
        { transform: "none", opacity: 1 },
        { opacity: 1, offset: 0.7 },
        { transform: end, opacity: 0 },
      ],
      timing,
    );
  }

  /**
   * @param {number} count
   * @param {DOMRect} from
   * @param {DOMRect} to
   * @param {HTMLElement} layer
   * @param {Timing} timing
   */
  pay(count, from, to, layer, timing) {
    for (let coin = 0; coin < Math.min(Math.abs(count), MOST_COINS); coin += 1) {
      const copy = Object.assign(document.createElement("span"), { className: "flying-coin", textContent: "●" });
      const size = new DOMRect(middle(from).x - 8, middle(from).y - 8, 16, 16);
      this.above(copy, size, layer);
      const end = `translate(${middle(to).x - middle(size).x}px, ${middle(to).y - middle(size).y}px)`;
      this.run(
        copy,
        [
          { transform: "none", opacity: 1 },
          { opacity: 1, offset: 0.8 },
          { transform: end, opacity: 0 },
        ],
        { ...timing, delay: timing.delay + coin * STAGGER },
      );
    }
  }

  pop(/** @type {Anchor | undefined} */ place, /** @type {Timing} */ timing) {
    const element = /** @type {HTMLElement | null | undefined} */ (place?.element.firstElementChild);
    if (element)
      this.run(
        element,
        [
          { transform: "scale(0.6)", opacity: 0 },
          { transform: "scale(1.06)", opacity: 1, offset: 0.7 },
        ],
        timing,
      );
  }

  /** A card is turned up where it lies. */
  turn(/** @type {Anchor | undefined} */ place, /** @type {Timing} */ timing) {
    const card = /** @type {HTMLElement | null | undefined} */ (place?.element.firstElementChild);
    if (card) this.run(card, [{ transform: "translateY(-20%) rotateY(90deg)" }], timing);
  }

  /** Put a copy above the table. */
  above(/** @type {HTMLElement} */ copy, /** @type {DOMRect} */ box, /** @type {HTMLElement} */ layer) {
    const origin = layer.getBoundingClientRect();
    Object.assign(copy.style, { position: "absolute", left: `${box.x - origin.x}px`, top: `${box.y - origin.y}px` });
    layer.append(copy);
    this.copies.push(copy);
  }

  run(/** @type {HTMLElement} */ element, /** @type {Keyframe[]} */ frames, /** @type {Timing} */ { duration, delay }) {
    const animation = element.animate(frames, { duration, delay, easing: EASE, fill: "backwards" });
    this.animations.push(animation);
    if (this.copies.includes(element))
      animation.finished.then(
        () => element.remove(),
        () => {},
      );
  }

  /** Resolve when everything has arrived; to whether anything moved. */
  async landed() {
    const { animations } = this;
    await Promise.allSettled(animations.map((each) => each.finished));
    return animations.length > 0;
  }

  /** Everything is where it belongs, at once. */
  end() {
    for (const animation of this.animations) animation.cancel();
    for (const copy of this.copies) copy.remove();
    this.animations = [];
    this.copies = [];
  }
}

/** The anchors that a motion needs. */
function anchorsOf(/** @type {Motion} */ motion) {
  if (motion.kind === "claim") return [`claim:${motion.seat}`];
  return motion.kind === "turn" ? [motion.at] : [motion.from, motion.to];
}

/** Where the cards and the anchors of some motions are. */
class Places {
  constructor(/** @type {ParentNode} */ root, /** @type {Motion[]} */ motions) {
    const board = root.querySelector(".board");
    /** @type {Map<string, Anchor>} */
    this.anchors = new Map();
    /** @type {Map<string, Known>} */
    this.cards = new Map();
    this.board = board?.getBoundingClientRect() ?? null;
    if (!board) return;
    const wanted = new Set(motions.flatMap((each) => anchorsOf(each)));
    const cards = new Set(motions.flatMap((each) => (each.kind === "card" && each.card !== null ? [String(each.card)] : [])));
    for (const [name, element] of named(board, "anchor"))
      if (wanted.has(name)) this.anchors.set(name, { element, box: element.getBoundingClientRect() });
    for (const [name, element] of cards.size ? named(board, "card") : []) if (cards.has(name)) this.note(name, element);
  }

  note(/** @type {string} */ name, /** @type {HTMLElement} */ element) {
    const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
    for (const each of [copy, ...copy.querySelectorAll("[title]")]) each.removeAttribute("title");
    copy.removeAttribute("data-card");
    this.cards.set(name, {
      element,
      box: element.getBoundingClientRect(),
      copy,
      at: (anchor) => element.closest("[data-anchor]")?.getAttribute("data-anchor") === anchor,
    });
  }

  /** Where an anchor is; what a table does not show, as a deck that is used up, is in the middle of it. */
  anchor(/** @type {string} */ name) {
    const found = this.anchors.get(name)?.box;
    if (found) return found;
    return this.board && !name.includes(":")
      ? new DOMRect(middle(this.board).x, this.board.y + this.board.height / 3, 0, 0)
      : null;
  }
}

/**
 * The elements below another one that have a name of this kind.
 * @type {(board: Element, kind: "anchor" | "card") => [string, HTMLElement][]}
 */
const named = (board, kind) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll(`[data-${kind}]`))].map((each) => [
    each.dataset[kind] ?? "",
    each,
  ]);

const middle = (/** @type {DOMRect} */ box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** The box of a card whose middle is that of a place. */
function sized(/** @type {DOMRect} */ from, /** @type {Element} */ layer) {
  const width = Math.min(56, Math.max(28, layer.getBoundingClientRect().width / 16));
  return new DOMRect(middle(from).x - width / 2, middle(from).y - 0.71 * width, width, 1.42 * width);
}

const back = () => Object.assign(document.createElement("span"), { className: "face back" });
