export { Heights } from './heights.js'
export { Lines } from './lines.js'
export { Resources } from './resources.js'
