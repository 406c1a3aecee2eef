import { cellHTML } from './cell.js'

export const Cell = ({ row }) => (
  <article className="cell" data-row={row.number} dangerouslySetInnerHTML={{ __html: cellHTML(row) }} />
)
