import { sql } from 'kysely'
import { type Db, row, rows } from '../../database/sql.ts'
import type { Encryption } from '../../encryption.ts'

/** Requests that are worked on by tasks, and what they would have been answered with. */

/** Where requests and answers are encrypted. */
export const DEFERRED = [
  { table: 'deferred_requests', column: 'request' },
  { table: 'deferred_requests', column: 'answer' },
  { table: 'deferred_parts', column: 'outcome' },
] as const

interface Place {
  readonly db: Db
  readonly encryption: Encryption
}

/** What a request was answered with, or one of its parts. */
export interface DeferredAnswer {
  readonly status: number
  readonly body?: unknown
}

/** Keeps a request for its task, in the transaction that plans that. */
export async function storeDeferred({ db, encryption }: Place, task: number, request: unknown): Promise<void> {
  const text = encryption.encrypt(JSON.stringify(request))
  await rows(db, sql`insert into deferred_requests (task_id, request) values (${task}, ${text})`)
}

/** The request of a task; undefined once it has been done. */
export async function loadDeferred({ db, encryption }: Place, task: number): Promise<unknown> {
  const found = await row<{ request: string | null }>(
    db,
    sql`select request from deferred_requests where task_id = ${task}`,
  )
  return found?.request ? (JSON.parse(encryption.decrypt(found.request)) as unknown) : undefined
}

/** Stores what a request is answered with, in the transaction that did it; the request itself is not needed any more. */
export async function storeDeferredAnswer(
  { db, encryption }: Place,
  task: number,
  { status, body }: DeferredAnswer,
): Promise<void> {
  const answer = body === undefined ? null : encryption.encrypt(JSON.stringify(body))
  await rows(
    db,
    sql`update deferred_requests set request = null, status = ${status}, answer = ${answer}::text where task_id = ${task}`,
  )
}

/** Stores what came of a part, in the transaction that did it. */
export async function storeDeferredPart(
  { db, encryption }: Place,
  task: number,
  position: number,
  outcome: DeferredAnswer,
): Promise<void> {
  const text = encryption.encrypt(JSON.stringify(outcome))
  await rows(db, sql`insert into deferred_parts (task_id, position, outcome) values (${task}, ${position}, ${text})`)
}

/** What came of the parts so far, in their order. */
export async function loadDeferredParts({ db, encryption }: Place, task: number): Promise<readonly DeferredAnswer[]> {
  const found = await rows<{ outcome: string }>(
    db,
    sql`select outcome from deferred_parts where task_id = ${task} order by position`,
  )
  return found.map(({ outcome }) => JSON.parse(encryption.decrypt(outcome)) as DeferredAnswer) // as it was stored
}

/** What a request has been answered with so far, for whoever sent it; undefined for everybody else, and for other tasks. */
export async function loadDeferredAnswer(
  { db, encryption }: Place,
  task: number,
  user: number,
): Promise<{ readonly status: number | null; readonly body: unknown } | undefined> {
  const found = await row<{ status: number | null; answer: string | null }>(
    db,
    sql`select d.status, d.answer from deferred_requests d join tasks t on t.id = d.task_id
      where d.task_id = ${task} and t.user_id = ${user}`,
  )
  if (!found) return undefined
  if (found.answer !== null) return { status: found.status, body: JSON.parse(encryption.decrypt(found.answer)) }
  const parts = await loadDeferredParts({ db, encryption }, task)
  return { status: found.status, body: parts.length > 0 ? { results: parts } : null }
}
