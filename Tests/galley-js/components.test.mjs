// The shapes are those of TanStack Virtual 3.17, react-virtuoso 4.18, React Native 0.8x and FlashList 1.8 and 2.3.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heights } from '../../Sources/galley-js/galley.js'

const list = Heights.from([10, 0, 30.5, 7])

/** An element as react-virtuoso passes it to `itemSize`. */
const element = (index) => /** @type {any} */ ({
  dataset: index === undefined ? {} : { index: String(index), knownSize: '1' },
  getBoundingClientRect: () => ({ width: 390, height: 77 }),
})

test('TanStack Virtual takes estimateSize without its list', () => {
  const { estimateSize } = list
  assert.deepEqual([0, 1, 2, 3].map(estimateSize), [10, 0, 30.5, 7])
})

test('TanStack Virtual takes the rows as measured items', () => {
  assert.deepEqual(list.initialMeasurementsCache().slice(2), [
    { key: 2, index: 2, start: 10, end: 40.5, size: 30.5, lane: 0 },
    { key: 3, index: 3, start: 40.5, end: 47.5, size: 7, lane: 0 },
  ])
  const getItemKey = (/** @type {number} */ index) => `row-${index}`
  const options = { getItemKey, paddingStart: 5, scrollMargin: 6, gap: 2 }
  assert.deepEqual(list.initialMeasurementsCache(options).slice(0, 2), [
    { key: 'row-0', index: 0, start: 11, end: 21, size: 10, lane: 0 },
    { key: 'row-1', index: 1, start: 23, end: 23, size: 0, lane: 0 },
  ])
  for (const wrong of [{ paddingStart: NaN }, { scrollMargin: -Infinity }, { gap: Infinity }]) {
    const message = `Pass a finite number for ${Object.keys(wrong)[0]}, not ${Object.values(wrong)[0]}`
    assert.throws(() => list.initialMeasurementsCache(wrong), { name: 'RangeError', message })
  }
})

test('react-virtuoso takes an array of heights', () => {
  const estimates = list.heightEstimates()
  assert.ok(Array.isArray(estimates))
  assert.deepEqual(estimates, [10, 0, 30.5, 7])
})

test('react-virtuoso takes itemSize, which measures only what the list does not have', () => {
  const { itemSize } = list
  assert.equal(itemSize(element(2), 'offsetHeight'), 30.5)
  assert.equal(itemSize(element(4), 'offsetHeight'), 77)
  assert.equal(itemSize(element(undefined), 'offsetHeight'), 77)
  assert.equal(itemSize(element(2), 'offsetWidth'), 390)
})

test('FlatList takes getItemLayout', () => {
  const { getItemLayout } = list
  assert.deepEqual(getItemLayout(null, 2), { length: 30.5, offset: 10, index: 2 })
  assert.throws(() => getItemLayout([], 4), { name: 'RangeError', message: /no row 4 in this list of heights/ })
})

test('FlashList takes overrideItemLayout, which leaves the span', () => {
  const layout = { span: 2 }
  assert.equal(list.overrideItemLayout(layout, {}, 3), undefined)
  assert.deepEqual(layout, { span: 2, size: 7 })
})

test('components see changed heights', () => {
  const changing = Heights.from([1, 2])
  const { estimateSize, getItemLayout } = changing
  changing.update(0, 5)
  changing.splice(2, 0, [8])
  assert.deepEqual([estimateSize(0), estimateSize(2)], [5, 8])
  assert.deepEqual(getItemLayout(null, 2), { length: 8, offset: 7, index: 2 })
})
