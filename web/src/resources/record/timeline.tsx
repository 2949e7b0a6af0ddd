import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { Problem } from '../../shell/problem.tsx'
import { formatTime, labelOf, t } from '../../words/words.ts'
import type { ResourceShort } from '../description.ts'
import { putJobFirst } from '../list/choosable.ts'
import { type ApiRecord, loadResource } from '../resources.ts'
import { wordOfAction } from '../what-changed.ts'
import { Overview } from './overview.tsx'

interface TimelineProps {
  readonly resource: ResourceShort
  /** The path of the record in the API. */
  readonly path: string
}

/** A change of a record, as its history lists it. */
interface Version {
  readonly version: number
  readonly time: string
  readonly user: string | null
  readonly action: string
}

const SHOWN = 50

/** Shows a record as it was after one of its newest changes. A slider chooses the change. */
export function Timeline({ resource, path }: TimelineProps) {
  const slider = useId()
  const [chosen, setChosen] = useState<number | null>(null)
  const { data: versions = [] } = useQuery({
    queryKey: ['versions', path],
    enabled: resource.hasPast,
    queryFn: async ({ signal }): Promise<readonly Version[]> => {
      const { body } = await sendRequest(`${path}/history`, { query: { per_page: SHOWN }, signal })
      return body.results.toReversed()
    },
  })
  const last = versions.length - 1
  const version = versions[Math.min(chosen ?? last, last)]
  if (last < 1 || !version) return null
  const by = t('history.by', { action: wordOfAction(version.action), user: version.user ?? '–' })
  const text = t('history.version', { number: version.version, time: formatTime(version.time), by })
  return (
    <div className="mw-timeline">
      <label htmlFor={slider}>{chosen === null ? t('history.slider') : text}</label>
      <input
        id={slider}
        type="range"
        max={last}
        value={chosen ?? last}
        aria-valuetext={text}
        onChange={({ target }) => setChosen(Number(target.value))}
      />
      {chosen !== null && <Past resource={resource} path={path} time={version.time} />}
    </div>
  )
}

interface PastProps extends TimelineProps {
  readonly time: string
}

function Past({ resource, path, time }: PastProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['record as it was', path, time],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { body } = await sendRequest(path, { query: { as_of: time }, signal })
      const { shown } = await loadResource(resource.plural)
      return { record: body as ApiRecord, columns: putJobFirst(resource, shown) }
    },
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return null
  const { unknown } = data.record
  return (
    <>
      <Overview record={data.record} columns={data.columns} />
      {Array.isArray(unknown) && unknown.length > 0 && (
        <p className="mw-related">{t('history.unknown', { names: unknown.map(labelOf).join(', ') })}</p>
      )}
    </>
  )
}
