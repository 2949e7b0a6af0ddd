import { Button } from '@patternfly/react-core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { may, useCaller } from '../../api/session.ts'
import type { components } from '../../generated/api.d.ts'
import type { BesideProps } from '../../resources/form/parts.ts'
import { type FormValues, isRows } from '../../resources/form/values.ts'
import { type ApiRecord, recordsOf } from '../../resources/resources.ts'
import { Panel } from '../../shell/panel.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { usePaused } from '../../shell/paused.ts'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { labelOf, t } from '../../words/words.ts'

/** The fields of a host that can change what the configuration engine gets. */
const SENT = [
  ...['certname', 'organization_id', 'location_id', 'owner_type', 'owner_id', 'hostgroup_id', 'environment_id'],
  ...['architecture_id', 'operatingsystem_id', 'medium_id', 'ptable_id', 'model_id', 'realm_id', 'domain_id'],
  ...['subnet_id', 'subnet6_id', 'ip', 'ip6', 'mac', 'comment', 'configclass_ids', 'config_group_ids'],
]

const NEEDED = ['view_hosts', 'view_external_parameters']

/** Shows what the configuration engine would get for the host as it is in the form. */
export function Preview({ record, body, values, mistakes }: BesideProps) {
  const caller = useCaller()
  const [isOn, setIsOn] = useState(false)
  const isAllowed = NEEDED.every((permission) => may(caller, [permission]))
  const sent = usePaused(JSON.stringify(supposedOf(body, values, record)))
  const { data, error, isFetching } = useQuery({
    queryKey: ['host that is supposed', sent],
    enabled: isOn && Object.keys(mistakes).length === 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<components['schemas']['WhatIf']> =>
      (await sendRequest('/api/hosts/what_if', { method: 'POST', body: JSON.parse(sent), signal })).body,
  })
  const title = t('preview.title')
  if (!isAllowed) return null
  return (
    <Panel title={title} isBusy={isFetching}>
      <p className="mw-hint">{t('preview.text')}</p>
      {!isOn && (
        <Button variant="secondary" onClick={() => setIsOn(true)}>
          {t('preview.show')}
        </Button>
      )}
      <div role="status">
        {[...messagesOf(error), ...(data?.failures ?? [])].map((message) => (
          <Alert key={message} variant="warning" isInline title={message} />
        ))}
      </div>
      {isOn && data?.document && !error && (
        <section
          className="mw-output"
          aria-label={title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with keys, too
          tabIndex={0}
        >
          <pre className="mw-code">{JSON.stringify(data.document, null, 2)}</pre>
        </section>
      )}
    </Panel>
  )
}

function messagesOf(error: unknown): readonly string[] {
  if (error === null) return []
  const fields = Object.entries(error instanceof ApiError ? error.fields : {})
  if (fields.length === 0) return [wordsOfProblem(error).title]
  return fields.map(([key, messages]) => `${labelOf(key)}: ${messages.join(', ')}`)
}

/** Builds the request for a supposed host: a stored one has its name, with what has changed. */
function supposedOf(body: Readonly<Record<string, unknown>>, values: FormValues, record: ApiRecord | null) {
  const name = record?.name ?? values.name
  const attributes = Object.fromEntries(Object.entries(body).filter(([key]) => SENT.includes(key)))
  return { ...(name !== '' && { name }), attributes, parameters: parametersOf(body, values) }
}

/** Yields the parameters with a new value, by name. */
function parametersOf(body: Readonly<Record<string, unknown>>, values: FormValues): Record<string, unknown> {
  const { host_parameters_attributes: rows } = values
  const items = recordsOf(body.host_parameters_attributes ?? [])
  if (rows === undefined || !isRows(rows)) return {}
  return Object.fromEntries(
    rows.rows.flatMap(({ values: { name, value, parameter_type } }, at) =>
      items[at]?.value === undefined || name === '' ? [] : [[name, typedOf(String(value), String(parameter_type))]],
    ),
  )
}

/** Yields a value of its type; a text of another form stays a text. */
function typedOf(text: string, type: string): unknown {
  if (type === 'string' || type === 'yaml') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
