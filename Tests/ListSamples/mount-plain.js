/** Fills an element with a list, and returns a function that gives it other properties. */
export const mount = (Feed, element, state) => {
  const update = Feed(element, state)
  return changes => update(Object.assign(state, changes))
}
