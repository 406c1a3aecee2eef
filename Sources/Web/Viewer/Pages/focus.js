// Content that is replaced without taking the focus from it.

/**
 * Replaces the content of an element. If the focus is within, the new element with the same name has it then, or the element itself.
 *
 * @param {HTMLElement} element
 * @param {(Node | string)[]} content
 */
export function replaceContent(element, ...content) {
  const focused = document.activeElement
  const isWithin = focused instanceof HTMLElement && focused !== element && element.contains(focused)
  element.replaceChildren(...content)
  if (!isWithin) return
  const name = nameOf(focused)
  const same = Array.from(element.querySelectorAll('button, [tabindex]')).find((one) => name !== '' && nameOf(one) === name)
  const next = same instanceof HTMLElement ? same : element
  next.focus({ preventScroll: true })
}

/** @param {Element} element */
function nameOf(element) {
  return element.getAttribute('value') ?? element.getAttribute('aria-label') ?? element.id
}
