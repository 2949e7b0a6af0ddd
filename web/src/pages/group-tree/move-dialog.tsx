import { Button, FormGroup, FormSelect, FormSelectOption, ModalBody, ModalFooter } from '@patternfly/react-core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import type { components } from '../../generated/api.d.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Link } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'
import type { Group } from './tree.ts'

type Foreseen = components['schemas']['GroupWhatIf']

interface MoveDialogProps {
  readonly group: Group
  readonly groups: readonly Group[]
  /** The new parent to begin with; null for none. */
  readonly parent: number | null
  readonly close: () => void
}

/** Moves a group below another one; before that it shows which hosts would be classified in another way. */
export function MoveDialog({ group, groups, parent: first, close }: MoveDialogProps) {
  const [parent, setParent] = useState(first)
  const queries = useQueryClient()
  const isMoved = parent !== group.parent
  const body = { hostgroup: { parent_id: parent } }
  const { data, error, refetch } = useQuery({
    queryKey: ['group what if', group.id, parent],
    enabled: isMoved,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Foreseen> =>
      (await sendRequest(`/api/hostgroups/${group.id}/what_if`, { method: 'POST', body, signal })).body,
  })
  const save = useMutation({
    mutationFn: () => sendRequest(`/api/hostgroups/${group.id}`, { method: 'PUT', body }),
    onSuccess: async () => {
      await queries.invalidateQueries()
      notify('success', t('record.saved', { name: group.name }))
      close()
    },
  })
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="move-title" elementToFocus="#move-parent">
      <ModalHeader title={t('tree.move', { name: group.title })} labelId="move-title" />
      <ModalBody>
        {save.error !== null && <ProblemAlert error={save.error} retry={save.mutate} />}
        <FormGroup label={t('tree.parent')} fieldId="move-parent">
          <FormSelect
            id="move-parent"
            value={parent ?? ''}
            onChange={(_event, next) => setParent(next === '' ? null : Number(next))}
          >
            <FormSelectOption value="" label={t('tree.top')} />
            {groups
              .filter((one) => one.id !== group.id && !one.title.startsWith(`${group.title}/`))
              .map(({ id, title }) => (
                <FormSelectOption key={id} value={id} label={title} />
              ))}
          </FormSelect>
        </FormGroup>
        <div role="status" className="mw-related">
          {isMoved && <Awaited data={data} error={error} refetch={refetch} />}
          {data && <Effect {...data} />}
        </div>
      </ModalBody>
      <ModalFooter>
        <Button isDisabled={!data || save.isPending} onClick={() => save.mutate()}>
          {t('tree.save')}
        </Button>
        <Button variant="link" onClick={close}>
          {t('action.cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  )
}

function Effect({ hosts, compared, changed, results }: Foreseen) {
  const count = formatNumber(changed)
  return (
    <>
      <p>{t('tree.hosts', { count: formatNumber(hosts) })}</p>
      <p>{t('tree.changed', { count, compared: formatNumber(compared) })}</p>
      <ul className="mw-checks">
        {results.map(({ id, name }) => (
          <li key={id}>
            <Link to={`/hosts/${encodeURIComponent(name)}?tab=classes`}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
