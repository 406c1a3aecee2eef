import { h } from 'vue'
import { cellHTML } from './cell.js'

export const Cell = ({ row }) => h('article', { class: 'cell', 'data-row': row.number, innerHTML: cellHTML(row) })
Cell.props = ['row']
