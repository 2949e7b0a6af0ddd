import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { components } from '../../generated/api.d.ts'
import { Link } from '../../shell/link.tsx'
import { formatNumber, t } from '../../words/words.ts'

type Won = components['schemas']['Winners']['default']

/** The hosts that matchers win on: in total, by the default, and by the id of a matcher. */
interface Winners {
  readonly total: number
  readonly byDefault: Won
  readonly byOverride: ReadonlyMap<number, Won>
}

const NONE: Won = { hosts: 0, search: null }

/** Loads the hosts that the matchers of a parameter win on; undefined while they are unknown. */
export function useWinners(parameter: number): Winners | undefined {
  const caller = useCaller()
  const { data } = useQuery({
    queryKey: ['record', 'winners', parameter],
    enabled: may(caller, ['view_hosts']) && may(caller, ['view_external_parameters']),
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/smart_class_parameters/{id}/winners', {
          params: { path: { id: String(parameter) } },
          signal,
        })
      ).data,
  })
  if (!data) return undefined
  const { total, default: byDefault, override_values } = data
  return { total, byDefault, byOverride: new Map(override_values.map((one) => [one.id, one])) }
}

interface WonHostsProps {
  readonly won: Won | undefined
  /** The name of the matcher. */
  readonly name: string
}

/** The number of hosts that a matcher wins on, as a link to their list where a search can name them. */
export function WonHosts({ won: { hosts, search } = NONE, name }: WonHostsProps) {
  const count = formatNumber(hosts)
  if (search === null) return <>{count}</>
  return (
    <Link to={`/hosts?search=${encodeURIComponent(search)}`} aria-label={t('matcher.won', { name, count })}>
      {count}
    </Link>
  )
}
