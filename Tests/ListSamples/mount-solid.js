import { batch, createComponent, createSignal } from 'solid-js'
import { render } from 'solid-js/web'

/** Renders a list into an element, and returns a function that gives it other properties. */
export const mount = (Feed, element, state) => {
  const properties = {}
  const setters = {}
  for (const [name, value] of Object.entries(state)) {
    const [get, set] = createSignal(value)
    Object.defineProperty(properties, name, { get })
    setters[name] = set
  }
  render(() => createComponent(Feed, properties), element)
  return changes => batch(() => {
    for (const [name, value] of Object.entries(changes)) setters[name](() => value)
  })
}
