import {
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
  PageSection,
  Skeleton,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from '@patternfly/react-core'
import { Table, Tbody, Td, Tr } from '@patternfly/react-table'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { mayUse } from '../../api/allowed.ts'
import { ApiError } from '../../api/error.ts'
import { scopeOf } from '../../api/scope.ts'
import { useCaller } from '../../api/session.ts'
import { Failed } from '../../shell/failed.tsx'
import { Heading } from '../../shell/heading.tsx'
import { Link, LinkButton, useGo } from '../../shell/link.tsx'
import { Pagination } from '../../shell/patternfly-parts.tsx'
import { Problem } from '../../shell/problem.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { formatNumber, nameInText, nameOf, t } from '../../words/words.ts'
import { type Where, whereOf } from '../resources.ts'
import { Actions } from './actions.tsx'
import { SavedSearches } from './bookmarks.tsx'
import { useColumns } from './columns.ts'
import { Facets } from './facets.tsx'
import { buildResourceQuery, listQuery } from './query.ts'
import { isSelectable, Rows } from './rows.tsx'
import { SearchField } from './search-field.tsx'
import { SelectAll } from './select-all.tsx'
import { useSelection } from './selection.ts'
import { PER_PAGE_OPTIONS, useListView } from './view.ts'

/** The list of any resource, of all its records or of those below a record. */
export function ListPage() {
  const where = whereOf(useParams())
  if (!where) return <Failed isUnknown />
  return <List key={where.home} where={where} />
}

interface ListProps {
  readonly where: Where
}

function List({ where }: ListProps) {
  const { resource, list, home, parent } = where
  const { data: full } = useSuspenseQuery(buildResourceQuery(resource.plural))
  const [view, change] = useListView()
  const [parameters] = useSearchParams()
  const [selected, select] = useSelection()
  const { columns, choose } = useColumns(resource, full)
  const caller = useCaller()
  const go = useGo()
  const { search, page, perPage } = view
  const scope = scopeOf(parameters)
  const answer = useQuery({ ...listQuery(list, scope, view), placeholderData: keepPreviousData })
  const what = nameOf(resource.plural, 'many')
  const create = resource.operations.create
  const mayCreate = mayUse(caller, create, where) && !BY_PROGRAMS.has(resource.plural)
  const { data } = answer
  const isSearchError = answer.error instanceof ApiError && answer.error.position !== null
  const last = data ? Math.max(1, Math.ceil(data.subtotal / perPage)) : page
  useShortcut('create', () => go(`${home}/new`), mayCreate)
  useShortcut('next', () => change({ page: page + 1 }), page < last)
  useShortcut('previous', () => change({ page: page - 1 }), page > 1)

  const renderPagination = (isBelow: boolean) => (
    <Pagination
      itemCount={data?.subtotal ?? 0}
      page={page}
      perPage={perPage}
      perPageOptions={PER_PAGE_OPTIONS}
      onSetPage={(_event, next) => change({ page: next })}
      onPerPageSelect={(_event, next) => change({ perPage: next })}
      isCompact={!isBelow}
      variant={isBelow ? 'bottom' : 'top'}
      widgetId={isBelow ? 'pages-below' : 'pages'}
    />
  )
  const choice = { selected, select }
  return (
    <>
      <Heading
        title={what}
        above={aboveOf(where)}
        actions={
          mayCreate && (
            <LinkButton to={`${home}/new`} variant="primary">
              {t('form.create', { what: nameOf(resource.plural, 'one') })}
            </LinkButton>
          )
        }
      />
      <PageSection>
        <SavedSearches where={where} search={search} isReady={data !== undefined} />
        <Toolbar>
          <ToolbarContent>
            <ToolbarItem className="mw-search">
              <SearchField
                what={what}
                completion={
                  resource.completes && resource.operations.list
                    ? completionOf(resource.operations.list.path, resource.plural)
                    : null
                }
                search={search}
                error={isSearchError ? answer.error : null}
                onSearch={(next) => change({ search: next })}
              />
            </ToolbarItem>
            <Facets plural={resource.plural} onChoose={(addTo) => change((now) => ({ search: addTo(now.search) }))} />
            <Actions
              where={where}
              full={full}
              columns={columns}
              choose={choose}
              view={view}
              change={change}
              {...choice}
              total={data?.subtotal ?? 0}
            />
            <ToolbarItem variant="pagination" align={{ default: 'alignEnd' }}>
              {renderPagination(false)}
            </ToolbarItem>
          </ToolbarContent>
        </Toolbar>
        <p className="pf-v6-screen-reader" role="status">
          {data && t('list.count', { count: formatNumber(data.subtotal) })}
        </p>
        {answer.isPending && <Waiting columns={columns.length} />}
        {answer.error && !isSearchError && (
          <ListProblem
            error={answer.error}
            needsOrganization={resource.surface === 'content' && scope.organization === null}
            isBelow={parent !== null}
            retry={() => void answer.refetch()}
          />
        )}
        {data && !answer.error && data.results.length > 0 && (
          <>
            {isSelectable(resource) && <SelectAll records={data.results} total={data.subtotal} {...choice} />}
            <div className="mw-scroll">
              <Rows records={data.results} where={where} columns={columns} view={view} change={change} {...choice} />
            </div>
            {renderPagination(true)}
          </>
        )}
        {data && !answer.error && data.results.length === 0 && (
          <EmptyState
            headingLevel="h2"
            titleText={search ? t('list.nothing') : t('list.empty', { what: nameInText(resource.plural, 'many') })}
          >
            <EmptyStateBody>{search ? t('list.nothing.text') : t('list.empty.text')}</EmptyStateBody>
            <EmptyStateFooter>
              <EmptyStateActions>
                {search && (
                  <Button variant="primary" onClick={() => change({ search: '' })}>
                    {t('action.clear')}
                  </Button>
                )}
                {!search && mayCreate && (
                  <LinkButton to={`${home}/new`} variant="primary">
                    {t('form.create', { what: nameOf(resource.plural, 'one') })}
                  </LinkButton>
                )}
                {!search && parent && (
                  <Link to={`/${parent.resource.plural}/${encodeURIComponent(parent.id)}`}>
                    {nameOf(parent.resource.plural, 'one')}
                  </Link>
                )}
              </EmptyStateActions>
            </EmptyStateFooter>
          </EmptyState>
        )}
      </PageSection>
    </>
  )
}

/** What programs make, and people only read. */
const BY_PROGRAMS = new Set(['config_reports', 'fact_values'])

/** Yields the path that completes searches of a list, also for resources that exist only below others. */
function completionOf(list: string, plural: string): string {
  return list.includes(':') ? `/api/${plural}/auto_complete_search` : `${list}/auto_complete_search`
}

function aboveOf({ parent }: Where): { to: string; title: string }[] {
  if (!parent) return []
  const home = `/${parent.resource.plural}`
  return [
    { to: home, title: nameOf(parent.resource.plural, 'many') },
    { to: `${home}/${encodeURIComponent(parent.id)}`, title: parent.id },
  ]
}

interface ListProblemProps {
  readonly error: unknown
  readonly needsOrganization: boolean
  /** The list is below a record: what is missing may be that one. */
  readonly isBelow: boolean
  readonly retry: () => void
}

function ListProblem({ error, needsOrganization, isBelow, retry }: ListProblemProps) {
  const problems = isBelow ? ['refused', 'invalid'] : ['refused', 'invalid', 'missing']
  const isRefused = error instanceof ApiError && problems.includes(error.problem)
  if (!needsOrganization || !isRefused) return <Problem error={error} retry={retry} />
  return (
    <EmptyState headingLevel="h2" titleText={t('list.organization')}>
      <EmptyStateBody>{t('list.organization.text')}</EmptyStateBody>
    </EmptyState>
  )
}

interface WaitingProps {
  readonly columns: number
}

function Waiting({ columns }: WaitingProps) {
  return (
    <Table aria-label={t('app.loading')} aria-busy="true">
      <Tbody>
        {Array.from({ length: 5 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: these rows are nothing but their place
          <Tr key={row}>
            {Array.from({ length: columns }, (__, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same
              <Td key={column}>
                <Skeleton screenreaderText={row + column === 0 ? t('app.loading') : ''} />
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}
