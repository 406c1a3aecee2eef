// The queries of prefetching.

import { DIRECTIONS } from './axis.js'
import { oneOf, requireBoolean, requireFinite, requireProperties } from './checks.js'

/** @typedef {import('./axis.js').Axis} Axis */
/** @typedef {import('./axis.js').Direction} Direction */

/**
 * A query of a list: where its viewport is, and how it moves.
 *
 * @typedef {object} Query
 * @property {number} offset The offset of the viewport's top in the list, or of its left edge, in points.
 * @property {number} viewport The height of the viewport, or its width, in points.
 * @property {Direction} [direction] The direction in which the viewport moves on the screen, which leads to the last row if
 * it is not given.
 * @property {'full' | 'minimum' | 'visibleOnly' | 'lowMemory'} [mode] The mode of the ranges, which is `full` if it is
 * not given.
 * @property {readonly [number, number]} [display] The leading and the trailing number of viewports of the display
 * range, instead of those of the mode.
 * @property {readonly [number, number]} [preload] The same of the preload range.
 * @property {number} [leading_screens_for_batching] The number of viewports before the end of the content at which the
 * next rows are to be fetched, which is 2 if it is not given.
 * @property {boolean} [fetching] Whether rows that the list has asked for are on their way.
 * @property {boolean} [hidden] Whether the list is in no window. It then asks for rows only if it has fewer than fill the
 * viewport.
 * @property {number} [velocity] The velocity towards the end of the list, in points per millisecond.
 */

/**
 * The leading and the trailing numbers of viewports of the ranges, as Texture has them.
 *
 * @type {Record<string, { display: readonly [number, number], preload: readonly [number, number] }>}
 */
const MODES = {
  full: { display: [1, 0.5], preload: [2.5, 1.5] },
  minimum: { display: [0.25, 0.25], preload: [0.5, 0.25] },
  visibleOnly: { display: [0, 0], preload: [0, 0] },
  lowMemory: { display: [0, 0], preload: [0, 0] },
}

const QUERY_PROPERTIES = [
  'offset', 'viewport', 'direction', 'mode', 'display', 'preload', 'leading_screens_for_batching',
  'fetching', 'hidden', 'velocity',
]

/** The largest offset and viewport in points: beyond it, not every whole number is a 64-bit floating-point number. */
const MAX_POINTS = 2 ** 53
/** The largest extent of a range in viewports. */
const MAX_VIEWPORTS = 1_000_000

/**
 * A query whose properties are checked, with the defaults of those that it lacks.
 *
 * @typedef {ReturnType<typeof checkedQuery>} CheckedQuery
 */

/**
 * @param {Query} query
 * @param {Axis} axis
 */
export function checkedQuery(query, axis) {
  requireProperties(query, QUERY_PROPERTIES, 'a query')
  const [forward] = DIRECTIONS[axis]
  const { offset, viewport, direction = forward, mode = 'full' } = query
  const { leading_screens_for_batching: leadingScreens = 2, fetching = false, hidden = false, velocity = 0 } = query
  requirePoints(offset, 'offset')
  requirePoints(viewport, 'viewport')
  if (viewport < 0) throw new RangeError(`The viewport of a query is ${viewport}: pass its length, which is at least 0`)
  oneOf(direction, DIRECTIONS[axis], 'The direction of a query')
  oneOf(mode, Object.keys(MODES), 'The mode of a query')
  requireFinite(leadingScreens, 'leading_screens_for_batching of a query')
  requireBoolean(fetching, 'fetching of a query')
  requireBoolean(hidden, 'hidden of a query')
  requireFinite(velocity, 'the velocity of a query')
  return {
    offset,
    viewport,
    isForward: direction === forward,
    mode,
    display: checkedScreens(query.display ?? MODES[mode].display, 'display'),
    preload: checkedScreens(query.preload ?? MODES[mode].preload, 'preload'),
    leadingScreens,
    fetching,
    hidden,
    velocity,
  }
}

/**
 * @param {number} points
 * @param {string} name
 */
function requirePoints(points, name) {
  requireFinite(points, `the ${name} of a query`)
  if (Math.abs(points) > MAX_POINTS) {
    throw new RangeError(`The ${name} of a query is ${points}, which no list reaches: pass a number of points, such as 844`)
  }
}

/**
 * @param {readonly [number, number]} screens
 * @param {string} name
 */
function checkedScreens(screens, name) {
  if (!Array.isArray(screens) || screens.length !== 2) {
    throw new TypeError(`${name} of a query must be its leading and its trailing number of viewports, such as [1, 0.5]`)
  }
  for (const number of screens) {
    requireFinite(number, `each of the two numbers of viewports in ${name} of a query`)
    if (number < 0 || number > MAX_VIEWPORTS) {
      throw new RangeError(`${name} of a query has ${number}: a number of viewports is from 0 to 1,000,000`)
    }
  }
  return screens
}
