import { useEffect, useState } from 'react'
import { BASE, sendRequest } from '../../api/client.ts'
import { readCurrentScope } from '../../api/scope.ts'

/** The state of a run as the event stream reports it. */
export interface RunState {
  readonly status: string
  readonly attempt: number
  readonly exit_status: number | null
  readonly message: string | null
  readonly started_at: string | null
  readonly finished_at: string | null
}

export interface Piece {
  readonly number: number
  readonly stream: string
  readonly text: string
}

export interface Followed {
  readonly state: RunState | null
  readonly pieces: readonly Piece[]
  /** `lost`: the stream broke and does not reconnect by itself. */
  readonly connection: 'open' | 'ended' | 'lost'
  readonly again: () => void
}

/** The number of pieces of output that stay on the page; the file has all of it. */
const MOST_PIECES = 2000

/** Follows a run by the event stream of the service, which continues where a connection broke. */
export function useFollowed(id: number, onEnd: () => void): Followed {
  const [state, setState] = useState<RunState | null>(null)
  const [pieces, setPieces] = useState<readonly Piece[]>([])
  const [connection, setConnection] = useState<Followed['connection']>('open')
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another stream; the end is told once
  useEffect(() => {
    setPieces([])
    setConnection('open')
    const stream = new EventSource(eventsOf(id))
    stream.addEventListener('state', (event) => setState(JSON.parse(event.data)))
    stream.addEventListener('output', (event) => {
      const piece: Piece = JSON.parse(event.data)
      setPieces((before) => [...before, piece].slice(-MOST_PIECES))
    })
    stream.addEventListener('end', (event) => {
      stream.close()
      setState(JSON.parse(event.data))
      setConnection('ended')
      onEnd()
    })
    stream.addEventListener('error', () => {
      // In other states the browser reconnects by itself.
      if (stream.readyState === EventSource.CLOSED) setConnection('lost')
    })
    return () => stream.close()
  }, [id, attempt])
  return { state, pieces, connection, again: () => void resume(id).then(() => setAttempt((count) => count + 1)) }
}

/** Sends an ordinary request, which asks for a login when the session has expired; a stream cannot do that. */
async function resume(id: number): Promise<void> {
  await sendRequest(`/api/config_runs/${id}`).catch(() => null)
}

function eventsOf(id: number): string {
  const { organization, location } = readCurrentScope()
  const query = new URLSearchParams({ organization_id: organization ?? '', location_id: location ?? '' })
  return `${BASE}api/config_runs/${id}/events?${query}`
}
