import { Button, Card, CardBody, CardTitle, ExpandableSection, Label } from '@patternfly/react-core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import type { BesideProps } from '../../resources/form/parts.ts'
import { Alert, Spinner } from '../../shell/patternfly.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { Certificates } from './certificates.tsx'

interface TrialOutcome {
  readonly success: boolean
  readonly message: string
  readonly steps: readonly Step[]
}

interface Step {
  readonly name: StepName
  readonly status: 'ok' | 'failed' | 'warning' | 'skipped'
  readonly milliseconds: number
  readonly message: string
  readonly advice: string | null
  readonly details?: Readonly<Record<string, unknown>>
}

type StepName =
  | 'resolve'
  | 'connect'
  | 'tls'
  | 'bind'
  | 'base_dn'
  | 'login_attribute'
  | 'sample'
  | 'groups_base'
  | 'membership'
  | 'discovery'
  | 'keys'
  | 'algorithms'
  | 'pkce'
  | 'client'
  | 'logout'

const COLORS = { ok: 'green', failed: 'red', warning: 'orange', skipped: 'grey' } as const
const LONGEST_NAME = 60

interface TrialProps extends BesideProps {
  /** The resource whose values are tested. */
  readonly plural: 'auth_source_ldaps' | 'auth_source_oidcs'
}

/** Tests the settings in the form, only on demand: testing half-typed passwords would lock the account. */
export function Trial({ plural, id, body, mistakes, refuse }: TrialProps) {
  const [tested, setTested] = useState('')
  const trial = useMutation({
    mutationFn: async (): Promise<TrialOutcome> => {
      const host = String(body.host ?? '')
      const values = id === null && !body.name ? { ...body, name: host.slice(0, LONGEST_NAME) } : body
      const options = { body: { [plural.replace(/s$/, '')]: values } }
      const path = id === null ? `/api/${plural}/test` : `/api/${plural}/${encodeURIComponent(id)}/test`
      return (await sendRequest(path, { method: id === null ? 'POST' : 'PUT', ...options })).body
    },
    onError: refuse,
  })
  const { data, error, isPending } = trial
  const now = JSON.stringify(body)
  function start() {
    if (Object.keys(mistakes).length > 0) return
    setTested(now)
    trial.mutate()
  }
  return (
    <Card component="section" aria-label={t('directory.trial')}>
      <CardTitle component="h2">{t('directory.trial')}</CardTitle>
      <CardBody>
        <p>{t('directory.trial.text')}</p>
        <Button variant="secondary" onClick={start} isDisabled={isPending} className="mw-related">
          {tested === '' ? t('directory.test') : t('directory.again')}
        </Button>
        <div role="status">
          {isPending && (
            <p>
              <Spinner size="md" aria-label={t('dashboard.testing')} /> {t('dashboard.testing')}
            </p>
          )}
          {!isPending && error !== null && <ProblemAlert error={error} retry={start} />}
          {!isPending && data && (
            <Alert
              variant={data.success ? 'success' : 'danger'}
              isInline
              title={data.success ? t('directory.works') : t('directory.fails')}
            >
              {data.message}
            </Alert>
          )}
          {!isPending && data && tested !== now && <Alert variant="info" isInline title={t('directory.stale')} />}
        </div>
        {data && !isPending && (
          <ol className="mw-steps">
            {data.steps.map((step) => (
              <StepOf key={step.name} step={step} />
            ))}
          </ol>
        )}
      </CardBody>
    </Card>
  )
}

interface StepOfProps {
  readonly step: Step
}

/** Shows one step: what was tested, how it went and how long it took; what is wrong, and what to do about it. */
function StepOf({ step: { name, status, milliseconds, message, advice, details = {} } }: StepOfProps) {
  const { servers, ...others } = details
  const chains = name === 'tls' && Array.isArray(servers) ? servers : []
  const rest = chains.length > 0 ? others : details
  return (
    <li>
      <h3 className="pf-v6-c-title pf-m-md">
        {t(`directory.step.${name}`)}{' '}
        <Label isCompact color={COLORS[status]}>
          {t(`directory.${status}`)}
        </Label>{' '}
        {status !== 'skipped' && (
          <span className="mw-hint">{t('directory.took', { count: formatNumber(milliseconds) })}</span>
        )}
      </h3>
      <p className="mw-breaks">{message}</p>
      {advice !== null && <p className="mw-breaks mw-advice">{advice}</p>}
      {chains.map((chain, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what one server presented stays at its place
        <Certificates key={place} presented={chain} />
      ))}
      {Object.keys(rest).length > 0 && (
        <ExpandableSection toggleText={t('directory.details', { step: t(`directory.step.${name}`) })}>
          <pre className="mw-code">{JSON.stringify(rest, null, 2)}</pre>
        </ExpandableSection>
      )}
    </li>
  )
}
