import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

/** Renders a list into an element, and returns a function that gives it other properties. */
export const mount = (Feed, element, state) => {
  const root = createRoot(element)
  const render = () => flushSync(() => root.render(<Feed {...state} />))
  render()
  return changes => {
    Object.assign(state, changes)
    render()
  }
}
