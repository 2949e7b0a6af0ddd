import { List, ListItem } from '@patternfly/react-core'
import { BASE } from '../../api/client.ts'
import { useMachineStates, wordOfSince } from '../../resources/list/states-of-machines.ts'
import { Link } from '../../shell/link.tsx'
import { PERIODIC_JOBS } from '../../words/periodic-jobs.ts'
import { formatTime, nameOf, t } from '../../words/words.ts'
import { Card } from './card.tsx'

/** The guide about periodic jobs, which have no page of their own. */
const GUIDE = `${BASE}docs/watching#periodic-jobs`

/** Lists directories, smart proxies and periodic jobs that do not work. It takes no room if all work. */
export function Ill() {
  const { data, error, refetch } = useMachineStates()
  const directories = data?.directories.flatMap(({ since, message, ...one }) =>
    since === null || message === null ? [] : [{ ...one, since, message, plural: 'auth_source_ldaps' }],
  )
  const proxies = data?.smart_proxies.map((one) => ({ ...one, plural: 'smart_proxies' }))
  const machines = [...(directories ?? []), ...(proxies ?? [])]
  const jobs = data?.jobs ?? []
  return (
    <Card
      title={t('dashboard.ill')}
      error={error}
      retry={() => void refetch()}
      isLoading={false}
      isEmpty={machines.length + jobs.length === 0}
    >
      <List isPlain>
        {machines.map(({ plural, id, name, since, message }) => (
          <ListItem key={`${plural} ${id}`}>
            {nameOf(plural, 'one')}{' '}
            <Link to={`/${plural}/${id}`}>
              <bdi>{name}</bdi>
            </Link>
            <div className="mw-hint">
              {wordOfSince(since)}: {message}
            </div>
          </ListItem>
        ))}
        {jobs.map(({ name, ended_at }) => (
          <ListItem key={name}>
            {t('dashboard.job')} <a href={GUIDE}>{wordOfJob(name)}</a>{' '}
            {t('dashboard.job.failed', { time: formatTime(ended_at) })}
          </ListItem>
        ))}
      </List>
    </Card>
  )
}

/** Says the name of a job in the language of the browser; one that is not known here stays as it is. */
function wordOfJob(name: string): string {
  const word = PERIODIC_JOBS[name]
  return word === undefined ? name : t(word)
}
