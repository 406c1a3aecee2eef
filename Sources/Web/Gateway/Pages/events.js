// The events of the gateway. A page's own EventSource cannot send a token, so the stream is read with fetch.

/** The response to a request for events was no stream of events. */
export class RefusedEvents extends Error {
  constructor(status) {
    super(`status ${status}`)
    this.status = status
  }
}

/**
 * Calls a function with the type, the data and the id of each event until the stream ends.
 * @param {string} path
 * @param {string | null} token
 * @param {(event: {type: string, data: string, id: string}) => void} receive
 * @param {AbortSignal} signal
 */
export async function receiveEvents(path, token, receive, signal) {
  const headers = { accept: 'text/event-stream' }
  if (token) headers.authorization = `Bearer ${token}`
  const response = await fetch(path, { headers, signal, cache: 'no-store', credentials: 'omit' })
  if (!response.ok) throw new RefusedEvents(response.status)
  const parse = parser(receive)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parse(value)
  }
}

/** Returns a function that takes the text of a stream in parts of any size (HTML Standard, section 9.2.6). */
export function parser(receive) {
  let rest = ''
  let event = { type: '', data: [], id: '' }
  const line = (text) => {
    if (text === '') {
      if (event.data.length) receive({ ...event, data: event.data.join('\n') })
      event = { type: '', data: [], id: event.id }
      return
    }
    const colon = text.indexOf(':')
    const name = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') event.data.push(value)
    if (name === 'event') event.type = value
    if (name === 'id') event.id = value
  }
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const text of lines) line(text)
  }
}
