import { Button, Label } from '@patternfly/react-core'
import { useContext, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { SectionsProps } from '../../resources/form/parts.ts'
import { countErrors, focusSection, SectionOf } from '../../resources/form/sections.tsx'
import { formatNumber, t, type Word } from '../../words/words.ts'
import { LogInAs } from './log-in-as.tsx'
import { computeMark, findStage, hasPassed, PERSON, STAGES, STEP_PARAMETER, type Stage } from './stages.ts'
import { CHECK_COLORS } from './trial.tsx'
import { TrialContext } from './trial-state.ts'

/** Shows one step of a directory at a time, with all of them by name above it, and what became of each. */
export function Steps({ parts, messages, present, ...form }: SectionsProps) {
  const trial = useContext(TrialContext)
  const [parameters, setParameters] = useSearchParams()
  const stage = findStage(parameters)
  const toFocus = useRef<(() => void) | null>(null)
  const now = JSON.stringify(form.body)
  const fieldsOf = ({ title }: Stage) => parts.find((part) => part.title === title)?.fields ?? []
  const refused = STAGES.find((one) => countErrors(fieldsOf(one), messages) > 0)
  const place = stage === null ? STAGES.length : STAGES.indexOf(stage)
  function openStep(next: Stage | undefined, isMistake = false) {
    toFocus.current = isMistake ? focusMistake : () => focusSection(next?.title ?? 'directory.as')
    setParameters(
      (all) => {
        all.set(STEP_PARAMETER, next?.name ?? PERSON)
        return all
      },
      { replace: true },
    )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new refusal leads to another step
  useEffect(() => {
    if (!refused || (stage !== null && countErrors(fieldsOf(stage), messages) > 0)) return
    openStep(refused, true)
  }, [messages])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves with the step, once its fields are shown
  useEffect(() => {
    toFocus.current?.()
    toFocus.current = null
  }, [place])
  if (!trial) return null
  function advance() {
    if (!trial || stage === null) return
    const next = STAGES[place + 1]
    if (trial.data && trial.tested === now && hasPassed(trial.data, stage)) return openStep(next)
    trial.start(form, { onDone: (outcome) => hasPassed(outcome, stage) && openStep(next) })
  }
  return (
    <>
      <nav aria-label={t('directory.steps')}>
        <ol className="mw-way">
          {STAGES.map((one) => (
            <li key={one.name}>
              <StepButton title={one.title} isCurrent={one === stage} act={() => openStep(one)} />{' '}
              <Mark count={countErrors(fieldsOf(one), messages)} status={computeMark(trial, one, now)} />
            </li>
          ))}
          <li>
            <StepButton title="directory.as" isCurrent={stage === null} act={() => openStep(undefined)} />
          </li>
        </ol>
      </nav>
      {STAGES.map((one) => (
        <div key={one.name} hidden={one !== stage}>
          <SectionOf title={one.title}>{fieldsOf(one).map(present)}</SectionOf>
        </div>
      ))}
      <div hidden={stage !== null}>
        <SectionOf title="directory.as">
          <LogInAs {...form} />
        </SectionOf>
      </div>
      <div>
        {stage !== null && (
          <Button variant="secondary" isDisabled={trial.isPending} onClick={advance}>
            {t('directory.continue')}
          </Button>
        )}{' '}
        {place > 0 && (
          <Button variant="link" onClick={() => openStep(STAGES[place - 1])}>
            {t('directory.back')}
          </Button>
        )}
      </div>
    </>
  )
}

interface StepButtonProps {
  readonly title: Word
  readonly isCurrent: boolean
  readonly act: () => void
}

function StepButton({ title, isCurrent, act }: StepButtonProps) {
  return (
    <Button
      variant="link"
      isInline
      className={isCurrent ? 'mw-present' : ''}
      aria-current={isCurrent ? 'step' : undefined}
      onClick={act}
    >
      {t(title)}
    </Button>
  )
}

interface MarkProps {
  readonly count: number
  readonly status: ReturnType<typeof computeMark>
}

/** Says how many fields of a step have errors, or else how its checks went. */
function Mark({ count, status }: MarkProps) {
  if (count > 0)
    return (
      <Label isCompact color="red">
        {t('form.contents.errors', { count: formatNumber(count) })}
      </Label>
    )
  if (status === null) return null
  return (
    <Label isCompact color={CHECK_COLORS[status]}>
      {t(`directory.${status}`)}
    </Label>
  )
}

function focusMistake(): void {
  document.querySelector<HTMLElement>('.mw-form [aria-invalid=true]')?.focus()
}
