// The row and the variants in the address, so that the page can be loaded again at the same place.

/** Returns the row, which is 0 if the address has none that a list can have, and the names of the variants. */
export function placeOfAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const row = Number(parameters.get('row'))
  // A comma within a name is encoded, so that the names are divided before they are decoded.
  const names = location.hash.match(/[#&]variants=([^&]*)/)?.[1].split(',') ?? []
  const variants = names.map(name => new URLSearchParams(`name=${name}`).get('name') ?? '')
  return { row: Number.isSafeInteger(row) && row >= 0 ? row : 0, variants }
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
