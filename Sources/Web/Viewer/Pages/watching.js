// The events of `--watch`: a new layout of the list, an error of the files, and its mending.

/** The time after which a connection that the browser has given up is opened again, in milliseconds. */
const RETRY_MILLISECONDS = 1000

/**
 * Listens to the events of the server while the page is visible. A browser opens six connections to a server with HTTP/1.1, and the
 * pages of six tabs that all keep one would wait for their other requests for ever.
 *
 * @param {{ onChange: () => void, onConnection: (isConnected: boolean) => void }} handlers `onChange` is called when `list.json` may
 *   be another one.
 */
export function watch({ onChange, onConnection }) {
  /** @type {EventSource | null} */
  let source = null
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const close = () => {
    clearTimeout(timer)
    source?.close()
    source = null
  }
  const open = () => {
    close()
    const opened = new EventSource('/events')
    source = opened
    opened.addEventListener('open', () => {
      onConnection(true)
      // Events were missed, and after a lost connection another process may have replied, with another list.
      onChange()
    })
    for (const name of ['list', 'good']) opened.addEventListener(name, () => onChange())
    opened.addEventListener('error', (event) => {
      // An event of the server has data; a lost connection has none.
      if (event instanceof MessageEvent) return onChange()
      onConnection(false)
      // Browsers connect again by themselves, unless the reply was no stream of events.
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MILLISECONDS)
    })
  }
  const follow = () => {
    if (document.hidden) close()
    else if (source === null) open()
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}
