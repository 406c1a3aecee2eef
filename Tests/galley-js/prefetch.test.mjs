import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heights, Resources } from '../../Sources/galley-js/galley.js'
import { checkQueries } from './checks.mjs'
import { fixture } from './fixtures.mjs'
import { NaiveHeights, naiveResources } from './naive.mjs'
import { randomHeights, randomNumbers, randomQuery } from './random.mjs'

const demo = () => {
  const list = Heights.fromArrow(fixture('list/heights.arrow'))
  list.resources = Resources.fromArrow(fixture('list/resources.arrow'))
  return list
}

test('ranges equal the model in lists of all kinds', () => {
  const random = randomNumbers(1)
  for (const rows of [0, 1, 2, 30, 200]) {
    for (let seed = 1; seed <= 8; seed += 1) {
      checkQueries(Heights, { seed, heights: randomHeights(random, rows, 3), queries: 150 })
    }
  }
  checkQueries(Heights, { seed: 1, heights: [0, 0, 0], queries: 100 })
})

test('ranges equal the model in a list of a million rows', () => {
  checkQueries(Heights, { seed: 2, heights: randomHeights(randomNumbers(2), 1_000_000, 2), queries: 5 })
})

test('rows that only touch the viewport and rows of height 0 are not visible', () => {
  const list = Heights.from([10, 0, 10, 0, 10])
  const visible = (offset, viewport) => list.prefetch({ offset, viewport }).visible
  assert.deepEqual(visible(10, 10), [2, 3])
  assert.deepEqual(visible(9.5, 11), [0, 5])
  assert.deepEqual(visible(0, 10), [0, 1])
  assert.deepEqual(visible(10, 0), [2, 2])
  assert.deepEqual(visible(-50, 50), [0, 0])
  assert.deepEqual(visible(30, 50), [5, 5])
})

test('a row that touches a fractional viewport from right to left is not visible', () => {
  // 1400 - 360.6 - 400 + 360.6 is above 1000, where row 10 begins.
  const short = Heights.from(Array(14).fill(100), { axis: 'rightToLeft' })
  assert.deepEqual(short.prefetch({ offset: 400, viewport: 360.6 }).visible, [6, 10])
  // 4000 - 1080 / 2.75 - 1607.27 is below 2000, where row 19 ends.
  const long = Heights.from(Array(40).fill(100), { axis: 'rightToLeft' })
  assert.deepEqual(long.prefetch({ offset: 1607.2727272727273, viewport: 392.72727272727275 }).visible, [20, 24])
})

test('content that differs from the viewport by a rounding is as long as it', () => {
  const screen = 1080 / 2.625
  const one = Heights.from([Math.fround(screen)])
  assert.ok(one.size < screen)
  assert.equal(one.prefetch({ offset: 0, viewport: screen, direction: 'up' }).fetch_next_batch, false)
  // Two viewports remain after the second page of four.
  const wide = 1220 / 3.1
  const pages = Heights.from(Array(4).fill(Math.fround(wide)))
  assert.ok(pages.size > 4 * wide)
  assert.equal(pages.prefetch({ offset: wide, viewport: wide }).fetch_next_batch, true)
})

test('the ranges extend further in the direction of travel', () => {
  const list = Heights.from(Array.from({ length: 1000 }, () => 100))
  const query = { offset: 50_000, viewport: 1000 }
  assert.deepEqual(list.prefetch(query), {
    visible: [500, 510], display: [495, 520], preload: [485, 535], fetch_next_batch: false, remaining: 49_000,
  })
  assert.deepEqual(list.prefetch({ ...query, direction: 'up' }), {
    visible: [500, 510], display: [490, 515], preload: [475, 525], fetch_next_batch: false, remaining: 49_000,
  })
  const { display, preload } = list.prefetch({ ...query, display: [0.1, 0], preload: [0, 0.3] })
  assert.deepEqual([display, preload], [[500, 511], [497, 510]])
})

test('the next rows are fetched when ASBatchFetching fetches them', () => {
  const facts = JSON.parse(fixture('batch-fetching.json').toString())
  for (const { direction, viewport, content, offset, leadingScreens, expected, test } of facts) {
    const list = Heights.from([content])
    const query = { offset, viewport, direction, leading_screens_for_batching: leadingScreens }
    assert.equal(list.prefetch(query).fetch_next_batch, expected, `${test}, ${JSON.stringify(query)}`)
  }
  assert.equal(facts.length, 7)
})

test('the next rows are fetched by the distance to the end', () => {
  const list = Heights.from([600, 400])
  const fetches = (query) => list.prefetch(query).fetch_next_batch
  // Remaining are 1000 - 100 - offset points.
  assert.equal(fetches({ offset: 700, viewport: 100 }), true)
  assert.equal(fetches({ offset: 699.5, viewport: 100 }), false)
  assert.equal(fetches({ offset: 700, viewport: 100, direction: 'up' }), false)
  assert.equal(fetches({ offset: 0, viewport: 1001, direction: 'up' }), true)
  assert.equal(fetches({ offset: 0, viewport: 1001, leading_screens_for_batching: 0 }), false)
  assert.equal(fetches({ offset: 900, viewport: 0 }), false)
  assert.equal(fetches({ offset: 400, viewport: 100, leading_screens_for_batching: 5 }), true)
})

