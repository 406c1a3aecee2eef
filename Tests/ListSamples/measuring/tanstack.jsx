import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { Cell } from './cell.jsx'

export function Feed({ rows, estimate, anchor, list }) {
  const scroller = useRef(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: useCallback(index => rows[index].id, [rows]),
    overscan: 4,
  })
  useImperativeHandle(list, () => virtualizer)
  useLayoutEffect(() => {
    if (anchor.row > 0) virtualizer.scrollToIndex(anchor.row, { align: 'start' })
  }, [])
  return (
    <div ref={scroller} style={{ height: '100vh', overflow: 'auto' }}>
      <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <div key={key} ref={virtualizer.measureElement} data-index={index}
            style={{ position: 'absolute', width: '100%', transform: `translateY(${start}px)` }}>
            <Cell row={rows[index]} />
          </div>
        ))}
      </div>
    </div>
  )
}
