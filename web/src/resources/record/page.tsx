import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  List,
  ListItem,
  PageSection,
  Tab,
  TabTitleText,
} from '@patternfly/react-core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { mayUse } from '../../api/allowed.ts'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { useCaller } from '../../api/session.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Failed } from '../../shell/failed.tsx'
import { Heading } from '../../shell/heading.tsx'
import { Link, useGo } from '../../shell/link.tsx'
import { useOffer } from '../../shell/offers.ts'
import { Tabs } from '../../shell/patternfly-parts.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { labelOf, nameOf, t } from '../../words/words.ts'
import { Cell } from '../cell.tsx'
import type { ResourceFull, ResourceShort } from '../description.ts'
import { putJobFirst } from '../list/choosable.ts'
import { DeleteRecordDialog } from '../list/delete-dialog.tsx'
import { type ApiRecord, apiPathOf, findResource, loadResource, textOf, type Where, whereOf } from '../resources.ts'
import { ChangeButtons } from './change-buttons.tsx'
import { mayClone } from './clone.ts'
import { CloneDialog } from './clone-dialog.tsx'
import { History } from './history.tsx'
import { Overview } from './overview.tsx'
import { Reveal } from './reveal.tsx'

/** The properties of a component that a handmade page puts above the tabs of a record. */
export interface AboveProps {
  readonly record: ApiRecord
  /** The tag of the record as it is shown; changes are refused when it has another one by then. */
  readonly etag: string | null
}

interface RecordParts {
  readonly Above?: ComponentType<AboveProps>
}

interface RecordPageProps extends RecordParts {
  /** The resource, where the address does not name it. */
  readonly plural?: string
}

/** The page of any record. */
export function RecordPage({ plural, ...parts }: RecordPageProps) {
  const parameters = useParams()
  const where = whereOf(plural === undefined ? parameters : { resource: plural })
  const { id } = parameters
  if (!where?.resource.operations.show || id === undefined) return <Failed isUnknown />
  return <RecordOf key={`${where.home}/${id}`} where={where} id={id} {...parts} />
}

interface RecordOfProps extends RecordParts {
  readonly where: Where
  readonly id: string
}

function RecordOf({ where, id, Above }: RecordOfProps) {
  const { resource, home } = where
  const { data: full } = useSuspenseQuery({
    queryKey: ['resource', resource.plural],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => loadResource(resource.plural),
  })
  const [parameters, setParameters] = useSearchParams()
  const [isDeleting, setIsDeleting] = useState(false)
  const [isCloning, setIsCloning] = useState(false)
  const caller = useCaller()
  const go = useGo()
  const path = apiPathOf(where, id, 'show')
  const { data, error, refetch } = useQuery({
    queryKey: ['record', path, scopeOf(parameters)],
    queryFn: ({ signal }) => sendRequest(path, { signal }),
  })
  const record: ApiRecord | undefined = data?.body
  const { update, delete: remove } = resource.operations
  const mayEdit = mayUse(caller, update, where, id)
  const mayDelete = mayUse(caller, remove, where, id)
  const self = `${home}/${encodeURIComponent(id)}`
  useShortcut('edit', () => go(`${self}/edit`), mayEdit)
  useShortcut('up', () => go(home))
  const title = record ? textOf(record, resource) : nameOf(resource.plural, 'one')
  useOffer(t('form.edit', { name: title }), () => go(`${self}/edit`), mayEdit && record !== undefined)
  const tab = parameters.get('tab') ?? 'overview'
  const show = (next: string) =>
    setParameters((before) => {
      const after = new URLSearchParams(before)
      if (next === 'overview') after.delete('tab')
      else after.set('tab', next)
      return after
    })
  const tabs = record ? tabsOf(full, record) : []
  return (
    <>
      <Heading
        title={title}
        text={record && full.summary}
        above={[{ to: home, title: nameOf(resource.plural, 'many') }]}
        actions={
          record && (
            <ChangeButtons
              self={self}
              mayEdit={mayEdit}
              more={mayClone(caller, where) ? [{ title: t('action.clone'), act: () => setIsCloning(true) }] : []}
              onDelete={mayDelete ? () => setIsDeleting(true) : undefined}
            />
          )
        }
      />
      <Awaited data={record} error={error} refetch={refetch} />
      {data && record && Above && (
        <PageSection>
          <div className="mw-parts">
            <Above record={record} etag={data.etag} />
          </div>
        </PageSection>
      )}
      {record && (
        <PageSection>
          <Tabs
            activeKey={tab}
            onSelect={(_event, next) => show(String(next))}
            aria-label={t('record.tabs')}
            mountOnEnter
            unmountOnExit
          >
            {tabs.map((name) => (
              <Tab key={name} eventKey={name} title={<TabTitleText>{t(`record.${name}`)}</TabTitleText>}>
                <PageSection>
                  {name === 'overview' && (
                    <Overview record={record} columns={putJobFirst(resource, full.shown)} path={path} />
                  )}
                  {name === 'related' && <Related resource={resource} id={id} full={full} record={record} />}
                  {name === 'parameters' && <Parameters record={record} path={path} />}
                  {name === 'history' && <History resource={resource} path={path} id={Number(record.id)} />}
                </PageSection>
              </Tab>
            ))}
          </Tabs>
        </PageSection>
      )}
      {isCloning && record && resource.clone && (
        <CloneDialog where={where} record={record} clone={resource.clone} close={() => setIsCloning(false)} />
      )}
      {isDeleting && record && <DeleteRecordDialog where={where} record={record} close={() => setIsDeleting(false)} />}
    </>
  )
}

