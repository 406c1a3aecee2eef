import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heights } from '../../Sources/galley-js/galley.js'
import { checkEdits } from './checks.mjs'
import { randomHeights, randomNumbers } from './random.mjs'

test('lists equal the model after every one of random edits', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    checkEdits(Heights, { seed, rows: [1, 2, 64, 65, 300, 5000][seed % 6], steps: 150, scale: [1, 2, 3][seed % 3] })
  }
})

test('a million rows equal the running sum after edits', () => {
  const random = randomNumbers(99)
  const expected = randomHeights(random, 1_000_000, 2)
  const list = Heights.from(expected)
  for (let edit = 0; edit < 200; edit += 1) {
    const row = Math.floor(random() * expected.length)
    list.update(row, edit / 2)
    expected[row] = edit / 2
  }
  const inserted = randomHeights(random, 100_000, 2)
  list.splice(123_456, 50_000, inserted)
  const all = expected.slice(0, 123_456).concat(inserted, expected.slice(173_456))
  assert.equal(list.length, all.length)
  let top = 0
  for (let row = 0; row < all.length; row += 1) {
    if (row % 97 === 0 || all[row] === 0) {
      assert.equal(list.offsetOf(row), top)
      if (all[row] > 0) assert.equal(list.rowAt(top), row)
    }
    top += all[row]
  }
  assert.equal(list.size, top)
})

/**
 * Returns the shortest text of a float32 number, as `galley export --format json` and the gateway write it.
 *
 * @param {number} number
 */
function shortest(number) {
  const texts = Array.from({ length: 9 }, (_, digits) => number.toPrecision(digits + 1))
  return texts.find((text) => Math.fround(Number(text)) === number) ?? ''
}

test('heights that JSON states with the fewest digits have the offsets of the tables', () => {
  const random = randomNumbers(3)
  const floats = Float32Array.from({ length: 20_000 }, () => 500 + random() * 100)
  floats[7] = 526.328125
  const table = Heights.fromFloat32(floats.buffer)
  const numbers = JSON.parse(`[${Array.from(floats, shortest).join()}]`)
  assert.equal(numbers[7], 526.3281)
  const spliced = Heights.from([])
  spliced.splice(0, 0, numbers)
  const updated = Heights.from(Array(numbers.length).fill(1))
  numbers.forEach((/** @type {number} */ height, /** @type {number} */ row) => updated.update(row, height))
  for (const list of [Heights.from(numbers), Heights.from(new Float64Array(numbers)), spliced, updated]) {
    for (let row = 0; row <= table.length; row += 1) assert.equal(list.offsetOf(row), table.offsetOf(row))
    assert.equal(list.heightOf(7), 526.328125)
  }
  table.update(7, 0)
  table.update(7, 526.3281)
  assert.equal(table.tableRowOf(7), 7)
})

test('the top of each row is found again if sums are rounded', () => {
  const random = randomNumbers(5)
  // Rows of less than a hundredth of a point have more bits behind the point than the sum of all has room for.
  const list = Heights.from(Array.from({ length: 20_000 }, (_, row) => row % 2 === 0 ? 0.0001 + random() / 100 : random() * 300))
  for (let edit = 0; edit < 2000; edit += 1) {
    list.update(Math.floor(random() * list.length), 0.0001 + random() / 100)
    list.splice(Math.floor(random() * list.length), 1, [random() * 9 + 0.1])
  }
  for (let row = 0; row < list.length; row += 1) assert.equal(list.rowAt(list.offsetOf(row)), row)
})

test('updates and their reverse leave no rounding error', () => {
  const list = Heights.from(Array.from({ length: 10_000 }, (_, row) => row / 3))
  const { size } = list
  for (let row = 0; row < 10_000; row += 1) list.update(row, 1e9)
  for (let row = 0; row < 10_000; row += 1) list.update(row, row / 3)
  assert.equal(list.size, size)
})

test('offsets beyond both ends give the first row with a height and the last row', () => {
  const list = Heights.from([0, 10, 0, 20, 0])
  assert.deepEqual([-5, 0, 9.5, 10, 29.5, 30, 1e9].map((offset) => list.rowAt(offset)), [1, 1, 1, 3, 3, 4, 4])
  assert.equal(list.offsetOf(5), 30)
  assert.equal(Heights.from([]).rowAt(0), -1)
  assert.deepEqual([-5, 0, 5].map((offset) => Heights.from([0, 0]).rowAt(offset)), [1, 1, 1])
})

test('a list can be emptied and filled again', () => {
  const list = Heights.from(Array.from({ length: 1000 }, () => 2))
  list.splice(0, 1000)
  assert.deepEqual([list.length, list.size, list.rowAt(3), [...list]], [0, 0, -1, []])
  list.splice(0, 0, new Float32Array([1, 2]))
  assert.deepEqual([list.length, list.size, list.rowAt(1)], [2, 3, 1])
})

