// The row and the variants in the address, so that the page can be loaded again at the same place.

/** Returns the row, which is 0 if the address has none that a list can have, and the names of the variants. */
export function placeOfAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const row = Number(parameters.get('row'))
  return { row: Number.isSafeInteger(row) && row >= 0 ? row : 0, variants: parameters.get('variants')?.split(',') ?? [] }
}

/**
 * Writes a place into the address.
 *
 * @param {number} row
 * @param {string[]} variants
 */
export function keepPlace(row, variants) {
  const place = `#row=${row}&variants=${variants.map(encodeURIComponent).join(',')}`
  if (location.hash !== place) history.replaceState(null, '', place)
}
