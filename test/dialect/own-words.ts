import { NAME_PARTS, VALUES } from '../../src/dialect/table.ts'

/** Yields the first word of an answer of the second port that only the first port uses; null where there is none. */
export function ownWordIn(text: string): string | null {
  const [word] = OWN_WORDS.exec(text) ?? []
  return word ?? valueIn(parsed(text), '')
}

/** Matches our words for names and texts. */
const OWN_WORDS = new RegExp(
  `(?<![a-z])(?:${[
    ...Object.keys(NAME_PARTS),
    ...Object.keys(VALUES.server_type?.words ?? {}),
    ...['config[_ ]?run', 'config[_ ]?rollout', 'class[_ ]import', '/content/api', 'owner_(?:user|usergroup)_id'],
  ].join('|')})(?![a-z])`,
  'i',
)

/** Yields a value that is one of our words, under a key with translated values. */
function valueIn(value: unknown, key: string): string | null {
  if (typeof value === 'string') return OWN_VALUES.get(key)?.has(value) ? `${key} ${value}` : null
  if (Array.isArray(value)) return first(value.map((each) => valueIn(each, key)))
  if (typeof value !== 'object' || value === null) return null
  return first(Object.entries(value).map(([name, each]) => valueIn(each, name)))
}

/** Our words by key, without those that are also words of clients. */
const OWN_VALUES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...Map.groupBy(Object.entries(VALUES), ([place]) => place.slice(place.lastIndexOf('.') + 1))].map(
    ([key, tables]) => {
      const pairs = tables.flatMap(([, { words }]) => Object.entries(words))
      const theirs = new Set(pairs.map(([, word]) => word))
      return [key, new Set(pairs.map(([ours]) => ours).filter((ours) => !theirs.has(ours)))]
    },
  ),
)

function first(found: readonly (string | null)[]): string | null {
  return found.find((one) => one !== null) ?? null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
