import { createRenderEffect } from 'solid-js'
import { cellHTML } from './cell.js'

export const Cell = properties => {
  const element = document.createElement('article')
  element.className = 'cell'
  createRenderEffect(() => {
    element.dataset.row = properties.row.number
    element.innerHTML = cellHTML(properties.row)
  })
  return element
}
