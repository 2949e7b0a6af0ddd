import { List, ListItem } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import { type AboveProps, RecordPage } from '../../resources/record/page.tsx'
import { type ApiRecord, recordsOf } from '../../resources/resources.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Link } from '../../shell/link.tsx'
import { Panel } from '../../shell/panel.tsx'
import { formatNumber, nameOf, t } from '../../words/words.ts'
import { countOf, listOf } from '../dashboard/count.ts'

/** The page of a host group: how many hosts it concerns, its place in the tree, and the classes of its hosts. */
export function Page() {
  return <RecordPage plural="hostgroups" Above={Above} />
}

function Above({ record }: AboveProps) {
  return (
    <>
      <Use record={record} />
      <Classes record={record} />
    </>
  )
}

/** Lists the classes and class groups that the group gives its hosts, and those that they have otherwise. */
function Classes({ record }: AboveRecord) {
  const own = ['configclasses', 'config_groups'].flatMap((plural) =>
    recordsOf(record[plural] ?? []).map(({ id, name }) => ({ plural, id: Number(id), name: String(name) })),
  )
  const isOwn = (one: ApiRecord) => own.some(({ plural, id }) => plural === 'configclasses' && id === one.id)
  const others = recordsOf(record.all_configclasses ?? []).filter((one) => !isOwn(one))
  if (own.length + others.length === 0) return null
  return (
    <Panel title={nameOf('configclasses', 'many')}>
      <List isPlain>
        {own.map(({ plural, id, name }) => (
          <ListItem key={`${plural} ${id}`}>
            <Link className="mw-all" to={`/${plural}/${id}`}>
              <bdi>{name}</bdi>
            </Link>{' '}
            {plural === 'config_groups' && <span className="mw-hint">{nameOf(plural, 'one')}</span>}
          </ListItem>
        ))}
        {others.length > 0 && (
          <ListItem className="mw-hint">
            {t('hostgroup.classes', { names: others.map(({ name }) => String(name)).join(', ') })}
          </ListItem>
        )}
      </List>
    </Panel>
  )
}

type AboveRecord = Pick<AboveProps, 'record'>

function Use({ record }: AboveRecord) {
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
function Hosts({ record }: AboveRecord) {
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
