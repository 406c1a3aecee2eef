export { Heights } from './heights.js'
export { Resources } from './resources.js'
