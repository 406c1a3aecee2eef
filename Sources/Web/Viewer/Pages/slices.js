// Long work in slices, so that the page goes on scrolling meanwhile.

/**
 * Resolves after the browser had an opportunity to handle input and to draw.
 *
 * @returns {Promise<void>}
 */
export function nextTurn() {
  return new Promise((resolve) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      channel.port1.close()
      resolve()
    }
    channel.port2.postMessage(null)
  })
}
