import assert from 'node:assert/strict'
import test from 'node:test'

import { RowHeights } from '../../Sources/Web/Viewer/Pages/rowheights.js'

/** Returns a server whose heights arrive in parts of an odd number of bytes. */
function serverOf(columns, partBytes) {
  return {
    async request(path) {
      const bytes = new Uint8Array(columns[path.split('/').pop()].buffer)
      let offset = 0
      return {
        body: new ReadableStream({
          pull(controller) {
            if (offset >= bytes.length) return controller.close()
            controller.enqueue(bytes.slice(offset, offset + partBytes))
            offset += partBytes
          },
        }),
      }
    },
  }
}

const rows = 70_001
const columns = {
  a: Float32Array.from({ length: rows }, (_, row) => ((row * 7919) % 800) / 2),
  b: Float32Array.from({ length: rows }, (_, row) => ((row * 104729) % 700) / 2),
}
const variants = [{ name: 'a', height: 1 }, { name: 'b', height: 2 }]

test('a row is as tall as the tallest of its cells, however the heights arrive', async () => {
  const heights = new RowHeights({ rows }, variants)
  let progress = 0
  await heights.load(serverOf(columns, 4099), new AbortController().signal, () => {
    assert.ok(heights.heights.length >= progress)
    progress = heights.heights.length
  })
  assert.ok(heights.isComplete)
  let top = 0
  for (let row = 0; row < rows; row += 1) {
    const height = Math.max(columns.a[row], columns.b[row])
    if (row % 97 === 0) {
      assert.equal(heights.heights.heightOf(row), height)
      assert.equal(heights.heights.offsetOf(row), top)
    }
    top += height
  }
  assert.equal(heights.size, top)
  assert.equal(heights.cellHeight(1, 5), columns.b[5])
})

test('the first rows are there before the heights if their cells are', async () => {
  const heights = new RowHeights({ rows }, variants)
  const cells = { a: [10, 20.25, 30], b: [15, 5] }
  const store = { cell: (variant, row) => (row in cells[variant] ? { height: cells[variant][row] } : null) }
  assert.ok(heights.addFirst(store))
  assert.deepEqual(Array.from(heights.heights), [15, 20.25])
  assert.ok(!heights.addFirst(store))
  await heights.load(serverOf(columns, 65536), new AbortController().signal, () => {})
  assert.equal(heights.heights.length, rows)
})

test('heights that are too few or too many are an error', async () => {
  const { signal } = new AbortController()
  const few = new RowHeights({ rows: rows + 1 }, variants.slice(0, 1))
  await assert.rejects(few.load(serverOf(columns, 65536), signal, () => {}), /sent 70001 of 70002 heights/)
  const many = new RowHeights({ rows: rows - 1 }, variants.slice(0, 1))
  await assert.rejects(many.load(serverOf(columns, 65536), signal, () => {}), /too many heights/)
})

test('nothing is done while fewer heights have arrived than rows are known from their cells', async () => {
  const heights = new RowHeights({ rows }, variants.slice(0, 1))
  assert.ok(heights.addFirst({ cell: (_, row) => (row < 16 ? { height: columns.a[row] } : null) }))
  let [changes, send] = [0, () => {}]
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(columns.a.buffer, 0, 40))
      send = () => {
        controller.enqueue(new Uint8Array(columns.a.buffer, 40))
        controller.close()
      }
    },
  })
  const loading = heights.load({ request: async () => ({ body }) }, new AbortController().signal, () => { changes += 1 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(changes, 0)
  send()
  await loading
  assert.deepEqual([heights.heights.length, heights.heights.heightOf(9)], [rows, columns.a[9]])
})
