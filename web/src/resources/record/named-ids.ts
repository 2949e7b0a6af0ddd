import { useQuery } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import references from '../../generated/references.json'
import { nameOf } from '../../words/words.ts'
import type { References } from '../description.ts'
import { type ApiRecord, findResource, recordsOf, textOf } from '../resources.ts'

const REFERENCES: References = references

/** Writes a value of an audit with the names of the records that it refers to; null where it refers to none. */
export type NameIds = (audit: ApiRecord, key: string, value: unknown) => string | null

/** Names the records that changes refer to as they are called now, or were called last, where the caller may see that. */
export function useNamedIds(audits: readonly ApiRecord[]): NameIds {
  const wanted = idsOf(audits)
  const { data } = useQuery({
    queryKey: ['names in the history', ...Object.entries(wanted).flat()],
    enabled: Object.keys(wanted).length > 0,
    queryFn: async ({ signal }) => {
      const named = Object.entries(wanted).map(async ([plural, ids]) => [plural, await loadNames(plural, ids, signal)])
      return Object.fromEntries(await Promise.all(named)) as Readonly<Record<string, Names>>
    },
  })
  const nameOne = ({ plural, id }: NamedRecordSummary) => data?.[plural]?.get(id) ?? `${nameOf(plural, 'one')} ${id}`
  return ({ auditable_type }, key, value) => {
    const targets = REFERENCES[String(auditable_type)] ?? {}
    const format = (one: unknown): string => {
      const parts = partsOf(targets, key, one)
      return parts.map((part) => (typeof part === 'object' ? nameOne(part) : part)).join(' ')
    }
    return targets[key] === undefined || value === null || value === undefined
      ? null
      : [value].flat().map(format).join(', ')
  }
}

type Names = ReadonlyMap<number, string>
type Targets = References[string]

interface NamedRecordSummary {
  readonly plural: string
  readonly id: number
}

/** Takes a value apart into the records that it refers to and the rest of it: an item of a list may say more than an id. */
function partsOf(targets: Targets, key: string, value: unknown): (NamedRecordSummary | string)[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([inner, one]) => partsOf(targets, inner === 'id' ? key : inner, one))
  const plural = targets[key]
  if (plural === undefined || typeof value !== 'number') return [String(value)]
  return [{ plural, id: value }]
}

/** Lists the ids that audits hold, by the resources that they are ids of. */
function idsOf(audits: readonly ApiRecord[]): Readonly<Record<string, readonly number[]>> {
  const found: Record<string, Set<number>> = {}
  for (const { auditable_type, audited_changes } of audits) {
    const targets = REFERENCES[String(auditable_type)] ?? {}
    for (const [key, change] of Object.entries(audited_changes ?? {})) {
      const parts = targets[key] === undefined ? [] : [change].flat(2).flatMap((one) => partsOf(targets, key, one))
      for (const part of parts) {
        if (typeof part !== 'object') continue
        found[part.plural] ??= new Set()
        found[part.plural]?.add(part.id)
      }
    }
  }
  return Object.fromEntries(Object.entries(found).map(([plural, ids]) => [plural, [...ids].sort((a, b) => a - b)]))
}

/** The names of records as they are now; of those that are gone, or in no list of their own, as the history has them. */
export async function loadNames(plural: string, ids: readonly number[], signal: AbortSignal): Promise<Names> {
  const resource = findResource(plural)
  if (!resource) return new Map()
  const list = resource.operations.list?.path ?? ':'
  const everywhere = { per_page: 'all', organization_id: '', location_id: '' }
  const load = async (path: string, search: string, more = {}): Promise<readonly ApiRecord[]> => {
    const answer = sendRequest(path, { query: { ...everywhere, ...more, search }, signal })
    return answer.then(
      ({ body }) => recordsOf(body.results),
      () => [], // what the caller may not see has no name here
    )
  }
  const isListed = !list.includes(':') && resource.surface === 'core'
  const there = isListed ? await load(list, `id ^ (${ids.join(', ')})`) : []
  const names = new Map(there.map((record) => [Number(record.id), textOf(record, resource)]))
  const missing = ids.filter((id) => !names.has(id))
  if (missing.length === 0) return names
  const search = `type = ${resource.name} and auditable_id ^ (${missing.join(', ')})`
  for (const { auditable_id, auditable_name } of await load('/api/audits', search, { order: 'time ASC' }))
    if (typeof auditable_name === 'string') names.set(Number(auditable_id), auditable_name)
  return names
}
