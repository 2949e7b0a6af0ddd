import { stringify, YAMLMap } from 'yaml'
import { fail } from './error.ts'
import { formatFloat } from './float.ts'
import { Hash, HostObject, kindOf, type Machine, Match, Range, Regexp, Sym, type Value } from './values.ts'

/** Formats a value for the output: nil is '', 2.0 is '2.0', `[1, nil]` is '[1, nil]'. */
export function textOf(value: Value, machine: Machine): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (value instanceof Sym) return value.name
  if (value instanceof HostObject) return value.text
  if (value instanceof Match) return value.groups[0] ?? ''
  if (value instanceof Range) {
    const ends = [textOf(value.first, machine), textOf(value.last, machine)]
    return ends.join(value.exclusive ? '...' : '..')
  }
  return inspect(value, machine)
}

/** Formats a value like `inspect`: texts in quotes, `{"a"=>1, :b=>nil}`. */
export function inspect(value: Value, machine: Machine): string {
  machine.meter.step()
  const text = machine.meter.within(() => formatShown(value, machine))
  machine.meter.text(text.length)
  return text
}

/** Formats JSON without blanks. */
export function jsonOf(value: Value, machine: Machine): string {
  machine.meter.step()
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? formatFloat(value) : fail('JSON knows no such number')
  if (Array.isArray(value)) return joinItems('[', ']', value, machine, (each) => jsonOf(each, machine))
  if (value instanceof Hash)
    return joinItems('{', '}', [...value.entries.values()], machine, ([key, each]) => {
      return `${JSON.stringify(textOf(key, machine))}:${jsonOf(each, machine)}`
    })
  return JSON.stringify(textOf(value, machine))
}

/** Formats JSON for people: two blanks for each level. */
export function prettyJsonOf(value: Value, machine: Machine, margin = ''): string {
  machine.meter.step()
  const inner = `${margin}  `
  const formatLines = (open: string, items: readonly string[], close: string) => {
    if (items.length === 0) return open + close
    const text = `${open}\n${items.map((item) => inner + item).join(',\n')}\n${margin}${close}`
    machine.meter.text(text.length)
    return text
  }
  const formatEach = (each: Value) => machine.meter.within(() => prettyJsonOf(each, machine, inner))
  if (Array.isArray(value)) return formatLines('[', value.map(formatEach), ']')
  if (!(value instanceof Hash)) return jsonOf(value, machine)
  const pairs = [...value.entries.values()].map(
    ([key, each]) => `${JSON.stringify(textOf(key, machine))}: ${formatEach(each)}`,
  )
  return formatLines('{', pairs, '}')
}

/** Formats a YAML document with its `---`. */
export function yamlOf(value: Value, machine: Machine): string {
  const text = stringify(toYamlData(value, machine), { version: '1.1', indentSeq: false, lineWidth: 0 })
  machine.meter.text(text.length)
  const isBlock = (Array.isArray(value) && value.length > 0) || (value instanceof Hash && value.entries.size > 0)
  return isBlock ? `---\n${text}` : `--- ${text}`
}

function formatShown(value: Value, machine: Machine): string {
  if (value === null) return 'nil'
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'bigint') return formatInteger(value, machine)
  if (typeof value === 'number') return formatFloat(value)
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return joinItems('[', ']', value, machine, (each) => inspect(each, machine), ', ')
  if (value instanceof Sym) return formatSymbol(value.name)
  if (value instanceof Hash)
    return joinItems('{', '}', [...value.entries.values()], machine, (pair) => formatPair(pair, machine), ', ')
  if (value instanceof Range) return formatRange(value, machine)
  if (value instanceof Regexp) return `/${value.source}/${value.flags}`
  if (value instanceof Match) return `#<MatchData ${quoteText(value.groups[0] ?? '')}>`
  return value instanceof HostObject ? value.text : `#<${kindOf(value)}>`
}

/** Formats an integer; the steps for a huge one exceed its length. */
function formatInteger(value: bigint, machine: Machine): string {
  const text = value.toString()
  machine.meter.step(text.length >> 2)
  return text
}

function formatPair([key, value]: [Value, Value], machine: Machine): string {
  return `${inspect(key, machine)}=>${inspect(value, machine)}`
}

function formatRange(value: Range, machine: Machine): string {
  const end = (each: Value) => (each === null ? '' : inspect(each, machine))
  return `${end(value.first)}${value.exclusive ? '...' : '..'}${end(value.last)}`
}

function joinItems<T>(
  open: string,
  close: string,
  items: readonly T[],
  machine: Machine,
  textOfItem: (item: T) => string,
  separator = ',',
): string {
  const text = machine.meter.within(() => open + items.map(textOfItem).join(separator) + close)
  machine.meter.text(text.length)
  return text
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\f', '\\f'],
  ['\v', '\\v'],
  ['\b', '\\b'],
  ['\x07', '\\a'],
  ['\x1b', '\\e'],
])

function quoteText(text: string): string {
  const escaped = text.replace(
    /["\\\p{Cc}\u2028\u2029]|#(?=[{$@])/gu,
    (found) => ESCAPES.get(found) ?? escapeCharacter(found),
  )
  return `"${escaped}"`
}

function escapeCharacter(character: string): string {
  if (character === '#') return '\\#'
  const code = character.charCodeAt(0)
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function formatSymbol(name: string): string {
  return /^(?:[\p{L}_][\p{L}\p{N}_]*[?!=]?|\[\]=?|[+\-*/%<>!]|\*\*|<=>|===?|=~|![=~]|<<|>>|[<>]=)$/u.test(name)
    ? `:${name}`
    : `:${quoteText(name)}`
}

function toYamlData(value: Value, machine: Machine): unknown {
  machine.meter.step()
  if (Array.isArray(value)) return machine.meter.within(() => value.map((each) => toYamlData(each, machine)))
  if (value instanceof Hash) {
    const map = new YAMLMap()
    machine.meter.within(() => {
      for (const [key, each] of value.entries.values()) map.set(toYamlData(key, machine), toYamlData(each, machine))
    })
    return map
  }
  if (value instanceof Sym) return `:${value.name}`
  if (value === null || typeof value !== 'object') return value
  return textOf(value, machine)
}
