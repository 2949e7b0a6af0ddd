import { type Case, type Exchange, isList, isObject, type Json, type JsonObject } from './exchanges.ts'
import { kindOf } from './kinds.ts'
import { numberOf } from './records.ts'
import { readTarget, type Target } from './routes.ts'

/** What recordings tell about records that are only named elsewhere. */
export interface Memory {
  /** Looks a record up in these exchanges, otherwise in the examples of a server, otherwise in all. */
  readonly recall: (
    exchanges: readonly Exchange[] | null,
    server: string,
    kind: string,
    id: number,
  ) => JsonObject | undefined
}

type Records = ReadonlyMap<string, JsonObject>

/** Collects what all answers tell about each record; the first value of a key stays. */
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

/** Yields the kind of the records in an answer. */
export function kindOfAnswer({ collection, steps, prefix }: Target): string {
  return kindOf(collection ?? steps.at(-1)?.collection ?? '', prefix)
}
