import { parseArgs } from 'node:util'
import { type ConfiguredValue, listKeys, type Problem, type Property, suggestKnown } from './configured-value.ts'
import { KEYS } from './keys.ts'

/** Flags without a value, which are not keys of the configuration. */
const SWITCHES = ['help', 'version', 'json', 'stdin', 'without-keys', 'plan', 'keep-ids'] as const
/** Flags with a value that belong to one command. */
const OPTIONS = [
  'user',
  'password-file',
  'token-file',
  'ca-file',
  'connections',
  'timeout',
  'secrets-file',
  'key',
  'environment',
] as const

/** A flag without a value. */
export type Switch = (typeof SWITCHES)[number]
/** A flag with a value that belongs to one command. */
export type Option = (typeof OPTIONS)[number]

/** What a command line says, before the values are validated. */
export interface CommandLine {
  /** The words that are neither flags nor their values; the command comes first. */
  readonly words: readonly string[]
  readonly switches: ReadonlySet<Switch>
  readonly options: ReadonlyMap<Option, string>
  readonly values: readonly (ConfiguredValue | Problem)[]
}

/** Parses the arguments of the program. Unknown flags, and flags without their value, become problems. */
export function fromArguments(argv: readonly string[]): CommandLine {
  const flags = new Map(listKeys().flatMap(([property, { flag }]) => (flag ? [[flag, property] as const] : [])))
  const words: string[] = []
  const switches = new Set<Switch>()
  const options = new Map<Option, string>()
  const values: (ConfiguredValue | Problem)[] = []
  for (const token of splitTokens(argv, [...flags.keys()])) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, value } = token
    if (isSwitch(name)) switches.add(name)
    else if (isOption(name) && value !== undefined && (token.inlineValue || !value.startsWith('--')))
      options.set(name, value)
    else if (isOption(name)) values.push(`--${name} needs a value`)
    else values.push(readFlag(token, flags))
  }
  return { words, switches, options, values }
}

interface Flag {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function readFlag(
  { rawName, value, inlineValue }: Flag,
  flags: ReadonlyMap<string, Property>,
): ConfiguredValue | Problem {
  const property = flags.get(rawName)
  if (!property) return describeUnknownFlag(rawName, [...flags.keys()])
  const isNextFlag = !inlineValue && value?.startsWith('--')
  if (value === undefined || isNextFlag) return `${rawName} needs a value: ${KEYS[property].schema.description}`
  return { property, place: rawName, text: value }
}

function describeUnknownFlag(flag: string, flags: readonly string[]): Problem {
  const secret = listKeys().find(([, key]) => key.flag === null && `--${key.name}` === flag)?.[1]
  if (!secret)
    return `${flag} is not a flag${suggestKnown(flag, [...flags, ...[...SWITCHES, ...OPTIONS].map((name) => `--${name}`)])}`
  return `${flag} is not a flag, because every user of the machine could read it: set ${secret.variable} instead`
}

/** Splits the command line into tokens. Not strict, so that all problems are reported at once, in our own words. */
function splitTokens(argv: readonly string[], flags: readonly string[]) {
  const named = [...flags.map((flag) => flag.slice(2)), ...OPTIONS]
  const withValue = named.map((name) => [name, { type: 'string' }] as const)
  const options = {
    ...Object.fromEntries(withValue),
    ...Object.fromEntries(SWITCHES.map((name) => [name, { type: 'boolean' }] as const)),
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  } as const
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

function isSwitch(name: string): name is Switch {
  return SWITCHES.some((one) => one === name)
}

function isOption(name: string): name is Option {
  return OPTIONS.some((one) => one === name)
}
