// The fonts of the cells file, under the names that the lines of texts use.

/** @type {Set<FontFace>} */
const added = new Set()
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
  for (const face of added) document.fonts.delete(face)
  added.clear()
  variations.clear()
  for (const { family, url, weight, style, variation } of list.fonts) {
    const face = new FontFace(family, `url(${JSON.stringify(url)})`, { weight, style, display: 'block' })
    if (variation !== null) variations.set(family, variation)
    added.add(face)
    document.fonts.add(face)
  }
}
