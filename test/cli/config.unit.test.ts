import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ConfigError,
  databaseConfigOf,
  describeConfig,
  formatConfigurationMarkdown,
  readConfig,
  readSettings,
} from '../../src/config/config.ts'

const files = (contents: Record<string, string>) => (path: string) => {
  const content = contents[path]
  if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  return content
}

function problems(
  argv: string[],
  env: Record<string, string> = {},
  contents: Record<string, string> = {},
): readonly string[] {
  try {
    readConfig(argv, env, files(contents))
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

function warnings(env: Record<string, string>): readonly string[] {
  return readSettings([], env, files({})).warnings
}

describe('values', () => {
  test('without any source every key has its default', () => {
    expect(readConfig([], {}, files({}))).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: `${process.cwd()}/data`,
      databaseUrl: null,
      adminLogin: 'admin',
      adminPassword: null,
      bodyLimit: 1024 * 1024,
      shutdownTimeoutMs: 5000,
      metricsPort: null,
      metricsToken: null,
      preparedStatements: true,
      trustedProxies: [],
    })
  })

  test('a flag wins over the environment, the environment over the file, the file over the default', () => {
    const file = files({ 'm.yaml': 'port: 1\nhost: one.example\nadmin-login: one' })
    const env = { MILLWRIGHT_PORT: '2', MILLWRIGHT_HOST: 'two.example' }
    const settings = readSettings(['--config', 'm.yaml', '--port=3'], env, file)
    expect(settings.config).toMatchObject({
      port: 3,
      host: 'two.example',
      adminLogin: 'one',
      logLevels: { rest: 'info' },
    })
    const from = Object.fromEntries(describeConfig(settings).map((setting) => [setting.key, setting.from]))
    expect(from).toMatchObject({
      port: '--port',
      host: 'MILLWRIGHT_HOST',
      'admin-login': 'm.yaml: admin-login',
      'log-level': 'default',
    })
  })

  test('a file reads numbers, words, lists, aliases and nothing as people mean them', () => {
    const yaml =
      'port: 8080\nprepared-statements: off\ntrusted-proxies: [10.0.0.0/8, "::1"]\nlog-level:\nadmin-login: &n 007\nadmin-password: *n'
    expect(readConfig(['--config', 'm.yaml'], {}, files({ 'm.yaml': yaml }))).toMatchObject({
      port: 8080,
      preparedStatements: false,
      trustedProxies: ['10.0.0.0/8', '::1'],
      logLevels: { rest: 'info', parts: {} },
      adminLogin: '007',
      adminPassword: '007',
    })
  })

  test('an empty file and an empty variable set nothing', () => {
    expect(
      readConfig([], { MILLWRIGHT_CONFIG: 'm.yaml', MILLWRIGHT_PORT: '' }, files({ 'm.yaml': '# later\n' })).port,
    ).toBe(3000)
  })

  test('a secret can be read from a file, without the line end', () => {
    const env = { MILLWRIGHT_ADMIN_PASSWORD_FILE: '/run/password' }
    expect(readConfig([], env, files({ '/run/password': ' correct horse \n' })).adminPassword).toBe(' correct horse ')
  })

  test('times and sizes need no arithmetic', () => {
    const config = readConfig(
      ['--request-timeout', '1.5m', '--slow-query', '0', '--body-limit', '2 MiB'],
      {},
      files({}),
    )
    expect(config).toMatchObject({ requestTimeoutMs: 90_000, slowQueryMs: 0, bodyLimit: 2 * 1024 * 1024 })
  })

  test('the configuration cannot be changed', () => {
    const config = readConfig(['--trusted-proxies', '10.0.0.1'], {}, files({}))
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError)
    expect(() => Object.assign(config.trustedProxies, ['192.0.2.1'])).toThrow(TypeError)
  })

  test('the database is configured by the database keys', () => {
    const env = { DATABASE_URL: 'postgresql:///millwright?host=/var/run/postgresql' }
    expect(databaseConfigOf(readConfig(['--database-pool-size', '3'], env, files({})))).toMatchObject({
      url: env.DATABASE_URL,
      poolSize: 3,
    })
  })
})

