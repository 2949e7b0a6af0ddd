import { Button, List, ListItem } from '@patternfly/react-core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import { Link } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/panel.tsx'
import { ProblemAlert, wordsOfProblem } from '../../shell/problem.tsx'
import { formatNumber, labelOf, t } from '../../words/words.ts'

interface DriftProps {
  readonly id: number
  readonly organization: number
}

interface Drifted {
  readonly id: number
  readonly name: string
  readonly differences: readonly { readonly field: string; readonly host_value: unknown; readonly key_value: unknown }[]
}

const SHOWN = 10

/**
 * Lists hosts that differ from what their keys give now, with the changes that would bring them back, which are made after
 * confirmation.
 */
export function Drift({ id, organization }: DriftProps) {
  const [isSure, setIsSure] = useState(false)
  const queries = useQueryClient()
  const mayReapply = may(useCaller(), ['edit_hosts'])
  const queryKey = ['key', 'drift', id]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<{ readonly subtotal: number; readonly results: readonly Drifted[] }> =>
      (
        await sendRequest(`/content/api/activation_keys/${id}/drift`, {
          query: { per_page: SHOWN, organization_id: organization },
          signal,
        })
      ).body,
  })
  const reapply = useMutation({
    mutationFn: () =>
      sendRequest(`/content/api/activation_keys/${id}/reapply`, {
        method: 'POST',
        query: { organization_id: organization },
        body: { all: true },
      }),
    onSuccess: async () => {
      setIsSure(false)
      notify('success', t('key.reapplied'))
      await queries.invalidateQueries({ queryKey })
    },
    onError: (caught) => notify('danger', wordsOfProblem(caught).title, wordsOfProblem(caught).text),
  })
  const title = t('key.drift')
  return (
    <Panel title={title}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data?.subtotal === 0 && <p>{t('key.drift.none')}</p>}
      {data && data.subtotal > 0 && (
        <>
          <p>{t('key.drift.count', { count: formatNumber(data.subtotal) })}</p>
          <List isPlain>
            {data.results.map(({ id: host, name, differences }) => (
              <ListItem key={host}>
                <Link to={`/hosts/${encodeURIComponent(name)}?tab=content`}>
                  <bdi>{name}</bdi>
                </Link>
                {differences.map(({ field, host_value, key_value }) => (
                  <p key={field} className="mw-breaks">
                    {`${labelOf(field)}: `}
                    <del>{textOf(host_value)}</del> <ins>{textOf(key_value)}</ins>
                  </p>
                ))}
              </ListItem>
            ))}
          </List>
          {mayReapply && !isSure && (
            <Button variant="secondary" onClick={() => setIsSure(true)}>
              {t('key.reapply')}
            </Button>
          )}
          {mayReapply && isSure && (
            <>
              <p role="alert">{t('key.reapply.sure', { count: formatNumber(data.subtotal) })}</p>
              <Button variant="danger" isDisabled={reapply.isPending} onClick={() => reapply.mutate()}>
                {t('key.reapply.now')}
              </Button>{' '}
              <Button variant="link" onClick={() => setIsSure(false)}>
                {t('action.cancel')}
              </Button>
            </>
          )}
        </>
      )}
    </Panel>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return t('record.none')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
