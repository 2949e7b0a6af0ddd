import { Button, Form, FormGroup, TextInput } from '@patternfly/react-core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { may, useCaller } from '../../api/session.ts'
import { Help } from '../../resources/form/labelled.tsx'
import { Reference } from '../../resources/form/reference.tsx'
import type { Chosen } from '../../resources/form/values.ts'
import type { AboveProps } from '../../resources/record/page.tsx'
import { recordsOf } from '../../resources/resources.ts'
import { useKept } from '../../shell/drafts.ts'
import { Link } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/panel.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { nameOf, t } from '../../words/words.ts'

interface Typed {
  readonly name: string
  readonly usergroup: readonly Chosen[]
}

const NOTHING: Typed = { name: '', usergroup: [] }
const NEEDED = ['create_external_usergroups', 'view_usergroups']

/** Lists the groups of a directory that are linked to user groups, and links another one. */
export function LinkedGroups({ record }: Pick<AboveProps, 'record'>) {
  const caller = useCaller()
  const groups = recordsOf(record.external_usergroups ?? [])
  const home = `/auth_source_ldaps/${String(record.id)}/external_usergroups`
  return (
    <Panel title={nameOf('external_usergroups', 'many')}>
      {groups.length === 0 && <p>{t('directory.link.none')}</p>}
      <ul>
        {groups.map(({ id, name }) => (
          <li key={String(id)}>
            <Link className="mw-all" to={`${home}/${String(id)}`}>
              <bdi>{String(name)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {NEEDED.every((permission) => may(caller, [permission])) && <LinkForm source={Number(record.id)} />}
    </Panel>
  )
}

/** Links a group of the directory to a user group here: members there become members here. */
function LinkForm({ source }: { readonly source: number }) {
  const [typed, setTyped] = useKept('link', NOTHING)
  const queries = useQueryClient()
  const [usergroup] = typed.usergroup
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      sendRequest(`/api/usergroups/${usergroup?.id}/external_usergroups`, {
        method: 'POST',
        body: { external_usergroup: { name: typed.name, auth_source_id: source } },
      }),
    onSuccess: async () => {
      notify('success', t('directory.link.done', { name: typed.name }))
      setTyped(NOTHING)
      await queries.invalidateQueries()
    },
  })
  const messages = error instanceof ApiError ? (error.fields.name ?? []) : []
  const isReady = typed.name.trim() !== '' && usergroup !== undefined
  return (
    <Form
      noValidate
      className="mw-related"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (isReady) mutate()
      }}
    >
      {error !== null && messages.length === 0 && <ProblemAlert error={error} retry={mutate} />}
      <FormGroup label={t('directory.link.name')} fieldId="link-name">
        <TextInput
          id="link-name"
          value={typed.name}
          autoComplete="off"
          validated={messages.length > 0 ? 'error' : 'default'}
          aria-describedby="link-name-help"
          onChange={(_event, name) => setTyped({ ...typed, name })}
        />
        <Help id="link-name" messages={messages} />
      </FormGroup>
      <FormGroup label={nameOf('usergroups', 'one')} fieldId="link-usergroup">
        <Reference
          field={USERGROUP}
          id="link-usergroup"
          label={nameOf('usergroups', 'one')}
          value={typed.usergroup}
          describedBy="link-text"
          isInvalid={false}
          onChange={(next) => setTyped({ ...typed, usergroup: next })}
        />
        <p id="link-text" className="mw-hint">
          {t('directory.link.text')}
        </p>
      </FormGroup>
      <div>
        <Button type="submit" variant="secondary" isDisabled={isPending || !isReady}>
          {t('directory.link')}
        </Button>
      </div>
    </Form>
  )
}

const USERGROUP = { key: 'usergroup_id', doc: '', required: true, widget: 'reference', target: 'usergroups' } as const
