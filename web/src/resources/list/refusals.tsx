import { useQuery } from '@tanstack/react-query'
import { usePaused } from '../../shell/paused.ts'
import { formatNumber, t } from '../../words/words.ts'
import { type ApiRecord, textOf, type Where } from '../resources.ts'
import { type BatchOperation, tryEach } from './batch.ts'

/** So many records are tried before a bulk operation: enough to see what stands in its way. */
const MOST_TRIED = 100
const MOST_NAMED = 3

interface RefusalsProps {
  readonly where: Where
  readonly records: readonly ApiRecord[]
  readonly operationOf: (record: ApiRecord) => BatchOperation
}

/** Says before a bulk operation which of its first records would be refused, and why. The service tries it and stores nothing. */
export function Refusals({ where, records, operationOf }: RefusalsProps) {
  const tried = records.slice(0, MOST_TRIED)
  const operations = usePaused(JSON.stringify(tried.map(operationOf)))
  const { data } = useQuery({
    queryKey: ['refusals', operations],
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) => tryEach(JSON.parse(operations), signal),
  })
  if (!data) return null
  const refused = tried.flatMap((record, at) =>
    data[at] ? [{ name: textOf(record, where.resource), why: data[at] }] : [],
  )
  const numbers = { tried: formatNumber(tried.length) }
  return (
    <div aria-live="polite">
      {refused.length === 0 && tried.length > 1 && <p className="mw-hint">{t('refusals.none', numbers)}</p>}
      {[...Map.groupBy(refused, ({ why }) => why)].map(([why, some]) => (
        <p key={why} className="mw-breaks">
          {t('refusals.some', { ...numbers, count: formatNumber(some.length), why })}{' '}
          <bdi>
            {some
              .slice(0, MOST_NAMED)
              .map(({ name }) => name)
              .join(', ')}
          </bdi>
          {some.length > MOST_NAMED && ' …'}
        </p>
      ))}
    </div>
  )
}
