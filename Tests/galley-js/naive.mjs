// A list of heights as plain as it can be: the model that galley.js is compared with.

/** @typedef {{ row: number, url: string, pixel_width: number, pixel_height: number, range?: string }} Resource */

const screens = {
  full: { display: [1, 0.5], preload: [2.5, 1.5] },
  minimum: { display: [0.25, 0.25], preload: [0.5, 0.25] },
  visibleOnly: { display: [0, 0], preload: [0, 0] },
}

/** The points by which lengths may differ and still count as equal. */
function toleranceOf(offset, viewport) {
  return Math.min((Math.abs(offset) + viewport) / 4194304, 0.0625)
}

export class NaiveHeights {
  /** @param {number[]} heights */
  constructor(heights) {
    this.heights = heights
    this.#addUp()
  }

  #addUp() {
    let top = 0
    this.tops = this.heights.map((height) => {
      const rowTop = top
      top += height
      return rowTop
    })
    this.size = top
  }

  get length() {
    return this.heights.length
  }

  offsetOf(row) {
    return row === this.length ? this.size : this.tops[row]
  }

  heightOf(row) {
    return this.heights[row]
  }

  bottom(row) {
    return this.tops[row] + this.heights[row]
  }

  rowAt(offset) {
    const row = this.heights.findIndex((_, row) => this.bottom(row) > Math.max(offset, 0))
    return row < 0 ? this.length - 1 : row
  }

  update(row, height) {
    this.heights[row] = height
    this.#addUp()
  }

  splice(row, removed, heights) {
    this.heights.splice(row, removed, ...heights)
    this.#addUp()
  }

  range(top, bottom) {
    const rows = Array.from(this.heights.keys()).filter((row) =>
      top < bottom && this.heights[row] > 0 && this.tops[row] < bottom && this.bottom(row) > top)
    if (rows.length > 0) return [rows[0], rows[rows.length - 1] + 1]
    const next = this.heights.findIndex((_, row) => this.bottom(row) > Math.max(top, 0))
    return next < 0 ? [this.length, this.length] : [next, next]
  }

  prefetch({ offset, viewport, direction, mode, fetching, hidden, velocity }) {
    const tolerance = toleranceOf(offset, viewport)
    const extended = ([leading, trailing]) => {
      const [above, below] = direction === 'down' ? [trailing, leading] : [leading, trailing]
      return this.range(offset - above * viewport + tolerance, offset + viewport + below * viewport - tolerance)
    }
    const visible = this.range(offset + tolerance, offset + viewport - tolerance)
    const isLow = mode === 'lowMemory'
    const remaining = this.size - viewport - offset
    const isShort = this.size < viewport - tolerance
    const isDecidedByDistance = !fetching && viewport > 0 && !isShort && !hidden && direction === 'down'
    return {
      visible,
      display: isLow ? [visible[0], visible[0]] : extended(screens[mode].display),
      preload: isLow ? [visible[0], visible[0]] : extended(screens[mode].preload),
      fetch_next_batch:
        !fetching && viewport > 0
        && (isShort || (!hidden && direction === 'down' && remaining <= viewport * 2 + tolerance)),
      remaining,
      ...(isDecidedByDistance && velocity > 0 ? { remaining_time: remaining / (velocity * 1000) } : {}),
    }
  }
}

/**
 * Returns the resources of ranges by sorting all of them.
 *
 * @param {{ visible: number[], display: number[], preload: number[] }} ranges
 * @param {'down' | 'up'} direction
 * @param {number[]} heights
 * @param {Resource[]} resources The resources of all rows, in the order of the table.
 */
export function naiveResources(ranges, direction, heights, resources) {
  const names = /** @type {const} */ (['visible', 'display', 'preload'])
  const isIn = (row, [first, end]) => row >= first && row < end
  const sign = direction === 'down' ? 1 : -1
  const keyed = resources.flatMap((resource, position) => {
    const { row } = resource
    const range = names.findIndex((name) => isIn(row, ranges[name]))
    if (range < 0 || heights[row] === 0) return []
    const [first, end] = ranges.visible
    const isBelow = row >= end
    const distance = range === 0 ? sign * row : isBelow ? row - end : first - row
    const isBehind = range > 0 && isBelow !== (direction === 'down')
    return [{ key: [range, isBehind ? 1 : 0, distance, position], resource: { ...resource, range: names[range] } }]
  })
  keyed.sort((a, b) => a.key.map((value, index) => value - b.key[index]).find((difference) => difference !== 0) ?? 0)
  const needed = []
  for (const { resource } of keyed) {
    const same = keyed.map((other) => other.resource).filter(({ url }) => url === resource.url)
    if (needed.some(({ url }) => url === resource.url)) continue
    const area = (/** @type {Resource} */ { pixel_width, pixel_height }) => pixel_width * pixel_height
    const largest = same.find((one) => same.every((other) => area(one) >= area(other)))
    needed.push({ ...resource, pixel_width: largest.pixel_width, pixel_height: largest.pixel_height })
  }
  return needed
}
