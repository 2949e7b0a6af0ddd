import { isStorable } from '../../../database/storable.ts'
import { invalid } from '../../../errors.ts'
import { isMembers } from '../../../values.ts'

/** Limits of one upload: the number of facts, their depth, and the characters of a name and of a value. */
const LIMITS = { facts: 10_000, depth: 20, name: 2000, value: 65_535 } as const

/** Values of facts by full name (`os::name`); null for a fact that only contains others. */
export type Facts = ReadonlyMap<string, string | null>

/**
 * Flattens structured facts: `{os: {name: 'Debian'}}` becomes `os` without a value and `os::name`. Lists become JSON.
 * Blank facts, facts without a value and names that begin with `_` are left out. {@throws Failure} invalid, naming the
 * exceeded limit
 */
export function flattenFacts(sent: unknown): Facts {
  if (!isMembers(sent)) throw createRefusal('must be an object of facts')
  const facts = new Map<string, string | null>()
  collect(facts, sent, '', 1)
  return facts
}

function collect(facts: Map<string, string | null>, sent: object, prefix: string, depth: number): void {
  if (depth > LIMITS.depth) throw createRefusal(`are nested deeper than ${LIMITS.depth} levels: ${shortenName(prefix)}`)
  for (const [key, value] of Object.entries(sent)) {
    if (isNothing(value) || key === '' || (prefix === '' && key.startsWith('_'))) continue
    const name = prefix === '' ? key : `${prefix}::${key}`
    requireText(name, name, LIMITS.name, 'name')
    if (isMembers(value)) {
      if (!facts.has(name)) facts.set(name, null)
      collect(facts, value, name, depth + 1)
    } else {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      requireText(name, text, LIMITS.value, 'value')
      facts.set(name, text)
    }
    if (facts.size > LIMITS.facts) throw createRefusal(`are more than ${LIMITS.facts}, those that hold others included`)
  }
}

function requireText(name: string, text: string, limit: number, what: 'name' | 'value'): void {
  if ([...text].length > limit)
    throw createRefusal(`have a ${what} longer than ${limit} characters: ${shortenName(name)}`)
  if (!isStorable(text)) {
    throw createRefusal(`have a ${what} that is not Unicode text without the NUL character: ${shortenName(name)}`)
  }
}

function shortenName(name: string): string {
  return name.toWellFormed().replaceAll('\0', '\ufffd').slice(0, 100)
}

function createRefusal(message: string) {
  return invalid({ facts: [message] })
}

function isNothing(value: unknown): boolean {
  return (
    value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0)
  )
}
