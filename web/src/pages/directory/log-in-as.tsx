import {
  Button,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  ExpandableSection,
  FormGroup,
  TextInput,
} from '@patternfly/react-core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { BesideProps } from '../../resources/form/parts.ts'
import { Link } from '../../shell/link.tsx'
import { Alert, Spinner } from '../../shell/patternfly.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, labelOf, nameOf, t } from '../../words/words.ts'
import { type ExpectedLogin, type TrialOutcome, useTrial } from './trial-state.ts'

/** Shows who a person of the directory would be here after a login, and what they would be allowed to do. */
export function LogInAs(form: BesideProps) {
  const [login, setLogin] = useState('')
  const { data, error, isPending, tested, start } = useTrial('auth_source_ldaps')
  const tryLogin = () => start(form, { login: login.trim() })
  function tryOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault() // the form would be saved
    if (login.trim() !== '') tryLogin()
  }
  return (
    <>
      <p>{t('directory.as.text')}</p>
      <FormGroup label={t('directory.as.login')} fieldId="expected-login">
        <TextInput
          id="expected-login"
          value={login}
          autoComplete="off"
          onChange={(_event, text) => setLogin(text)}
          onKeyDown={tryOnEnter}
        />
      </FormGroup>
      <div>
        <Button variant="secondary" isDisabled={isPending || login.trim() === ''} onClick={tryLogin}>
          {t('directory.as.try')}
        </Button>
      </div>
      <div role="status">
        {isPending && <Spinner size="md" aria-label={t('dashboard.testing')} />}
        {!isPending && error !== null && <ProblemAlert error={error} retry={tryLogin} />}
        {!isPending && data && tested !== JSON.stringify(form.body) && (
          <Alert variant="info" isInline title={t('directory.stale')} />
        )}
        {!isPending && data && <Outcome outcome={data} />}
      </div>
    </>
  )
}

function Outcome({ outcome: { person, steps } }: { readonly outcome: TrialOutcome }) {
  if (person) return <Person person={person} />
  const failed = steps.find(({ status }) => status === 'failed')
  return (
    <Alert variant="danger" isInline title={t('directory.as.missing')}>
      {failed?.message}
    </Alert>
  )
}

const COLORS = { known: 'success', created: 'success', refused: 'danger' } as const

function Person({
  person: { login, dn, firstname, lastname, mail, groups, rights },
}: {
  readonly person: ExpectedLogin
}) {
  const name = [firstname, lastname].filter((part) => part !== null && part !== '').join(' ')
  return (
    <>
      {rights === null ? (
        <Alert variant="info" isInline title={t('directory.as.hidden')} />
      ) : (
        <Alert variant={COLORS[rights.result]} isInline title={t(`directory.as.${rights.result}`)}>
          {rights.reason}
        </Alert>
      )}
      <DescriptionList isHorizontal isCompact aria-label={t('directory.as')}>
        <Line term={labelOf('login')}>{login}</Line>
        <Line term={labelOf('name')}>{name}</Line>
        <Line term={labelOf('mail')}>{mail}</Line>
        <Line term={t('directory.as.entry')}>{dn}</Line>
        <Line term={t('directory.as.groups')}>{groups.join(', ')}</Line>
        {rights && rights.result !== 'refused' && (
          <>
            <Line term={nameOf('usergroups', 'many')}>
              <Links plural="usergroups" records={rights.usergroups} />
            </Line>
            <Line term={nameOf('roles', 'many')}>
              <Links plural="roles" records={rights.roles} />
            </Line>
            <Line term={nameOf('permissions', 'many')}>
              {rights.admin ? t('directory.as.admin') : <Permissions names={rights.permissions} />}
            </Line>
          </>
        )}
      </DescriptionList>
    </>
  )
}

interface LineProps {
  readonly term: string
  readonly children: ReactNode
}

function Line({ term, children }: LineProps) {
  return (
    <DescriptionListGroup>
      <DescriptionListTerm>{term}</DescriptionListTerm>
      <DescriptionListDescription>
        <bdi className="mw-breaks">{children === '' || children === null ? t('form.none') : children}</bdi>
      </DescriptionListDescription>
    </DescriptionListGroup>
  )
}

interface LinksProps {
  readonly plural: string
  readonly records: readonly { readonly id: number; readonly name: string }[]
}

function Links({ plural, records }: LinksProps) {
  if (records.length === 0) return t('form.none')
  return (
    <ul>
      {records.map(({ id, name }) => (
        <li key={id}>
          <Link className="mw-all" to={`/${plural}/${id}`}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Permissions({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return t('form.none')
  return (
    <ExpandableSection toggleText={t('directory.as.permissions', { count: formatNumber(names.length) })}>
      <code className="mw-breaks">{names.join(', ')}</code>
    </ExpandableSection>
  )
}
