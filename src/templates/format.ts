import { fail } from './error.ts'
import { formatFloat } from './float.ts'
import { count } from './methods/table.ts'
import { inspect, textOf } from './text.ts'
import { Hash, kindOf, type Machine, Sym, type Value } from './values.ts'

const MAX_WIDTH = 10_000

/**
 * Evaluates `format('%05.1f', 3.14159)`: `%d %i %u %f %e %g %s %p %x %o %b %c %%` with flags, width and precision, `%<a>d`,
 * `%{a}`.
 */
export function format(pattern: string, args: readonly Value[], machine: Machine): string {
  let next = 0
  const parts: string[] = []
  const directive =
    /%([-+ 0#]*)(?:<(\w{1,100})>)?(\*|\d{1,6})?(?:\.(\d{1,6}))?(?:<(\w{1,100})>)?([a-zA-Z%\n])|%\{(\w{1,100})\}/y
  const take = (): Value => {
    if (next >= args.length) fail('too few arguments for format')
    next += 1
    return args[next - 1] ?? null
  }
  for (let at = 0; at < pattern.length; ) {
    const percent = pattern.indexOf('%', at)
    const end = percent < 0 ? pattern.length : percent
    parts.push(pattern.slice(at, end))
    if (percent < 0) break
    machine.meter.step()
    directive.lastIndex = percent
    const found = directive.exec(pattern)
    if (found === null) return fail('format: % needs a directive behind it, %% is a percent sign')
    at = percent + found[0].length
    const [, flags = '', nameBefore, width, precision, nameAfter, type = '', inBraces] = found
    if (inBraces !== undefined) parts.push(textOf(byName(args, inBraces), machine))
    else if (type === '%') parts.push('%')
    else {
      const name = nameBefore ?? nameAfter
      const wide = width === '*' ? count(take()) : Number(width ?? 0)
      const spec = {
        flags: wide < 0 ? `${flags}-` : flags,
        width: Math.abs(wide),
        precision: precision === undefined ? null : Number(precision),
      }
      if (spec.width > MAX_WIDTH || (spec.precision ?? 0) > MAX_WIDTH) fail(`format: a width may be ${MAX_WIDTH}`)
      parts.push(formatDirective(type, name === undefined ? take() : byName(args, name), spec, machine))
    }
    machine.meter.text(parts.at(-1)?.length ?? 0)
  }
  const text = parts.join('')
  machine.meter.text(text.length)
  return text
}

interface Spec {
  readonly flags: string
  readonly width: number
  readonly precision: number | null
}

function byName(args: readonly Value[], name: string): Value {
  const [hash] = args
  if (!(hash instanceof Hash)) return fail('format: one hash is needed for names')
  const found = [...hash.entries.values()].find(([key]) => key instanceof Sym && key.name === name)
  return found === undefined ? fail(`format: key ${name} not found`) : found[1]
}

function formatDirective(type: string, value: Value, spec: Spec, machine: Machine): string {
  if (type === 's' || type === 'p') {
    const text = type === 's' ? textOf(value, machine) : inspect(value, machine)
    return padText('', spec.precision === null ? text : text.slice(0, spec.precision), spec, false)
  }
  if (type === 'c')
    return padText(
      '',
      typeof value === 'bigint' ? String.fromCodePoint(count(value) % 0x110000) : textOf(value, machine).slice(0, 1),
      spec,
      false,
    )
  if ('diu'.includes(type)) return formatInteger(toWhole(value), 10, '', spec)
  if ('xXobB'.includes(type)) {
    const base = type === 'o' ? 8 : type.toLowerCase() === 'x' ? 16 : 2
    const text = formatInteger(
      toWhole(value),
      base,
      spec.flags.includes('#') ? { 8: '0', 16: '0x', 2: '0b' }[base] : '',
      spec,
    )
    return type === 'X' || type === 'B' ? text.toUpperCase() : text
  }
  if ('fFeEgG'.includes(type)) return formatReal(type, toReal(value), spec)
  return fail(`format: %${type} is not known`)
}

function formatInteger(value: bigint, base: number, prefix: string, spec: Spec): string {
  const digits = (value < 0n ? -value : value).toString(base)
  const precise = spec.precision === null ? digits : digits.padStart(spec.precision, '0')
  return padText(signOf(value < 0n, spec) + prefix, precise, spec, spec.precision === null)
}

function formatReal(type: string, value: number, spec: Spec): string {
  const sign = signOf(value < 0 || Object.is(value, -0), spec)
  if (!Number.isFinite(value)) return padText(sign, Number.isNaN(value) ? 'NaN' : 'Inf', spec, false)
  const places = Math.min(spec.precision ?? 6, 100)
  const size = Math.abs(value)
  const text =
    type.toLowerCase() === 'f'
      ? formatFixed(size, places)
      : type.toLowerCase() === 'e'
        ? formatExponent(size.toExponential(places))
        : formatGeneral(size, places || 1)
  return padText(sign, type === 'E' || type === 'G' ? text.toUpperCase() : text, spec, true)
}

const FURTHER = 30

/** Formats like `toFixed`, but rounds ties to even, and writes numbers from 1e21 on without an exponent. */
function formatFixed(size: number, places: number): string {
  if (size < 1e21 && places + FURTHER <= 100) {
    const exact = size.toFixed(places + FURTHER)
    const kept = exact.slice(0, places === 0 ? -FURTHER - 1 : -FURTHER)
    const isTie = exact.slice(-FURTHER) === '5'.padEnd(FURTHER, '0')
    return isTie && Number(kept.at(-1)) % 2 === 0 ? kept : size.toFixed(places)
  }
  if (size < 1e21) return size.toFixed(places)
  return BigInt(size) + (places > 0 ? `.${'0'.repeat(places)}` : '')
}

function formatGeneral(size: number, places: number): string {
  const power = size === 0 ? 0 : Number(size.toExponential(places - 1).split('e')[1])
  if (power >= -4 && power < places)
    return withoutZeros(formatFixed(size, Math.min(100, Math.max(0, places - 1 - power))))
  const [mantissa = '', rest = ''] = formatExponent(size.toExponential(places - 1)).split('e')
  return `${withoutZeros(mantissa)}e${rest}`
}

function withoutZeros(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

/** Formats an exponent with at least two digits: 1e+05. */
function formatExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

function signOf(isNegative: boolean, { flags }: Spec): string {
  if (isNegative) return '-'
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
}

function padText(sign: string, text: string, { flags, width }: Spec, zeros: boolean): string {
  const length = width - sign.length
  if (flags.includes('-')) return sign + text.padEnd(length)
  if (flags.includes('0') && zeros) return sign + text.padStart(length, '0')
  return (sign + text).padStart(width)
}

function toWhole(value: Value): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number')
    return Number.isFinite(value) ? BigInt(Math.floor(value)) : fail(`${formatFloat(value)} is no integer`)
  if (typeof value === 'string' && /^\s*[+-]?\d{1,1000}\s*$/.test(value)) return BigInt(value.trim().replace(/^\+/, ''))
  return fail(value === null ? "can't convert nil into Integer" : `invalid value for Integer: ${kindOf(value)}`)
}

function toReal(value: Value): number {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? fail(`invalid value for Float: ${kindOf(value)}`) : number
}
