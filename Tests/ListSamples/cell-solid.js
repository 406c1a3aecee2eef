import { createMemo, createRenderEffect } from 'solid-js'
import { cellHTML } from './cell.js'

export const Cell = properties => {
  const element = document.createElement('article')
  element.className = 'cell'
  const row = createMemo(() => properties.row)
  createRenderEffect(() => {
    element.dataset.row = row().number
    element.innerHTML = cellHTML(row())
  })
  return element
}
