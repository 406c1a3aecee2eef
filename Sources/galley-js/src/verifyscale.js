// What transforms do to the lengths of a row on the screen.

/**
 * The factors by which the lengths of a row are multiplied on the screen.
 *
 * @typedef {object} Scale
 * @property {number} width
 * @property {number} height
 * @property {number} rounding How much the lengths of the row itself may be wrong when they are divided by these.
 */

/**
 * The greatest difference between a length and the whole number of pixels that a browser states for it. Both ends of the length
 * may be rounded.
 */
const ROUNDING = 1

/**
 * Returns the factors of the transforms of a row and of what it is in, such as those of an animation with which it appears.
 *
 * @param {HTMLElement} element
 * @returns {Scale}
 */
export function scaleOf(element) {
  const { width, height } = element.getBoundingClientRect()
  // These lengths are those before all transforms, in whole pixels.
  const { offsetWidth, offsetHeight } = element
  const isScaled = Math.abs(width - offsetWidth) > ROUNDING || Math.abs(height - offsetHeight) > ROUNDING
  if (!isScaled) return { width: 1, height: 1, rounding: 0 }
  return { width: factorOf(width, offsetWidth), height: factorOf(height, offsetHeight), rounding: ROUNDING }
}

/** @param {number} length @param {number} original */
function factorOf(length, original) {
  return original === 0 ? 1 : length / original
}
