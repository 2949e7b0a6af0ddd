import { EmptyState, FormGroup, FormSelect, FormSelectOption, PageSection } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { useCaller } from '../../api/session.ts'
import { Reference } from '../../resources/form/reference.tsx'
import type { Chosen } from '../../resources/form/values.ts'
import { findResource, listResources } from '../../resources/resources.ts'
import { Heading } from '../../shell/heading.tsx'
import { Link } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { Problem } from '../../shell/problem.tsx'
import { nameOf, t } from '../../words/words.ts'

interface Judged {
  readonly may: boolean
  readonly admin: boolean
  readonly disabled: boolean
  readonly filters: readonly {
    readonly id: number
    readonly role_id: number
    readonly role_name: string
    readonly search: string | null
    readonly may: boolean
  }[]
}

/** Shows whether a user may do something with a record, and which filter allows it. */
export function Page() {
  const caller = useCaller()
  if (caller.admin) return <Question />
  return (
    <>
      <Heading title={t('may.title')} text={t('may.text')} />
      <PageSection>
        <Alert variant="info" isInline title={t('may.administrators')} />
      </PageSection>
    </>
  )
}

function Question() {
  const [parameters, setParameters] = useSearchParams()
  const [user = '', kind = '', record = '', permission = ''] = ['user', 'kind', 'record', 'permission'].map(
    (name) => parameters.get(name) ?? '',
  )
  const set = (changed: Readonly<Record<string, string>>) =>
    setParameters((before) => {
      const after = new URLSearchParams(before)
      for (const [name, value] of Object.entries(changed)) {
        if (value === '') after.delete(name)
        else after.set(name, value)
      }
      return after
    })
  const resource = findResource(kind)
  const permissions = usePermissions(resource?.type)
  const kinds = listResources()
    .filter(({ operations, within }) => operations.show && operations.list && within === null)
    .map(({ plural }) => ({ plural, text: nameOf(plural, 'one') }))
    .sort((one, other) => one.text.localeCompare(other.text))
  return (
    <>
      <Heading title={t('may.title')} text={t('may.text')} />
      <PageSection>
        <div className="mw-form mw-checks">
          <FormGroup label={nameOf('users', 'one')} fieldId="may-user">
            <Choice name="user" target="users" value={user} set={(next) => set({ user: next })} />
          </FormGroup>
          <FormGroup label={t('may.kind')} fieldId="may-kind">
            <FormSelect
              id="may-kind"
              value={kind}
              onChange={(_event, next) => set({ kind: next, record: '', permission: '' })}
            >
              <FormSelectOption value="" label={t('form.choose')} />
              {kinds.map(({ plural, text }) => (
                <FormSelectOption key={plural} value={plural} label={text} />
              ))}
            </FormSelect>
          </FormGroup>
          {resource && (
            <>
              <FormGroup label={nameOf(kind, 'one')} fieldId="may-record">
                <Choice key={kind} name="record" target={kind} value={record} set={(next) => set({ record: next })} />
              </FormGroup>
              <FormGroup label={nameOf('permissions', 'one')} fieldId="may-permission">
                <FormSelect
                  id="may-permission"
                  value={permission}
                  onChange={(_event, next) => set({ permission: next })}
                >
                  <FormSelectOption value="" label={t('form.choose')} />
                  {permissions.map((name) => (
                    <FormSelectOption key={name} value={name} label={name} />
                  ))}
                </FormSelect>
              </FormGroup>
            </>
          )}
        </div>
        {user !== '' && resource && record !== '' && permission !== '' ? (
          <Judgement user={user} resource={resource.name} record={record} permission={permission} />
        ) : (
          <EmptyState headingLevel="h2" titleText={t('may.choose')} />
        )}
      </PageSection>
    </>
  )
}

function usePermissions(type: string | undefined): readonly string[] {
  const { data } = useQuery({
    queryKey: ['may', 'permissions', type],
    enabled: type !== undefined,
    queryFn: async ({ signal }): Promise<readonly { readonly name: string }[]> =>
      (await sendRequest('/api/permissions', { query: { search: `resource_type = ${type}`, per_page: 200 }, signal }))
        .body.results,
  })
  return (data ?? []).map(({ name }) => name)
}

interface ChoiceProps {
  readonly name: string
  readonly target: string
  readonly value: string
  readonly set: (value: string) => void
}

function Choice({ name, target, value, set }: ChoiceProps) {
  const field = { key: `${target}_id`, doc: '', required: false, widget: 'reference', target } as const
  const { data: text } = useQuery({
    queryKey: ['may', 'name', target, value],
    enabled: value !== '',
    queryFn: async ({ signal }): Promise<string> => {
      const path = findResource(target)?.operations.show?.path.replace(/:\w+/, encodeURIComponent(value))
      const { body } = await sendRequest(path ?? '', { signal })
      return String(body.title ?? body.name ?? body.login ?? value)
    },
  })
  const chosen: readonly Chosen[] = value === '' ? [] : [{ id: Number(value), text: text ?? value }]
  return (
    <Reference
      field={field}
      id={`may-${name}`}
      value={chosen}
      onChange={(next) => set(next[0] ? String(next[0].id) : '')}
      describedBy="may-answer"
      isInvalid={false}
      label={nameOf(target, 'one')}
    />
  )
}

interface JudgementProps {
  readonly user: string
  readonly resource: string
  readonly record: string
  readonly permission: string
}

function Judgement({ user, resource, record, permission }: JudgementProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['may', user, resource, record, permission],
    queryFn: async ({ signal }): Promise<Judged> =>
      (await sendRequest(`/api/users/${user}/may`, { query: { resource, record, permission }, signal })).body,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <div className="mw-related" role="status">
      <Alert variant={data.may ? 'success' : 'danger'} isInline title={data.may ? t('may.yes') : t('may.no')}>
        {data.admin ? t('may.admin') : ''}
        {data.disabled ? t('may.disabled') : ''}
        {!data.admin && data.filters.length === 0 && t('may.none')}
      </Alert>
      {data.filters.length > 0 && (
        <Table aria-label={nameOf('filters', 'many')} variant="compact">
          <Thead>
            <Tr>
              <Th>{nameOf('roles', 'one')}</Th>
              <Th>{nameOf('filters', 'one')}</Th>
              <Th>{t('may.condition')}</Th>
              <Th>{t('may.lets')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {data.filters.map(({ id, role_id, role_name, search, may }) => (
              <Tr key={id}>
                <Td dataLabel={nameOf('roles', 'one')}>
                  <Link to={`/roles/${role_id}`}>
                    <bdi>{role_name}</bdi>
                  </Link>
                </Td>
                <Td dataLabel={nameOf('filters', 'one')}>
                  <Link to={`/filters/${id}`}>{id}</Link>
                </Td>
                <Td dataLabel={t('may.condition')} className="mw-value">
                  {search === null ? t('may.all') : <code>{search}</code>}
                </Td>
                <Td dataLabel={t('may.lets')}>{may ? t('value.yes') : t('value.no')}</Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      )}
    </div>
  )
}
