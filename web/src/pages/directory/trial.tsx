import { Button, Card, CardBody, CardTitle, ExpandableSection, Label } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import type { BesideProps } from '../../resources/form/parts.ts'
import { Alert, Spinner } from '../../shell/patternfly.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { Certificates } from './certificates.tsx'
import type { Check, CheckName, TrialOutcome, TrialState } from './trial-state.ts'

export const CHECK_COLORS = { ok: 'green', failed: 'red', warning: 'orange', skipped: 'grey' } as const

interface TrialProps extends BesideProps {
  readonly trial: TrialState
  /** The checks that are shown, with one before them that failed; without this all. */
  readonly checks?: readonly CheckName[] | undefined
  /** Tests the values as they are stored, without a form. */
  readonly isStored?: boolean
  /** What follows the button. */
  readonly children?: ReactNode
}

/** Tests the settings in the form, and shows each check. */
export function Trial({ trial, checks, isStored = false, children, ...form }: TrialProps) {
  const { data, error, isPending, tested } = trial
  const start = () => trial.start(form)
  const shown = data && limitTo(data.steps, checks)
  return (
    <Card component="section" aria-label={t('directory.trial')}>
      <CardTitle component="h2">{t('directory.trial')}</CardTitle>
      <CardBody>
        <p>{t(isStored ? 'directory.trial.stored' : 'directory.trial.text')}</p>
        <Button variant="secondary" onClick={start} isDisabled={isPending} className="mw-related">
          {tested !== '' ? t('directory.again') : t(isStored ? 'directory.trial' : 'directory.test')}
        </Button>{' '}
        {children}
        <div role="status">
          {isPending && (
            <p>
              <Spinner size="md" aria-label={t('dashboard.testing')} /> {t('dashboard.testing')}
            </p>
          )}
          {!isPending && error !== null && <ProblemAlert error={error} retry={start} />}
          {!isPending && data && shown && <Verdict outcome={data} shown={shown} />}
          {!isPending && data && tested !== JSON.stringify(form.body) && (
            <Alert variant="info" isInline title={t('directory.stale')} />
          )}
        </div>
        {shown && !isPending && (
          <ol className="mw-steps">
            {shown.map((step) => (
              <StepOf key={step.name} step={step} />
            ))}
          </ol>
        )}
      </CardBody>
    </Card>
  )
}

/** Yields the checks of a step, and earlier checks that failed. */
function limitTo(steps: readonly Check[], checks: readonly CheckName[] | undefined): readonly Check[] {
  if (!checks) return steps
  const first = steps.findIndex(({ name }) => checks.includes(name))
  return steps.filter(({ name, status }, place) => checks.includes(name) || (place < first && status === 'failed'))
}

interface VerdictProps {
  readonly outcome: TrialOutcome
  readonly shown: readonly Check[]
}

/** Says whether people can log in. Where only a later step fails, this one works. */
function Verdict({ outcome: { success, message }, shown }: VerdictProps) {
  const [variant, title, text] = success
    ? (['success', t('directory.works'), message] as const)
    : shown.every(({ status }) => status !== 'failed')
      ? (['success', t('directory.part'), t('directory.part.text')] as const)
      : (['danger', t('directory.fails'), message] as const)
  return (
    <Alert variant={variant} isInline title={title}>
      {text}
    </Alert>
  )
}

interface StepOfProps {
  readonly step: Check
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
        <Label isCompact color={CHECK_COLORS[status]}>
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
