import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import type { DatabaseConfig } from '../database/database.ts'
import { fromArguments } from './arguments.ts'
import {
  type ConfiguredValue,
  contentOf,
  listKeys,
  type Problem,
  type Property,
  quoteValue,
  type ReadFile,
  suggestKnown,
} from './configured-value.ts'
import { fromFile } from './file.ts'
import { KEYS, type Key } from './keys.ts'

/**
 * The configuration of a process: frozen, complete and valid. `…Ms` are milliseconds, sizes are bytes, null is "not
 * set".
 */
export type Config = { readonly [Name in Property]: z.output<(typeof KEYS)[Name]['schema']> }

/** A configuration, where each of its values came from, and warnings about it. */
export interface Settings {
  readonly config: Config
  readonly given: ReadonlyMap<Property, ConfiguredValue>
  readonly warnings: readonly string[]
}

/** One key for people: what it is for, its value, and where that came from. Secrets are masked. */
export interface SettingDescription {
  readonly key: string
  readonly value: string | null
  /** `default`, or the place that gave the value, such as `--port` or `MILLWRIGHT_PORT`. */
  readonly from: string
  readonly default: string | null
  readonly allowed: string
  readonly flag: string | null
  readonly variable: string
  readonly secret: boolean
  readonly doc: string
}

/** The configuration cannot be used; the message lists every reason. The program then exits with code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads the configuration of this process. Nothing else in the program reads the environment. {@throws ConfigError} */
export function readProcessSettings(argv: readonly string[]): Settings {
  return readSettings(argv, process.env, (path) => readFileSync(path, 'utf8'))
}

/** Reads the configuration from arguments, environment and file; the first of these wins. {@throws ConfigError} */
export function readConfig(argv: readonly string[], env: Environment, readFile: ReadFile): Config {
  return readSettings(argv, env, readFile).config
}

/** Reads the configuration together with the origin of each value. {@throws ConfigError} */
export function readSettings(argv: readonly string[], env: Environment, readFile: ReadFile): Settings {
  const outside = [...fromEnvironment(env, readFile), ...fromArguments(argv).values]
  const path = outside.filter(isGiven).findLast(({ property }) => property === 'configFile')?.text
  const values = path ? [...fromFile(path, readFile), ...outside] : outside
  const problems = values.flatMap((value) => (isGiven(value) ? describeWrongValue(value) : value))
  if (problems.length > 0) throw new ConfigError(problems)

  const given = new Map(values.filter(isGiven).map((value) => [value.property, value])) // later values of a property replace earlier ones
  const entries = listKeys().map(([property, key]) => [
    property,
    key.schema.parse(given.get(property)?.text ?? key.default),
  ])
  const config = freezeDeep(Object.fromEntries(entries)) as Config // the schema of each key has read its value
  const clashes = [...findPortsTakenTwice(config), ...findMissingLogin(config)]
  if (clashes.length > 0) throw new ConfigError(clashes)
  return { config, given, warnings: listUnknownVariables(env) }
}

/** Finds listeners with equal ports. Port 0 is no conflict: the system chooses another one for each. */
function findPortsTakenTwice(config: Config): Problem[] {
  const properties = (['port', 'vendorPort', 'metricsPort'] as const).filter((property) => config[property])
  return properties.flatMap((property, at) =>
    properties
      .slice(at + 1)
      .filter((other) => config[other] === config[property])
      .map((other) => `${KEYS[property].flag} and ${KEYS[other].flag} are both ${config[property]}: choose two ports`),
  )
}

function findMissingLogin({ vaultAddress, vaultTokenFile, vaultRoleId }: Config): Problem[] {
  const isMissing = vaultAddress !== null && vaultTokenFile === null && vaultRoleId === null
  return isMissing ? ['--vault-address requires --vault-token-file or --vault-role-id'] : []
}

/** Picks the part of the configuration that says which database to use, and how. */
export function databaseConfigOf(config: Config): DatabaseConfig {
  const { databaseUrl: url, databaseDirectUrl: directUrl, databasePoolSize: poolSize } = config
  const { dataDir, postgresqlBin, fsync, connectTimeoutMs, statementTimeoutMs, slowQueryMs, preparedStatements } =
    config
  const limits = { poolSize, connectTimeoutMs, statementTimeoutMs, slowQueryMs }
  return { url, directUrl, dataDir, postgresqlBin, fsync, ...limits, preparedStatements }
}

