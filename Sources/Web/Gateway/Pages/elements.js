// Elements of the page. Texts from the pool are never taken for HTML.

/** Returns an element with a class and children, of which strings become texts. */
export function element(name, className = '', ...children) {
  const node = document.createElement(name)
  if (className) node.className = className
  node.append(...children)
  return node
}

/** Sets the text of a node if it is another one, so that a selection of the user remains. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text
}
