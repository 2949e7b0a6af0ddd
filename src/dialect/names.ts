import { NAME_PARTS, NODE_PARAMETERS, PHRASES, VALUES } from './table.ts'

/** The direction of a translation: `theirs` for what is sent to clients, `ours` for what they sent. */
export type Into = 'theirs' | 'ours'

/** Translates each part of a name; a name without translatable parts stays as it is. */
export function translateName(into: Into, name: string): string {
  const { pattern, words } = PARTS[into]
  return name.replace(pattern, (part) => words.get(part) ?? part)
}

/** Translates the words of a sentence, both as identifiers and as people write them: `config class`, `Configclass`. */
export function translateSentence(sentence: string): string {
  return sentence.replace(SAID, (said) => {
    const word = WRITTEN.get(said.toLowerCase())
    if (word === undefined) return said
    return said.charAt(0) === said.charAt(0).toLowerCase() ? word : word.charAt(0).toUpperCase() + word.slice(1)
  })
}

/** Creates the function that translates values of a key; null where this key has no values to translate. */
export function createValueTranslator(into: Into, key: string, within: string): ((value: string) => string) | null {
  const found = VALUES[`${within}.${key}`] ?? VALUES[key]
  if (!found) return null
  const { parts } = found
  const further = into === 'ours' ? Object.entries(found.further ?? {}) : []
  const words = new Map([...further, ...directWords(into, found.words)])
  return (value) => words.get(value) ?? (parts ? translateName(into, value) : value)
}

/**
 * Creates the function that translates values of a key of any resource; null where resources translate such values
 * differently.
 */
export function createAnyValueTranslator(into: Into, key: string): ((value: string) => string) | null {
  const places = Object.keys(VALUES).filter((place) => place === key || place.endsWith(`.${key}`))
  const [place, ...others] = places
  const differ = others.some((other) => VALUES[other]?.words !== VALUES[place ?? '']?.words)
  if (place === undefined || (differ && VALUES[key] === undefined)) return null
  return createValueTranslator(into, key, place.slice(0, -key.length - 1))
}

function directWords(into: Into, words: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(words).map(([ours, theirs]) => (into === 'theirs' ? [ours, theirs] : [theirs, ours]))
}

function partsOf(into: Into): { pattern: RegExp; words: ReadonlyMap<string, string> } {
  const words = new Map(directWords(into, NAME_PARTS))
  return { pattern: new RegExp(`(?<=^|_)(?:${sortLongestFirst(words.keys()).join('|')})(?=_|\\?|$)`, 'g'), words }
}

function sortLongestFirst(words: Iterable<string>): string[] {
  return [...words].sort((a, b) => b.length - a.length)
}

const PARTS = { theirs: partsOf('theirs'), ours: partsOf('ours') } as const

// Words for people: names without underscores, and `config class` as two words.
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PHRASES),
  ...Object.entries(NAME_PARTS).flatMap(([ours, theirs]): [string, string][] => [
    [ours, theirs],
    [ours.replaceAll('_', ' '), theirs.replaceAll('_', ' ')],
    [ours.replace(/^config(?=class|run)/, 'config '), theirs],
  ]),
])
// Parts of a sentence that quote callers and are not translated: names of records, values in double quotes, names of hosts
// and addresses. Sentences may hold megabytes of them, so that the pattern must not backtrack or capture.
const SENT = /"(?:[^"\\]|\\.){0,10000}"?|(?<=\bby id )'.*|(?<=\bwith id ).*/.source
const SAID = new RegExp(
  `${SENT}|(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}/][.:/@-]{1,2})(?:${sortLongestFirst(WRITTEN.keys()).join('|')})(?![\\p{L}\\p{N}]|[.:/@-]{1,2}[\\p{L}\\p{N}])`,
  'gisu',
)

/**
 * Translates the name of a parameter that the service adds to the classification of a host; names of users' parameters stay.
 */
export function translateNodeParameter(name: string): string {
  return NODE_PARAMETERS.test(name) ? translateName('theirs', name) : name
}
