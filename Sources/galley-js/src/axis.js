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
 * Returns the points between the first row and both edges of the viewport. Offsets of a list from right to left count from
 * its left end, which is its last row: both edges are computed from there, as the sum of a rounded edge and the viewport could
 * lie beyond the edge of a row that only touches it.
 *
 * @param {Axis} axis
 * @param {number} contentLength The length of the content, in points.
 * @param {number} offset
 * @param {number} viewport
 */
export function edgesOfViewport(axis, contentLength, offset, viewport) {
  return axis === 'rightToLeft' ? [contentLength - viewport - offset, contentLength - offset] : [offset, offset + viewport]
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
