// Charts as SVG.

const NAMESPACE = 'http://www.w3.org/2000/svg'

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
function svg(name, attributes, ...children) {
  const element = document.createElementNS(NAMESPACE, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.append(...children)
  return element
}

const WIDTH = 328
const HEIGHT = 132
const BOTTOM = 18

/**
 * Returns a histogram. The heights of bars are square roots of counts, so that rare values can be seen too.
 *
 * @param {{ bounds: number[], counts: number[], minimum: number, median: number, p90: number, maximum: number }} data
 */
export function histogram({ bounds, counts, minimum, median, p90, maximum }) {
  const highest = Math.sqrt(Math.max(...counts, 1))
  const barWidth = WIDTH / Math.max(counts.length, 1)
  const bars = counts.map((count, index) => {
    const height = count === 0 ? 0 : Math.max((Math.sqrt(count) / highest) * (HEIGHT - BOTTOM - 12), 2)
    const title = svg('title', {}, `${count} rows from ${short(bounds[index])} to ${short(bounds[index + 1])} points`)
    return svg('rect', {
      class: 'bin', x: index * barWidth, y: HEIGHT - BOTTOM - height, width: Math.max(barWidth - 1, 0.5), height,
    }, title)
  })
  const low = bounds[0] ?? 0
  const range = (bounds[bounds.length - 1] ?? 1) - low
  /** @param {number} value */
  const x = (value) => (range > 0 ? ((value - low) / range) * WIDTH : 0)
  const marks = /** @type {[string, number][]} */ ([['median', median], ['p90', p90]]).map(([name, value]) => {
    const place = regularPlace(value, bounds, x)
    return svg('g', { class: 'mark' },
      svg('line', { x1: place, x2: place, y1: name === 'median' ? 2 : 14, y2: HEIGHT - BOTTOM }),
      svg('text', {
        x: place > WIDTH * 0.75 ? place - 4 : place + 4, y: name === 'median' ? 10 : 22,
        'text-anchor': place > WIDTH * 0.75 ? 'end' : 'start',
      }, `${name} ${short(value)}`))
  })
  return svg('svg', {
    class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
    'aria-label': `Heights from ${short(minimum)} to ${short(maximum)} points, median ${short(median)}`,
  }, ...bars, ...marks,
  svg('text', { class: 'axis', x: 0, y: HEIGHT - 4 }, `${short(minimum)} pt`),
  svg('text', { class: 'axis', x: WIDTH, y: HEIGHT - 4, 'text-anchor': 'end' }, `${short(maximum)} pt`))
}

/**
 * Returns where a value is if all bins are drawn equally wide, whatever their bounds are.
 *
 * @param {number} value
 * @param {number[]} bounds
 * @param {(value: number) => number} fallback
 */
function regularPlace(value, bounds, fallback) {
  const bins = bounds.length - 1
  for (let bin = 0; bin < bins; bin += 1) {
    if (value > bounds[bin + 1] || bounds[bin + 1] === bounds[bin]) continue
    return ((bin + (value - bounds[bin]) / (bounds[bin + 1] - bounds[bin])) / bins) * WIDTH
  }
  return fallback(value)
}

/**
 * Returns a plot of a scroll over time: the offset as a line, and the resources that were late as marks, as high as
 * they were late.
 *
 * @param {{ t: number, offset: number }[]} scroll
 * @param {{ t: number, delay: number }[]} late
 */
export function scrollPlot(scroll, late) {
  const end = Math.max(scroll[scroll.length - 1]?.t ?? 0, ...late.map(({ t }) => t), 0.001)
  const start = Math.min(scroll[0]?.t ?? 0, end)
  const lowest = Math.min(...scroll.map(({ offset }) => offset))
  const highest = Math.max(...scroll.map(({ offset }) => offset), lowest + 1)
  const latest = Math.max(...late.map((mark) => mark.delay), 0.001)
  /** @param {number} t */
  const x = (t) => ((t - start) / (end - start || 1)) * WIDTH
  const plot = HEIGHT - BOTTOM
  const points = scroll.map(({ t, offset }) => {
    const y = 6 + (1 - (offset - lowest) / (highest - lowest)) * (plot - 12)
    return `${x(t).toFixed(1)},${y.toFixed(1)}`
  })
  const marks = late.map((mark) => {
    const height = Math.max((mark.delay / latest) * plot * 0.6, 2)
    return svg('rect', { class: 'late', x: x(mark.t) - 1, y: plot - height, width: 2, height },
      svg('title', {}, `${Math.round(mark.delay * 1000)} ms late at ${mark.t.toFixed(2)} s`))
  })
  return svg('svg', { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
    'aria-label': `The scroll over ${(end - start).toFixed(1)} seconds with ${late.length} late resources` },
  ...marks, svg('polyline', { class: 'scroll', points: points.join(' ') }),
  svg('text', { class: 'axis', x: 0, y: HEIGHT - 4 }, `${start.toFixed(1)} s`),
  svg('text', { class: 'axis', x: WIDTH, y: HEIGHT - 4, 'text-anchor': 'end' }, `${end.toFixed(1)} s`))
}

/** @param {number | undefined} value */
function short(value) {
  return value === undefined ? '' : String(Math.round(value * 10) / 10)
}
