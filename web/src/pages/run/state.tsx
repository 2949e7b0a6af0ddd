import { Label } from '@patternfly/react-core'
import { t } from '../../words/words.ts'

const COLORS = {
  Failed: 'red',
  Modified: 'blue',
  Success: 'green',
  failed: 'red',
  succeeded: 'green',
  running: 'blue',
  finished: 'green',
  stopped: 'red',
} as const

interface StateProps {
  readonly word: string
}

/** Shows the state of a run, a rollout or a report. */
export function State({ word }: StateProps) {
  const color = Object.entries(COLORS).find(([name]) => name === word)?.[1] ?? 'grey'
  return (
    <Label isCompact color={color}>
      {t(`run.${word as keyof typeof COLORS | 'queued' | 'cancelled'}`)}
    </Label>
  )
}
