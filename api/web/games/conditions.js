// Standings in Mondkrone's conditions: what a palette shows, counted as the rules count it, so that an action's effect can be shown.

const EVEN = new Set(["2", "4", "6", "8"]);
const SMALL = new Set(["ace", "2", "3", "4"]);

/** Return the results of a palette: for each condition its count, and the place of the strongest card that makes it. */
export function results(sheet, palette) {
  const cards = palette
    .map((card) => ({ ...sheet.card(card), place: sheet.cards.findIndex((each) => each.card === card) }))
    .sort((one, other) => one.place - other.place);
  const group = (found) => ({ count: found.length, best: found.at(-1)?.place ?? -1 });
  const most = (names, has) =>
    names.map((name) => group(cards.filter((card) => has(card).includes(name)))).reduce(better, group([]));
  return {
    moons: { count: Math.min(cards.length, 1), best: cards.at(-1)?.place ?? -1 },
    suns: most(named(cards, "suits"), (card) => card.suits),
    waves: group(cards.filter((card) => EVEN.has(card.rank))),
    leaves: leaves(cards),
    wyrms: most(named(cards, "kinds"), (card) => card.kinds),
    knots: group(cards.filter((card) => SMALL.has(card.rank))),
  };
}

const named = (cards, what) => [...new Set(cards.flatMap((card) => card[what]))];
const better = (one, other) => (beats(one, other) ? one : other);

/** Return whether a result is better than another one. */
export const beats = (one, other) => one.count > other.count || (one.count === other.count && one.best > other.best);

/** The number of suits, and the strongest card needed to show all of them. */
function leaves(cards) {
  const suits = named(cards, "suits");
  const needed = (card) =>
    card.suits.some((suit) =>
      suits.every(
        (each) =>
          card.suits.includes(each) ||
          cards.some((other) => other !== card && !other.suits.includes(suit) && other.suits.includes(each)),
      ),
    );
  return { count: suits.length, best: cards.filter(needed).at(-1)?.place ?? -1 };
}

/** Return the standing in the conditions of a top card: for each, every seat's result, and who leads. */
export function standing(sheet, top, palettes) {
  const all = palettes.map((palette) => (palette === null ? null : results(sheet, palette)));
  return sheet.card(top).suits.map((suit) => {
    const seats = all.map((each) => each?.[suit] ?? null);
    const leader = seats.reduce(
      (first, each, seat) => (each?.count && (first === null || beats(each, seats[first])) ? seat : first),
      null,
    );
    return { suit, seats, leader };
  });
}
