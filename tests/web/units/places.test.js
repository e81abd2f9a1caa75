import assert from "node:assert/strict";
import test from "node:test";
import { others, sideOf } from "../../../api/web/table/places.js";

const table = (/** @type {number} */ count, /** @type {number | null} */ seat = 0) => ({
  seats: Array.from({ length: count }, (_, each) => ({ seat: each })),
  seat,
});
/** @type {(text: string) => {column: string, row: number, order: number}} */
const read = (text) => {
  const [column, row, order] = [...text.matchAll(/: ([^;]+)/g)].map(([, value]) => value);
  return { column, row: Number(row), order: Number(order) };
};
const put = (/** @type {number} */ count, /** @type {number | null} */ own = 0) =>
  table(count).seats.map(({ seat }) => read(sideOf(table(count, own), seat)));

test("the seat after the viewer's comes first, the one before it last", () => {
  assert.deepEqual(
    others(table(4, 2)).map(({ seat }) => seat),
    [3, 0, 1],
  );
  assert.equal(others(table(4, null)).length, 4);
});

test("a card lies on the side of its player, the viewer's own below all others", () => {
  for (const count of [2, 3, 4, 5, 6, 7]) {
    const [own, ...rest] = put(count);
    assert.ok(rest.every(({ row }) => row < own.row));
    assert.deepEqual(
      rest.map(({ column }) => Number(column)),
      rest.map((_, place) => (count === 3 ? 1 + 2 * place : 1 + place)),
    );
  }
  const [, left, across, right] = put(4);
  assert.ok(across.row < left.row && left.row === right.row);
});

test("no two cards lie at the same place, and in a row each has one of its own", () => {
  for (const own of [0, null])
    for (const count of [2, 3, 4, 5, 6, 7]) {
      const found = put(count, own);
      assert.equal(new Set(found.map(({ column, row }) => `${column} ${row}`)).size, count);
      assert.equal(new Set(found.map(({ order }) => order)).size, count);
    }
});
