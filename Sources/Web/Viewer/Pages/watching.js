// The events of `--watch`: a new layout of the list, an error of the cells file, and its mending.

/**
 * Listens to the events of the server.
 *
 * @param {{ onList: () => void, onError: (problem: import('./server.js').Problem) => void,
 *   onGood: () => void, onConnection: (isConnected: boolean) => void }} handlers
 */
export function watch({ onList, onError, onGood, onConnection }) {
  const source = new EventSource('/events')
  source.addEventListener('open', () => {
    onConnection(true)
    // After a lost connection another process may have replied, with another list.
    onList()
  })
  source.addEventListener('list', () => onList())
  source.addEventListener('good', () => onGood())
  source.addEventListener('error', (event) => {
    // An event of the server has data; a lost connection has none.
    if (event instanceof MessageEvent) onError(JSON.parse(event.data))
    else onConnection(false)
  })
  return source
}
