import type { NewTask, TaskHandler } from '../../src/areas/tasks/task.ts'
import { type Db, rows } from '../../src/database/sql.ts'
import { Failure, invalid } from '../../src/errors.ts'
import { sql } from '../../src/sql.ts'

/** The administrator, as the owner of tasks that tests insert directly. */
export const ADMIN = { id: 1, login: 'admin' }

/** The key of the advisory lock on which a step waits. */
export const LOCK = 77

/** Creates the table in which the tasks of these tests record each executed step. */
export async function prepareDone(db: Db): Promise<void> {
  await sql`create table done (task bigint not null, step integer not null, login text, pid integer)`.execute(db)
}

/** Lists the executed steps, of one task or of all, in order. */
export async function doneSteps(db: Db, task?: number): Promise<number[]> {
  const whose = task === undefined ? sql`true` : sql`task = ${task}`
  const found = await rows<{ step: number }>(db, sql`select step from done where ${whose} order by task, step`)
  return found.map(({ step }) => step)
}

/** Yields a task of one of the kinds below. */
export function counting(input: NewTask['input'], kind = 'count'): NewTask {
  return { kind, action: `Count to ${input.to}`, input, organization: null }
}

/** `count` performs as many steps as its input says, and waits for the lock in the step `waits`. */
export const testKinds: Readonly<Record<string, TaskHandler>> = {
  count: async (_ctx, { id, input, step }) => {
    const to = Number(input.to)
    const seen: number[] = []
    for (let n = 1; n <= to; n++) {
      seen.push(
        await step(n / to, async ({ db, user }) => {
          if (n === input.waits) await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db)
          if (n === input.fails) throw invalid({ name: ["can't be blank"], base: ['Nothing works'] })
          if (n === input.breaks) throw new Error('secret details')
          await sql`insert into done values (${id}, ${n}, ${user.login}, ${process.pid})`.execute(db)
          return n * 10
        }),
      )
    }
    return { output: { seen }, ...(input.warns === true && { result: 'warning' as const, errors: ['not all of it'] }) }
  },
  denied: async () => {
    throw new Failure('conflict', 'Somebody else was quicker')
  },
}
