import { flushSync, mount as mountComponent } from 'svelte'
import { fromStore, writable } from 'svelte/store'

/** Renders a list into an element, and returns a function that gives it other properties. */
export const mount = (Feed, element, { list, ...state }) => {
  const stores = {}
  const properties = {}
  for (const [name, value] of Object.entries(state)) {
    stores[name] = writable(value)
    const current = fromStore(stores[name])
    Object.defineProperty(properties, name, { get: () => current.current, enumerable: true })
  }
  list.current = mountComponent(Feed, { target: element, props: properties })
  return changes => flushSync(() => {
    for (const [name, value] of Object.entries(changes)) stores[name].set(value)
  })
}
