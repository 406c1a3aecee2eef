// A chart of the last hour or minute: one or two lines, or bars, over time.

import { element } from './elements.js'
import { age } from './format.js'

const [width, height] = [600, 100]

export class Chart {
  /**
   * @param {{title: string, note: string, lines: {name: string, value: Function}[], format: Function, least: number,
   *   bars?: boolean}} description - `least` is the least value at the top of the chart.
   */
  constructor(description) {
    this.description = description
    this.shown = []
    this.values = description.lines.map(() => element('b', '', '–'))
    const figures = element('p', 'figures', ...description.lines.flatMap((line, index) =>
      [element('span', `figure figure-${index}`, this.values[index], element('small', '', line.name))]))
    this.top = element('span', 'top')
    this.when = element('span')
    this.svg = shape('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img' })
    const plot = element(
      'div', 'plot', this.svg, this.top, element('span', 'when', this.when, element('span', '', 'now')))
    this.node = element('figure', 'chart',
      element('figcaption', '', element('h2', '', description.title), element('span', '', description.note)), figures, plot)
  }

  /** Draws a span of the history. `selected` is the time that the pointer selects, or null. */
  draw(history, span, selected) {
    const { lines, format, least, bars } = this.description
    const end = history.samples.at(-1)?.time ?? 0
    this.shown = lines.map((line) => history.series(line.value, span))
    const highest = Math.max(0, ...this.shown.flat().map((point) => point.value ?? 0))
    const top = ceiling(Math.max(highest, least))
    const x = (time) => width * (1 - (end - time) / span.seconds)
    const y = (value) => height - (height - 4) * (value / top)
    const parts = [...away(history, x), ...[0.5, 1].map((share) => gridLine(y(top * share)))]
    // The first line is above the others.
    for (const [index, points] of [...this.shown.entries()].reverse()) {
      if (bars) parts.push(path(barPath(points, x, y, width * (span.step / span.seconds)), `bars line-${index}`))
      else {
        if (index === 0 && lines.length === 1) parts.push(path(areaPath(points, x, y), 'area'))
        parts.push(path(linePath(points, x, y), `line line-${index}`))
      }
    }
    parts.push(gridLine(height, 'base'))
    if (selected !== null) parts.push(path(`M${x(selected).toFixed(1)} 0V${height}`, 'selected'))
    this.svg.replaceChildren(...parts)
    this.top.textContent = format(top)
    this.when.textContent = selected === null ? `1 ${span.name} ago` : `value of ${age(end - selected)} ago`
    const now = lines.map(({ value }, index) => (selected === null
      ? history.now(value) : this.shown[index].find((point) => point.time === selected)?.value ?? null))
    for (const [index, value] of now.entries()) this.values[index].textContent = value === null ? '–' : format(value)
    const texts = lines.map((line, index) => `${line.name} ${now[index] === null ? 'none' : format(now[index])}`)
    this.svg.setAttribute(
      'aria-label', `${this.description.title}: ${texts.join(', ')}; highest in the last ${span.name} ${format(highest)}`)
  }
}

/** Returns the next number of the form 1, 2 or 5 times a power of ten. */
export function ceiling(value) {
  const power = 10 ** Math.floor(Math.log10(value))
  // The quotient may be a little too large by rounding.
  return power * [1, 2, 5, 10].find((step) => step >= value / power - 1e-9)
}

function shape(name, attributes) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  return node
}

const path = (d, name) => shape('path', { d, class: name })
const gridLine = (y, name = 'grid') => path(`M0 ${y.toFixed(1)}H${width}`, name)

/** Returns areas for the times at which the coordinator did not reply. */
function away(history, x) {
  const areas = []
  for (const [index, { time, status }] of history.samples.entries()) {
    if (status || x(time) < 0) continue
    const begin = Math.max(x(history.samples[index - 1]?.time ?? time), 0)
    // A short interruption remains visible in an hour.
    const extent = Math.max(x(time) - begin, 1)
    areas.push(shape('rect', { x: begin, y: 0, width: extent, height, class: 'away' }))
  }
  return areas
}

/** Returns the parts of a line between missing values. */
function runs(points) {
  const runs = [[]]
  for (const point of points) {
    if (point.value === null) runs.push([])
    else runs.at(-1).push(point)
  }
  return runs.filter((run) => run.length)
}

function linePath(points, x, y) {
  const position = (point) => `${x(point.time).toFixed(1)} ${y(point.value).toFixed(1)}`
  // A line without length is drawn as a dot.
  return runs(points).map((run) => `M${position(run[0])}L${run.map(position).join('L')}`).join('')
}

function areaPath(points, x, y) {
  return runs(points).map((run) =>
    `M${x(run[0].time).toFixed(1)} ${height}`
    + run.map((point) => `L${x(point.time).toFixed(1)} ${y(point.value).toFixed(1)}`).join('')
    + `L${x(run.at(-1).time).toFixed(1)} ${height}Z`).join('')
}

function barPath(points, x, y, step) {
  const half = Math.max(step / 2 - 1.5, 0.7)
  return points.filter((point) => point.value > 0).map((point) =>
    `M${(x(point.time) - half).toFixed(1)} ${height}V${y(point.value).toFixed(1)}h${2 * half}V${height}Z`).join('')
}
