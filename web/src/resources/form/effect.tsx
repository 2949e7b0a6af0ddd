import { Button, Card, CardBody, CardTitle } from '@patternfly/react-core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { Alert, Spinner } from '../../shell/patternfly.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { buildQuestion, type Deciding } from './effect-question.ts'
import type { BesideProps } from './parts.ts'

/** Users of whom some are named. */
interface Users {
  readonly count: number
  readonly samples: readonly { readonly id: number; readonly name: string }[]
}

interface Difference {
  readonly permissions: readonly string[]
  readonly resource: string | null
  readonly users: Users
}

interface Effect {
  readonly gains: readonly Difference[]
  readonly losses: readonly Difference[]
  readonly administrators: { readonly gains: Users; readonly losses: Users }
}

const NOBODY: Users = { count: 0, samples: [] }
const NOTHING: Effect = { gains: [], losses: [], administrators: { gains: NOBODY, losses: NOBODY } }

interface EffectProps extends BesideProps {
  readonly plural: Deciding
}

/** Shows who would gain and lose what by saving the form: with numbers and names, and nothing is stored. */
export function EffectOf({ plural, id, body, mistakes }: EffectProps) {
  const { parent, parentId } = useParams()
  const [asked, setAsked] = useState('')
  const asking = useMutation({
    mutationFn: async (): Promise<Effect> => {
      const role = parent === 'roles' ? (parentId ?? null) : null
      const question = await buildQuestion({ plural, id, role, body })
      if (question === null) return NOTHING
      const { data } = await api.POST('/api/access/what_if', { body: question })
      return data && 'administrators' in data ? data : NOTHING
    },
  })
  if (id === null && plural !== 'filters') return null // nobody is in a new group, or has a new role
  const now = JSON.stringify(body)
  function start() {
    if (Object.keys(mistakes).length > 0) return
    setAsked(now)
    asking.mutate()
  }
  const { data, error, isPending } = asking
  return (
    <Card component="section" aria-label={t('effect.title')}>
      <CardTitle component="h2">{t('effect.title')}</CardTitle>
      <CardBody>
        <p>{t('effect.text')}</p>
        <Button variant="secondary" onClick={start} isDisabled={isPending} className="mw-related">
          {t('effect.show')}
        </Button>
        <div role="status">
          {isPending && <Spinner size="md" />}
          {!isPending && error !== null && <ProblemAlert error={error} retry={start} />}
          {!isPending && data && now !== asked && <Alert variant="warning" isInline title={t('effect.outdated')} />}
          {!isPending && data && <Outcome effect={data} />}
          {body.admin !== undefined && <Alert variant="warning" isInline title={t('effect.admin')} />}
        </div>
      </CardBody>
    </Card>
  )
}

function Outcome({ effect: { gains, losses, administrators } }: { readonly effect: Effect }) {
  const { gains: raised, losses: lowered } = administrators
  if (gains.length + losses.length + raised.count + lowered.count === 0) return <p>{t('effect.none')}</p>
  return (
    <>
      <Part title={t('effect.gains')} differences={gains} administrators={raised} />
      <Part title={t('effect.losses')} differences={losses} administrators={lowered} />
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly differences: readonly Difference[]
  readonly administrators: Users
}

function Part({ title, differences, administrators }: PartProps) {
  if (differences.length === 0 && administrators.count === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {administrators.count > 0 && (
          <li>
            {t('effect.administrators')}: <People users={administrators} />
          </li>
        )}
        {differences.map(({ permissions, users }) => (
          <li key={permissions.join()}>
            <code>{permissions.join(', ')}</code>: <People users={users} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function People({ users: { count, samples } }: { readonly users: Users }) {
  const names = samples.map(({ name }) => name).join(', ')
  return (
    <>
      {t(count === 1 ? 'effect.user' : 'effect.users', { count: formatNumber(count) })}
      {names !== '' && (
        <>
          {' ('}
          <bdi>{names + (count > samples.length ? ', …' : '')}</bdi>)
        </>
      )}
    </>
  )
}

export const Filters = (props: BesideProps) => <EffectOf {...props} plural="filters" />
export const Roles = (props: BesideProps) => <EffectOf {...props} plural="roles" />
export const Usergroups = (props: BesideProps) => <EffectOf {...props} plural="usergroups" />
