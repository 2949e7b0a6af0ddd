import { useQuery } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import { type ApiRecord, findResource, textOf } from '../../resources/resources.ts'
import { Link } from '../../shell/link.tsx'
import { nameOf } from '../../words/words.ts'

/** A record that hosts have values from, and those above it, the nearest first; undefined until they are loaded. */
export type Chain = readonly ApiRecord[] | undefined

/** Loads a record and those above it in its tree, where the caller may see them: wherever the page looks from. */
export function useChain(plural: string, id: number | null, isNeeded = true): Chain {
  const mayView = may(useCaller(), findResource(plural)?.operations.show?.permissions ?? [])
  const isOn = isNeeded && id !== null && mayView
  const { data } = useQuery({
    queryKey: ['chain', plural, id],
    enabled: isOn,
    queryFn: async ({ signal }): Promise<ApiRecord[]> => {
      const load = async (one: unknown): Promise<ApiRecord[]> => {
        const query = { organization_id: '', location_id: '' }
        const answer = sendRequest(`/api/${plural}/${String(one)}`, { query, signal })
        return answer.then(
          ({ body }) => [body],
          () => [], // what the caller may not see is left out
        )
      }
      const own = await load(id)
      const above = String(own[0]?.ancestry ?? '')
        .split('/')
        .filter((one) => one !== '')
        .toReversed()
      return [...own, ...(await Promise.all(above.map(load))).flat()]
    },
  })
  return isOn ? data : NOBODY
}

const NOBODY: readonly ApiRecord[] = []

interface OwnerProps {
  readonly plural: string
  readonly record: ApiRecord
}

/** Names a record that a value comes from and its kind, with a link to it. */
export function Owner({ plural, record }: OwnerProps) {
  return (
    <Link to={`/${plural}/${String(record.id)}`}>
      {nameOf(plural, 'one')} <bdi>{textOf(record, findResource(plural) ?? { label: 'name' })}</bdi>
    </Link>
  )
}

/** Whether one of the records in a list of another has this id. */
export function holds(record: ApiRecord, key: string, id: number): boolean {
  const list = record[key]
  return Array.isArray(list) && list.some((one: ApiRecord) => one.id === id)
}
