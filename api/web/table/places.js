// Where the seats are around the table, as the viewer sees them: the next one left, the last one right, the viewer below.

/** @typedef {{seats: {seat: number}[], seat: number | null}} Around */

/**
 * The other seats in the order of play, from the one after the viewer's; a spectator sees them from the first on.
 * @template {{seat: number}} Seat
 * @param {{seats: Seat[], seat: number | null}} table
 */
export function others({ seats, seat }) {
  const first = seat === null ? 0 : seat + 1;
  return seats.map((_, place) => seats[(first + place) % seats.length]).filter((each) => each.seat !== seat);
}

/**
 * Where a seat's card lies in a trick, as properties of style: on the side of its player, half a card lower or higher than those
 * beside it. Where cards lie in one row, the order keeps the sides.
 * @type {(table: Around, seat: number) => string}
 */
export function sideOf(table, seat) {
  const around = others(table);
  const count = around.length;
  const place = around.findIndex((each) => each.seat === seat);
  const [left, below] = count === 2 ? [1, 2] : [2, 3]; // two others leave the far side empty
  if (place < 0) return put(count > 2 ? `2 / span ${count - 2}` : `${count}`, below, count - 1 + (count % 2));
  const isBeside = count > 1 && (place === 0 || place === count - 1);
  return put(`${count === 2 ? 1 + 2 * place : 1 + place}`, isBeside ? left : 1, 2 * place);
}

/** @type {(column: string, row: number, order: number) => string} */
const put = (column, row, order) => `--column: ${column}; --row: ${row}; --order: ${order}`;
