import assert from 'node:assert/strict'
import test from 'node:test'

import { isAborted } from '../../Sources/Web/Viewer/Pages/server.js'
import { Session } from '../../Sources/Web/Viewer/Pages/session.js'

const variants = ['a', 'b', 'c'].map((name) => ({ name, height: 20 }))
const list = { rows: 2, ids: ['x', 'y'], revision: 1, variants }

/** Opens a session with the first variant. Heights of a name in `failing` are an error. */
async function opened(failing = new Set()) {
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
      if (kind === 'cells') {
        const [first, end] = ['first', 'end'].map((one) => Number(new RegExp(`${one}=(\\d+)`).exec(address)[1]))
        return Response.json(list.ids.slice(first, end).map((id, index) => ({ row: first + index, id, height: 10 })))
      }
      if (kind === 'find') {
        const row = list.ids.indexOf(/id=(\w+)/.exec(address)[1])
        return row < 0 ? new Response('', { status: 404 }) : Response.json({ row })
      }
      return failing.has(name) ? new Response('', { status: 500 }) : new Response(new Float32Array(list.rows).fill(10))
    },
  })
  const errors = []
  const view = {
    viewport: 20, anchor: { row: 0, inside: 0 }, selected: -1, heightsChanged() {},
    show(model, anchor, selected) {
      model.store.onCells = () => {}
      Object.assign(view, { anchor, selected })
    },
  }
  const lists = []
  const session = new Session(/** @type {any} */ (view), {
    onList: ({ error }) => lists.push(error), onModel: () => {}, onError: (error) => isAborted(error) || errors.push(error),
  })
  await session.open(() => ['a'], 0)
  return { session, view, errors, kinds, lists, shown: () => session.model?.variants.map(({ name }) => name) }
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

/** Has the server lay out other rows. */
function layOut(ids) {
  Object.assign(list, { rows: ids.length, ids, revision: list.revision + 1 })
}

test('the row at the top and the selected one have the same ids in a new layout', async () => {
  layOut(['x', 'y'])
  const { session, view } = await opened()
  while (session.model.store.cell('a', 1) === null) await new Promise((resolve) => setTimeout(resolve, 1))
  Object.assign(view, { anchor: { row: 0, inside: 3 }, selected: 1 })
  layOut(['new', 'x', 'newer', 'y'])
  await session.update()
  assert.deepEqual([view.anchor, view.selected], [{ row: 1, inside: 3 }, 3])
  while (session.model.store.cell('a', 3) === null) await new Promise((resolve) => setTimeout(resolve, 1))
  layOut(['new'])
  await session.update()
  assert.deepEqual([view.anchor, view.selected], [{ row: 0, inside: 3 }, -1])
})

test('a layout is shown where the list was scrolled to while it was loaded', async () => {
  layOut(Array.from({ length: 100 }, (_, row) => `r${row}`))
  const { session, view } = await opened()
  while (session.model.store.cell('a', 1) === null) await new Promise((resolve) => setTimeout(resolve, 1))
  const { fetch } = globalThis
  globalThis.fetch = (address, options) => {
    if (address.includes('first=0&end=1&')) Object.assign(view, { anchor: { row: 50, inside: 2 }, selected: 60 })
    return fetch(address, options)
  }
  layOut(['new', ...list.ids])
  await session.update()
  globalThis.fetch = fetch
  assert.deepEqual([view.anchor, view.selected, session.model.list.rows], [{ row: 50, inside: 2 }, 60, 101])
})

test('a list that is scrolled all the time is shown where it is', async () => {
  layOut(Array.from({ length: 100 }, (_, row) => `r${row}`))
  const { session, view } = await opened()
  session.model.store.cell = (_, row) => (row < 0 ? null : { row, id: `r${row}` })
  let row = 0
  const { fetch } = globalThis
  globalThis.fetch = (address, options) => {
    if (/find|cells/.test(address)) view.anchor = { row: row += 1, inside: 0 }
    return fetch(address, options)
  }
  layOut(['new', ...list.ids])
  await session.update()
  globalThis.fetch = fetch
  assert.deepEqual([session.model.list.rows, view.anchor.row], [101, row + 1])
})

test('a layout that is superseded while its place is searched for asks for nothing more', async () => {
  layOut(['x', 'y'])
  const { session, errors } = await opened()
  while (session.model.store.cell('a', 1) === null) await new Promise((resolve) => setTimeout(resolve, 1))
  const { fetch } = globalThis
  const superseded = list.revision + 1
  const asked = []
  let last = null
  globalThis.fetch = (address, options) => {
    if (address.includes(`revision=${superseded}`)) asked.push(/^\/[a-z]+/.exec(address)[0])
    if (address.startsWith('/cells/') && last === null) {
      layOut(['newer', 'x', 'y'])
      last = session.update()
    }
    return fetch(address, options)
  }
  layOut(['new', 'x', 'y'])
  await session.update()
  await last
  globalThis.fetch = fetch
  assert.deepEqual([session.model.list.revision, asked, errors], [superseded + 1, ['/heights', '/cells'], []])
})
