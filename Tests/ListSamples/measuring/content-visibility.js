import { cellHTML } from './cell.js'

export function Feed(scroller, { rows, estimate, anchor, list }) {
  scroller.style.overflowY = 'auto'
  scroller.append(...rows.map(row => {
    const element = document.createElement('article')
    element.className = 'cell'
    element.dataset.row = row.number
    element.style.cssText = `content-visibility: auto; contain-intrinsic-height: auto ${estimate}px`
    element.innerHTML = cellHTML(row)
    return element
  }))
  list.current = scroller
  if (anchor.row > 0) scroller.children[anchor.row].scrollIntoView()
}
