import { Button } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answered, sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import type { components } from '../../generated/api.d.ts'
import { Changed } from '../../resources/form/changed.tsx'
import { Refusal } from '../../resources/form/refusal.tsx'
import type { Chosen } from '../../resources/form/values.ts'
import { Link } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { formatNumber, nameOf, t } from '../../words/words.ts'
import { textOfValue } from '../host/parameters.tsx'
import { DocumentOf } from './document.tsx'
import type { Change } from './parameter.ts'

type Foreseen = components['schemas']['Preview']

const SHOWN = 50
/** So many hosts are listed at once. */
const FEW = 5

/** Yields the state of a previewed change: its effect, conflicts, and functions to preview and save. */
export function usePreview(onSaved: () => void) {
  const queries = useQueryClient()
  const [change, setChange] = useState<Change | null>(null)
  const [theirs, setTheirs] = useState<Answered | null>(null)
  const foresee = useMutation({
    mutationFn: async ({ path, method, body }: Change): Promise<Foreseen> =>
      (await sendRequest(path, { method, query: { preview: true }, body })).body,
  })
  const save = useMutation({
    mutationFn: ({ path, method, body, since }: Change) =>
      sendRequest(path, { method, body, ...(since?.etag && { headers: { 'if-match': since.etag } }) }),
    onSuccess: async (_answer, { title }) => {
      notify('success', t('matcher.saved', { title }))
      drop()
      onSaved()
      await queries.invalidateQueries()
    },
    onError: async (caught, { path }) => {
      if (!(caught instanceof ApiError) || caught.problem !== 'changed') return
      setTheirs(await sendRequest(path).catch(() => null))
      void queries.invalidateQueries({ queryKey: ['record'] })
    },
  })
  function drop() {
    setChange(null)
    setTheirs(null)
    foresee.reset()
    save.reset()
  }
  return {
    look: (next: Change) => {
      save.reset()
      setTheirs(null)
      setChange(next)
      foresee.mutate(next)
    },
    drop,
    change,
    seen: foresee.data ?? null,
    error: save.error ?? foresee.error,
    isBusy: foresee.isPending || save.isPending,
    save: () => change && save.mutate(change),
    retry: () => change && (save.error ? save : foresee).mutate(change),
    /** What somebody else has stored since editing began. */
    theirs,
    overwrite: () => {
      if (!change?.since || !theirs) return
      const next = { ...change, since: { ...change.since, etag: theirs.etag } }
      setChange(next)
      setTheirs(null)
      save.mutate(next)
    },
  }
}

interface PreviewProps {
  readonly preview: ReturnType<typeof usePreview>
  /** The fields beside it that show their own messages. */
  readonly fields?: readonly string[]
}

/** Lists the hosts whose value would change, with the values before and after. */
export function Preview({ preview, fields = [] }: PreviewProps) {
  const { change, seen, error, isBusy, save, retry, drop, theirs, overwrite } = preview
  const refused = Object.entries(error instanceof ApiError ? error.fields : {})
  const [placed, others] = [true, false].map((is) => refused.filter(([field]) => fields.includes(field) === is))
  return (
    <div role="status" className="mw-related">
      {theirs && change?.since && (
        <Changed
          fields={Object.keys(change.since.before).map((key) => ({ key }))}
          before={change.since.before}
          mine={change.since.mine}
          theirs={change.since.valuesOf(theirs.body)}
          overwrite={overwrite}
          take={() => change.since?.take(theirs)}
        />
      )}
      {error && !theirs && (
        <Refusal
          error={error}
          messages={Object.fromEntries(placed ?? [])}
          others={Object.fromEntries(others ?? [])}
          retry={retry}
        />
      )}
      {change && seen && !theirs && (
        <section aria-label={change.title}>
          <h3 className="pf-v6-c-title pf-m-md">{change.title}</h3>
          <p>{seen.total === 0 ? t('matcher.nothing') : t('matcher.hosts', { count: formatNumber(seen.total) })}</p>
          <Button variant="primary" isDisabled={isBusy} onClick={save}>
            {t('action.save')}
          </Button>{' '}
          <Button variant="link" onClick={drop}>
            {t('action.cancel')}
          </Button>
          {seen.changes.length > 0 && <Changes seen={seen} />}
          <DocumentOf key={JSON.stringify(change.body)} change={change} first={firstHostOf(seen)} />
        </section>
      )}
    </div>
  )
}

function firstHostOf({ changes }: Foreseen): Chosen | null {
  const host = changes[0]?.hosts[0]
  return host ? { id: host.id, text: host.name } : null
}

interface ChangesProps {
  readonly seen: Foreseen
}

function Changes({ seen }: ChangesProps) {
  return (
    <div className="mw-scroll">
      <Table aria-label={t('matcher.changes')} variant="compact">
        <Thead>
          <Tr>
            <Th>{nameOf('hosts', 'many')}</Th>
            <Th>{t('matcher.now')}</Th>
            <Th>{t('matcher.then')}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {seen.changes.map(({ id, before, after, hosts }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer stays as it is
            <Tr key={`${id} ${place}`}>
              <Td dataLabel={nameOf('hosts', 'many')}>
                <Hosts hosts={hosts} />
              </Td>
              <Td dataLabel={t('matcher.now')}>
                <del className="mw-value">{textOfOutcome(before)}</del>
              </Td>
              <Td dataLabel={t('matcher.then')}>
                <ins className="mw-value">{textOfOutcome(after)}</ins>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </div>
  )
}

interface HostsProps {
  readonly hosts: Foreseen['changes'][number]['hosts']
}

/** Lists the hosts of a change; many of them behind their number, so that the changes are seen together. */
function Hosts({ hosts }: HostsProps) {
  const listed = (
    <>
      {hosts.slice(0, SHOWN).map(({ id, name }) => (
        <div key={id}>
          <Link className="mw-all" to={`/hosts/${encodeURIComponent(name)}?tab=classes`}>
            <bdi>{name}</bdi>
          </Link>
        </div>
      ))}
      {hosts.length > SHOWN && t('host.all', { count: formatNumber(hosts.length) })}
    </>
  )
  if (hosts.length <= FEW) return listed
  return (
    <details>
      <summary>{t('host.all', { count: formatNumber(hosts.length) })}</summary>
      {listed}
    </details>
  )
}

function textOfOutcome({ status, value, message }: Foreseen['changes'][number]['before']): string {
  if (status === 'value') return textOfValue(value)
  return message ?? t('host.untold')
}
