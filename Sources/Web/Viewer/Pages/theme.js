// Light and dark: what the system prefers, unless the reader has chosen.

const KEY = 'galley.theme'

/** @returns {'light' | 'dark'} */
export function currentTheme() {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function restoreTheme() {
  try {
    const chosen = localStorage.getItem(KEY)
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
  } catch {
    // The browser keeps nothing for this page, so that the system's preference counts.
  }
}

export function switchTheme() {
  const next = currentTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = next
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // The choice counts until the page is closed.
  }
}
