// The events of `--watch`: a new layout of the list, an error of the files, and its mending.

/**
 * Listens to the events of the server.
 *
 * @param {{ onChange: () => void, onConnection: (isConnected: boolean) => void }} handlers `onChange` is called when `list.json` may
 *   be another one.
 */
export function watch({ onChange, onConnection }) {
  const source = new EventSource('/events')
  source.addEventListener('open', () => {
    onConnection(true)
    // After a lost connection another process may have replied, with another list.
    onChange()
  })
  for (const name of ['list', 'good']) source.addEventListener(name, () => onChange())
  source.addEventListener('error', (event) => {
    // An event of the server has data; a lost connection has none.
    if (event instanceof MessageEvent) onChange()
    else onConnection(false)
  })
  return source
}
