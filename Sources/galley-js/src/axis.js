// How the rows of a list follow each other in the direction in which it scrolls.

/** @typedef {'vertical' | 'inverted' | 'horizontal' | 'rightToLeft'} Axis */
/** @typedef {'down' | 'up' | 'right' | 'left'} Direction */

/** @type {readonly Axis[]} */
export const AXES = ['vertical', 'inverted', 'horizontal', 'rightToLeft']

/**
 * The directions on the screen in which a list scrolls, the one towards the last row first.
 *
 * @type {Record<Axis, readonly [Direction, Direction]>}
 */
export const DIRECTIONS = {
  vertical: ['down', 'up'],
  inverted: ['up', 'down'],
  horizontal: ['right', 'left'],
  rightToLeft: ['left', 'right'],
}

/** @param {Axis} axis */
export function isHorizontal(axis) {
  return axis === 'horizontal' || axis === 'rightToLeft'
}

/**
 * Returns the points by which lengths may differ and still count as equal. The lengths in tables are floats of 32 bits, those of a
 * query are of 64, and the differences of all rows before one add up, to a quarter of this at most. The limit is less than a device
 * pixel where a point has up to 16 of them.
 *
 * @param {{ offset: number, viewport: number }} query
 */
export function toleranceOf({ offset, viewport }) {
  return Math.min((Math.abs(offset) + viewport) * 2 ** -22, 1 / 16)
}

/**
 * Returns the points between the first row and the edge of the viewport on its side. Offsets of a list from right to left count
 * from its left end, which is its last row.
 *
 * @param {Axis} axis
 * @param {number} contentLength The length of the content, in points.
 * @param {number} offset
 * @param {number} viewport
 */
export function startOfViewport(axis, contentLength, offset, viewport) {
  return axis === 'rightToLeft' ? contentLength - viewport - offset : offset
}

/**
 * Returns where a row lies on the screen: the points from the viewport's top or left edge to that of the row.
 *
 * @param {Axis} axis
 * @param {{ start: number, end: number, contentLength: number }} row The offsets at which the row begins and ends.
 * @param {number} offset
 * @param {number} viewport
 */
export function screenPosition(axis, { start, end, contentLength }, offset, viewport) {
  if (axis === 'inverted') return viewport - (end - offset)
  return axis === 'rightToLeft' ? contentLength - end - offset : start - offset
}
