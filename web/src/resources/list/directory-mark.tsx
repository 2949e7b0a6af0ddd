import { t } from '../../words/words.ts'
import { useMachineStates, wordOfSince } from './states-of-machines.ts'

interface DirectoryMarkProps {
  readonly id: number
}

const COLORS = { well: 'green', ill: 'red', unknown: 'grey' } as const

/** Shows whether a directory works, with the reason on hover. */
export function DirectoryMark({ id }: DirectoryMarkProps) {
  const { data } = useMachineStates()
  const directory = data?.directories.find((one) => one.id === id)
  if (!directory) return null
  const { state, since, message } = directory
  const text = since === null ? t(state === 'well' ? 'machine.well' : 'machine.unknown') : wordOfSince(since)
  return (
    <span className={`pf-v6-c-label pf-m-compact pf-m-${COLORS[state]}`} title={message ?? t(`machine.${state}.text`)}>
      <span className="pf-v6-c-label__content">
        <span className="pf-v6-c-label__text">{text}</span>
      </span>
    </span>
  )
}
