// The queries of prefetching.

import { requireBoolean, requireFinite, shown } from './checks.js'

/**
 * A query of a list: where its viewport is, and how it moves.
 *
 * @typedef {object} Query
 * @property {number} offset The offset of the viewport's top in the list, in points.
 * @property {number} viewport The height of the viewport, in points.
 * @property {'down' | 'up'} [direction] The direction of travel, which is `down` if it is not given.
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

/**
 * A query whose properties are checked, with the defaults of those that it lacks.
 *
 * @typedef {ReturnType<typeof checkedQuery>} CheckedQuery
 */

/** @param {Query} query */
export function checkedQuery(query) {
  if (typeof query !== 'object' || query === null) {
    throw new TypeError('A query must be an object such as { offset: 12000, viewport: 844 }')
  }
  const unknown = Object.keys(query).find((property) => !QUERY_PROPERTIES.includes(property))
  if (unknown !== undefined) {
    throw new TypeError(`A query has no property ${shown(unknown)}, only ${QUERY_PROPERTIES.join(', ')}`)
  }
  const { offset, viewport, direction = 'down', mode = 'full' } = query
  const { leading_screens_for_batching: leadingScreens = 2, fetching = false, hidden = false, velocity = 0 } = query
  requireFinite(offset, 'the offset of a query')
  requireFinite(viewport, 'the viewport of a query')
  if (viewport < 0) throw new RangeError(`The viewport of a query is ${viewport}: pass its height, which is at least 0`)
  if (direction !== 'down' && direction !== 'up') {
    throw new RangeError(`The direction of a query is ${shown(direction)}: pass 'down' or 'up'`)
  }
  if (!Object.prototype.hasOwnProperty.call(MODES, mode)) {
    const modes = Object.keys(MODES).map(shown).join(', ')
    throw new RangeError(`The mode of a query is ${shown(mode)}: pass one of ${modes}`)
  }
  requireFinite(leadingScreens, 'leading_screens_for_batching of a query')
  requireBoolean(fetching, 'fetching of a query')
  requireBoolean(hidden, 'hidden of a query')
  requireFinite(velocity, 'the velocity of a query')
  return {
    offset,
    viewport,
    isDown: direction === 'down',
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
 * @param {readonly [number, number]} screens
 * @param {string} name
 */
function checkedScreens(screens, name) {
  if (!Array.isArray(screens) || screens.length !== 2) {
    throw new TypeError(`${name} of a query must be its leading and its trailing number of viewports, such as [1, 0.5]`)
  }
  for (const number of screens) {
    requireFinite(number, `each of the two numbers of viewports in ${name} of a query`)
    if (number < 0) throw new RangeError(`${name} of a query has ${number}: a number of viewports is at least 0`)
  }
  return screens
}
