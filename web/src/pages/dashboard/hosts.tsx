import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import type { ApiRecord } from '../../resources/resources.ts'
import { Link } from '../../shell/link.tsx'
import { formatNumber, nameInText, t, type Word } from '../../words/words.ts'
import { Beginning } from './beginning.tsx'
import { type Bar, Bars, Card } from './card.tsx'
import { countOf, listOf } from './count.ts'

const STATES: readonly (readonly [title: Word, search: string, kind?: Bar['kind']])[] = [
  ['dashboard.error', 'global_status = error', 'bad'],
  ['dashboard.warning', 'global_status = warning', 'warning'],
  ['dashboard.ok', 'global_status = ok', 'good'],
  ['dashboard.failed', 'status.failed > 0', 'bad'],
  ['dashboard.pending', 'status.pending > 0', 'warning'],
  ['dashboard.building', 'build = true'],
  ['dashboard.silent', 'not has last_report'],
]

/** Counts hosts by their state. */
export function HostsByState() {
  const [parameters] = useSearchParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'states', scopeOf(parameters)],
    queryFn: ({ signal }) =>
      Promise.all([
        countOf('/api/hosts', '', signal),
        ...STATES.map(([, search]) => countOf('/api/hosts', search, signal)),
      ]),
  })
  const [all = 0, ...counts] = data ?? []
  if (data && all === 0) return <Beginning />
  const bars = STATES.map(([title, search, kind], place): Bar => {
    const bar = { title: t(title), count: counts[place] ?? 0, to: listOf('hosts', search) }
    return kind ? { ...bar, kind } : bar
  })
  return (
    <Card title={t('dashboard.states')} error={error} retry={() => void refetch()} isLoading={!data}>
      <Bars bars={bars.filter(({ count }) => count > 0)} />
      <Link className="mw-all" to="/hosts">
        {t('dashboard.hosts', { count: formatNumber(all) })}
      </Link>
    </Card>
  )
}

interface HostsOfProps {
  readonly list: 'operatingsystems' | 'environments' | 'hostgroups'
  /** The search field of hosts. */
  readonly word: string
  readonly label: string
}

const SHOWN = 6

/** Counts hosts by a linked record; of many records only the first are shown, with a link to the rest. */
export function HostsOf({ list, word, label }: HostsOfProps) {
  const [parameters] = useSearchParams()
  const caller = useCaller()
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', list, scopeOf(parameters)],
    enabled: may(caller, [`view_${list}`]),
    queryFn: async ({ signal }) => {
      const { body } = await sendRequest(`/api/${list}`, { query: { per_page: SHOWN }, signal })
      const records = body.results as readonly ApiRecord[] // lists of the API hold records
      const searches = [...records.map(({ id }) => `${word} = ${id}`), `not has ${word}`]
      const counts = await Promise.all(searches.map((search) => countOf('/api/hosts', search, signal)))
      const names = [...records.map((record) => String(record[label] ?? record.name)), t('dashboard.without')]
      const bars = searches.map((search, place): Bar => {
        return { title: names[place] ?? '', count: counts[place] ?? 0, to: listOf('hosts', search) }
      })
      return { bars: bars.filter(({ count }) => count > 0), isAll: body.subtotal <= SHOWN }
    },
  })
  if (!may(caller, [`view_${list}`])) return null
  const title = t('dashboard.by', { what: nameInText(list, 'one') })
  return (
    <Card title={title} error={error} retry={() => void refetch()} isLoading={!data} isEmpty={data?.bars.length === 0}>
      {data && <Bars bars={data.bars.toSorted((one, other) => other.count - one.count)} />}
      {data && !data.isAll && (
        <Link className="mw-all" to={`/${list}`}>
          {t('dashboard.rest', { what: nameInText(list, 'many') })}
        </Link>
      )}
    </Card>
  )
}
