import { fail } from '../error.ts'
import { requireSize, requireText } from '../methods/table.ts'
import type { BuiltIn } from '../rendering.ts'
import { Hash, kindOf, type Value } from '../values.ts'

/** Functions that format numbers for people. */
export const NUMBER_FUNCTIONS: readonly (readonly [name: string, run: BuiltIn])[] = [
  ['number_with_delimiter', ([value]) => delimitNumber(toPlainText(value))],
  ['number_with_precision', ([value, options]) => toReal(value).toFixed(readPrecision(options, 3))],
  ['number_to_percentage', ([value, options]) => `${toReal(value).toFixed(readPrecision(options, 3))}%`],
  ['number_to_currency', ([value, options]) => formatCurrency(toReal(value), options)],
  ['number_to_human_size', ([value]) => formatScaled(toReal(value), 1024, SIZES)],
  ['number_to_human', ([value]) => formatScaled(toReal(value), 1000, COUNTS)],
]

const SIZES = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB']
const COUNTS = ['', 'Thousand', 'Million', 'Billion', 'Trillion', 'Quadrillion']

function toReal(value: Value | undefined): number {
  const number = typeof value === 'string' && /^-?\d{1,300}(?:\.\d{1,300})?$/.test(value) ? Number(value) : value
  if (typeof number === 'bigint' || typeof number === 'number') return Number(number)
  return fail(`${kindOf(value ?? null)} is no number`)
}

function toPlainText(value: Value | undefined): string {
  return typeof value === 'bigint' ? String(value) : String(toReal(value))
}

function delimitNumber(number: string): string {
  const [whole = '', rest] = number.split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return rest === undefined ? grouped : `${grouped}.${rest}`
}

function findOption(options: Value | undefined, name: string): Value | undefined {
  return options instanceof Hash ? options.entries.get(`:${name}`)?.[1] : undefined
}

function readPrecision(options: Value | undefined, otherwise: number): number {
  const digits = findOption(options, 'precision')
  return digits === undefined ? otherwise : Math.min(requireSize(digits), 20)
}

function formatCurrency(value: number, options: Value | undefined): string {
  const unit = findOption(options, 'unit')
  const amount = delimitNumber(Math.abs(value).toFixed(readPrecision(options, 2)))
  return `${value < 0 ? '-' : ''}${unit === undefined ? '$' : requireText(unit)}${amount}`
}

/** Formats three significant digits with the word for the power. */
function formatScaled(value: number, base: number, words: readonly string[]): string {
  let amount = Math.abs(value)
  let power = 0
  for (; amount >= base && power < words.length - 1; power += 1) amount /= base
  const shown = power === 0 && words === SIZES ? String(Math.floor(amount)) : String(Number(amount.toPrecision(3)))
  return `${value < 0 ? '-' : ''}${shown} ${words[power] ?? ''}`.trimEnd()
}
