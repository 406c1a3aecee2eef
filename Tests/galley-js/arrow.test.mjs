import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { Heights, Resources } from '../../Sources/galley-js/galley.js'
import { fixture } from './fixtures.mjs'
import { integerBelow, randomNumbers } from './random.mjs'

const heightsFile = fixture('list/heights.arrow')
const resourcesFile = fixture('list/resources.arrow')

test('tables of galley are read', () => {
  const list = Heights.fromArrow(heightsFile)
  assert.equal(list.length, 80)
  assert.equal(list.size, 3233)
  assert.deepEqual([...list].slice(0, 10), [20.5, 20.5, 0, 0, 0, 20.5, 0, 0, 20.5, 90])
  const resources = Resources.fromArrow(resourcesFile)
  assert.equal(resources.length, 105)
  assert.deepEqual(resources.of(9).map(({ node, url, pixel_width, pixel_height }) =>
    ({ node, url, pixel_width, pixel_height })), [
    { node: 'avatar', url: 'https://img.example/14.jpg', pixel_width: 60, pixel_height: 60 },
    { node: 'photo', url: 'https://img.example/7.jpg', pixel_width: 120, pixel_height: 180 },
  ])
  assert.deepEqual(resources.of(4), [])
})

test('a byte order mark at the beginning of a text is one of its characters', () => {
  const url = Buffer.from('https://img.example/14.jpg')
  const file = Buffer.from(resourcesFile)
  const at = file.indexOf(url)
  Buffer.from('\ufeff').copy(file, at)
  const { url: found } = Resources.fromArrow(file).of(9)[0]
  assert.equal(found, '\ufeffps://img.example/14.jpg')
})

test('columns are found by name, in any number of batches, with dictionaries at any place', () => {
  const list = Heights.fromArrow(fixture('others/heights.arrow'))
  assert.deepEqual([...list], [...Heights.fromArrow(heightsFile)])
  const [own, other] = [resourcesFile, fixture('others/resources.arrow')].map((file) => Resources.fromArrow(file))
  for (let row = 0; row < list.length; row += 1) assert.deepEqual(other.of(row), own.of(row))
})

test('buffers of all kinds are read, aligned or not', () => {
  const bytes = new Uint8Array(heightsFile.length + 3)
  bytes.set(heightsFile, 3)
  const shared = new SharedArrayBuffer(heightsFile.length)
  new Uint8Array(shared).set(heightsFile)
  for (const source of [bytes.slice(3).buffer, bytes.subarray(3), new DataView(bytes.buffer, 3), shared]) {
    assert.equal(Heights.fromArrow(source).size, 3233)
  }
})

