import assert from 'node:assert/strict'
import test from 'node:test'

import { RowHeights } from '../../Sources/Web/Viewer/Pages/rowheights.js'
import { connection, Server } from '../../Sources/Web/Viewer/Pages/server.js'

/** Has the requests of a test get the replies one after the other, and returns what the page learns of the connection. */
function replying(t, ...replies) {
  const seen = []
  connection.onChange = (error) => seen.push(error === null ? 'connected' : 'lost')
  const { setTimeout } = globalThis
  t.after(() => Object.assign(globalThis, { setTimeout }))
  Object.assign(globalThis, {
    fetch: async (_, { signal } = {}) => {
      signal?.throwIfAborted()
      return replies.shift()()
    },
    setTimeout: (body) => setTimeout(body, 0),
  })
  return seen
}

const lost = () => { throw new TypeError('Failed to fetch') }
const proxy = () => new Response('', { status: 502 })
/** A reply that ends after a part of its body. */
const cut = (bytes) => () => new Response(new ReadableStream({
  pull(controller) {
    if (bytes === null) return controller.error(new TypeError('network error'))
    controller.enqueue(bytes)
    bytes = null
  },
}))

test('a request is sent again until the server replies', async (t) => {
  const seen = replying(t, lost, proxy, cut(new TextEncoder().encode('[1,')), () => Response.json([1, 2]))
  assert.deepEqual(await new Server(1).json('/errors'), [1, 2])
  assert.deepEqual(seen, ['lost', 'connected'])
})

test('a request that the server refuses, and one that is aborted, are not sent again', async (t) => {
  const controller = new AbortController()
  const seen = replying(t,
    () => new Response('{"detail":"This row is damaged."}', { status: 500 }), lost, () => { controller.abort(); return lost() })
  await assert.rejects(new Server(1).json('/errors'), { message: 'This row is damaged.' })
  assert.deepEqual(seen, [])
  await assert.rejects(new Server(1).json('/errors', {}, controller.signal), { name: 'AbortError' })
  assert.deepEqual(seen, ['lost', 'connected'])
})

test('heights that end early are read again', async (t) => {
  const values = new Float32Array([1, 2, 3, 4])
  replying(t, cut(new Uint8Array(values.buffer, 0, 9)), () => new Response(values))
  const heights = new RowHeights({ rows: 4 }, [{ name: 'a', height: 10 }])
  await heights.load(new Server(1), new AbortController().signal, () => {})
  assert.deepEqual(Array.from(heights.heights), [1, 2, 3, 4])
})

test('a request that waits to be sent again is given up at once when it is aborted', async (t) => {
  replying(t, lost)
  const controller = new AbortController()
  globalThis.setTimeout = () => controller.abort()
  await assert.rejects(new Server(1).json('/errors', {}, controller.signal), { name: 'AbortError' })
})

test('the page learns once that several requests get no reply', async (t) => {
  const seen = replying(t, lost, lost, lost, () => Response.json(1), () => Response.json(2))
  await Promise.all([new Server(1).json('/errors'), new Server(1).json('/errors')])
  assert.deepEqual(seen, ['lost', 'connected'])
})
