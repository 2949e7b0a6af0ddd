import type { Followers } from '../../context.ts'
import { type Db, row } from '../../database/sql.ts'
import { formatTime, selectMoment } from '../../requests/times.ts'
import { sql } from '../../sql.ts'
import { hasEnded, type RunState } from './requests.ts'
import { loadOutput } from './stored-output.ts'

/** The id of the last event: a client that has it has everything. */
export const LAST_EVENT = 'end'

/** The number of pieces of output that are read at a time. */
const PAGE = 100

/** How a client follows a run. */
export interface FollowOptions {
  readonly followers: Followers
  /** Number of the last piece of output that the client has. */
  readonly after: number
  readonly signal: AbortSignal
  /** Whether the client may still see the run; asked before anything is sent. */
  readonly mayFollow: () => Promise<boolean>
  /** Milliseconds between comments that keep connections open, and between looks at the run. */
  readonly heartbeatMs: number
}

/**
 * Yields the events of a run as server-sent events: `state` after each change, `output` for each piece with its number
 * as id, `end` after everything else. Data is read once the client has taken the previous ones, so that slow clients
 * need no memory. Ends silently when the client may no longer see the run.
 */
export async function* follow(db: Db, runId: number, options: FollowOptions): AsyncGenerator<string> {
  const { followers, signal, heartbeatMs, mayFollow } = options
  using follower = followers.follow(runId)
  let after = options.after
  let told = ''
  for (;;) {
    // State before output: nothing is printed after the end of a run, so that no output is missed.
    const state = await stateOf(db, runId)
    if (!state || !(await mayFollow())) return
    const ended = hasEnded(state)
    const text = JSON.stringify(state)
    if (text !== told && !ended) yield formatEvent('state', text)
    told = text
    for (;;) {
      const pieces = await loadOutput(db, runId, after, PAGE)
      if (!(await mayFollow())) return
      for (const { number, stream, text, created_at } of pieces) {
        yield formatEvent(
          'output',
          JSON.stringify({ number, stream, text, created_at: formatTime(created_at, 'iso') }),
          number,
        )
        after = number
      }
      if (pieces.length < PAGE || signal.aborted) break
    }
    if (ended) return yield formatEvent('end', text, LAST_EVENT)
    const why = await follower.change(heartbeatMs, signal)
    if (why === 'closed') return
    if (why === 'timeout') yield ': nothing new\n\n'
  }
}

interface State extends RunState {
  readonly [key: string]: unknown
}

async function stateOf(db: Db, runId: number): Promise<State | undefined> {
  return row(
    db,
    sql`
      select id, host_name as host, status, attempt, reason, exit_status, message, cancelled_by,
        ${selectIso('next_attempt_at')}, ${selectIso('started_at')}, ${selectIso('finished_at')}
      from config_runs where id = ${runId}`,
  )
}

function selectIso(column: string) {
  return sql`${selectMoment(sql.ref(column), 'iso')} as ${sql.ref(column)}`
}

/** Formats an event. JSON has no line breaks, so that one line of data is enough. */
function formatEvent(name: string, data: string, id?: number | string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`
}
