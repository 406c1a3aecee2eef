// Content that is replaced without taking the focus from it.

/**
 * Replaces the content of an element. If the focus is within, the new element with the same name has it then, or the element itself.
 * Of several with this name it is the one at the same place among them.
 *
 * @param {HTMLElement} element
 * @param {(Node | string)[]} content
 */
export function replaceContent(element, ...content) {
  const focused = document.activeElement
  const isWithin = focused instanceof HTMLElement && focused !== element && element.contains(focused)
  const name = isWithin ? nameOf(focused) : ''
  const named = () => Array.from(element.querySelectorAll('button, [tabindex]')).filter((one) => name !== '' && nameOf(one) === name)
  const index = isWithin ? named().indexOf(focused) : -1
  element.replaceChildren(...content)
  if (!isWithin) return
  const same = named()[index]
  const next = same instanceof HTMLElement ? same : element
  next.focus({ preventScroll: true })
}

/** @param {Element} element */
function nameOf(element) {
  return element.getAttribute('value') ?? element.getAttribute('aria-label') ?? element.id
}
