import assert from 'node:assert/strict'
import test from 'node:test'

import { histogram } from '../../Sources/Web/Viewer/Pages/charts.js'
import { fillProblems } from '../../Sources/Web/Viewer/Pages/listpages.js'

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
Object.assign(globalThis, { document: { createElement, createElementNS: createElement } })

test('the title of the bad rows has their number', async () => {
  const titleOf = async (/** @type {number} */ count, /** @type {number} */ listed) => {
    const errors = Array.from({ length: listed }, (_, row) => ({ row, id: `${row}`, error: 'bad' }))
    const page = new TestElement()
    const source = { server: { json: async () => errors }, list: { variants: [{ bad_rows: count }] } }
    await fillProblems(/** @type {any} */ (page), /** @type {any} */ (source), () => {})
    return page.texts[0]
  }
  assert.deepEqual([await titleOf(1, 1), await titleOf(2, 2)], ['1 bad row', '2 bad rows'])
  assert.equal(await titleOf(1234, 100), 'The first 100 of 1,234 bad rows')
})

test('the bars of the heights have the numbers of their rows', () => {
  const chart = histogram({ bounds: [10, 20, 30], counts: [1, 2345], minimum: 10, median: 25, p90: 29, maximum: 30 })
  assert.deepEqual(/** @type {any} */ (chart).texts.slice(0, 2), ['1 row from 10 to 20 points', '2,345 rows from 20 to 30 points'])
})
