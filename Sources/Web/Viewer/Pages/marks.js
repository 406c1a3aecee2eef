// The marks of nodes: of the one under the pointer, with a tag beside it, and of the chosen one.

import { nodeAt, rounded } from './cellview.js'
import { byId, make } from './elements.js'

const tag = byId('tag')
/** @type {Element | null} */
let hot = null

/**
 * Marks the node under the pointer.
 *
 * @param {HTMLElement} scroller
 */
export function followPointer(scroller) {
  scroller.addEventListener('pointerover', (event) => {
    const place = nodeAt(event.target)
    const element = event.target instanceof Element ? event.target.closest('.node') : null
    if (element === hot) return
    hot?.classList.remove('hot')
    hot = element
    const node = place?.view.cell?.nodes[place.index]
    tag.hidden = node === undefined || event.pointerType === 'touch'
    if (element === null || node === undefined) return
    element.classList.add('hot')
    tag.replaceChildren(make('b', {}, node.name), make('span', {}, node.type),
      `${rounded(node.width)} × ${rounded(node.height)} at ${rounded(node.x)}, ${rounded(node.y)}`)
    const desk = scroller.getBoundingClientRect()
    const box = element.getBoundingClientRect()
    const above = box.top - desk.top - tag.offsetHeight - 4
    const left = Math.min(Math.max(box.left - desk.left, 4), desk.width - tag.offsetWidth - 20)
    tag.style.transform = `translate(${left}px, ${above > 0 ? above : Math.max(box.bottom - desk.top, 0) + 4}px)`
  })
  scroller.addEventListener('pointerleave', () => hideTag())
  scroller.addEventListener('scroll', () => hideTag(), { passive: true })
}

function hideTag() {
  tag.hidden = true
  hot?.classList.remove('hot')
  hot = null
}

/**
 * Marks the chosen node, if its cell is drawn.
 *
 * @param {import('./cellpage.js').Selection | null} selection
 */
export function markNode(selection) {
  const cells = document.getElementById(`row-${selection?.cell.row}`)?.querySelectorAll('.cell') ?? []
  const cell = Array.from(cells).find((one) => one instanceof HTMLElement && one.dataset.variant === selection?.variant.name)
  const chosen = cell?.querySelectorAll('.node')[selection?.node ?? -1]
  for (const element of document.querySelectorAll('.node.chosen')) if (element !== chosen) element.classList.remove('chosen')
  chosen?.classList.add('chosen')
}