describe('wrong values', () => {
  test.each([
    [['--port', '65536'], '--port is "65536", but must be a whole number from 0 to 65535 (0 picks a free port)'],
    [['--port', '1e3'], '--port is "1e3", but must be a whole number from 0 to 65535 (0 picks a free port)'],
    [['--port='], '--port is "", but must be a whole number from 0 to 65535 (0 picks a free port)'],
    [
      ['--host', 'a b'],
      '--host is "a b", but must be an IP address or a host name (0.0.0.0 or :: for every interface)',
    ],
    [
      ['--shutdown-timeout', '5'],
      '--shutdown-timeout is "5", but must be a time with its unit from 100ms to 10m, such as 500ms, 30s, 5m or 1h',
    ],
    [
      ['--body-limit', '1.5'],
      '--body-limit is "1.5", but must be a size from 1 to 1GiB, such as 65536, 512KiB or 1MiB',
    ],
    [
      ['--trusted-proxies', '10.0.0.0/33'],
      '--trusted-proxies is "10.0.0.0/33", but must be IP addresses or networks like 10.0.0.0/8, separated by commas',
    ],
    [
      ['--log-level', 'Loud'],
      '--log-level is "Loud", but must be one of silent, fatal, error, warn, info, debug, trace, and for parts alone as in info,directory=debug (database, directory, events, http, jobs, login, runs, tasks)',
    ],
    [['--prepared-statements', 'maybe'], '--prepared-statements is "maybe", but must be on or off'],
    [['--host'], '--host needs a value: an IP address or a host name (0.0.0.0 or :: for every interface)'],
    [['--prot', '1'], '--prot is not a flag: did you mean --port?'],
    [['--completely-different'], '--completely-different is not a flag'],
    [
      ['--admin-password', 'hunter2'],
      '--admin-password is not a flag, because every user of the machine could read it: set MILLWRIGHT_ADMIN_PASSWORD instead',
    ],
  ])('%j', (argv, message) => {
    expect(problems(argv)).toEqual([message])
  })

  test('everything that is wrong is listed, as it was written, wherever it stands', () => {
    const yaml = 'prot: 1\nlog-level: loud\nadmin-login: {a: b}\nconfig: other.yaml'
    expect(problems(['--config', 'm.yaml', '--port', 'x'], { MILLWRIGHT_HOST: '!' }, { 'm.yaml': yaml })).toEqual([
      'm.yaml: "prot" is not a key: did you mean port?',
      'm.yaml: log-level is "loud", but must be one of silent, fatal, error, warn, info, debug, trace, and for parts alone as in info,directory=debug (database, directory, events, http, jobs, login, runs, tasks)',
      'm.yaml: admin-login must be text of 1 to 100 characters',
      'm.yaml: "config" is not a key',
      'MILLWRIGHT_HOST is "!", but must be an IP address or a host name (0.0.0.0 or :: for every interface)',
      '--port is "x", but must be a whole number from 0 to 65535 (0 picks a free port)',
    ])
  })

  test('a file that cannot be used says why', () => {
    expect(problems(['--config', 'no.yaml'])).toEqual([
      'The configuration file "no.yaml" cannot be used: it does not exist',
    ])
    expect(problems(['--config', 'm.yaml'], {}, { 'm.yaml': '- port' })).toEqual([
      'm.yaml must hold keys and values, such as "port: 3000"',
    ])
    expect(problems(['--config', 'm.yaml'], {}, { 'm.yaml': 'port: 1\nport: 2' })).toEqual([
      'm.yaml: Map keys must be unique at line 2, column 1',
    ])
    expect(problems(['--config', 'm.yaml'], {}, { 'm.yaml': 'port: [' })).toEqual([
      expect.stringMatching(/^m\.yaml: .* at line 1, column \d+$/),
    ])
  })

  test('a wrong secret is named, never shown', () => {
    const env = { DATABASE_URL: 'mysql://root:hunter2@db', MILLWRIGHT_METRICS_TOKEN: 'hunter2' }
    expect(problems([], env)).toEqual([
      'DATABASE_URL must be an address like postgresql://user:password@host:5432/database, where several hosts are separated by commas',
      'MILLWRIGHT_METRICS_TOKEN must be text of 16 to 255 characters',
    ])
  })

  test('two listeners have two ports, unless free ones are picked', () => {
    expect(problems(['--port', '8080', '--vendor-port', '8080'], {})).toEqual([
      '--port and --vendor-port are both 8080: choose two ports',
    ])
    expect(problems(['--port', '0', '--vendor-port', '0'], {})).toEqual([])
  })

  test('a secret is given once', () => {
    const env = { MILLWRIGHT_ADMIN_PASSWORD: 'hunter2', MILLWRIGHT_ADMIN_PASSWORD_FILE: '/run/password' }
    expect(problems([], env)).toEqual([
      'MILLWRIGHT_ADMIN_PASSWORD and MILLWRIGHT_ADMIN_PASSWORD_FILE are both set: keep one of them',
    ])
  })

  test('a mistyped variable is a warning', () => {
    expect(warnings({ MILLWRIGHT_PROT: '1', PROT: '1' })).toEqual([
      'the environment variable MILLWRIGHT_PROT means nothing: did you mean MILLWRIGHT_PORT?',
    ])
  })

  test('whatever is given, the answer is a configuration or a list of problems', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('--port', '--host', '--', '-', '--no-port', '--config=m.yaml', '--json'),
    )
    fc.assert(
      fc.property(fc.array(word), fc.string({ unit: 'binary' }), fc.string(), (argv, yaml, host) => {
        const settle = () => problems(argv, { MILLWRIGHT_HOST: host }, { 'm.yaml': yaml })
        expect(Array.isArray(settle())).toBe(true)
      }),
    )
  })
})

describe('description', () => {
  test('secrets are masked', () => {
    const env = { DATABASE_URL: 'postgresql://u:hunter2@db/m', MILLWRIGHT_ADMIN_PASSWORD: 'hunter2' }
    const described = describeConfig(readSettings([], env, files({})))
    expect(JSON.stringify(described)).not.toContain('hunter2')
    expect(described.find((setting) => setting.key === 'database-url')).toMatchObject({
      value: '(secret)',
      from: 'DATABASE_URL',
    })
    expect(described.find((setting) => setting.key === 'metrics-token')).toMatchObject({ value: null, from: 'default' })
  })

  test('docs/configuration.md is what the declaration says', () => {
    expect(readFileSync('docs/configuration.md', 'utf8')).toBe(formatConfigurationMarkdown())
  })
})
