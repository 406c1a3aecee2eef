// Compiles the components that are named, `x.vue`, to modules, `x.vue.js`, with the compiler of the package `vue`.

const { readFileSync, writeFileSync } = require('node:fs')
const { compileScript, parse } = require('vue/compiler-sfc')

for (const file of process.argv.slice(2)) {
  const { descriptor, errors } = parse(readFileSync(file, 'utf8'), { filename: file })
  if (errors.length > 0) throw errors[0]
  writeFileSync(`${file}.js`, compileScript(descriptor, { id: file, inlineTemplate: true }).content)
}
