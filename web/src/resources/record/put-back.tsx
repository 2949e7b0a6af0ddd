import { Button, ModalBody, ModalFooter } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { notify } from '../../shell/notices.tsx'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatTime, labelOf, t } from '../../words/words.ts'
import type { DescribedOperation } from '../description.ts'
import { type ApiRecord, findResourceOfType } from '../resources.ts'
import type { NameIds } from './named-ids.ts'

interface PutBackProps {
  readonly audit: ApiRecord
  readonly nameIds: NameIds
  readonly textOfValue: (value: unknown, key: string) => string
}

/** Offers to give a record back the values that it had before a change. */
export function PutBack(props: PutBackProps) {
  const { audit } = props
  const [isOpen, setIsOpen] = useState(false)
  const caller = useCaller()
  const update = findUpdate(audit)
  // The service asks for the permission also where the record is the caller's own.
  if (!update || !may(caller, update.permissions)) return null
  const time = formatTime(String(audit.created_at))
  return (
    <>
      <Button
        variant="link"
        isInline
        className="mw-all"
        aria-label={`${t('history.back')}: ${String(audit.auditable_name ?? '')}, ${time}`}
        onClick={() => setIsOpen(true)}
      >
        {t('history.back')}
      </Button>
      {isOpen && <PutBackDialog {...props} time={time} close={() => setIsOpen(false)} />}
    </>
  )
}

/** Yields the operation that changes the record, where a change of it can be taken back. */
function findUpdate({ action, auditable_id, auditable_type }: ApiRecord): DescribedOperation | undefined {
  const resource = findResourceOfType(String(auditable_type))
  if (action !== 'update' || auditable_id === null || resource?.within !== null) return undefined
  const { show, update } = resource.operations
  return show && update?.path.match(/:/g)?.length === 1 ? update : undefined
}

interface DialogProps extends PutBackProps {
  readonly time: string
  readonly close: () => void
}

/** Values now and after the change is taken back, by field. */
type Reversal = Readonly<Record<string, readonly [now: unknown, then: unknown]>>

function PutBackDialog({ audit, nameIds, textOfValue, time, close }: DialogProps) {
  const queries = useQueryClient()
  const path = `/api/audits/${String(audit.id)}/revert`
  // The service refuses what was changed later, with both values.
  const { data, error, refetch } = useQuery({
    queryKey: ['to put back', audit.id],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { body } = await sendRequest(path, { method: 'POST', query: { preview: 'true' }, body: {}, signal })
      return body.changes as Reversal // as the route describes it
    },
  })
  const save = useMutation({
    mutationFn: () => sendRequest(path, { method: 'POST', body: {} }),
    onSuccess: async () => {
      notify('success', t('undo.done'))
      close()
      await queries.invalidateQueries()
    },
  })
  const name = String(audit.auditable_name ?? audit.auditable_id)
  return (
    <Modal isOpen variant="medium" onClose={close} aria-labelledby="back-title">
      <ModalHeader title={t('history.back.title', { name, time })} labelId="back-title" />
      <ModalBody tabIndex={0} role="region" aria-label={t('history.back')}>
        <Awaited data={data} error={error} refetch={refetch} />
        {save.error && <ProblemAlert error={save.error} retry={save.mutate} />}
        {data && (
          <Table aria-label={t('history.back')} variant="compact">
            <Thead>
              <Tr>
                <Th>{t('history.what')}</Th>
                <Th>{t('history.after')}</Th>
                <Th>{t('history.restored')}</Th>
              </Tr>
            </Thead>
            <Tbody>
              {Object.entries(data).map(([key, [now, then]]) => (
                <Tr key={key}>
                  <Td dataLabel={t('history.what')}>{labelOf(key)}</Td>
                  <Td dataLabel={t('history.after')}>
                    <del className="mw-value">{nameIds(audit, key, now) ?? textOfValue(now, key)}</del>
                  </Td>
                  <Td dataLabel={t('history.restored')}>
                    <ins className="mw-value">{nameIds(audit, key, then) ?? textOfValue(then, key)}</ins>
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        )}
      </ModalBody>
      <ModalFooter>
        <Button isDisabled={save.isPending || !data} onClick={() => save.mutate()}>
          {t('history.back')}
        </Button>
        <Button variant="link" onClick={close}>
          {t('action.cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  )
}
