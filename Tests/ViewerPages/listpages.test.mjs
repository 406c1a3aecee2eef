import assert from 'node:assert/strict'
import test from 'node:test'

import { histogram } from '../../Sources/Web/Viewer/Pages/charts.js'
import { fillChanges, fillProblems } from '../../Sources/Web/Viewer/Pages/listpages.js'

/** An element that only keeps its children. */
class TestElement {
  children = []
  dataset = {}
  setAttribute() {}
  addEventListener() {}
  append(...children) { this.children.push(...children) }
  replaceChildren(...children) { this.children = children }
  get texts() { return this.children.flatMap((child) => typeof child === 'string' ? [child] : child.texts) }
}
const createElement = () => new TestElement()
Object.assign(globalThis, { document: { createElement, createElementNS: createElement }, HTMLElement: TestElement })

test('the title of the bad rows has their number', async () => {
  const titleOf = async (/** @type {number} */ count, /** @type {number} */ listed) => {
    const errors = Array.from({ length: listed }, (_, row) => ({ row, id: `${row}`, error: 'bad' }))
    const page = new TestElement()
    const source = { signal: new AbortController().signal, server: { json: async () => errors }, list: { variants: [{ bad_rows: count }] } }
    await fillProblems(/** @type {any} */ (page), /** @type {any} */ (source), () => {})
    return page.texts[0]
  }
  assert.deepEqual([await titleOf(1, 1), await titleOf(2, 2)], ['1 bad row', '2 bad rows'])
  assert.equal(await titleOf(1234, 100), 'The first 100 of 1,234 bad rows')
})

test('redrawn rows are listed where both runs have lines', async () => {
  const textsOf = async (/** @type {object} */ redrawn, /** @type {object} */ total) => {
    const totals = { inserted: 0, removed: 0, moved: 1, changed: 0, ...total }
    const page = new TestElement()
    const source = { signal: new AbortController().signal, server: { json: async () => ({ inserted: [], removed: 0, moved: [3], changed: [], ...redrawn, totals }) }, variant: 'w390' }
    await fillChanges(/** @type {any} */ (page), /** @type {any} */ (source), () => {})
    return page.texts
  }
  const without = ['inserted', '0', 'removed', '0', 'moved', '1', 'changed', '0', 'Moved', '3', 'row 3', 'moved']
  assert.deepEqual(await textsOf({}, {}), without)
  assert.deepEqual(await textsOf({ redrawn: [] }, { redrawn: null }), without)
  assert.deepEqual(await textsOf({ redrawn: [7] }, { redrawn: 1 }),
    [...without.slice(0, 8), 'redrawn', '1', 'Redrawn', '7', 'row 7', 'redrawn', ...without.slice(8)])
})

test('the bars of the heights have the numbers of their rows', () => {
  const chart = histogram({ bounds: [10, 20, 30], counts: [1, 2345], minimum: 10, median: 25, p90: 29, maximum: 30 })
  assert.deepEqual(/** @type {any} */ (chart).texts.slice(0, 2), ['1 row from 10 to 20 points', '2,345 rows from 20 to 30 points'])
})
