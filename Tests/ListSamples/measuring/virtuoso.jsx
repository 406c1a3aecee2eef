import { Virtuoso } from 'react-virtuoso'
import { Cell } from './cell.jsx'

export function Feed({ rows, estimate, anchor, list }) {
  return (
    <Virtuoso
      ref={list}
      style={{ height: '100vh' }}
      data={rows}
      computeItemKey={(index, row) => row.id}
      defaultItemHeight={estimate}
      increaseViewportBy={{ top: 420, bottom: 840 }}
      initialTopMostItemIndex={{ index: anchor.row, align: 'start' }}
      itemContent={(index, row) => <Cell row={row} />}
    />
  )
}
