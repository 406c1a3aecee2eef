export { Frames } from './frames.js'
export { Heights } from './heights.js'
export { Lines } from './lines.js'
export { Resources } from './resources.js'
