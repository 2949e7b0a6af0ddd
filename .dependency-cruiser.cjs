// Layers point one way, without cycles (ARCHITECTURE.md). scripts/check.mjs also counts the modules found, because the
// tool checks nothing, without a word, when it cannot read TypeScript.

/** What everything above the database may use. */
const SHARED = [
  'database',
  'proxies\\/access\\.ts$',
  'encryption\\.ts$',
  'errors\\.ts$',
  'settings\\.ts$',
  'context\\.ts$',
]

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

    only('fastify', '(^|/)node_modules/@?fastify(/|$)', '^src/http/'),
    only('database-drivers', '(^|/)node_modules/(pg|pg-[^/]+|@electric-sql)(/|$)', '^src/(database|jobs)/'),
    only('ldapts', '(^|/)node_modules/ldapts(/|$)', '^src/directory/'),

    layer('proxies', ['proxies', 'runs/runners', 'dialect']),
    layer('errors', [], '^src/errors\\.ts$'),
    layer('database', ['database', 'errors\\.ts$']),
    layer('encryption', [], '^src/encryption\\.ts$'),
    layer('directory', ['directory', 'errors\\.ts$']),
    layer(
      'context',
      [
        'proxies\\/access\\.ts$',
        'database',
        'directory',
        'runs/followers\\.ts$',
        'encryption\\.ts$',
        'errors\\.ts$',
        'settings\\.ts$',
        'context\\.ts$',
      ],
      '^src/context\\.ts$',
    ),
    layer('search', ['search', 'database', 'errors\\.ts$', 'settings\\.ts$', 'context\\.ts$']),
    layer('kernel', ['kernel', 'search', 'database', 'errors\\.ts$', 'settings\\.ts$', 'context\\.ts$']),
    layer('templates', ['templates']),
    layer('identity', ['identity', 'directory', ...SHARED]),
    layer('runs', ['runs', 'dialect', ...SHARED]),
    layer('tasks', ['tasks', ...SHARED]),
    layer('classification', ['classification']),
    layer('registration', ['registration', 'kernel', 'dialect', ...SHARED]),
    layer('import', ['import', 'classification', 'proxies', 'runs/runners', 'dialect', ...SHARED]),
    layer('resources', [
      'import',
      'proxies',
      'resources',
      'kernel',
      'identity',
      'directory',
      'search',
      'runs',
      'tasks',
      'registration',
      'classification',
      'templates',
      'version\\.ts$',
      'dialect',
      ...SHARED,
    ]),
    layer('dialect', ['dialect', 'kernel', 'search', 'proxies', 'tasks', 'http/dialect\\.ts$', ...SHARED]),
    layer('jobs', ['jobs', 'identity', 'registration', 'runs', 'tasks', ...SHARED]),
    layer('http', ['http', 'kernel', 'identity', 'directory', 'runs', 'proxies', 'config\\.ts$', ...SHARED]),
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

function layer(name, allowed, files = `^src/${name}/`) {
  const comment = `${name} knows only ${allowed.join(', ') || 'nothing else'}.`
  return rule(
    `layer-${name}`,
    comment,
    { path: files },
    { path: '^src/', pathNot: allowed.map((each) => `^src/${each}`) },
  )
}
