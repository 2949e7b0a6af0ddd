import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, parseDocument } from 'yaml'
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
import { KEYS } from './keys.ts'

/**
 * Reads a YAML file. Content that is not a mapping of known keys to plain values becomes a problem; a key without a value
 * counts as not set.
 */
export function fromFile(path: string, readFile: ReadFile): (ConfiguredValue | Problem)[] {
  const file = contentOf(path, readFile)
  if ('reason' in file) return [`The configuration file ${quoteValue(path)} cannot be used: ${file.reason}`]
  const document = parseDocument(file.content, { schema: 'failsafe' }) // this schema leaves every value as it was written
  if (document.errors.length > 0) return document.errors.map((error) => `${path}: ${firstLineOf(error.message)}`)
  if (document.contents === null) return []
  if (!isMap(document.contents)) return [`${path} must hold keys and values, such as "port: 3000"`]

  const names = new Map(listKeys().map(([property, { name }]) => [name, property]))
  names.delete(KEYS.configFile.name) // a configuration file cannot name another one
  return document.contents.items.flatMap((item) => readItem(item, path, names, document) ?? [])
}

function readItem(
  item: Pair,
  path: string,
  names: ReadonlyMap<string, Property>,
  document: Document,
): ConfiguredValue | Problem | null {
  const name = isScalar(item.key) ? String(item.key.value) : String(item.key)
  const property = names.get(name)
  if (!property) return `${path}: ${quoteValue(name)} is not a key${suggestKnown(name, [...names.keys()])}`
  const text = plainTextOf(isAlias(item.value) ? item.value.resolve(document) : item.value)
  if (text === null) return `${path}: ${name} must be ${KEYS[property].schema.description}`
  return text === '' ? null : { property, place: `${path}: ${name}`, text }
}

/** A scalar, or a list of scalars joined by commas; null for anything deeper. */
function plainTextOf(node: unknown): string | null {
  if (node === null || node === undefined) return ''
  if (isScalar(node)) return String(node.value ?? '')
  if (!isSeq(node) || !node.items.every(isScalar)) return null
  return node.items.map((item) => String(item.value)).join(',')
}

function firstLineOf(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '')
}
