// The page of a sample: it mounts the list, and states what of it is on the screen.

/** A list that has more elements has one for each row, in their order. */
const MOST_ELEMENTS = 200

/** The pixels of a heading, and those of a message that is complete. */
const HEADING_HEIGHT = 40, WRITTEN_HEIGHT = 900

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

const isSticky = element => getComputedStyle(element.parentElement).position === 'sticky'

/** Returns the elements of a list without recycling that can be on the screen: those from the first that ends below `top`. */
const elementsFrom = (elements, top) => {
  let [first, end] = [0, elements.length]
  while (first < end) {
    const middle = (first + end) >> 1
    if (elements[middle].getBoundingClientRect().bottom > top) end = middle
    else first = middle + 1
  }
  const count = Math.min(MOST_ELEMENTS, elements.length - first)
  return Array.from({ length: count }, (_, index) => elements[first + index])
}

/** Returns the rows on the screen with their tops in the viewport. */
const visible = () => {
  const elements = document.querySelectorAll('[data-row]')
  if (elements.length === 0) return []
  const list = scroller().getBoundingClientRect()
  return Array.from(elements.length > MOST_ELEMENTS ? elementsFrom(elements, list.top) : elements)
    .filter(element => !isSticky(element))
    .map(element => ({ row: Number(element.dataset.row), box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > list.top && box.top < list.bottom)
    .map(({ row, box }) => ({ row, top: box.top - list.top, height: box.height }))
    .sort((one, other) => one.top - other.top)
}

/** Gives the focus to what is in a row, and returns a function that states whether it still has the focus. */
const focus = row => {
  const content = document.querySelector(`[data-row="${row}"]`).firstElementChild
  content.tabIndex = -1
  content.focus({ preventScroll: true })
  return () => document.activeElement === content
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
 * Calls `act` in each of a number of frames, which returns by how many pixels it scrolls, and returns by how many pixels rows
 * moved beyond that, in each frame in which they did. Calls `look` after each frame was painted.
 */
const watch = async (frames, act, look = () => {}) => {
  const shifts = []
  let last = new Map(visible().map(({ row, top }) => [row, top]))
  for (let count = 0; count < frames + STILL_FRAMES; count += 1) {
    // This is between two frames, so that events of scrolling come before the next one is painted.
    const scrolled = count < frames ? act() : 0
    await painted()
    look()
    const now = visible()
    const kept = now.filter(({ row }) => last.has(row))
    const moved = kept.map(({ row, top }) => Math.abs(top - last.get(row) + scrolled))
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

/** Inserts a heading before each group of rows, and returns all rows. */
const withHeadings = (rows, heights, group) => {
  const last = Math.floor((rows.length - 1) / group) * group
  for (let row = last; row >= 0; row -= group) heights.splice(row, 0, [HEADING_HEIGHT])
  const heading = index => ({ id: `heading ${index}`, heading: `From ${index} on` })
  return rows.flatMap((row, index) => index % group === 0 ? [heading(index), row] : [row])
}

/**
 * Mounts a list with the first rows of the demo. The query of the page states their number, and how many of them are held back
 * until they are inserted at the top. A list that measures its rows has no `Heights`.
 */
export const start = async ({ mount, Feed, Heights, jump, resize }) => {
  const query = new URLSearchParams(location.search)
  const [count, heldCount] = ['rows', 'held'].map(name => Number(query.get(name)))
  const lines = (await (await fetch('/rows.jsonl')).text()).split('\n', count)
  const posts = lines.map(line => JSON.parse(line))
  const heightsOf = async file => {
    const heights = await Heights?.fromArrow(file)
    heights?.splice(count, heights.length - count, [])
    return heights
  }
  let heights = await heightsOf('/heights.arrow')
  const all = query.has('group') ? withHeadings(posts, heights, Number(query.get('group'))) : posts
  all.forEach((row, number) => { row.number = number })
  const heightsFrom = (first, count) => Array.from({ length: count }, (_, row) => heights?.heightOf(first + row))
  const held = heightsFrom(0, heldCount)
  heights?.splice(0, heldCount, [])
  await Promise.all(Array.from(document.fonts, face => face.load()))
  const list = { current: null }
  const state = {
    rows: all.slice(heldCount), heights, list, inserted: 0, estimate: Number(query.get('estimate')),
    anchor: { row: Number(query.get('row')) - heldCount, distance: Number(query.get('distance')) },
  }
  const begin = performance.now()
  const render = mount(Feed, document.getElementById('feed'), state)
  const started = settle().then(({ still }) => still - begin)
  const update = changes => {
    Object.assign(state, changes)
    render(changes)
  }
  /** Passes other rows or heights, and as the anchor a row that is on the screen. */
  const change = (changes, { row, top } = visible()[0]) => {
    const rows = changes.rows ?? state.rows
    update({ ...changes, anchor: { row: rows.findIndex(({ number }) => number === row), distance: -top } })
  }
  /** Passes more rows, with another anchor or the same one, and returns the shifts, and whether a row kept the focus. */
  const grow = async (changes, isAnchored) => {
    const isFocused = focus(visible()[0].row)
    const shifts = await watch(1, () => {
      if (isAnchored) change(changes)
      else update(changes)
      return 0
    })
    return { shifts, focused: isFocused() }
  }
  let removed = []
  window.page = {
    /** Returns the milliseconds from the rows and heights at hand until the list stood still. */
    started: () => started,
    settle, scrollWatched, scroll,
    isReady: () => document.querySelector('[data-row]') !== null,
    jump: async row => {
      jump(list.current, row - heldCount + state.inserted, state)
      return settle()
    },
    /** Inserts the rows that were held back at the top. */
    prepend: isAnchored => {
      heights?.splice(0, 0, held)
      return grow({ rows: all, inserted: heldCount }, isAnchored)
    },
    /** Appends copies of the first rows. */
    append: (count, isAnchored) => {
      const { rows } = state
      const copies = rows.slice(0, count).map((row, index) => {
        const number = rows.at(-1).number + 1 + index
        return { ...row, id: `appended ${number}`, number }
      })
      heights.splice(rows.length, 0, heightsFrom(0, count))
      return grow({ rows: [...rows, ...copies] }, isAnchored)
    },
    /** Removes rows above the screen, and returns the shifts. */
    remove: (first, count) => watch(1, () => {
      removed = heightsFrom(first, count)
      heights.splice(first, count, [])
      change({ rows: all.toSpliced(first, count) })
      return 0
    }),
    /** Inserts the removed rows again, and returns the shifts. */
    insert: first => watch(1, () => {
      heights.splice(first, 0, removed)
      change({ rows: all })
      return 0
    }),
    /** Passes the heights of another width, which the page has already. The row was on the screen before. */
    widen: async (row, top) => {
      heights = await heightsOf('/other-heights.arrow')
      change({ heights }, { row, top })
      return settle()
    },
    /** Gives a row another height. */
    expand: async (row, height) => {
      const index = row - heldCount + state.inserted
      heights.update(index, height)
      if (resize) {
        update({})
        resize(list.current, index, height)
      } else {
        update({ rows: [...state.rows] })
      }
      return settle()
    },
    /** Passes a copy of the rows, as an application does that changes one of them. */
    renew: async () => {
      update({ rows: [...state.rows] })
      return settle()
    },
    /** Returns the rows that stick to the top of the screen, with their tops. */
    sticky: () => Array.from(document.querySelectorAll('[data-row]')).filter(isSticky)
      .map(element => ({ row: Number(element.dataset.row), top: element.getBoundingClientRect().top })),
    /**
     * Appends a row that gets longer in each of a number of frames, and returns the shifts, and by how many pixels its end was
     * beside that of the viewport.
     */
    write: async frames => {
      const { rows } = state
      const ends = []
      let row = { ...rows.at(-1), id: 'written', number: all.length, caption: '', comments: [] }
      heights.splice(rows.length, 0, [heights.heightOf(rows.length - 1)])
      const shifts = await watch(frames, () => {
        row = { ...row, caption: `${row.caption} and more words` }
        update({ rows: [...rows, row], isWriting: true })
        return 0
      }, () => {
        const end = document.querySelector(`[data-row="${row.number}"]`)?.getBoundingClientRect().bottom
        if (end !== undefined) ends.push(Math.abs(end - innerHeight))
      })
      heights.update(rows.length, WRITTEN_HEIGHT)
      update({ rows: [...rows, row], isWriting: false })
      return { shifts, ends, missing: heights.size - (await settle()).size }
    },
    /** Scrolls to an offset of the scroller, as a browser does that goes back in its history. */
    scrollTo: async offset => {
      scroller().scrollTop = offset
      return settle()
    },
  }
}
