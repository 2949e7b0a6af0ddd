import { fail } from './error.ts'
import { size, text } from './methods/table.ts'
import type { BuiltIn } from './rendering.ts'
import { Hash, kindOf, type Value } from './values.ts'

/** Functions that format numbers for people. */
export const NUMBER_FUNCTIONS: readonly (readonly [name: string, run: BuiltIn])[] = [
  ['number_with_delimiter', ([value]) => delimited(plain(value))],
  ['number_with_precision', ([value, options]) => real(value).toFixed(precision(options, 3))],
  ['number_to_percentage', ([value, options]) => `${real(value).toFixed(precision(options, 3))}%`],
  ['number_to_currency', ([value, options]) => currency(real(value), options)],
  ['number_to_human_size', ([value]) => scaled(real(value), 1024, SIZES)],
  ['number_to_human', ([value]) => scaled(real(value), 1000, COUNTS)],
]

const SIZES = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB']
const COUNTS = ['', 'Thousand', 'Million', 'Billion', 'Trillion', 'Quadrillion']

function real(value: Value | undefined): number {
  const number = typeof value === 'string' && /^-?\d{1,300}(?:\.\d{1,300})?$/.test(value) ? Number(value) : value
  if (typeof number === 'bigint' || typeof number === 'number') return Number(number)
  return fail(`${kindOf(value ?? null)} is no number`)
}

function plain(value: Value | undefined): string {
  return typeof value === 'bigint' ? String(value) : String(real(value))
}

function delimited(number: string): string {
  const [whole = '', rest] = number.split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return rest === undefined ? grouped : `${grouped}.${rest}`
}

function option(options: Value | undefined, name: string): Value | undefined {
  return options instanceof Hash ? options.entries.get(`:${name}`)?.[1] : undefined
}

function precision(options: Value | undefined, otherwise: number): number {
  const digits = option(options, 'precision')
  return digits === undefined ? otherwise : Math.min(size(digits), 20)
}

function currency(value: number, options: Value | undefined): string {
  const unit = option(options, 'unit')
  const amount = delimited(Math.abs(value).toFixed(precision(options, 2)))
  return `${value < 0 ? '-' : ''}${unit === undefined ? '$' : text(unit)}${amount}`
}

/** Formats three significant digits with the word for the power. */
function scaled(value: number, base: number, words: readonly string[]): string {
  let amount = Math.abs(value)
  let power = 0
  for (; amount >= base && power < words.length - 1; power += 1) amount /= base
  const shown = power === 0 && words === SIZES ? String(Math.floor(amount)) : String(Number(amount.toPrecision(3)))
  return `${value < 0 ? '-' : ''}${shown} ${words[power] ?? ''}`.trimEnd()
}
