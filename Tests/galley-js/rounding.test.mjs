// Lists whose heights differ so much in magnitude that their sums are rounded.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heights, Resources, renderViewport } from '../../Sources/galley-js/galley.js'
import { fixture } from './fixtures.mjs'
import { naiveResources } from './naive.mjs'
import { integerBelow, oneOf, randomNumbers } from './random.mjs'
import { roundedHeights } from './roundedheights.mjs'

const below = (/** @type {number} */ offset) => offset * (1 - Number.EPSILON / 2)

/** A list with a resource for each row, and the plain loops with which it is compared. */
class Rounded {
  constructor(heights) {
    this.heights = heights
    this.list = Heights.from(heights)
    this.tops = Array.from({ length: heights.length + 1 }, (_, row) => this.list.offsetOf(row))
    this.resources = heights.map((_, row) => ({ row, url: `${row}`, pixel_width: 1, pixel_height: 1 }))
    this.asked = 0
    this.list.resources = Object.assign(Resources.fromArrow(fixture('list/resources.arrow')), {
      of: (/** @type {number} */ row) => {
        // A list that does not end is an error instead.
        assert.ok((this.asked += 1) <= heights.length, 'resources are asked for more than once')
        return [{ ...this.resources[row], node: '', type: '' }]
      },
    })
  }

  lastRow(isBefore) {
    return this.heights.findLastIndex((height, row) => height > 0 && isBefore(this.tops[row]))
  }

  visible(top, bottom) {
    const { list: { size, length } } = this
    const first = Math.max(top, 0) >= size ? length : this.lastRow((rowTop) => rowTop <= Math.max(top, 0))
    const end = this.lastRow((rowTop) => rowTop < Math.min(bottom, size)) + 1
    return [first, bottom > top ? Math.max(first, end) : first]
  }
}

test('offsets ascend, and rows and resources are found, where sums are rounded', () => {
  const random = randomNumbers(7)
  for (let seed = 0; seed < 60; seed += 1) {
    const rounded = new Rounded(roundedHeights(random, 700))
    const { list, heights, tops, resources } = rounded
    let sum = 0
    heights.forEach((height, row) => {
      assert.ok(tops[row] <= tops[row + 1], `the offsets of ${row} and the next row, list ${seed}`)
      assert.ok(Math.abs(tops[row] - sum) <= sum * 1e-12, `the offset of ${row}, list ${seed}`)
      sum += height
    })
    for (let count = 0; count < 20; count += 1) {
      const offset = oneOf(random, [tops[integerBelow(random, tops.length)], random() * list.size])
      for (const exact of [offset, below(offset)].filter((exact) => exact < list.size)) {
        assert.equal(list.rowAt(exact), rounded.lastRow((top) => top <= exact), `the row at ${exact}, list ${seed}`)
      }
      const viewport = oneOf(random, [0.5, 800, 1e6])
      const direction = oneOf(random, ['down', 'up'])
      const query = { offset: offset - oneOf(random, [0, 0.5, 1]) * viewport, viewport, direction }
      const tolerance = Math.min((Math.abs(query.offset) + viewport) / 4194304, 0.0625)
      rounded.asked = 0
      const reply = list.prefetch(query)
      const what = `${JSON.stringify(query)}, list ${seed}`
      assert.deepEqual(
        reply.visible, rounded.visible(query.offset + tolerance, query.offset + viewport - tolerance), what)
      assert.deepEqual(
        reply.resources.map(({ row }) => row),
        naiveResources(reply, direction, heights, resources).map(({ row }) => row), what)
    }
  }
})

test('a viewport shows all of its rows where sums are rounded', () => {
  const random = randomNumbers(8)
  for (let seed = 0; seed < 60; seed += 1) {
    const lengths = roundedHeights(random, 300)
    const heights = Heights.from(lengths)
    const query = { offset: 0, viewport: heights.size }
    const [first, end] = heights.prefetch(query).visible
    const expected = lengths.flatMap((height, row) => row >= first && row < end && height > 0 ? [row] : [])
    assert.deepEqual(renderViewport(query, { heights }, () => '').rows.map(({ row }) => row), expected)
  }
})
