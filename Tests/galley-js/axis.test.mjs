import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heights } from '../../Sources/galley-js/galley.js'
import { fixture } from './fixtures.mjs'
import { directions, oneOf, randomHeights, randomNumbers, randomQuery } from './random.mjs'

const axes = /** @type {(keyof typeof directions)[]} */ (Object.keys(directions))

/** Returns a list of the same lengths for each axis. */
function listsOf(lengths) {
  return Object.fromEntries(axes.map((axis) => [axis, Heights.from(lengths, { axis })]))
}

test('the visible rows are those on the screen', () => {
  const random = randomNumbers(1)
  for (const axis of axes) {
    const list = Heights.from(randomHeights(random, 60, 2), { axis })
    assert.equal(list.axis, axis)
    for (let count = 0; count < 200; count += 1) {
      const { offset, viewport } = randomQuery(random, list)
      const [first, end] = list.prefetch({ offset, viewport }).visible
      for (let row = 0; row < list.length; row += 1) {
        if (list.heightOf(row) === 0) continue
        const position = list.screenPositionOf(row, { offset, viewport })
        const isOnScreen = viewport > 0 && position < viewport && position + list.heightOf(row) > 0
        assert.equal(row >= first && row < end, isOnScreen, `${axis}, row ${row} at ${offset}`)
      }
    }
  }
})

test('an inverted list replies as one whose direction is flipped, and a list from right to left as its mirror image', () => {
  const random = randomNumbers(2)
  const { vertical, inverted, horizontal, rightToLeft } = listsOf(randomHeights(random, 100, 2))
  const opposite = { down: 'up', up: 'down', right: 'left', left: 'right' }
  for (let count = 0; count < 300; count += 1) {
    const query = randomQuery(random, vertical)
    assert.deepEqual(inverted.prefetch({ ...query, direction: opposite[query.direction] }), vertical.prefetch(query))
    const sideways = randomQuery(random, horizontal)
    const mirrored = {
      ...sideways,
      offset: horizontal.size - sideways.viewport - sideways.offset,
      direction: opposite[sideways.direction],
    }
    assert.deepEqual(rightToLeft.prefetch(mirrored), horizontal.prefetch(sideways))
  }
})

test('a pager on a screen of fractional points shows one page', () => {
  const screen = 1080 / 2.625
  const lists = listsOf(Array(1000).fill(Math.fround(screen)))
  for (const axis of axes) {
    for (let page = 0; page < 1000; page += 1) {
      const offset = (axis === 'rightToLeft' ? 999 - page : page) * screen
      assert.deepEqual(lists[axis].prefetch({ offset, viewport: screen }).visible, [page, page + 1], `${axis} ${page}`)
    }
  }
})

test('the default direction leads to the last row', () => {
  const lists = listsOf(Array.from({ length: 50 }, () => 100))
  for (const axis of axes) {
    const query = { offset: 2000, viewport: 100, direction: directions[axis][0] }
    const { direction, ...rest } = query
    assert.deepEqual(lists[axis].prefetch(rest), lists[axis].prefetch(query), direction)
  }
})

test('a list that scrolls horizontally has the widths of its cells, and the height of the highest', () => {
  const file = fixture('list/heights.arrow')
  const list = Heights.fromArrow(file, { axis: 'horizontal' })
  const heights = Heights.fromArrow(file).heightEstimates()
  assert.equal(list.crossSize, Math.max(...heights))
  heights.forEach((height, row) => assert.equal(list.heightOf(row), height > 0 ? 200 : 0))
  assert.equal(Heights.fromArrow(file).crossSize, null)
})

test('an option of a list that there is not, and options that are no object, are errors that name what there is', () => {
  for (const [wrong, message] of /** @type {any[]} */ ([
    [{ axes: 'horizontal' }, /no property 'axes' in the options of a list, only axis/],
    ['horizontal', /Pass an object for the options of a list, which can have axis, not 'horizontal'/],
  ])) {
    assert.throws(() => Heights.from([1], wrong), { name: 'TypeError', message })
    assert.throws(() => Heights.fromArrow(fixture('list/heights.arrow'), wrong), { name: 'TypeError', message })
  }
})

test('a wrong axis, and a direction in which the list does not scroll, are errors', () => {
  const wrong = /** @type {any} */ ({ axis: oneOf(randomNumbers(3), ['toString', 'x', null]) })
  assert.throws(() => Heights.from([1], wrong), { name: 'RangeError', message: /pass one of 'vertical', 'inverted'/ })
  const list = Heights.from([1], { axis: 'rightToLeft' })
  assert.throws(
    () => list.prefetch({ offset: 0, viewport: 1, direction: 'up' }),
    { name: 'RangeError', message: /'up': pass one of 'left', 'right'/ })
})
