// Loads the page again if a part of it could not be loaded, such as while the server is started again. Modules are not run
// if one of them is missing, so this script is not a module.

addEventListener('error', ({ target }) => {
  if (!(target instanceof HTMLScriptElement || target instanceof HTMLLinkElement)) return
  const state = document.getElementById('connection') ?? document.getElementById('status')
  if (state) {
    state.textContent = 'the page is incomplete and is loaded again'
    state.dataset.state = 'error'
  }
  setTimeout(() => location.reload(), 2000)
}, true)
