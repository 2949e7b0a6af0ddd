import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import { HostChoice } from '../../resources/form/host-choice.tsx'
import type { Chosen } from '../../resources/form/values.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Panel } from '../../shell/panel.tsx'
import { t } from '../../words/words.ts'
import { Candidates } from '../host/classes.tsx'
import { textOfValue } from '../host/parameters.tsx'
import type { Parameter } from './parameter.ts'

interface WhyProps {
  readonly parameter: Parameter
}

/** Explains for a host the value that it gets: all candidates, and what became of each. */
export function Why({ parameter }: WhyProps) {
  const caller = useCaller()
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const host = chosen[0]?.id
  const { data, error, refetch } = useQuery({
    queryKey: ['parameter', 'why', parameter.id, host],
    enabled: host !== undefined,
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/smart_class_parameters/{id}/explain', {
          params: { path: { id: String(parameter.id) }, query: { host_id: String(host) } },
          signal,
        })
      ).data,
  })
  if (!may(caller, ['view_hosts']) || !may(caller, ['view_external_parameters'])) return null
  const title = t('matcher.why')
  return (
    <Panel title={title}>
      <HostChoice id="why" value={chosen} onChange={setChosen} className="mw-form" />
      <p id="why-text" className="mw-hint">
        {t('matcher.why.text')}
      </p>
      {host !== undefined && <Awaited data={data} error={error} refetch={refetch} />}
      {data && (
        <>
          <p role="status">
            <code className="mw-value">
              {data.status === 'value' ? textOfValue(data.value) : (data.message ?? t('record.empty'))}
            </code>{' '}
            {data.reason}
          </p>
          <Candidates explained={data} />
        </>
      )}
    </Panel>
  )
}
