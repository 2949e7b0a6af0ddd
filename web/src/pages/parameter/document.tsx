import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import type { components } from '../../generated/api.d.ts'
import { HostChoice } from '../../resources/form/host-choice.tsx'
import type { Chosen } from '../../resources/form/values.ts'
import { Difference } from '../../resources/record/difference.tsx'
import { Awaited } from '../../shell/awaited.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { t } from '../../words/words.ts'
import type { Change } from './parameter.ts'

type Documents = NonNullable<components['schemas']['Preview']['document']>

interface DocumentProps {
  readonly change: Change
  /** The host to show first: one that the change affects. */
  readonly first: Chosen | null
}

/** Shows the whole node document of a host, as it is and as it would be after a change that is not saved. */
export function DocumentOf({ change, first }: DocumentProps) {
  const { path, method, body } = change
  const [chosen, setChosen] = useState<readonly Chosen[]>(first ? [first] : [])
  const host = chosen[0]?.id
  const { data, error, refetch } = useQuery({
    queryKey: ['previewed document', path, method, body, host],
    enabled: host !== undefined,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Documents> => {
      const query = { preview: true, preview_host_id: host }
      return (await sendRequest(path, { method, query, body, signal })).body.document
    },
  })
  return (
    <section aria-label={t('matcher.document')} className="mw-related">
      <h4 className="pf-v6-c-title pf-m-md">{t('matcher.document')}</h4>
      <HostChoice id="document" value={chosen} onChange={setChosen} className="mw-form" />
      <p id="document-text" className="mw-hint">
        {t('matcher.document.text')}
      </p>
      {host !== undefined && <Awaited data={data} error={error} refetch={refetch} />}
      {data && <Compared {...data} />}
    </section>
  )
}

function Compared({ before, after }: Documents) {
  const [old, now] = [textOf(before), textOf(after)]
  return (
    <div role="status">
      {after.failures.map((failure) => (
        <Alert key={failure} variant="danger" isInline title={failure} />
      ))}
      {old === now ? <p>{t('matcher.document.same')}</p> : <Difference before={old} after={now} />}
    </div>
  )
}

/** Formats a document, or the reason why there is none. */
function textOf({ document, failures }: Documents['before']): string {
  return document === null ? failures.join('\n') : JSON.stringify(document, null, 2)
}
