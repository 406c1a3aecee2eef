// A figure of the last hour or minute: its caption, the values now, and a plot of one or two lines, or of bars.

import { ceiling, drawSeries, seriesPlot } from './charts.js'
import { make } from './elements.js'
import { age } from './format.js'

/** @typedef {import('./history.js').History} History */

/**
 * @typedef {object} Description
 * @property {string} title
 * @property {string} note
 * @property {{ name: string, value: import('./values.js').Value }[]} lines
 * @property {(value: number) => string} format
 * @property {number} least The least value at the top of the plot.
 * @property {boolean} [bars] Whether values are drawn as bars.
 */

export class Figure {
  /** @param {Description} description */
  constructor(description) {
    this.description = description
    this.values = description.lines.map(() => make('b', {}, '–'))
    const figures = make('p', { class: 'figures' }, ...description.lines.map((line, index) =>
      make('span', { class: `figure figure-${index}` }, this.values[index], make('small', {}, line.name))))
    this.top = make('span', { class: 'top' })
    this.when = make('span')
    this.svg = seriesPlot()
    const plot = make('div', { class: 'plot' }, this.svg, this.top,
      make('span', { class: 'when' }, this.when, make('span', {}, 'now')))
    const caption = make('figcaption', {}, make('h2', {}, description.title), make('span', {}, description.note))
    this.node = make('figure', { class: 'chart' }, caption, figures, plot)
  }

  /**
   * Draws a span of the history.
   *
   * @param {History} history
   * @param {import('./history.js').Span} span
   * @param {number | null} selected The time that the pointer selects.
   */
  draw(history, span, selected) {
    const { title, lines, format, least, bars } = this.description
    const end = history.samples.at(-1)?.time ?? 0
    const series = lines.map((line) => history.series(line.value, span))
    const highest = Math.max(0, ...series.flat().map((point) => point.value ?? 0))
    const top = ceiling(Math.max(highest, least))
    drawSeries(this.svg, series, {
      end, seconds: span.seconds, top, step: bars ? span.step : null, interruptions: interruptions(history), selected,
    })
    this.top.textContent = format(top)
    this.when.textContent = selected === null ? `1 ${span.name} ago` : `value of ${age(end - selected)} ago`
    const now = lines.map(({ value }, index) => (selected === null
      ? history.now(value) : series[index].find((point) => point.time === selected)?.value ?? null))
    for (const [index, value] of now.entries()) this.values[index].textContent = value === null ? '–' : format(value)
    const texts = now.map((value, index) => `${lines[index].name} ${value === null ? 'none' : format(value)}`)
    this.svg.setAttribute(
      'aria-label', `${title}: ${texts.join(', ')}; highest in the last ${span.name} ${format(highest)}`)
  }
}

/**
 * Returns the times at which the coordinator did not reply.
 *
 * @param {History} history
 * @returns {[number, number][]}
 */
function interruptions({ samples }) {
  return samples.flatMap(({ time, status }, index) => (status ? [] : [[samples[index - 1]?.time ?? time, time]]))
}
