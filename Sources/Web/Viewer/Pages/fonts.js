// The fonts of the cells file, under the names that the lines of texts use.

import { isReachable } from './server.js'

/** @typedef {import('./server.js').ListInfo['fonts'][number]} Font */

/** @type {Map<FontFace, Font>} */
const added = new Map()
/** @type {WeakSet<Font>} */
const loadedAgain = new WeakSet()
/** @type {Map<string, string>} */
const variations = new Map()

/**
 * Returns the value of `font-variation-settings` of a font, or null if it needs none.
 *
 * @param {string} family
 */
export function variationOf(family) {
  return variations.get(family) ?? null
}

/**
 * Makes the fonts of a list known to the page, in place of those of the list before. Browsers load a font when a text
 * uses it.
 *
 * @param {import('./server.js').ListInfo} list
 */
export function useFonts(list) {
  for (const face of added.keys()) document.fonts.delete(face)
  added.clear()
  variations.clear()
  for (const font of list.fonts) {
    if (font.variation !== null) variations.set(font.family, font.variation)
    add(font)
  }
  document.fonts.onloadingerror = (event) => {
    if (event instanceof FontFaceSetLoadEvent) for (const face of event.fontfaces) loadAgain(face)
  }
}

/** @param {Font} font */
function add(font) {
  const { family, url, weight, style } = font
  const face = new FontFace(family, `url(${JSON.stringify(url)})`, { weight, style, display: 'block' })
  added.set(face, font)
  document.fonts.add(face)
}

/**
 * Loads a font again when the server can be reached, once, as browsers also refuse fonts that they have received.
 *
 * @param {FontFace} face
 */
async function loadAgain(face) {
  const font = added.get(face)
  if (font === undefined || loadedAgain.has(font)) return
  loadedAgain.add(font)
  if (!await isReachable(font.url) || !added.delete(face)) return
  document.fonts.delete(face)
  add(font)
}
