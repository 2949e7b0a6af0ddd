import { EmptyState, PageSection } from '@patternfly/react-core'
import { Table, Th, Thead, Tr } from '@patternfly/react-table'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import { SeenRows } from '../../resources/list/seen-rows.tsx'
import type { ApiRecord } from '../../resources/resources.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Heading } from '../../shell/heading.tsx'
import { useReordering } from '../../shell/reordering.tsx'
import { SearchInput } from '../../shell/search-input.tsx'
import { nameOf, t } from '../../words/words.ts'
import { GroupRow } from './group-row.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { buildTree, type Group, listShown } from './tree.ts'

/** The host groups as a tree, with what each level adds; a group is moved below another one under a preview. */
export function Page() {
  const [parameters] = useSearchParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['group tree', scopeOf(parameters)],
    queryFn: async ({ signal }): Promise<readonly ApiRecord[]> => {
      const query = { per_page: 'all', include: ['parameters', 'configclasses'], order: 'title' }
      return (await sendRequest('/api/hostgroups', { query, signal })).body.results
    },
  })
  return (
    <>
      <Heading
        title={t('tree.title')}
        text={t('tree.text')}
        above={[{ to: '/hostgroups', title: nameOf('hostgroups', 'many') }]}
      />
      <PageSection>
        <Awaited data={data} error={error} refetch={refetch} />
        {data?.length === 0 && <EmptyState headingLevel="h2" titleText={t('tree.none')} />}
        {data && data.length > 0 && <Tree groups={buildTree(data)} />}
      </PageSection>
    </>
  )
}

interface Move {
  readonly group: Group
  readonly parent: number | null
}

function Tree({ groups }: { readonly groups: readonly Group[] }) {
  const [text, setText] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const [move, setMove] = useState<Move | null>(null)
  const mayMove = may(useCaller(), ['edit_hostgroups'])
  const shown = listShown(groups, closed, text)
  const reordering = useReordering((from, to) => {
    const [group, parent] = [shown[from], shown[to]]
    if (group && parent) setMove({ group, parent: parent.id })
  })
  const find = t('form.find', { what: nameOf('hostgroups', 'many') })
  const toggle = (id: number) => setClosed((now) => now.symmetricDifference(new Set([id])))
  return (
    <>
      <SearchInput aria-label={find} placeholder={find} value={text} onChange={setText} onClear={() => setText('')} />
      <div className="mw-scroll">
        <Table aria-label={t('tree.title')} variant="compact">
          <Thead>
            <Tr>
              <Th>{nameOf('hostgroups', 'one')}</Th>
              <Th>{t('tree.adds')}</Th>
              {mayMove && <Th screenReaderText={t('list.actions')} />}
            </Tr>
          </Thead>
          <SeenRows
            count={shown.length}
            width={mayMove ? 3 : 2}
            row={(place, measured) => {
              const group = shown[place]
              return (
                group && (
                  <GroupRow
                    key={group.id}
                    group={group}
                    place={place}
                    measured={measured}
                    isClosed={closed.has(group.id)}
                    toggle={() => toggle(group.id)}
                    reordering={mayMove ? reordering : null}
                    move={() => setMove({ group, parent: group.parent })}
                  />
                )
              )
            }}
          />
        </Table>
      </div>
      {move && <MoveDialog {...move} groups={groups} close={() => setMove(null)} />}
    </>
  )
}
