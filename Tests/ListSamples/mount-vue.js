import { createApp, h, nextTick, shallowReactive } from 'vue'

/** Renders a list into an element, and returns a function that gives it other properties. */
export const mount = (Feed, element, { list, ...state }) => {
  const properties = shallowReactive(state)
  createApp({ render: () => h(Feed, { ...properties, ref: instance => { list.current = instance } }) }).mount(element)
  return changes => {
    Object.assign(properties, changes)
    return nextTick()
  }
}
