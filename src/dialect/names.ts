import { NAME_PARTS, NODE_PARAMETERS, PHRASES, VALUES } from './table.ts'

/** Which way a word goes: `theirs` are written for clients, `ours` were sent by them. */
export type Into = 'theirs' | 'ours'

/** A name with each of its parts in the words of the other side; the same name where it has none of them. */
export function translateName(into: Into, name: string): string {
  const { pattern, words } = PARTS[into]
  return name.replace(pattern, (part) => words.get(part) ?? part)
}

/** A sentence with each of the words in it, as names and as people say them: `config class`, `Configclass`. */
export function translateSentence(sentence: string): string {
  return sentence.replace(SAID, (said) => {
    const word = WRITTEN.get(said.toLowerCase())
    if (word === undefined) return said
    return said.charAt(0) === said.charAt(0).toLowerCase() ? word : word.charAt(0).toUpperCase() + word.slice(1)
  })
}

/** Makes the function that gives the word of the other side for a value, null where this key has no such values. */
export function createValueTranslator(into: Into, key: string, within: string): ((value: string) => string) | null {
  const found = VALUES[`${within}.${key}`] ?? VALUES[key]
  if (!found) return null
  const { parts } = found
  const further = into === 'ours' ? Object.entries(found.further ?? {}) : []
  const words = new Map([...further, ...directed(into, found.words)])
  return (value) => words.get(value) ?? (parts ? translateName(into, value) : value)
}

/** Translates values of a key of any resource: null where several resources have such values and translate them differently. */
export function createAnyValueTranslator(into: Into, key: string): ((value: string) => string) | null {
  const places = Object.keys(VALUES).filter((place) => place === key || place.endsWith(`.${key}`))
  const [place, ...others] = places
  const differ = others.some((other) => VALUES[other]?.words !== VALUES[place ?? '']?.words)
  if (place === undefined || (differ && VALUES[key] === undefined)) return null
  return createValueTranslator(into, key, place.slice(0, -key.length - 1))
}

function directed(into: Into, words: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(words).map(([ours, theirs]) => (into === 'theirs' ? [ours, theirs] : [theirs, ours]))
}

function partsOf(into: Into): { pattern: RegExp; words: ReadonlyMap<string, string> } {
  const words = new Map(directed(into, NAME_PARTS))
  return { pattern: new RegExp(`(?<=^|_)(?:${longestFirst(words.keys()).join('|')})(?=_|\\?|$)`, 'g'), words }
}

function longestFirst(words: Iterable<string>): string[] {
  return [...words].sort((a, b) => b.length - a.length)
}

const PARTS = { theirs: partsOf('theirs'), ours: partsOf('ours') } as const

// What people read: keys without their underscores, and `config class` in two words.
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PHRASES),
  ...Object.entries(NAME_PARTS).flatMap(([ours, theirs]): [string, string][] => [
    [ours, theirs],
    [ours.replaceAll('_', ' '), theirs.replaceAll('_', ' ')],
    [ours.replace(/^config(?=class|run)/, 'config '), theirs],
  ]),
])
// Not what callers have named or sent: names of records, values in double quotes, names of hosts and addresses. Sentences
// may hold megabytes of that, so that nothing here may look twice at the same characters, nor remember all of them.
const SENT = /"(?:[^"\\]|\\.){0,10000}"?|(?<=\bby id )'.*|(?<=\bwith id ).*/.source
const SAID = new RegExp(
  `${SENT}|(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}/][.:/@-]{1,2})(?:${longestFirst(WRITTEN.keys()).join('|')})(?![\\p{L}\\p{N}]|[.:/@-]{1,2}[\\p{L}\\p{N}])`,
  'gisu',
)

/** What the classification of a host calls what is known of it: names of parameters that users make are theirs. */
export function translateNodeParameter(name: string): string {
  return NODE_PARAMETERS.test(name) ? translateName('theirs', name) : name
}
