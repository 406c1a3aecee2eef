// The addresses to which a page may lead.

/** The protocols of links. A row's data must not be able to run a script with `javascript:`. */
const PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:']

/** What an address without a protocol is relative to, wherever the page is: it has the protocol of the page. */
const PAGE = 'https://page.invalid/'

/**
 * Returns whether a value is the address of a link that may be followed.
 *
 * @param {unknown} address
 * @returns {address is string}
 */
export function isLink(address) {
  if (typeof address !== 'string') return false
  try {
    return PROTOCOLS.includes(new URL(address, PAGE).protocol)
  } catch {
    return false
  }
}
