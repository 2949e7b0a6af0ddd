import { textOfTime } from './dates.ts'
import { type Call, Hash, HostObject, type HostValue, kindOf, type TemplateFunction, type Value } from './values.ts'

const NAMES = `String Integer Float Numeric Symbol Array Hash Range Regexp MatchData Proc NilClass TrueClass FalseClass
  Object`.split(/\s+/)

/** The names of errors for `raise` and `rescue`, which do not distinguish them. */
export const ERRORS: readonly string[] = ['StandardError', 'RuntimeError', 'Exception']

/** The kinds of values for `is_a?` and `when`; few have methods. */
export const KINDS: ReadonlyMap<string, HostObject> = new Map(
  [...NAMES, ...ERRORS].map((name) => [
    name,
    new HostObject(name, new Map(name === 'Hash' ? [['new', createHash]] : []), name),
  ]),
)

/** What constants stand for beside kinds. */
export const CONSTANTS: ReadonlyMap<string, HostObject> = new Map([
  ['Time', new HostObject('Time', new Map([['now', () => toReader(new Date())]]), 'Time')],
])

function createHash({ args: [fallback = null], block, fail }: Call): Hash {
  const made = new Hash()
  if (block !== null) return fail('Hash.new with a block is not offered')
  if (typeof fallback === 'number' && Number.isSafeInteger(fallback)) made.fallback = BigInt(fallback)
  else if (typeof fallback === 'number' || (typeof fallback === 'object' && fallback !== null))
    return fail('Hash.new takes a whole number, a text, true, false or nil')
  else made.fallback = fallback
  return made
}

function toReader(time: Date): HostObject {
  const numbers: readonly (readonly [string, number])[] = [
    ['year', time.getUTCFullYear()],
    ['month', time.getUTCMonth() + 1],
    ['day', time.getUTCDate()],
    ['hour', time.getUTCHours()],
    ['min', time.getUTCMinutes()],
    ['sec', time.getUTCSeconds()],
    ['to_i', Math.floor(time.getTime() / 1000)],
  ]
  const text = textOfTime(time, '%Y-%m-%d %H:%M:%S UTC')
  const methods = new Map<string, HostValue | TemplateFunction>([...numbers, ['to_s', text]])
  methods.set('strftime', ({ args: [format = ''] }) => textOfTime(time, String(format)))
  for (const name of ['utc', 'getutc', 'localtime']) methods.set(name, () => toReader(time))
  return new HostObject('time', methods, text)
}

/** Yields the kind of a value; for a reader only its name. */
export function classOf(value: Value): Value {
  const kind = kindOf(value)
  return value instanceof HostObject ? kind : (KINDS.get(kind) ?? KINDS.get(nameOfOne(kind)) ?? kind)
}

/** Tells whether a value is of a kind; null where the second is not a kind. */
export function isOfKind(value: Value, kind: Value): boolean | null {
  if (!(kind instanceof HostObject) || KINDS.get(kind.name) !== kind) return null
  if (kind.name === 'Object') return true
  if (kind.name === 'Numeric') return typeof value === 'bigint' || typeof value === 'number'
  if (ERRORS.includes(kind.name)) return value instanceof HostObject && value.name === ERRORS[0]
  const own = value instanceof HostObject ? '' : kindOf(value)
  return own === kind.name || nameOfOne(own) === kind.name
}

/** Yields `NilClass` for nil, and likewise for true and false. */
function nameOfOne(kind: string): string {
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}Class`
}
