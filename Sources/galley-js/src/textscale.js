// The size of texts that a reader has chosen.

import { requireFinite } from './checks.js'

/** The pixels of the font size `medium` of CSS for a reader who has chosen none. */
const MEDIUM = 16

/**
 * Returns the factor of font sizes that the reader of a page has chosen in the browser, whatever sizes the page states; with text
 * scales, the one that is nearest to it, and of two that are equally near the smaller one.
 *
 * @param {number[]} [scales] The text scales that were laid out.
 */
export function userTextScale(scales = []) {
  for (const scale of scales) requireFinite(scale, 'a text scale')
  const chosen = mediumSize() / MEDIUM
  /** @param {number} scale */
  const distance = (scale) => Math.abs(scale - chosen)
  const [nearest = chosen] = [...scales].sort((one, other) => distance(one) - distance(other) || one - other)
  return nearest
}

/** Returns the pixels of the font size `medium`, which the reader chooses. */
function mediumSize() {
  const probe = document.createElement('span')
  // The size is another one for fonts of one width.
  probe.style.cssText = 'font:medium serif;position:absolute'
  document.documentElement.append(probe)
  const { fontSize } = getComputedStyle(probe)
  probe.remove()
  return parseFloat(fontSize)
}
