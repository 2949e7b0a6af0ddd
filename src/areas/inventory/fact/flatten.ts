import { invalid } from '../../../errors.ts'
import { isValidText, readExactly } from '../../../lib/lossless-json.ts'
import { isMembers } from '../../../lib/values.ts'

/** Tells whether the setting `excluded_facts` names a fact. */
export type IsExcluded = (name: string) => boolean

/** Limits of one upload: the number of facts, their depth, and the characters of a name and of a value. */
const LIMITS = { facts: 10_000, depth: 20, name: 2000, value: 65_535 } as const

/** Values of facts by full name (`os::name`); null for a fact that only contains others. */
export type Facts = ReadonlyMap<string, string | null>

/** What becomes of facts that cannot be kept: it may throw, else they are left out. */
type Refuse = (message: string) => unknown

/**
 * Flattens structured facts: `{os: {name: 'Debian'}}` becomes `os` without a value and `os::name`. Lists become JSON, and
 * numbers keep their digits. Blank facts, facts without a value and names that begin with `_` are left out. {@throws Failure}
 * invalid for anything but an object, and, unless `refuse` does something else, naming the exceeded limit. Facts that
 * `isExcluded` names are not stored and do not count, so that they push no others out.
 */
export function flattenFacts(sent: unknown, refuse: Refuse = refuseFacts, isExcluded: IsExcluded = () => false): Facts {
  if (!isMembers(sent)) throw createRefusal('must be an object of facts')
  const facts = new Map<string, string | null>()
  collect({ facts, refuse, isExcluded, counted: 0 }, sent, '', 1)
  return facts
}

interface Collected {
  readonly facts: Map<string, string | null>
  readonly refuse: Refuse
  readonly isExcluded: IsExcluded
  counted: number
}

function collect(collected: Collected, sent: object, prefix: string, depth: number): void {
  const { facts, refuse } = collected
  if (depth > LIMITS.depth) {
    refuse(`are nested deeper than ${LIMITS.depth} levels: ${shortenName(prefix)}`)
    return
  }
  for (const [key, value] of Object.entries(sent)) {
    if (isNothing(value) || key === '' || (prefix === '' && key.startsWith('_'))) continue
    const name = prefix === '' ? key : `${prefix}::${key}`
    const nested = isMembers(value)
    const text = nested ? null : typeof value === 'string' ? value : JSON.stringify(readExactly(sent, key))
    const wrong = validateText(name, LIMITS.name, 'name') ?? validateText(text ?? '', LIMITS.value, 'value')
    const counts = wrong === null && !facts.has(name) && !collected.isExcluded(name)
    const full = counts && collected.counted >= LIMITS.facts
    if (wrong !== null) refuse(`${wrong}: ${shortenName(name)}`)
    else if (full) refuse(`are more than ${LIMITS.facts}, those that hold others included`)
    else if (!nested || !facts.has(name)) {
      if (counts) collected.counted += 1
      facts.set(name, text)
    }
    if (nested && wrong === null && !full) collect(collected, value, name, depth + 1)
  }
}

function validateText(text: string, limit: number, what: 'name' | 'value'): string | null {
  if ([...text].length > limit) return `have a ${what} longer than ${limit} characters`
  return isValidText(text) ? null : `have a ${what} that is not Unicode text without the NUL character`
}

function shortenName(name: string): string {
  return name.toWellFormed().replaceAll('\0', '\ufffd').slice(0, 100)
}

function refuseFacts(message: string): never {
  throw createRefusal(message)
}

function createRefusal(message: string) {
  return invalid({ facts: [message] })
}

function isNothing(value: unknown): boolean {
  return (
    value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0)
  )
}