test('an address gives a promise of the file', async () => {
  const server = createServer(({ url }, response) => {
    response.statusCode = url === '/other.arrow' ? 404 : 200
    if (url === '/cut.arrow') response.write(heightsFile.subarray(0, 1000), () => response.destroy())
    else response.end(url === '/heights.arrow' ? heightsFile : 'not here')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  try {
    const address = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
    assert.equal((await Heights.fromArrow(new URL(`${address}/heights.arrow`))).size, 3233)
    await assert.rejects(Heights.fromArrow(`${address}/other.arrow`), /other\.arrow could not be read: .* 404/)
    await assert.rejects(Heights.fromArrow(`${address}/cut.arrow`), /cut\.arrow could not be read: terminated\. Check/)
    await assert.rejects(Resources.fromArrow(`${address}/heights.arrow`), /heights\.arrow has the columns of heights\.arrow\. Pass resources\.arrow/)
  } finally {
    server.close()
    server.closeAllConnections?.()
  }
})

test('floats are read', () => {
  assert.deepEqual([...Heights.fromFloat32(new Float32Array([1, 0, 20.5]))], [1, 0, 20.5])
  const unaligned = new Uint8Array(9)
  unaligned.set(new Uint8Array(new Float32Array([3, 4]).buffer), 1)
  assert.deepEqual([...Heights.fromFloat32(unaligned.subarray(1))], [3, 4])
  assert.throws(() => Heights.fromFloat32(new Uint8Array(7)), /7 bytes, which is no multiple of 4/)
  assert.throws(() => Heights.fromFloat32(heightsFile), /Arrow file: read it with fromArrow/)
  assert.throws(() => Heights.fromFloat32(new Float32Array([1, NaN])), { name: 'RangeError', message: /height 1 of/ })
})

test('files that are no tables of galley are errors that say what they are', () => {
  const text = new TextEncoder().encode('{"heights":[1,2,3],"ids":["a","b","c"]}')
  const cases = [
    [new Uint8Array(0), /is no Arrow file\. Pass heights\.arrow/],
    [text, /is no Arrow file\. Pass heights\.arrow/],
    [fixture('others/stream.arrows'), /is no Arrow file/],
    [resourcesFile, /heights\.arrow has the columns of resources\.arrow\. Pass heights\.arrow/],
    [fixture('others/compressed.arrow'), /is compressed/],
    [fixture('others/float64.arrow'), /column height of .* is float64, not float32/],
    [fixture('others/nulls.arrow'), /column height of .* has nulls/],
    [fixture('others/deltas.arrow'), /has a dictionary in parts/],
    [fixture('others/nested.arrow'), /column tags of .* has a type that galley does not write/],
  ]
  for (const [file, message] of cases) assert.throws(() => Heights.fromArrow(file), { name: 'Error', message })
  assert.throws(() => Heights.fromArrow(/** @type {any} */ (5)), { name: 'TypeError', message: /ArrayBuffer/ })
  assert.throws(() => Heights.fromArrow(/** @type {any} */ (undefined)), { name: 'TypeError', message: /ArrayBuffer/ })
})

test('a file that was cut anywhere is an error that says so', () => {
  for (const [file, type] of [[heightsFile, Heights], [resourcesFile, Resources]]) {
    for (let length = 0; length < file.length; length += 1) {
      assert.throws(() => type.fromArrow(file.subarray(0, length)), {
        name: 'Error', message: length < 6 ? /is no Arrow file/ : /damaged or incomplete.*Copy the file again/,
      }, `${length} bytes`)
    }
  }
})

test('a height that was changed is found by the offsets', () => {
  const file = new Uint8Array(heightsFile)
  const view = new DataView(file.buffer)
  // The first height of 90 points.
  let position = 0
  while (view.getFloat32(position, true) !== 90) position += 4
  view.setFloat32(position, 91, true)
  assert.throws(() => Heights.fromArrow(file), /row 10 is at 172, but the heights above add up to 173/)
})

test('a footer and messages that contradict each other are an error', () => {
  const change = (/** @type {(file: Uint8Array, view: DataView, block: number) => void} */ edit) => {
    const file = new Uint8Array(fixture('others/heights.arrow'))
    const view = new DataView(file.buffer)
    // The footer has an offset, a length of metadata and a length of the body for each batch.
    const isFollowed = (/** @type {number} */ position) => {
      const [offset, metadata, body, next] = [0, 8, 16, 24].map((field) => view.getInt32(position + field, true))
      const isMessage = offset > 0 && offset < file.length - 4 && view.getInt32(offset, true) === -1
      return isMessage && metadata > 8 && next === offset + metadata + body
    }
    let block = metadataOf(file)[1][0]
    while (!isFollowed(block)) block += 1
    edit(file, view, block)
    return file
  }
  // Without this rule a small file could claim any number of rows.
  const overlapping = change((file, view, block) => file.copyWithin(block + 24, block, block + 24))
  assert.throws(() => Heights.fromArrow(overlapping), /batch \d begins before the end of the one before/)
  const shortened = change((file, view, block) => view.setInt32(block + 16, view.getInt32(block + 16, true) - 8, true))
  assert.throws(() => Heights.fromArrow(shortened), /the footer and the message of batch \d differ/)
  const unmarked = change((file, view, block) => view.setInt32(view.getInt32(block, true), 0))
  assert.throws(() => Heights.fromArrow(unmarked), /there is no message where batch \d should begin/)
})

test('resources that are not in the order of the rows are an error', () => {
  const file = new Uint8Array(resourcesFile)
  const view = new DataView(file.buffer)
  // The first column has the rows, of which the second is row 1.
  let rows = 0
  while (view.getInt32(rows, true) !== 0 || view.getInt32(rows + 8, true) !== 1 || view.getInt32(rows + 16, true) < 2) {
    rows += 8
  }
  view.setInt32(rows, 77, true)
  assert.throws(() => Resources.fromArrow(file), /record 1 is of row 1, the one before of a later row/)
})

test('a string that ends outside its bytes is an error', () => {
  const file = new Uint8Array(resourcesFile)
  const view = new DataView(file.buffer)
  const length = new TextEncoder().encode('https://img.example/ü0.jpg').length
  let offsets = 0
  const isFirst = (/** @type {number} */ position) => {
    const [first, second, third] = [0, 4, 8].map((field) => view.getInt32(position + field, true))
    return first === 0 && second === length && third > second
  }
  while (!isFirst(offsets)) offsets += 4
  for (const end of [2 ** 31 - 1, -1]) {
    view.setInt32(offsets + 4, end, true)
    assert.throws(() => Resources.fromArrow(file), new RegExp(`column url has a string that ends at byte ${end} of`))
  }
})

test('every seventh bit of the metadata that is changed gives an error or a list of lengths', () => {
  for (const [original, type] of [[heightsFile, Heights], [resourcesFile, Resources]]) {
    for (const [start, end] of metadataOf(original)) {
      const file = new Uint8Array(original)
      for (let bit = start * 8; bit < end * 8; bit += 7) {
        file[bit >> 3] ^= 1 << (bit & 7)
        requireErrorOrLengths(type, file, () => `bit ${bit}`)
        file[bit >> 3] ^= 1 << (bit & 7)
      }
    }
  }
})

test('a file with changed bytes is an error or a list of lengths', () => {
  const random = randomNumbers(11)
  const outcomes = { errors: 0, lists: 0 }
  for (const [original, type] of [[heightsFile, Heights], [resourcesFile, Resources]]) {
    for (let round = 0; round < 3000; round += 1) {
      const file = new Uint8Array(original)
      for (let change = 1 + integerBelow(random, 3); change > 0; change -= 1) {
        file[integerBelow(random, file.length)] = integerBelow(random, 256)
      }
      outcomes[requireErrorOrLengths(type, file, () => `seed 11, round ${round}`)] += 1
    }
  }
  assert.ok(outcomes.errors > 500 && outcomes.lists > 500, JSON.stringify(outcomes))
})

/**
 * Returns the bounds of the messages and of the footer of a file, without the bodies of the messages.
 *
 * @param {Uint8Array} file
 */
function metadataOf(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const footer = file.length - 10 - view.getInt32(file.length - 10, true)
  const bounds = [[0, 8], [footer, file.length]]
  for (let position = 8; position < footer - 8; position += 8) {
    const length = view.getInt32(position + 4, true)
    if (view.getInt32(position, true) === -1 && length > 0) bounds.push([position, position + 8 + length])
  }
  assert.ok(bounds.length >= 5)
  return bounds
}

/**
 * @param {typeof Heights | typeof Resources} type
 * @param {Uint8Array} file
 * @param {() => string} what
 */
function requireErrorOrLengths(type, file, what) {
  try {
    if (type === Heights) requireLengths(Heights.fromArrow(file))
    else readAll(Resources.fromArrow(file))
    return 'lists'
  } catch (error) {
    // Other classes of errors are those of the engine, which name neither the file nor what to do.
    assert.ok(error.constructor === Error, `${what()}: ${error.stack}`)
    return 'errors'
  }
}

/** @param {Heights} list */
function requireLengths(list) {
  assert.ok(list.length <= heightsFile.length && Number.isFinite(list.size) && list.size >= 0)
  for (const height of list) assert.ok(height >= 0 && height < Infinity)
}

/** @param {Resources} resources */
function readAll(resources) {
  assert.ok(resources.length <= resourcesFile.length)
  for (let row = 0; row < 80; row += 1) {
    for (const { pixel_width, pixel_height } of resources.of(row)) {
      assert.ok(Number.isInteger(pixel_width) && Number.isInteger(pixel_height))
    }
  }
}
