import type { Row } from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { HostObject, type HostValue } from '../../../templates/index.ts'
import { createClosedReader, type Methods } from '../rendering/readers.ts'

/**
 * Creates a reader for a record: its keys are methods, a link is the record that it leads to, and what is nested is read in the
 * same way. `beside` has further methods, which count where it has a key, too.
 */
export function createRecordReader(kind: string, record: Row, beside: HostValue = null): HostValue {
  const text = String(record.title ?? record.name ?? record.login ?? record.id ?? '')
  return createClosedReader(kind, () => buildMethods(record, text, beside), text)
}

function buildMethods(record: Row, text: string, beside: HostValue): Methods {
  const own: [string, HostValue][] = Object.entries(record).map(([key, value]) => [key, toReader(key, value)])
  const links = Object.keys(record).flatMap((key): [string, HostValue][] => {
    const name = key.endsWith('_id') ? key.slice(0, -3) : ''
    if (name === '' || name in record) return []
    const id = record[key]
    return [[name, id === null ? null : createRecordReader(name, linkOf(record, name, id))]]
  })
  const further = beside instanceof HostObject ? Object.fromEntries(beside.methods) : {}
  return { to_s: text, to_label: text, ...Object.fromEntries([...links, ...own]), ...further }
}

function linkOf(record: Row, name: string, id: unknown): Row {
  const label = record[`${name}_name`] ?? record[`${name}_login`] ?? null
  const title = record[`${name}_title`]
  return { id, name: label, ...(title !== undefined && { title }) }
}

/** Converts what an answer shows to what templates read: an object to a record, which answers `[]`, too. */
function toReader(key: string, value: unknown): HostValue {
  if (Array.isArray(value)) return value.map((each) => toReader(key, each))
  if (isMembers(value)) return createRecordReader(key.replace(/s$/, ''), value)
  return value as HostValue // what is neither a list nor an object in JSON
}
