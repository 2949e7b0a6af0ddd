import { sql } from 'kysely'
import { type Db, row, rows, type Sql } from '../../database/sql.ts'
import type { Encryption } from '../../encryption.ts'

/** The encrypted columns with deferred requests and answers. */
export const DEFERRED = [
  { table: 'deferred_requests', column: 'request' },
  { table: 'deferred_requests', column: 'answer' },
  { table: 'deferred_parts', column: 'outcome' },
] as const

interface Place {
  readonly db: Db
  readonly encryption: Encryption
}

/** The answer to a deferred request, or to one part of it. */
export interface DeferredAnswer {
  readonly status: number
  readonly body?: unknown
}

/** Stores a deferred request, in the transaction that plans its task. */
export async function storeDeferred({ db, encryption }: Place, task: number, request: unknown): Promise<void> {
  const text = encryption.encrypt(JSON.stringify(request))
  await rows(db, sql`insert into deferred_requests (task_id, request) values (${task}, ${text})`)
}

/** Loads the deferred request of a task; undefined once it is answered, and for a task without one. */
export async function loadDeferred({ db, encryption }: Place, task: number): Promise<unknown> {
  const found = await row<{ request: string | null }>(
    db,
    sql`select request from deferred_requests where task_id = ${task}`,
  )
  return found?.request ? (JSON.parse(encryption.decrypt(found.request)) as unknown) : undefined
}

/** Stores the answer to a deferred request, in the transaction of its writes, and drops the text of the request. */
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

/** Stores the answer to one part of a deferred request, in the transaction of the writes of that part. */
export async function storeDeferredPart(
  { db, encryption }: Place,
  task: number,
  position: number,
  outcome: DeferredAnswer,
): Promise<void> {
  const text = encryption.encrypt(JSON.stringify(outcome))
  await rows(db, sql`insert into deferred_parts (task_id, position, outcome) values (${task}, ${position}, ${text})`)
}

/** Loads the answers to the parts that are done, in order. */
export async function loadDeferredParts({ db, encryption }: Place, task: number): Promise<readonly DeferredAnswer[]> {
  const found = await rows<{ outcome: string }>(
    db,
    sql`select outcome from deferred_parts where task_id = ${task} order by position`,
  )
  return found.map(({ outcome }) => JSON.parse(encryption.decrypt(outcome)) as DeferredAnswer) // stored by `storeDeferredPart`
}

/**
 * Loads the answer so far, for the requester only; undefined for anybody else, and for tasks without a deferred
 * request.
 */
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

/** Ends the tasks of requests that cannot be read any more, and drops these and unreadable answers. Yields the ids of all these tasks. */
export async function dropDeferred(tx: Db, isUnreadable: (column: Sql) => Sql): Promise<number[]> {
  const reason = 'the request can no longer be read: the key that it was encrypted with is lost'
  await rows(
    tx,
    sql`update tasks t set state = 'stopped', result = 'error', errors = array[${reason}], ended_at = now(),
        worker = null, lease_expires_at = null
      from deferred_requests d where d.task_id = t.id and t.state <> 'stopped' and ${isUnreadable(sql`d.request`)}`,
  )
  const dropped = await rows<{ id: number }>(
    tx,
    sql`delete from deferred_requests d where ${isUnreadable(sql`d.request`)} or ${isUnreadable(sql`d.answer`)}
        or exists (select from deferred_parts p where p.task_id = d.task_id and ${isUnreadable(sql`p.outcome`)})
      returning d.task_id as id`,
  )
  return dropped.map(({ id }) => id)
}
