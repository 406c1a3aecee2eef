import assert from 'node:assert/strict'
import test from 'node:test'

import { isAborted } from '../../Sources/Web/Viewer/Pages/server.js'
import { Session } from '../../Sources/Web/Viewer/Pages/session.js'

const variants = ['a', 'b', 'c'].map((name) => ({ name, height: 20 }))
const list = { rows: 2, revision: 1, variants }

/** Opens a session with the first variant. Heights of a name in `failing` are an error. */
async function opened(failing = new Set()) {
  const cells = [10, 10].map((height, row) => ({ row, id: String(row), height }))
  const kinds = []
  Object.assign(globalThis, {
    fetch: async (address, { signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      signal?.throwIfAborted()
      const [, kind, name] = /^\/([a-z.]+)(?:\/([a-z]+))?/.exec(address)
      const revision = /revision=(\d+)/.exec(address)?.[1] ?? list.revision
      if (Number(revision) !== list.revision) return new Response('', { status: 409, headers: { 'galley-revision': 'other' } })
      kinds.push(kind)
      if (kind === 'list.json') return Response.json(list)
      if (kind === 'cells') return Response.json(cells)
      return failing.has(name) ? new Response('', { status: 500 }) : new Response(new Float32Array([10, 10]))
    },
  })
  const errors = []
  const show = (model) => { model.store.onCells = () => {} }
  const view = { viewport: 20, anchor: { row: 0, inside: 0 }, show, heightsChanged() {} }
  const lists = []
  const session = new Session(/** @type {any} */ (view), {
    onList: ({ error }) => lists.push(error), onModel: () => {}, onError: (error) => isAborted(error) || errors.push(error),
  })
  await session.open(() => ['a'], 0)
  return { session, errors, kinds, lists, shown: () => session.model?.variants.map(({ name }) => name) }
}

test('variants that are chosen while others are loaded come with these', async () => {
  const { session, shown } = await opened()
  const first = session.choose([...session.names, 'b'])
  await Promise.all([first, session.choose([...session.names, 'c'])])
  assert.deepEqual(shown(), ['a', 'b', 'c'])
})

test('a variant whose heights cannot be loaded is not asked for any more', async () => {
  const { session, errors, shown } = await opened(new Set(['b']))
  await session.choose([...session.names, 'b'])
  assert.deepEqual([errors.length, shown(), session.names], [1, ['a'], ['a']])
})

test('a request that finds another layout on the server shows it, once for several requests', async () => {
  const { session, kinds, errors, shown } = await opened()
  await session.choose(['a', 'b'])
  // Another process may have begun to count anew.
  for (const revision of [7, 3]) {
    list.revision = revision
    const { model } = session
    kinds.splice(0)
    await Promise.allSettled([model.server.json('/prefetch/a'), model.server.json('/prefetch/a')])
    for (let round = 0; session.model === model && round < 1000; round += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    assert.deepEqual([session.model.list.revision, shown()], [revision, ['a', 'b']])
    assert.equal(kinds.filter((kind) => kind === 'heights').length, 2)
  }
  assert.deepEqual(errors, [])
})

test('the reply to an earlier request for the list is dropped', async () => {
  const { session, lists, shown } = await opened()
  const first = { ...list, revision: 8, error: 'first' }
  let reply = () => {}
  const { fetch } = globalThis
  globalThis.fetch = async (address, { signal }) => {
    if (address !== '/list.json') return fetch(address, { signal })
    await new Promise((resolve) => { reply = resolve })
    signal.throwIfAborted()
    return Response.json(first)
  }
  const late = session.update()
  const replyLate = reply
  globalThis.fetch = fetch
  list.error = 'second'
  await session.update()
  replyLate()
  await assert.rejects(late, { name: 'AbortError' })
  assert.deepEqual([lists.at(-1), session.model.list.revision, shown()], ['second', list.revision, ['a']])
})
