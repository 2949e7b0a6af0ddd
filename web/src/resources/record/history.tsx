import { Button, EmptyState } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { Link } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { Pagination } from '../../shell/patternfly-parts.tsx'
import { Problem } from '../../shell/problem.tsx'
import { formatNumber, formatTime, labelOf, t } from '../../words/words.ts'
import { wordOf } from '../cell.tsx'
import type { ResourceShort } from '../description.ts'
import { type ChangeView, type ListView, PER_PAGE_OPTIONS } from '../list/view.ts'
import { type ApiRecord, findResourceOfType } from '../resources.ts'
import { kindOf, wordOfAction } from '../what-changed.ts'
import { Difference } from './difference.tsx'
import { type NameIds, useNamedIds } from './named-ids.ts'
import { PutBack } from './put-back.tsx'
import { Timeline } from './timeline.tsx'

interface HistoryProps {
  readonly resource: ResourceShort
  /** The path of the record in the API. */
  readonly path: string
  readonly id: number
}

/** The number of changes that the page of a record shows. */
const SHOWN = 50

/** Shows a record as it was, and its changes with authors and times, the newest first. */
export function History({ resource, path, id }: HistoryProps) {
  return (
    <>
      <Timeline resource={resource} path={path} />
      <Changes search={`type = ${resource.name} and auditable_id = ${id}`} />
    </>
  )
}

interface ChangesProps {
  readonly search: string
  /** Where changes of many records are shown, these are named, and there are further pages. */
  readonly paged?: { readonly view: ListView; readonly change: ChangeView }
}

interface AuditSummary {
  readonly results: readonly ApiRecord[]
  readonly subtotal: number
  readonly estimated?: readonly string[]
}

/** Shows the newest changes that match a search of the history. */
export function Changes({ search, paged }: ChangesProps) {
  const { page, perPage } = paged?.view ?? { page: 1, perPage: SHOWN }
  const { data, error, refetch } = useQuery({
    queryKey: ['history', search, page, perPage],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<AuditSummary> => {
      const query = { search: search || undefined, page, per_page: perPage, order: 'time DESC' }
      // Changes are shown whatever the scope in which they were made.
      return (await sendRequest('/api/audits', { query: { ...query, organization_id: '', location_id: '' }, signal }))
        .body
    },
  })
  const nameIds = useNamedIds(data?.results ?? [])
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.results.length === 0) return <EmptyState headingLevel="h2" titleText={t('history.empty')} />
  return (
    <>
      <div className="mw-scroll">
        <Table aria-label={t('record.history')} variant="compact">
          <Thead>
            <Tr>
              <Th>{t('history.when')}</Th>
              <Th>{t('history.who')}</Th>
              {paged && <Th>{labelOf('auditable')}</Th>}
              <Th>{t('history.what')}</Th>
              <Th>{t('history.before')}</Th>
              <Th>{t('history.after')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {data.results.map((audit) => (
              <ChangeRows key={String(audit.id)} audit={audit} isOfMany={paged !== undefined} nameIds={nameIds} />
            ))}
          </Tbody>
        </Table>
      </div>
      {paged && (
        <Pagination
          itemCount={data.subtotal}
          isAbout={data.estimated?.includes('subtotal') === true}
          page={page}
          perPage={perPage}
          perPageOptions={PER_PAGE_OPTIONS}
          onSetPage={(_event, next) => paged.change({ page: next })}
          onPerPageSelect={(_event, next) => paged.change({ perPage: next })}
          variant="bottom"
        />
      )}
    </>
  )
}

interface ChangeRowsProps {
  readonly audit: ApiRecord
  readonly isOfMany: boolean
  readonly nameIds: NameIds
}

/** Shows one change: an update by its fields, and a record that came or went in one line that can be opened. */
function ChangeRows({ audit, isOfMany, nameIds }: ChangeRowsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const said = listSaid(audit)
  const isFolded = audit.action !== 'update' && said.length > 1
  const rows = [...(isFolded || said.length === 0 ? [NO_FIELD] : []), ...(isFolded && !isOpen ? [] : said)]
  return rows.map(([key, change], place) => {
    const [before, after] = Array.isArray(change) && audit.action === 'update' ? change : [null, change]
    return (
      <Tr key={key}>
        <Td dataLabel={t('history.when')}>
          {place === 0 && <Link to={`/audits/${String(audit.id)}`}>{formatTime(String(audit.created_at))}</Link>}{' '}
          {place === 0 && <PutBack audit={audit} nameIds={nameIds} textOfValue={textOfValue} />}
        </Td>
        <Td dataLabel={t('history.who')}>{place === 0 && <bdi>{String(audit.user_name ?? '')}</bdi>}</Td>
        {isOfMany && <Td dataLabel={labelOf('auditable')}>{place === 0 && <Changed audit={audit} />}</Td>}
        <Td dataLabel={t('history.what')}>
          {[wordOfAction(audit.action), ...(key === '' ? [] : [labelOf(key)]), ...reasonOf(audit)].join(': ')}{' '}
          {isFolded && place === 0 && (
            <Button
              variant="link"
              isInline
              className="mw-all"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              {t('history.values', { count: formatNumber(said.length) })}
            </Button>
          )}
        </Td>
        {isLong(before) && isLong(after) ? (
          <Td dataLabel={t('history.after')} colSpan={2}>
            <Difference before={before} after={after} />
          </Td>
        ) : (
          <>
            <Td dataLabel={t('history.before')}>
              <del className="mw-value">{nameIds(audit, key, before) ?? textOfValue(before, key)}</del>
            </Td>
            <Td dataLabel={t('history.after')}>
              <ins className="mw-value">{nameIds(audit, key, after) ?? textOfValue(after, key)}</ins>
            </Td>
          </>
        )}
      </Tr>
    )
  })
}

const NO_FIELD = ['', null] as const

/** Lists the fields of a change; of a record that came or went only those with a value. */
function listSaid({ action, audited_changes }: ApiRecord): readonly (readonly [string, unknown])[] {
  const changes = Object.entries((audited_changes ?? {}) as Record<string, unknown>) // audits hold an object there
  return action === 'update' ? changes : changes.filter(([, value]) => !/^(?:\[\]|\{\})?$/.test(textOfValue(value)))
}

/** Yields the reason why somebody saw hidden values. */
function reasonOf({ action, comment }: ApiRecord): readonly string[] {
  return action === 'reveal' && typeof comment === 'string' ? [comment] : []
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n')
}

interface ChangedProps {
  readonly audit: ApiRecord
}

/** Shows the changed record; with a link unless it is deleted or has no page. */
function Changed({ audit }: ChangedProps) {
  const resource = findResourceOfType(String(audit.auditable_type))
  // Of records that the reader may not see only the kind is told.
  if (audit.auditable_id === null) return <span className="mw-hint">{kindOf(audit.auditable_type)}</span>
  const name = String(audit.auditable_name ?? audit.auditable_id)
  const kind = kindOf(audit.auditable_type)
  const hasPage = resource?.operations.show !== undefined && resource.within === null && audit.action !== 'destroy'
  return (
    <>
      <span className="mw-hint">{kind}</span>{' '}
      {hasPage ? (
        <Link to={`/${resource.plural}/${String(audit.auditable_id)}?tab=history`}>
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi>{name}</bdi>
      )}
    </>
  )
}

function textOfValue(value: unknown, key = ''): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no')
  return typeof value === 'object' ? JSON.stringify(value) : wordOf({ key }, String(value))
}
