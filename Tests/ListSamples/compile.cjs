// Compiles a component for Vue, `x.vue`, or for Solid, `x.solid.jsx`, to a module with `.js` at the end of its name.

const { readFileSync, writeFileSync } = require('node:fs')

const compileVue = (source, filename) => {
  const { compileScript, parse } = require('vue/compiler-sfc')
  const { descriptor, errors } = parse(source, { filename })
  if (errors.length > 0) throw errors[0]
  return compileScript(descriptor, { id: filename, inlineTemplate: true }).content
}

const compileSolid = (source, filename) => {
  const preset = require('babel-preset-solid')
  return require('@babel/core').transformSync(source, { filename, presets: [preset], babelrc: false, configFile: false }).code
}

const [file] = process.argv.slice(2)
const compile = file.endsWith('.vue') ? compileVue : compileSolid
writeFileSync(`${file}.js`, compile(readFileSync(file, 'utf8'), file))
