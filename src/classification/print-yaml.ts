import { formatReal, isMap, type Value } from './values.ts'

/**
 * Formats a value as a YAML document in block style that every YAML 1.1 parser reads as the same value (smart-parameters
 * §9.1): text that could be taken for anything else is quoted, reals have a decimal point, and there are no tags, dates,
 * anchors or folded lines.
 */
export function printYaml(value: Value): string {
  if (!isBlock(value)) return `--- ${printInline(value)}\n`
  const lines: string[] = ['---']
  block(value, '', lines)
  return `${lines.join('\n')}\n`
}

function block(value: Block, indent: string, lines: string[]): void {
  if (isMap(value)) for (const [key, item] of value) printEntry(key, item, indent, lines)
  else for (const item of value) listItem(item, indent, lines)
}

function printEntry(key: string, item: Value, indent: string, lines: string[]): void {
  const name = printKey(key)
  // Parsers look for the colon behind a key only within a limited distance, so that a long key is written with `?`.
  const isLong = name.length > 128
  const start = isLong ? `${indent}? ${name}` : `${indent}${name}:`
  if (isLong) lines.push(start)
  const opened = isLong ? `${indent}:` : start
  if (!isBlock(item)) {
    lines.push(`${opened} ${printInline(item)}`)
    return
  }
  lines.push(opened)
  block(item, `${indent}  `, lines)
}

// A list or map inside a list begins on the line of its dash.
function listItem(item: Value, indent: string, lines: string[]): void {
  if (!isBlock(item)) {
    lines.push(`${indent}- ${printInline(item)}`)
    return
  }
  const first = lines.length
  block(item, `${indent}  `, lines)
  lines[first] = `${indent}- ${lines[first]?.slice(indent.length + 2)}`
}

type Block = Extract<Value, object>

function isBlock(value: Value): value is Block {
  if (value === null || typeof value !== 'object') return false
  return isMap(value) ? value.size > 0 : value.length > 0
}

function printInline(value: Value): string {
  if (typeof value === 'string') return printText(value)
  if (typeof value === 'number') return formatReal(value)
  if (value === null || typeof value !== 'object') return String(value)
  return isMap(value) ? '{}' : '[]'
}

/**
 * A text that begins with a letter and has no character with a meaning in YAML; only reserved words have to be excluded
 * then.
 */
const PLAIN = /^[A-Za-z][\w./-]*(?: [\w./-]+)*$/
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nil|nan|inf|infinity)$/i

function printText(value: string): string {
  return PLAIN.test(value) && !WORDS.test(value) ? value : quoteText(value)
}

// The merge key is the one exception: parsers take even a quoted "<<" as an instruction to merge what follows.
function printKey(key: string): string {
  return key === '<<' ? '!!str "<<"' : printText(key)
}

// JSON's escapes mean the same in YAML, which requires them also for characters that it does not call printable.
function quoteText(value: string): string {
  return JSON.stringify(value.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
