import { useLayoutEffect } from 'react'
import { VList } from 'virtua'
import { Cell } from './cell.jsx'

export function Feed({ rows, estimate, anchor, list }) {
  useLayoutEffect(() => {
    if (anchor.row > 0) list.current.scrollToIndex(anchor.row, { align: 'start' })
  }, [])
  return (
    <VList ref={list} style={{ height: '100vh' }} data={rows} itemSize={estimate}>
      {row => <div key={row.id}><Cell row={row} /></div>}
    </VList>
  )
}