test('removals and insertions leave no trail of small nodes', () => {
  const random = randomNumbers(8)
  const list = Heights.from(Array.from({ length: 20_000 }, () => 2))
  while (list.length > 1000) list.splice(Math.floor(random() * list.length), 1)
  assert.ok(countLeaves(list) <= 1000 / 16, `${countLeaves(list)} leaves after removals`)
  for (let edit = 0; edit < 20_000; edit += 1) {
    list.splice(Math.floor(random() * list.length), edit % 2, [1, 2].slice(edit % 2))
    if (list.length > 1500) list.splice(Math.floor(random() * 500), 900)
  }
  assert.ok(countLeaves(list) <= list.length / 16 + 4, `${countLeaves(list)} leaves of ${list.length} rows`)

  // The first row of each leaf stays, so that no removal is at the boundary of two leaves.
  const sparse = Heights.from(Array.from({ length: 64 * 100 }, () => 2))
  for (let row = 1; row < 100; row += 1) for (let removed = 1; removed < 64; removed += 1) sparse.splice(row, 1)
  assert.ok(countLeaves(sparse) <= 20, `${countLeaves(sparse)} leaves of ${sparse.length} rows`)
})

/**
 * Returns the number of leaves of a list, each of which is iterated over separately.
 *
 * @param {Heights} list
 */
function countLeaves(list) {
  const arrays = Object.getPrototypeOf(Float64Array.prototype)
  const original = arrays[Symbol.iterator]
  let leaves = 0
  arrays[Symbol.iterator] = function () {
    leaves += 1
    return original.call(this)
  }
  try {
    for (const _ of list);
  } finally {
    arrays[Symbol.iterator] = original
  }
  return leaves
}

test('a list keeps its own copy of the heights', () => {
  const heights = new Float64Array([1, 2, 3])
  const list = Heights.from(heights)
  heights[0] = 9
  list.update(1, 7)
  assert.deepEqual([...list], [1, 7, 3])
  assert.deepEqual([...heights], [9, 2, 3])
})

test('heights that are no lengths are errors that name them', () => {
  for (const height of [NaN, Infinity, 1e39, -1]) {
    assert.throws(() => Heights.from([1, height]), { name: 'RangeError', message: /height 1 of the list/ })
    assert.throws(() => Heights.from([1]).update(0, height), { name: 'RangeError', message: /Pass a/ })
    assert.throws(() => Heights.from([1]).splice(0, 0, [height]), { name: 'RangeError', message: /height 0 of/ })
  }
  for (const height of [null, '5', undefined, 5n]) {
    assert.throws(() => Heights.from(/** @type {any} */ ([1, height])), { name: 'TypeError', message: /Height 1 must/ })
    assert.throws(() => Heights.from([1]).update(0, /** @type {any} */ (height)), { name: 'TypeError' })
  }
})

test('values without heights are errors that name the argument, not empty lists', () => {
  const exported = { variant: 'w390', width: 390, ids: ['a'], heights: [1] }
  const values = [exported, {}, 5, true, '', null, new ArrayBuffer(8), new DataView(new ArrayBuffer(8)), Promise.resolve([1]), () => [1]]
  for (const value of /** @type {any[]} */ (values)) {
    assert.throws(() => Heights.from(value), { name: 'TypeError', message: /array of numbers for the heights, .* galley export/ })
    assert.throws(() => Heights.from([1]).splice(0, 0, value), { name: 'TypeError', message: /for the heights to insert/ })
  }
  for (const value of [new Set([1, 2]), new Uint8Array([1, 2]), new Float32Array([1, 2]), { length: 2, 0: 1, 1: 2 }]) {
    assert.deepEqual([...Heights.from(value)], [1, 2])
  }
})

test('an edit that fails changes nothing', () => {
  const list = Heights.from([1, 2, 3])
  assert.throws(() => list.splice(0, 2, [4, NaN]))
  assert.throws(() => list.update(1, -1))
  assert.deepEqual([...list], [1, 2, 3])
})

test('rows that are not in the list are errors that say which ones are', () => {
  const list = Heights.from([1, 2, 3])
  for (const row of [-1, 3, 1.5, NaN]) {
    assert.throws(() => list.heightOf(row), { name: 'RangeError', message: /from 0 to 2/ })
    assert.throws(() => list.update(row, 1), { name: 'RangeError', message: /from 0 to 2/ })
  }
  assert.throws(() => list.offsetOf(4), { name: 'RangeError', message: /from 0 to 3/ })
  assert.throws(() => list.splice(4, 0, [1]), { name: 'RangeError', message: /from 0 to 3/ })
  assert.throws(() => list.splice(2, 2), { name: 'RangeError', message: /whole number from 0 to 1/ })
  assert.throws(() => list.splice(0, -1), { name: 'RangeError', message: /whole number from 0 to 3/ })
  assert.throws(() => Heights.from([]).heightOf(0), { name: 'RangeError', message: /splice/ })
  assert.throws(() => list.rowAt(NaN), { name: 'RangeError', message: /finite number for an offset/ })
  assert.throws(() => list.rowAt(/** @type {any} */ ('1')), { name: 'TypeError' })
})

test('rows that are no numbers are errors of the type', () => {
  const list = Heights.from([1, 2, 3])
  for (const wrong of /** @type {any[]} */ (['1', undefined, null, 1n])) {
    assert.throws(() => list.heightOf(wrong), { name: 'TypeError', message: /Pass a number for a row, not/ })
    assert.throws(() => list.update(wrong, 1), { name: 'TypeError' })
    assert.throws(() => list.splice(0, wrong), { name: 'TypeError', message: /for the number of rows to remove/ })
  }
})
