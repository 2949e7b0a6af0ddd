import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import { Difference } from '../../resources/record/difference.tsx'
import type { AboveProps } from '../../resources/record/page.tsx'
import type { ApiRecord } from '../../resources/resources.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Panel } from '../../shell/panel.tsx'
import { formatTime, t } from '../../words/words.ts'
import { useTemplates } from './templates.ts'

/** So many changes are offered for comparison. */
const MOST = 50

const TYPES = {
  provisioning_templates: 'provisioning_template',
  ptables: 'ptable',
  report_templates: 'report_template',
} as const

/** Compares the text of a template with an earlier version of it. */
export function Versions({ record }: AboveProps) {
  const plural = useTemplates()
  const [chosen, setChosen] = useState('')
  const text = String(record.template ?? record.layout ?? '')
  const changes = useChanges(TYPES[plural], Number(record.id))
  const version = chosen === '' ? changes.at(0) : changes.find(({ id }) => String(id) === chosen)
  const { data, error, refetch } = useQuery({
    queryKey: ['record', 'version', plural, version?.id, record.updated_at],
    enabled: version !== undefined,
    queryFn: async ({ signal }): Promise<string> =>
      (await sendRequest(`/api/${plural}/revision`, { query: { version: String(version?.id) }, signal })).body ?? '',
  })
  if (changes.length === 0) return null
  return (
    <Panel title={t('template.versions')}>
      <FormGroup label={t('template.version')} fieldId="template-version">
        <FormSelect
          id="template-version"
          value={String(version?.id ?? '')}
          onChange={(_event, next) => setChosen(next)}
        >
          {changes.map(({ id, created_at, user_name }) => (
            <FormSelectOption
              key={String(id)}
              value={String(id)}
              label={`${formatTime(String(created_at))}, ${String(user_name ?? '')}`}
            />
          ))}
        </FormSelect>
      </FormGroup>
      <Awaited data={data} error={error} refetch={refetch} />
      {data !== undefined && (
        <div role="status" className="mw-related">
          {data === text ? <p>{t('template.same')}</p> : <Difference before={data} after={text} />}
        </div>
      )}
    </Panel>
  )
}

/** Loads the versions of a template before the present one, the newest first. */
function useChanges(type: string, id: number): readonly ApiRecord[] {
  const { data = [] } = useQuery({
    queryKey: ['record', 'versions', type, id],
    enabled: may(useCaller(), ['view_audit_logs']),
    queryFn: async ({ signal }): Promise<readonly ApiRecord[]> => {
      const search = `type = ${type} and auditable_id = ${id}`
      const query = { search, per_page: MOST, order: 'time DESC', organization_id: '', location_id: '' }
      return (await sendRequest('/api/audits', { query, signal })).body.results.slice(1)
    },
  })
  return data
}
