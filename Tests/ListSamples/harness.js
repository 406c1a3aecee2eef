// The page of a sample: it mounts the list, and states what of it is on the screen.

/** The rows that are inserted at the top later. */
const HELD = 50

/** A list that has more elements has one for each row, in their order. */
const MOST_ELEMENTS = 200

// The frames for which a list stands still, and the milliseconds after which it counts as restless.
const STILL_FRAMES = 20, RESTLESS_MILLISECONDS = 10_000

/** Returns after the frame that comes next was painted. */
const painted = () => new Promise(resolve => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = resolve
  port2.postMessage(null)
}))

const scroller = () => {
  let element = document.querySelector('[data-row]')
  while (!/auto|scroll/.test(getComputedStyle(element).overflowY)) element = element.parentElement
  return element
}

/** Returns the elements of a list without recycling that can be on the screen: those from the first that ends below `top`. */
const elementsFrom = (elements, top) => {
  let [first, end] = [0, elements.length]
  while (first < end) {
    const middle = (first + end) >> 1
    if (elements[middle].getBoundingClientRect().bottom > top) end = middle
    else first = middle + 1
  }
  return Array.from({ length: Math.min(MOST_ELEMENTS, elements.length - first) }, (_, index) => elements[first + index])
}

/** Returns the rows on the screen with their tops in the viewport. */
const visible = () => {
  const elements = document.querySelectorAll('[data-row]')
  if (elements.length === 0) return []
  const list = scroller().getBoundingClientRect()
  return Array.from(elements.length > MOST_ELEMENTS ? elementsFrom(elements, list.top) : elements,
    element => ({ row: Number(element.dataset.row), box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > list.top && box.top < list.bottom)
    .map(({ row, box }) => ({ row, top: box.top - list.top, height: box.height }))
    .sort((one, other) => one.top - other.top)
}

/** Waits until the rows on the screen stand still, and returns where they are and since when. */
const settle = async () => {
  const start = performance.now()
  let [last, since, frames] = ['', start, 0]
  while (frames < STILL_FRAMES && performance.now() - start < RESTLESS_MILLISECONDS) {
    await painted()
    const now = document.querySelector('[data-row]') ? JSON.stringify([visible(), scroller().scrollTop]) : ''
    frames = now === last && now !== '' ? frames + 1 : 0
    if (now !== last) since = performance.now()
    last = now
  }
  const { scrollTop, scrollHeight, clientHeight } = scroller()
  return { rows: visible(), offset: scrollTop, size: scrollHeight, viewport: clientHeight, still: since }
}

/**
 * Calls `act` in each of a number of frames, which returns by how many pixels it scrolls, and returns by how many rows moved beyond
 * that, in each frame in which they did.
 */
const watch = async (frames, act) => {
  const shifts = []
  let last = new Map(visible().map(({ row, top }) => [row, top]))
  for (let count = 0; count < frames + STILL_FRAMES; count += 1) {
    // This is between two frames, so that events of scrolling come before the next one is painted.
    const scrolled = count < frames ? act() : 0
    await painted()
    const now = visible()
    const moved = now.filter(({ row }) => last.has(row)).map(({ row, top }) => Math.abs(top - last.get(row) + scrolled))
    // A frame that has no row of the one before has moved by a screen at least.
    const shift = moved.length > 0 ? Math.max(...moved) : innerHeight
    if (shift >= 1) shifts.push(shift)
    last = new Map(now.map(({ row, top }) => [row, top]))
  }
  return shifts
}

/** Scrolls by `step` pixels in each of a number of frames, and returns the shifts. */
const scrollWatched = (step, frames) => watch(frames, () => {
  const before = scroller().scrollTop
  scroller().scrollBy(0, step)
  return scroller().scrollTop - before
})

/** Does the same without looking at rows, which would cause layouts. */
const scroll = async (step, frames) => {
  const list = scroller()
  for (let count = 0; count < frames; count += 1) {
    list.scrollBy(0, step)
    await painted()
  }
  await new Promise(resolve => setTimeout(resolve, 300))
}

/** Mounts a list with the rows of the demo. `Heights` is absent for one that measures rows. */
export const start = async ({ mount, Feed, Heights, jump }) => {
  const query = new URLSearchParams(location.search)
  const all = (await (await fetch('/rows.jsonl')).text()).trim().split('\n').map((line, number) => ({ ...JSON.parse(line), number }))
  const heights = await Heights?.fromArrow('/heights.arrow')
  const held = Array.from({ length: HELD }, (_, row) => heights?.heightOf(row))
  heights?.splice(0, HELD, [])
  await Promise.all(Array.from(document.fonts, face => face.load()))
  const list = { current: null }
  const state = {
    rows: all.slice(HELD), heights, list, inserted: 0, estimate: Number(query.get('estimate')),
    anchor: { row: Number(query.get('row')) - HELD, distance: Number(query.get('distance')) },
  }
  const begin = performance.now()
  const update = mount(Feed, document.getElementById('feed'), state)
  const started = settle().then(({ still }) => still - begin)
  window.page = {
    /** Returns the milliseconds from the rows and heights at hand until the list stood still. */
    started: () => started,
    settle, scrollWatched, scroll,
    isReady: () => document.querySelector('[data-row]') !== null,
    jump: async row => {
      jump(list.current, row - HELD + state.inserted, state)
      return settle()
    },
    /** Inserts the rows that were held back at the top, and returns the shifts. */
    prepend: async () => {
      const [{ row, top }] = visible()
      return watch(1, () => {
        heights?.splice(0, 0, held)
        state.inserted = HELD
        update({ rows: all, inserted: HELD, anchor: { row, distance: -top } })
        return 0
      })
    },
    /** Scrolls to an offset of the scroller, as a browser does that goes back in its history. */
    scrollTo: async offset => {
      scroller().scrollTop = offset
      return settle()
    },
  }
}
