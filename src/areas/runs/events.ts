import { sql } from 'kysely'
import type { Followers } from '../../context.ts'
import { type Db, row } from '../../database/sql.ts'
import { hasEnded, type RunState } from './requests.ts'
import { loadOutput } from './stored-output.ts'

/** The id of the last event: who has that has everything. */
export const LAST_EVENT = 'end'

/** Pieces of output that are read at once. */
const PAGE = 100

export interface FollowOptions {
  readonly followers: Followers
  /** The number of the last piece of output that the client has. */
  readonly after: number
  readonly signal: AbortSignal
  /** Whether the client may still know what happens in the run: asked before anything is told. */
  readonly mayFollow: () => Promise<boolean>
  /** Silence is broken so often, that nobody between takes the connection for dead; and the run is looked at anew. */
  readonly heartbeatMs: number
}

/**
 * What happens in a run, as server-sent events: `state` whenever it changes, `output` for each piece with its number as
 * id, `end` once everything else is told. Reads from the database what is next when the client has taken what was before,
 * so that slow clients cost no memory. It ends without a word once the client may no longer follow.
 */
export async function* follow(db: Db, runId: number, options: FollowOptions): AsyncGenerator<string> {
  const { followers, signal, heartbeatMs, mayFollow } = options
  using follower = followers.follow(runId)
  let after = options.after
  let told = ''
  for (;;) {
    // First the state, then the output: nothing is printed after a run has ended.
    const state = await stateOf(db, runId)
    if (!state || !(await mayFollow())) return
    const ended = hasEnded(state)
    const text = JSON.stringify(state)
    if (text !== told && !ended) yield event('state', text)
    told = text
    for (;;) {
      const pieces = await loadOutput(db, runId, after, PAGE)
      if (!(await mayFollow())) return
      for (const { number, stream, text, created_at } of pieces) {
        yield event('output', JSON.stringify({ number, stream, text, created_at: isoTime(created_at) }), number)
        after = number
      }
      if (pieces.length < PAGE || signal.aborted) break
    }
    if (ended) return yield event('end', text, LAST_EVENT)
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
        ${iso('next_attempt_at')}, ${iso('started_at')}, ${iso('finished_at')}
      from config_runs where id = ${runId}`,
  )
}

function iso(column: string) {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${sql.ref(column)}`
}

/** From the text that the database prints for a moment in UTC. */
function isoTime(text: string): string {
  return new Date(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`).toISOString()
}

/** JSON has no line breaks, so that one line of data is enough. */
function event(name: string, data: string, id?: number | string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`
}
