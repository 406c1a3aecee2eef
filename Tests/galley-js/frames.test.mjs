import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Frames, Heights, Lines } from '../../Sources/galley-js/galley.js'
import { fixture } from './fixtures.mjs'
import { integerBelow, randomNumbers } from './random.mjs'

const framesFile = fixture('posts/frames.arrow')
const ROWS = 5

test('the frames of a row are those of the table', () => {
  const frames = Frames.fromArrow(framesFile)
  assert.equal(frames.length, 38)
  assert.deepEqual(frames.of(2).map(({ node }) => node), [
    'avatar', 'name', 'handle', 'text', 'quotedBorder', 'quotedName', 'quotedText', 'reposts', 'likes',
  ])
  assert.deepEqual(frames.of(2)[0], {
    node: 'avatar', type: 'networkImage', parent: -1, x: 16, y: 12, width: 48, height: 48, lines: 0, truncated: false,
  })
  assert.deepEqual(frames.of(2)[6], {
    node: 'quotedText', type: 'text', parent: -1, x: 88, y: 98, width: 84, height: 72, lines: 4, truncated: true,
  })
})

test('a row without frames has none', () => {
  const frames = Frames.fromArrow(framesFile)
  for (const row of [ROWS, -1, 2.5, 1e9]) assert.deepEqual(frames.of(row), [])
})

test('frames and lines in several batches, with other orders of columns, are those of one batch', () => {
  const [own, other] = ['posts', 'others'].map((directory) => ({
    frames: Frames.fromArrow(fixture(`${directory}/frames.arrow`)),
    lines: Lines.fromArrow(fixture(`${directory}/lines.arrow`), fixture(`${directory}/texts.arrow`)),
  }))
  for (let row = 0; row < ROWS; row += 1) {
    assert.deepEqual(other.frames.of(row), own.frames.of(row))
    assert.deepEqual(other.lines.of(row), own.lines.of(row))
  }
})

test('frames are read from the bytes of the file when they are asked for', () => {
  const file = new Uint8Array(framesFile)
  const frames = Frames.fromArrow(file)
  file.fill(0)
  assert.throws(() => frames.of(0), /frame 0 of row 0 has the parent 0/)
})

test('the table row of a list row has its frames, and inserted and updated rows have none', () => {
  const list = Heights.fromArrow(fixture('posts/heights.arrow'))
  list.splice(0, 2, [10, 20, 30])
  list.update(4, 99)
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((row) => list.tableRowOf(row)), [-1, -1, -1, 2, -1, 4])
  assert.throws(() => list.tableRowOf(6), { name: 'RangeError', message: /There is no row 6/ })
})

test('frames of a row that is no number are an error', () => {
  assert.throws(() => Frames.fromArrow(framesFile).of(/** @type {any} */ ('2')), { name: 'TypeError', message: /a number for a row, not '2'/ })
})

test('files that are no frames of galley are errors that say what they are', () => {
  assert.throws(() => Frames.fromArrow(fixture('posts/lines.arrow')), /frames\.arrow has the columns of lines\.arrow\. Pass frames\.arrow/)
  assert.throws(() => Frames.fromArrow(/** @type {any} */ (null)), { name: 'TypeError', message: /for frames\.arrow, not null/ })
  for (let length = 6; length < framesFile.length; length += 1) {
    assert.throws(() => Frames.fromArrow(framesFile.subarray(0, length)), {
      name: 'Error', message: /frames\.arrow is damaged or incomplete.*Copy the file again/,
    }, `${length} bytes`)
  }
})

test('frames that are not in the order of the rows are an error', () => {
  const file = new Uint8Array(framesFile)
  const view = new DataView(file.buffer)
  // The first column has the rows; seven frames of row 0 come first.
  let rows = 0
  while (![0, 0, 0, 0, 0, 0, 0, 1].every((row, index) => view.getBigUint64(rows + index * 8, true) === BigInt(row))) rows += 8
  view.setBigUint64(rows, 3n, true)
  assert.throws(() => Frames.fromArrow(file), /record 1 is of row 0, the one before of a later row/)
})

test('a parent that is no frame before its own is an error that names both', () => {
  const file = new Uint8Array(framesFile)
  const view = new DataView(file.buffer)
  // No node of the 38 is in another one.
  let parents = 0
  while (!Array.from({ length: 38 }, (_, index) => view.getInt32(parents + index * 4, true)).every((parent) => parent === -1)) parents += 4
  const withParent = (/** @type {number} */ parent) => {
    view.setInt32(parents + 3 * 4, parent, true)
    return Frames.fromArrow(file)
  }
  for (const parent of [99, 3, -7]) {
    assert.throws(() => withParent(parent).of(0), {
      name: 'Error', message: new RegExp(`frames\\.arrow is damaged .*: frame 3 of row 0 has the parent ${parent}, which is neither`),
    })
  }
  assert.equal(withParent(2).of(0)[3].parent, 2)
})

test('frames and lines of files with changed bytes are errors that name the file, or records', () => {
  const random = randomNumbers(12)
  const originals = ['frames', 'lines', 'texts'].map((name) => fixture(`posts/${name}.arrow`))
  const outcomes = { errors: 0, records: 0 }
  for (let round = 0; round < 3000; round += 1) {
    const [frames, lines, texts] = originals.map((original) => new Uint8Array(original))
    const file = [frames, lines, texts][round % 3]
    for (let change = 1 + integerBelow(random, 3); change > 0; change -= 1) {
      file[integerBelow(random, file.length)] = integerBelow(random, 256)
    }
    try {
      const [read, drawn] = [Frames.fromArrow(frames), Lines.fromArrow(lines, texts)]
      for (let row = 0; row < ROWS; row += 1) {
        read.of(row)
        drawn.of(row)
      }
      outcomes.records += 1
    } catch (error) {
      assert.ok(error.constructor === Error && /\.arrow/.test(error.message), `seed 12, round ${round}: ${error.stack}`)
      outcomes.errors += 1
    }
  }
  assert.ok(outcomes.errors > 300 && outcomes.records > 300, JSON.stringify(outcomes))
})
