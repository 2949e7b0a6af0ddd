import { STATES } from '../words/states.ts'
import { formatTime, labelOf, t } from '../words/words.ts'
import type { ApiRecord } from './resources.ts'

/** Says a state of the service in the language of the browser; one that is not known here stays as it is. */
export function wordOfState(label: string): string {
  const word = STATES[label]
  return word === undefined ? label : t(word)
}

/** The colours of the states of a host as a whole. */
export const STATE_COLORS = ['green', 'yellow', 'red'] as const

/**
 * Says in a few words why a host is not well, as far as its record shows it: records in lists have no state of the
 * configuration, so that it is the cause where no other state is.
 */
export function causeOf(host: ApiRecord): string {
  const [status, build] = [host.global_status, host.build_status]
  if (status !== 1 && status !== 2) return wordOfState(String(host.global_status_label))
  if (status === 2 && (build === 2 || build === 3)) return wordOfState(String(host.build_status_label))
  if (typeof host.configuration_status_label === 'string') {
    const isCause = host.configuration_status_label === (status === 2 ? 'Error' : 'Out of sync')
    if (isCause) return t(status === 2 ? 'dashboard.failed' : 'state.late')
  }
  if (host.last_report === null) return t('state.silent')
  if (host.subscription_status_label === 'Unentitled') return t('state.unentitled')
  return t(status === 2 ? 'dashboard.failed' : 'state.late')
}

/** Lists the states of a host in words. */
export function describeStates(host: ApiRecord): string {
  const known = ['global_status_label', 'configuration_status_label', 'build_status_label', 'subscription_status_label']
  const states = known.flatMap((key) => {
    const label = host[key]
    return typeof label === 'string' ? [`${labelOf(key)}: ${wordOfState(label)}`] : []
  })
  const { last_report: last } = host
  return [...states, typeof last === 'string' ? t('host.reported', { time: formatTime(last) }) : t('host.silent')].join(
    ' · ',
  )
}
