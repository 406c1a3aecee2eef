// The fonts of the cells file, under the names that the lines of texts use.

/** @type {Set<FontFace>} */
const added = new Set()

/**
 * Makes the fonts of a list known to the page, in place of those of the list before. Browsers load a font when a text
 * uses it.
 *
 * @param {import('./server.js').ListInfo} list
 */
export function useFonts(list) {
  for (const face of added) document.fonts.delete(face)
  added.clear()
  for (const { family, url, weight, style } of list.fonts) {
    const face = new FontFace(family, `url(${JSON.stringify(url)})`, {
      weight: String(weight ?? 'normal'), style: style ?? 'normal', display: 'block',
    })
    added.add(face)
    document.fonts.add(face)
  }
}