/** Describes every key with its value and where that came from. */
export function describeConfig(settings: Settings): SettingDescription[] {
  return listKeys().map(([property, { name, secret, schema, ...key }]) => {
    const given = settings.given.get(property)
    const value = given?.text ?? key.default
    return {
      key: name,
      value: secret && value !== null ? '(secret)' : value,
      from: given?.place ?? 'default',
      default: key.default,
      allowed: schema.description ?? '',
      flag: key.flag,
      variable: key.variable,
      secret,
      doc: key.doc,
    }
  })
}

/** Writes docs/configuration.md, the reference of the configuration. */
export function formatConfigurationMarkdown(): string {
  const sections = describeConfig({ config: readConfig([], {}, () => ''), given: new Map(), warnings: [] }).map((key) =>
    [
      `## ${key.key}`,
      key.doc,
      [
        `- Allowed: ${key.allowed}`,
        `- Default: ${key.default ? `\`${key.default}\`` : 'none'}`,
        `- Flag: ${key.flag ? `\`${key.flag}\`` : 'none, because it is a secret'}`,
        `- Variable: \`${key.variable}\`${key.secret ? `, or \`${key.variable}_FILE\` with the path of a file that holds it` : ''}`,
      ].join('\n'),
    ].join('\n\n'),
  )
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`
}

const INTRODUCTION = `# Configuration

<!-- Written by \`npm run docs\` from src/config/keys.ts. -->

You can set every option with a flag, an environment variable, or in a YAML file (\`--config\`). A flag overrides a variable, a
variable overrides the file, and the file overrides the default. An empty variable counts as not set. Secrets have no flag (except the
database URL), because every user of a machine can read the arguments of its processes.

In the file, use the headings below as keys, for example:

\`\`\`yaml
port: 8080
data-dir: /var/lib/millwright
trusted-proxies: [10.0.0.0/8, 192.0.2.1]
\`\`\`

\`millwright config\` prints every option with its value and source. For wrong values, unknown flags and unknown keys in the file
the program lists all errors and exits with code 2. An unknown variable that begins with \`MILLWRIGHT_\` is a warning.`

function isGiven(value: ConfiguredValue | Problem): value is ConfiguredValue {
  return typeof value !== 'string'
}

function describeWrongValue({ property, place, text }: ConfiguredValue): Problem[] {
  const { schema, secret } = KEYS[property]
  if (schema.safeParse(text).success) return []
  return [`${place} ${secret ? '' : `is ${quoteValue(text)}, but `}must be ${schema.description}`]
}

function freezeDeep<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freezeDeep(part)
  return Object.freeze(value)
}

/** The variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment. An empty variable counts as not set; `<variable>_FILE` names a file with a secret. */
function fromEnvironment(env: Environment, readFile: ReadFile): (ConfiguredValue | Problem)[] {
  return listKeys().flatMap(([property, key]) => readVariable(property, key, env, readFile) ?? [])
}

/** Lists the variables with our prefix that do not exist: a warning only, because they may belong to another program. */
function listUnknownVariables(env: Environment): string[] {
  const known = listKeys().flatMap(([, { variable, secret }]) => (secret ? [variable, `${variable}_FILE`] : [variable]))
  const unknown = Object.keys(env).filter((name) => name.startsWith('MILLWRIGHT_') && !known.includes(name))
  return unknown.map((name) => `the environment variable ${name} means nothing${suggestKnown(name, known)}`)
}

function readVariable(
  property: Property,
  key: Key,
  env: Environment,
  readFile: ReadFile,
): ConfiguredValue | Problem | null {
  const { variable, secret } = key
  const text = env[variable]
  const path = secret ? env[`${variable}_FILE`] : undefined
  if (text && path) return `${variable} and ${variable}_FILE are both set: keep one of them`
  if (text) return { property, place: variable, text }
  if (!path) return null
  const file = contentOf(path, readFile)
  if ('reason' in file) return `${variable}_FILE is ${quoteValue(path)}, but ${file.reason}`
  return { property, place: `${variable}_FILE`, text: file.content.replace(/\r?\n$/, '') }
}
