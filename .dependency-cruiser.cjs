// Layers point one way, without cycles (ARCHITECTURE.md). scripts/check.mjs also counts the modules found, because the
// tool checks nothing, without a word, when it cannot read TypeScript. scripts/layers.json says who may use what; the pages
// that tell of it are written from there: ARCHITECTURE.md and the README of each area.

const { areas, beside, everyArea, layers, shared } = require('./scripts/layers.json')

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'A module must not reach itself; imports of types do not count, they are gone when it runs.',
      { path: '.' },
      {
        circular: true,
        viaOnly: { dependencyTypesNot: ['type-only'] },
      },
    ),
    rule(
      'no-cycles-of-types',
      'Nor does a module of the program reach itself by types: what two files need stands in a third.',
      { path: '^src/' },
      { circular: true },
    ),
    rule('no-unresolved', 'Every import resolves to a file or a package.', { path: '.' }, { couldNotResolve: true }),
    rule(
      'no-undeclared',
      'Packages that src/ uses are dependencies.',
      { path: '^src/' },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      },
    ),
    rule(
      'src-alone',
      'The program does not know its tests, benchmarks and scripts.',
      { path: '^src/' },
      {
        path: '^(test|bench|scripts)/',
      },
    ),

    rule(
      'console-apart',
      'The console knows the service by its API.',
      { path: '^web/src/' },
      { path: '^(src|test|bench|scripts|web/(build|test))/' },
    ),
    rule('service-apart', 'The service knows nothing of the console.', { path: '^src/' }, { path: '^web/' }),
    only('fastify', '(^|/)node_modules/@?fastify(/|$)', '^src/http/'),
    only('database-drivers', '(^|/)node_modules/(pg|pg-[^/]+|@electric-sql)(/|$)', '^src/database/'),
    only('ldapts', '(^|/)node_modules/ldapts(/|$)', '^src/directory/'),

    ...Object.entries(layers).map(([name, allowed]) => layer(name, [name, ...allowed])),
    ...areas.map((area, place) =>
      layer(`areas/${area}/`, [
        `areas/${area}/`,
        ...areas.slice(0, place).map((lower) => `areas/${lower}/index.ts`),
        ...[...everyArea, ...(beside[area] ?? []), 'shared'],
      ]),
    ),
    rule(
      'doors-only',
      'Whoever is outside of the areas uses them by their doors.',
      { path: '^src/(?!areas/)' },
      { path: '^src/areas/[a-z]+/(?!index\\.ts$)' },
    ),
    rule(
      'kernel-door',
      'Whoever is outside of the kernel uses it by its door.',
      { path: '^src/(?!kernel/)' },
      { path: '^src/kernel/(?!index\\.ts$)' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}

function rule(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to }
}

function only(name, what, allowed) {
  return rule(
    `only-there-${name}`,
    `${name} is used in ${allowed} only.`,
    { path: '^src/', pathNot: allowed },
    { path: what },
  )
}

/** A file or folder of src knows these only; `shared` is what everything may use, `doors` are those of the areas. */
function layer(name, allowed) {
  const all = allowed.flatMap((each) => {
    if (each === 'shared') return shared
    return each === 'doors' ? areas.map((area) => `areas/${area}/index.ts`) : [each]
  })
  return rule(
    `layer-${name.replace(/\W+$/, '').replace(/\W+/g, '-')}`,
    `${name} knows only ${all.join(', ') || 'nothing else'}.`,
    { path: pattern(name) },
    { path: '^src/', pathNot: all.map(pattern) },
  )
}

/** `kernel/` is a folder, `errors.ts` a file. */
function pattern(path) {
  return `^src/${path.replaceAll('.', '\\.')}${path.endsWith('/') ? '' : '$'}`
}