test('resources come in order of need, each URL once with the size of the largest area', () => {
  const list = demo()
  const heights = list.heightEstimates()
  const resources = heights.flatMap((_, row) => list.resources.of(row))
  assert.equal(resources.length, list.resources.length)
  const model = new NaiveHeights(heights)
  const random = randomNumbers(3)
  const seen = { merged: 0, behind: 0 }
  for (let count = 0; count < 500; count += 1) {
    const query = { ...randomQuery(random, model), viewport: 20 + Math.floor(random() * 900) }
    const reply = list.prefetch(query)
    const { resources: needed, ...rest } = reply
    const hasTime = 'remaining_time' in reply
    assert.deepEqual(rest, model.prefetch(query))
    assert.deepEqual(needed, naiveResources(reply, query.direction, heights, resources))
    assert.deepEqual(
      Object.keys(reply),
      [
        'visible', 'display', 'preload', 'resources', 'fetch_next_batch', 'remaining',
        ...(hasTime ? ['remaining_time'] : []),
      ])
    seen.merged += needed.filter(({ row, url, pixel_width }) =>
      list.resources.of(row).some((own) => own.url === url && own.pixel_width !== pixel_width)).length
    seen.behind += needed.filter(({ row }) => row < reply.visible[0]).length
  }
  assert.ok(seen.merged > 0 && seen.behind > 0, JSON.stringify(seen))
})

test('a resource has the fields that galley prefetch prints', () => {
  assert.deepEqual(demo().prefetch({ offset: 0, viewport: 10, mode: 'visibleOnly' }).resources, [{
    row: 0, node: 'photo', url: 'https://img.example/ü0.jpg', type: 'networkImage', pixel_width: 400, pixel_height: 41,
    range: 'visible',
  }])
})

test('rows keep their resources when others are inserted and removed', () => {
  const list = demo()
  const all = { offset: 0, viewport: list.size, mode: /** @type {const} */ ('visibleOnly') }
  const before = list.prefetch(all).resources
  list.splice(0, 0, [5, 6])
  list.splice(list.length, 0, [7])
  const after = list.prefetch({ ...all, viewport: list.size }).resources
  assert.deepEqual(after, before.map((resource) => ({ ...resource, row: resource.row + 2 })))
  list.splice(0, list.length - 1)
  assert.deepEqual(list.prefetch({ ...all, viewport: list.size }).resources, [])
})

test('a list without a table of resources replies without resources', () => {
  assert.equal('resources' in Heights.from([1]).prefetch({ offset: 0, viewport: 1 }), false)
})

test('resources that are a promise are an error that says so', () => {
  const list = Heights.from([1])
  assert.throws(() => {
    list.resources = /** @type {any} */ (Promise.resolve())
  }, { name: 'TypeError', message: /await/ })
  list.resources = null
})

test('bad queries are errors that say what to pass', () => {
  const list = Heights.from([1, 2])
  const query = { offset: 0, viewport: 100 }
  const cases = [
    [undefined, 'TypeError', /Pass an object for a query, which can have offset, viewport/],
    [{ viewport: 100 }, 'TypeError', /a number for the offset/],
    [{ ...query, offset: '0' }, 'TypeError', /a number for the offset/],
    [{ ...query, offset: NaN }, 'RangeError', /finite number for the offset/],
    [{ ...query, viewport: -1 }, 'RangeError', /viewport of a query is -1/],
    [{ ...query, viewport: Infinity }, 'RangeError', /finite number for the viewport/],
    [{ ...query, direction: 'left' }, 'RangeError', /'left': pass one of 'down', 'up'/],
    [{ ...query, mode: 'toString' }, 'RangeError', /'toString': pass one of 'full', 'minimum'/],
    [{ ...query, derection: 'up' }, 'TypeError', /no property 'derection' in a query, only offset, viewport, direction/],
    [{ ...query, display: [1] }, 'TypeError', /leading and its trailing/],
    [{ ...query, preload: [1, -1] }, 'RangeError', /preload of a query has -1/],
    [{ ...query, offset: -1e16 }, 'RangeError', /offset of a query is -10000000000000000, which no list reaches/],
    [{ ...query, viewport: 1e308 }, 'RangeError', /viewport of a query is 1e\+308, which no list reaches/],
    [{ ...query, display: [0, 1_000_001] }, 'RangeError', /display of a query has 1000001: .* from 0 to 1,000,000/],
    [{ ...query, fetching: 1 }, 'TypeError', /true or false for fetching/],
    [{ ...query, velocity: Infinity }, 'RangeError', /finite number for the velocity/],
    [{ ...query, leading_screens_for_batching: NaN }, 'RangeError', /leading_screens_for_batching/],
  ]
  for (const [wrong, name, message] of cases) {
    assert.throws(() => list.prefetch(/** @type {any} */ (wrong)), { name, message }, JSON.stringify(wrong))
  }
  const { remaining, preload } = list.prefetch({ offset: -(2 ** 53), viewport: 2 ** 53, preload: [1e6, 1e6] })
  assert.deepEqual([remaining, preload], [3, [0, 2]])
})
