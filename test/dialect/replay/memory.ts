import { type Case, type Exchange, isList, isObject, type Json, type JsonObject } from './exchanges.ts'
import { kindOf } from './kinds.ts'
import { numberOf } from './records.ts'
import { readTarget, type Target } from './routes.ts'

/** What recordings say of the records that they only name elsewhere. */
export interface Memory {
  /** Of a record of these exchanges; else of the examples of a server, or of any. */
  readonly recall: (
    exchanges: readonly Exchange[] | null,
    server: string,
    kind: string,
    id: number,
  ) => JsonObject | undefined
}

type Records = ReadonlyMap<string, JsonObject>

/** Reads what all answers say of each record; what was said first stays. */
export function createMemory(cases: readonly Case[]): Memory {
  const examples = cases.filter(({ by }) => by === 'documentation').flatMap(({ exchanges }) => exchanges)
  const ofServer = new Map(
    [...Map.groupBy(examples, ({ server }) => server)].map(([server, all]) => [server, recordsIn(all)]),
  )
  const ofAny = recordsIn(examples)
  const ofCase = new WeakMap<readonly Exchange[], Records>()
  return {
    recall: (exchanges, server, kind, id) => {
      const key = `${kind} ${id}`
      if (exchanges === null) return ofServer.get(server)?.get(key) ?? ofAny.get(key)
      const known = ofCase.get(exchanges) ?? recordsIn(exchanges)
      ofCase.set(exchanges, known)
      return known.get(key)
    },
  }
}

function recordsIn(exchanges: readonly Exchange[]): Records {
  const records = new Map<string, JsonObject>()
  const keep = (kind: string, value: Json, prefix: string): void => {
    if (isList(value)) {
      for (const each of value) keep(kind, each, prefix)
      return
    }
    if (!isObject(value)) return
    const id = numberOf(value.id)
    if (id !== null) records.set(`${kind} ${id}`, { ...value, ...records.get(`${kind} ${id}`) })
    for (const [key, nested] of Object.entries(value)) {
      const named = value[`${key.replace(/_id$/, '')}_name`]
      const referred = /_id$/.test(key) ? numberOf(nested) : null
      if (referred !== null && typeof named === 'string') {
        keep(kindOf(key, prefix), { id: referred, name: named, title: named }, prefix)
      }
      keep(key === 'results' ? kind : kindOf(key, prefix), nested, prefix)
    }
  }
  for (const { url, response, status } of exchanges) {
    const target = readTarget(url)
    if (status < 300) keep(kindOfAnswer(target), response, target.prefix)
  }
  return records
}

/** The kind of the record or the records that an answer shows. */
export function kindOfAnswer({ collection, steps, prefix }: Target): string {
  return kindOf(collection ?? steps.at(-1)?.collection ?? '', prefix)
}
