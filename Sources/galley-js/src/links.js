// The addresses to which a page may lead.

/** The protocols of links. A row's data must not be able to run a script with `javascript:`. */
const PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:']

/** What an address without a protocol is relative to, wherever the page is: it has the protocol of the page. */
const PAGE = 'https://page.invalid/'

/**
 * Returns whether an address may be that of a link.
 *
 * @param {string} address
 */
export function isLink(address) {
  try {
    return PROTOCOLS.includes(new URL(address, PAGE).protocol)
  } catch {
    return false
  }
}