type TabName = 'overview' | 'related' | 'parameters' | 'history'

function tabsOf({ children, shown }: ResourceFull, record: ApiRecord): TabName[] {
  const related = children.length > 0 || shown.some(({ kind, target }) => kind === 'records' && target !== undefined)
  return [
    'overview',
    ...(related ? (['related'] as const) : []),
    ...(Array.isArray(record.parameters) ? (['parameters'] as const) : []),
    ...(typeof record.id === 'number' ? (['history'] as const) : []),
  ]
}

interface RelatedProps {
  readonly resource: ResourceShort
  readonly id: string
  readonly full: ResourceFull
  readonly record: ApiRecord
}

function Related({ resource: above, id, full, record }: RelatedProps) {
  const caller = useCaller()
  const self = `/${above.plural}/${encodeURIComponent(id)}`
  const lists = full.children.filter(({ resource: plural }) => {
    const resource = findResource(plural)
    return resource && mayUse(caller, resource.operations.list, { resource, parent: { resource: above, id } })
  })
  const linked = full.shown.filter(
    ({ key, kind, target }) =>
      kind === 'records' && key !== 'parameters' && target !== undefined && Array.isArray(record[key]),
  )
  return (
    <>
      <List isPlain>
        {lists.map(({ resource }) => (
          <ListItem key={resource}>
            <Link to={`${self}/${resource}`}>{nameOf(resource, 'many')}</Link>
          </ListItem>
        ))}
      </List>
      <DescriptionList isHorizontal className="mw-related">
        {linked.map((column) => (
          <DescriptionListGroup key={column.key}>
            <DescriptionListTerm>{labelOf(column.key)}</DescriptionListTerm>
            <DescriptionListDescription>
              <Cell record={record} column={column} />
            </DescriptionListDescription>
          </DescriptionListGroup>
        ))}
      </DescriptionList>
    </>
  )
}

interface ParametersProps {
  readonly record: ApiRecord
  /** The path of the record in the API. */
  readonly path: string
}

function Parameters({ record, path }: ParametersProps) {
  const parameters = record.parameters as readonly ApiRecord[] // tabsOf has checked that it is a list
  if (parameters.length === 0) return <p>{t('record.none')}</p>
  return (
    <DescriptionList isHorizontal isCompact>
      {parameters.map((parameter) => (
        <DescriptionListGroup key={String(parameter.id)}>
          <DescriptionListTerm>
            <bdi>{String(parameter.name)}</bdi>
          </DescriptionListTerm>
          <DescriptionListDescription className="mw-value">
            {parameter['hidden_value?'] === true ? (
              <Reveal
                name={String(parameter.name)}
                path={`${path}/parameters/${String(parameter.id)}`}
                readValue={({ value }) => value}
              />
            ) : (
              <Cell record={parameter} column={{ key: 'value', kind: 'any' }} />
            )}
          </DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  )
}
