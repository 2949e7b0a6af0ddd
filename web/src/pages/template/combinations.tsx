import { Checkbox, TextInput } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import type { AboveProps } from '../../resources/record/page.tsx'
import type { ApiRecord } from '../../resources/resources.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/panel.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { formatNumber, nameOf, t } from '../../words/words.ts'

const MOST_GROUPS = 30
const MOST_ENVIRONMENTS = 12

interface Combination {
  readonly id: number
  readonly hostgroup_id: number | null
  readonly environment_id: number | null
}

interface NamedOption {
  readonly id: number | null
  readonly name: string
}

interface Sides {
  readonly groups: readonly NamedOption[]
  readonly environments: readonly NamedOption[]
  /** The total numbers of host groups and environments. */
  readonly all: readonly [groups: number, environments: number]
}

/**
 * Edits which host groups and environments use a template: a mark in a cell binds it to both, one at the edge to one alone.
 */
export function Combinations({ record }: AboveProps) {
  const [text, setText] = useState('')
  const { data, error, refetch } = useSides(useDeferredValue(text.trim()))
  const title = t('template.combinations')
  if (record.snippet === true) return <p>{t('template.snippet')}</p>
  return (
    <Panel title={title}>
      <p>{t('template.combinations.text')}</p>
      <TextInput
        type="search"
        className="mw-search mw-related"
        aria-label={t('form.find', { what: nameOf('hostgroups', 'many') })}
        placeholder={t('form.find', { what: nameOf('hostgroups', 'many') })}
        value={text}
        onChange={(_event, next) => setText(next)}
      />
      <Awaited data={data} error={error} refetch={refetch} />
      {data && <Grid template={record} sides={data} />}
      {data && (data.all[0] > data.groups.length || data.all[1] > data.environments.length) && (
        <p className="mw-hint">
          {t('template.shown', { groups: formatNumber(data.all[0]), environments: formatNumber(data.all[1]) })}
        </p>
      )}
    </Panel>
  )
}

function useSides(text: string) {
  const [parameters] = useSearchParams()
  return useQuery({
    queryKey: ['template', 'sides', text, scopeOf(parameters)],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Sides> => {
      const search = text === '' ? undefined : `"${text.replace(/["\\]/g, '\\$&')}"`
      const [groups, environments] = await Promise.all([
        sendRequest('/api/hostgroups', { query: { search, per_page: MOST_GROUPS }, signal }),
        sendRequest('/api/environments', { query: { per_page: MOST_ENVIRONMENTS }, signal }),
      ])
      return {
        groups: groups.body.results.map(namedOf),
        environments: environments.body.results.map(namedOf),
        all: [groups.body.subtotal, environments.body.subtotal],
      }
    },
  })
}

function namedOf({ id, title, name }: ApiRecord): NamedOption {
  return { id: Number(id), name: String(title ?? name) }
}

interface GridProps {
  readonly template: ApiRecord
  readonly sides: Sides
}

function Grid({ template, sides }: GridProps) {
  const caller = useCaller()
  const queries = useQueryClient()
  const own = template.template_combinations as readonly Combination[] // the page of a template has its combinations
  const any: NamedOption = { id: null, name: t('template.any') }
  const find = (group: NamedOption, environment: NamedOption) =>
    own.find(({ hostgroup_id, environment_id }) => hostgroup_id === group.id && environment_id === environment.id)
  const change = useMutation({
    mutationFn: ({ group, environment }: { readonly group: NamedOption; readonly environment: NamedOption }) => {
      const bound = find(group, environment)
      if (bound) return sendRequest(`/api/template_combinations/${bound.id}`, { method: 'DELETE' })
      return sendRequest(`/api/provisioning_templates/${String(template.id)}/template_combinations`, {
        method: 'POST',
        body: { template_combination: { hostgroup_id: group.id, environment_id: environment.id } },
      })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['record'] }),
    onError: (error) => notify('danger', wordsOfProblem(error).title, wordsOfProblem(error).text),
  })
  const mayBind = may(caller, ['create_provisioning_templates'])
  const mayLoosen = may(caller, ['destroy_provisioning_templates'])
  return (
    <div className="mw-scroll">
      <Table aria-label={t('template.combinations')} variant="compact" gridBreakPoint="">
        <Thead>
          <Tr>
            <Th>{nameOf('hostgroups', 'one')}</Th>
            {[any, ...sides.environments].map((environment) => (
              <Th key={environment.id} modifier="nowrap">
                <bdi>{environment.name}</bdi>
              </Th>
            ))}
          </Tr>
        </Thead>
        <Tbody>
          {[any, ...sides.groups].map((group) => (
            <Tr key={group.id}>
              <Th scope="row">
                <bdi>{group.name}</bdi>
              </Th>
              {[any, ...sides.environments].map((environment) => {
                const isBound = find(group, environment) !== undefined
                const isAny = group.id === null && environment.id === null
                return (
                  <Td key={environment.id}>
                    {(!isAny || isBound) && (
                      <Checkbox
                        id={`combination-${group.id}-${environment.id}`}
                        aria-label={`${group.name}, ${environment.name}`}
                        isChecked={isBound}
                        isDisabled={!(isBound ? mayLoosen : mayBind)}
                        onChange={() => change.isPending || change.mutate({ group, environment })}
                      />
                    )}
                  </Td>
                )
              })}
            </Tr>
          ))}
        </Tbody>
      </Table>
    </div>
  )
}
