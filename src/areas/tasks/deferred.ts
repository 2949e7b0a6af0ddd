import { sql } from 'kysely'
import { type Db, row, rows, type Sql } from '../../database/sql.ts'
import { decryptIfPossible, type EncryptedColumn, type Encryption, purposeOf } from '../../encryption.ts'
import { NO_LEASE } from '../../queue/queue.ts'

const REQUEST: EncryptedColumn = { table: 'deferred_requests', column: 'request', row: ['task_id'] }
const ANSWER: EncryptedColumn = { table: 'deferred_requests', column: 'answer', row: ['task_id'] }
const OUTCOME: EncryptedColumn = { table: 'deferred_parts', column: 'outcome', row: ['task_id', 'position'] }
/** The encrypted columns with deferred requests and answers. */
export const DEFERRED: readonly EncryptedColumn[] = [REQUEST, ANSWER, OUTCOME]

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
  const text = encryption.encrypt(JSON.stringify(request), purposeOf(REQUEST, task))
  await rows(db, sql`insert into deferred_requests (task_id, request) values (${task}, ${text})`)
}

/** Loads the deferred request of a task; undefined once it is answered, and for a task without one. */
export async function loadDeferred({ db, encryption }: Place, task: number): Promise<unknown> {
  const found = await row<{ request: string | null }>(
    db,
    sql`select request from deferred_requests where task_id = ${task}`,
  )
  return found?.request
    ? (JSON.parse(encryption.decrypt(found.request, purposeOf(REQUEST, task))) as unknown)
    : undefined
}

/** Stores the answer to a deferred request, in the transaction of its writes, and drops the text of the request. */
export async function storeDeferredAnswer(
  { db, encryption }: Place,
  task: number,
  { status, body }: DeferredAnswer,
): Promise<void> {
  const answer = body === undefined ? null : encryption.encrypt(JSON.stringify(body), purposeOf(ANSWER, task))
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
  const text = encryption.encrypt(JSON.stringify(outcome), purposeOf(OUTCOME, task, position))
  await rows(db, sql`insert into deferred_parts (task_id, position, outcome) values (${task}, ${position}, ${text})`)
}

/** Loads the answers to the parts that are done, in order. */
export async function loadDeferredParts({ db, encryption }: Place, task: number): Promise<readonly DeferredAnswer[]> {
  const found = await rows<{ outcome: string; position: number }>(
    db,
    sql`select outcome, position from deferred_parts where task_id = ${task} order by position`,
  )
  const read = (outcome: string, position: number) => encryption.decrypt(outcome, purposeOf(OUTCOME, task, position))
  return found.map(({ outcome, position }) => JSON.parse(read(outcome, position)) as DeferredAnswer) // stored by `storeDeferredPart`
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
  if (found.answer !== null) {
    const text = decryptIfPossible(encryption, found.answer, purposeOf(ANSWER, task))
    return { status: found.status, body: text === null ? null : JSON.parse(text) }
  }
  const parts = await loadDeferredParts({ db, encryption }, task)
  return { status: found.status, body: parts.length > 0 ? { results: parts } : null }
}

/** Ends the tasks of requests that cannot be read any more, and drops these and unreadable answers. Yields the ids of all these tasks. */
export async function dropDeferred(tx: Db, isUnreadable: (column: Sql) => Sql): Promise<number[]> {
  const reason = 'the request can no longer be read: the key that it was encrypted with is lost'
  await rows(
    tx,
    sql`update tasks t set state = 'stopped', result = 'error', errors = array[${reason}], ended_at = now(), ${NO_LEASE}
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
