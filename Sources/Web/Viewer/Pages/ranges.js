// The ranges of prefetching beside the list: what is visible, displayed and preloaded while one scrolls.

import { rowBelow } from './rowsbyneed.js'

/** The number of viewports that the drawing shows, and of those above the viewport. */
const VIEWPORTS = 6
const VIEWPORTS_ABOVE = 2.25
/** The height of a row below which rows are not drawn one by one, in CSS pixels. */
const MIN_ROW_PIXELS = 3
/** The greatest number of marks of resources. */
const MAX_MARKS = 600

/** @typedef {'preload' | 'display' | 'visible'} RangeName */
/** @type {RangeName[]} */
const NAMES = ['preload', 'display', 'visible']

/** Draws the ranges on a canvas, to the scale of the list. */
export class RangesView {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas
    /**
     * What would be loaded, as of the last reply of the server.
     *
     * @type {import('./galley.js').NeededResource[]}
     */
    this.resources = []
  }

  /** @param {import('./listview.js').ListView} list */
  draw(list) {
    const { heights, offset, viewport, direction } = list
    const { canvas } = this
    const { clientWidth: width, clientHeight: height } = canvas
    const context = canvas.getContext('2d')
    if (context === null || heights === null || viewport === 0 || width === 0) return
    const ratio = window.devicePixelRatio
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio)
      canvas.height = Math.round(height * ratio)
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width, height)
    const colors = getComputedStyle(canvas)
    /** @param {string} name */
    const color = (name) => colors.getPropertyValue(name)
    const scale = height / (VIEWPORTS * viewport)
    const above = direction === 'down' ? VIEWPORTS_ABOVE : VIEWPORTS - 1 - VIEWPORTS_ABOVE
    const top = offset - above * viewport
    /** @param {number} value */
    const y = (value) => (value - top) * scale

    context.fillStyle = color('--rail-list')
    const listTop = Math.max(y(0), 0)
    context.fillRect(10, listTop, width - 20, Math.max(Math.min(y(heights.size), height) - listTop, 0))
    const prefetch = heights.length === 0 ? null : heights.prefetch({ offset, viewport, direction })
    if (prefetch !== null) {
      NAMES.forEach((name, index) => {
        const [first, end] = prefetch[name]
        if (end <= first) return
        const inset = 10 + index * 5
        const from = y(heights.offsetOf(first))
        context.fillStyle = color(`--${name}-soft`)
        context.fillRect(inset, from, width - 2 * inset, y(heights.offsetOf(end)) - from)
        context.fillStyle = color(`--${name}`)
        context.fillRect(inset - 3, from, 3, y(heights.offsetOf(end)) - from)
      })
    }
    this.#drawRows(context, heights, top, top + height / scale, y, color('--paper'), width)
    this.#drawMarks(context, heights, y, color, width, height)
    context.strokeStyle = color('--ink')
    context.lineWidth = 1.5
    context.strokeRect(4.75, y(offset) + 0.75, width - 9.5, viewport * scale - 1.5)
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {import('./galley.js').Heights} heights
   * @param {number} top
   * @param {number} bottom
   * @param {(offset: number) => number} y
   * @param {string} color
   * @param {number} width
   */
  #drawRows(context, heights, top, bottom, y, color, width) {
    if (heights.length === 0) return
    context.fillStyle = color
    let last = -Infinity
    let row = heights.rowAt(Math.max(top, 0))
    while (row < heights.length && row >= 0) {
      const end = heights.offsetOf(row) + heights.heightOf(row)
      if (end > bottom || end >= heights.size) break
      if (y(end) - last >= MIN_ROW_PIXELS) {
        last = y(end)
        context.fillRect(10, Math.round(last), width - 20, 1)
      }
      row = rowBelow(heights, row)
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {import('./galley.js').Heights} heights
   * @param {(offset: number) => number} y
   * @param {(name: string) => string} color
   * @param {number} width
   * @param {number} height
   */
  #drawMarks(context, heights, y, color, width, height) {
    /** @type {Map<number, number>} */
    const countOfRow = new Map()
    for (const { row, range } of this.resources.slice(0, MAX_MARKS)) {
      if (row >= heights.length) continue
      const index = countOfRow.get(row) ?? 0
      countOfRow.set(row, index + 1)
      const top = y(heights.offsetOf(row)) + 3
      const x = width / 2 - 11 + (index % 4) * 6
      if (top < 0 || top > height) continue
      context.fillStyle = color(`--${range}-ink`)
      context.fillRect(x, top + Math.floor(index / 4) * 6, 4, 4)
    }
  }
}
