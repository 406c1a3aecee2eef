// Charts as SVG.

import { makeSVG as svg } from './elements.js'
import { counted } from './format.js'

/** @typedef {{ time: number, value: number | null }} Point A value at a time in seconds, or null if there is none. */
/** @typedef {(value: number) => number} Scale Converts a value to a coordinate. */

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
    const title = svg('title', {}, `${counted(count, 'row')} from ${rounded(bounds[index])} to ${rounded(bounds[index + 1])} points`)
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
      }, `${name} ${rounded(value)}`))
  })
  return svg('svg', {
    class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
    'aria-label': `Heights from ${rounded(minimum)} to ${rounded(maximum)} points, median ${rounded(median)}`,
  }, ...bars, ...marks,
  svg('text', { class: 'axis', x: 0, y: HEIGHT - 4 }, `${rounded(minimum)} pt`),
  svg('text', { class: 'axis', x: WIDTH, y: HEIGHT - 4, 'text-anchor': 'end' }, `${rounded(maximum)} pt`))
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
  /** @param {number} offset */
  const y = (offset) => 6 + (1 - (offset - lowest) / (highest - lowest)) * (plot - 12)
  const line = linePath(scroll.map(({ t, offset }) => ({ time: t, value: offset })), x, y)
  const marks = late.map((mark) => {
    const height = Math.max((mark.delay / latest) * plot * 0.6, 2)
    return svg('rect', { class: 'late', x: x(mark.t) - 1, y: plot - height, width: 2, height },
      svg('title', {}, `${Math.round(mark.delay * 1000)} ms late at ${mark.t.toFixed(2)} s`))
  })
  return svg('svg', { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
    'aria-label': `The scroll over ${(end - start).toFixed(1)} seconds with ${late.length} late resources` },
  ...marks, path(line, 'scroll'),
  svg('text', { class: 'axis', x: 0, y: HEIGHT - 4 }, `${start.toFixed(1)} s`),
  svg('text', { class: 'axis', x: WIDTH, y: HEIGHT - 4, 'text-anchor': 'end' }, `${end.toFixed(1)} s`))
}

/** @param {number | undefined} value */
function rounded(value) {
  return value === undefined ? '' : String(Math.round(value * 10) / 10)
}

/** The size of a plot of series in coordinates of its own. It is stretched to the size of its element. */
const SERIES_WIDTH = 600
const SERIES_HEIGHT = 100

/** Returns an element for a plot of series, whose content is drawn by `drawSeries`. */
export function seriesPlot() {
  return svg('svg', { viewBox: `0 0 ${SERIES_WIDTH} ${SERIES_HEIGHT}`, preserveAspectRatio: 'none', role: 'img' })
}

/**
 * Draws values over time as lines, or as bars. The first series is above the others.
 *
 * @param {SVGSVGElement} plot
 * @param {Point[][]} series
 * @param {object} frame
 * @param {number} frame.end The time at the right edge, in seconds.
 * @param {number} frame.seconds The time between the edges.
 * @param {number} frame.top The value at the upper edge.
 * @param {number | null} frame.step The seconds of a bar, or null for lines.
 * @param {[number, number][]} frame.interruptions The times without values: their beginnings and ends.
 * @param {number | null} frame.selected The time that is marked.
 */
export function drawSeries(plot, series, { end, seconds, top, step, interruptions, selected }) {
  /** @param {number} time */
  const x = (time) => SERIES_WIDTH * (1 - (end - time) / seconds)
  /** @param {number} value */
  const y = (value) => SERIES_HEIGHT - (SERIES_HEIGHT - 4) * (value / top)
  const lines = series.flatMap((points, index) => {
    if (step !== null) return [path(barPath(points, x, y, SERIES_WIDTH * (step / seconds)), `bars line-${index}`)]
    const line = path(linePath(points, x, y), `line line-${index}`)
    return series.length === 1 ? [line, path(areaPath(points, x, y), 'area')] : [line]
  })
  plot.replaceChildren(
    ...interruptions.filter(([, until]) => x(until) >= 0).map(([from, until]) => interruption(x(from), x(until))),
    ...[0.5, 1].map((share) => gridLine(y(top * share), 'grid')), ...lines.reverse(), gridLine(SERIES_HEIGHT, 'base'),
    ...(selected === null ? [] : [path(`M${x(selected).toFixed(1)} 0V${SERIES_HEIGHT}`, 'selected')]))
}

/**
 * Returns the next number of the form 1, 2 or 5 times a power of ten.
 *
 * @param {number} value
 */
export function ceiling(value) {
  const power = 10 ** Math.floor(Math.log10(value))
  // The quotient may be a little too large by rounding.
  return power * ([1, 2, 5].find((step) => step >= value / power - 1e-9) ?? 10)
}

/** @param {string} d @param {string} name */
const path = (d, name) => svg('path', { d, class: name })
/** @param {number} y @param {string} name */
const gridLine = (y, name) => path(`M0 ${y.toFixed(1)}H${SERIES_WIDTH}`, name)

/** @param {number} from @param {number} until */
function interruption(from, until) {
  const x = Math.max(from, 0)
  // A short interruption remains visible in an hour.
  return svg('rect', { x, y: 0, width: Math.max(until - x, 1), height: SERIES_HEIGHT, class: 'away' })
}

/**
 * Returns the coordinates of the parts of a line between missing values.
 *
 * @param {Point[]} points
 * @param {Scale} x
 * @param {Scale} y
 */
function runs(points, x, y) {
  /** @type {[string, string][][]} */
  const runs = [[]]
  for (const { time, value } of points) {
    if (value === null) runs.push([])
    else runs[runs.length - 1].push([x(time).toFixed(1), y(value).toFixed(1)])
  }
  return runs.filter((run) => run.length > 0)
}

/** @param {Point[]} points @param {Scale} x @param {Scale} y */
function linePath(points, x, y) {
  // A line without length is drawn as a dot.
  return runs(points, x, y).map((run) => `M${run[0].join(' ')}${lineTo(run)}`).join('')
}

/** @param {Point[]} points @param {Scale} x @param {Scale} y */
function areaPath(points, x, y) {
  return runs(points, x, y).map((run) =>
    `M${run[0][0]} ${SERIES_HEIGHT}${lineTo(run)}L${run[run.length - 1][0]} ${SERIES_HEIGHT}Z`).join('')
}

/** @param {[string, string][]} run */
const lineTo = (run) => run.map((point) => `L${point.join(' ')}`).join('')

/** @param {Point[]} points @param {Scale} x @param {Scale} y @param {number} step */
function barPath(points, x, y, step) {
  const half = Math.max(step / 2 - 1.5, 0.7)
  return points.map(({ time, value }) => (value !== null && value > 0
    ? `M${(x(time) - half).toFixed(1)} ${SERIES_HEIGHT}V${y(value).toFixed(1)}h${2 * half}V${SERIES_HEIGHT}Z` : '')).join('')
}
