// Compiles a component for Vue, `x.vue`, for Svelte, `x.svelte`, or for Solid, `x.solid.jsx`, to a module with `.js` at the end
// of its name.

const { readFileSync, writeFileSync } = require('node:fs')
const { extname } = require('node:path')

const compileVue = (source, filename) => {
  const { compileScript, parse } = require('vue/compiler-sfc')
  const { descriptor, errors } = parse(source, { filename })
  if (errors.length > 0) throw errors[0]
  return compileScript(descriptor, { id: filename, inlineTemplate: true }).content
}

const compileSvelte = (source, filename) => require('svelte/compiler').compile(source, { filename, generate: 'client' }).js.code

const compileSolid = (source, filename) => {
  const preset = require('babel-preset-solid')
  return require('@babel/core').transformSync(source, { filename, presets: [preset], babelrc: false, configFile: false }).code
}

const [file] = process.argv.slice(2)
const compile = { '.vue': compileVue, '.svelte': compileSvelte }[extname(file)] ?? compileSolid
writeFileSync(`${file}.js`, compile(readFileSync(file, 'utf8'), file))
