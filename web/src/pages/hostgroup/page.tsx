import { List, ListItem } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import { type AboveProps, RecordPage } from '../../resources/record/page.tsx'
import { Awaited } from '../../shell/awaited.tsx'
import { Link } from '../../shell/link.tsx'
import { Panel } from '../../shell/panel.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { countOf, listOf } from '../dashboard/count.ts'

/** The page of a host group: how many hosts it concerns, and its place in the tree. */
export function Page() {
  return <RecordPage plural="hostgroups" Above={Use} />
}

function Use({ record }: AboveProps) {
  return (
    <Panel title={t('hostgroup.use')}>
      <List isPlain>
        {may(useCaller(), ['view_hosts']) && <Hosts record={record} />}
        <ListItem>
          <Link className="mw-all" to="/hostgroup_tree">
            {t('hostgroup.tree')}
          </Link>
        </ListItem>
      </List>
    </Panel>
  )
}

/** Counts the hosts of the group, and of the groups below it, which inherit from it. */
function Hosts({ record }: Pick<AboveProps, 'record'>) {
  const [parameters] = useSearchParams()
  const title = String(record.title).replace(/["\\]/g, '\\$&')
  const searches = {
    'hostgroup.hosts': `hostgroup_id = ${Number(record.id)}`,
    'hostgroup.below': `parent_hostgroup = "${title}"`,
  } as const
  const { data, error, refetch } = useQuery({
    queryKey: ['hosts of a group', record.id, scopeOf(parameters)],
    queryFn: ({ signal }) =>
      Promise.all(Object.values(searches).map((search) => countOf('/api/hosts', search, signal))),
  })
  if (!data) return <Awaited data={data} error={error} refetch={refetch} />
  return (['hostgroup.hosts', 'hostgroup.below'] as const).map((word, place) => (
    <ListItem key={word}>
      <Link className="mw-all" to={listOf('hosts', searches[word])}>
        {t(word, { count: formatNumber(data[place] ?? 0) })}
      </Link>
    </ListItem>
  ))
}
