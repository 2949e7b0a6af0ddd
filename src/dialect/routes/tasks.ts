import { storeFinishedTask, waitForEnd } from '../../areas/tasks/index.ts'
import { type Context, inTransaction } from '../../context.ts'
import { idOf, isMembers, type Members, membersOf, readNumber, resultsOf } from '../../lib/values.ts'
import type { Answer, Route } from '../../requests/route.ts'
import type { Step } from '../shapes.ts'
import { FINISHED_TASKS, INPUT_IN_WORDS, TASK_LABELS } from '../table.ts'

/**
 * Builds the step that translates tasks in the answers of a route. A planned task is answered once it has ended, if that is soon:
 * otherwise existing clients wait for seconds before they look at it again.
 */
export function buildTaskStep({ group, answers }: Route, shown: Route | undefined): Step | null {
  const plans = answers[202] !== undefined
  if (group !== 'tasks' && !plans) return null
  return (inner) => async (ctx, input) => {
    const answer = await inner(ctx, input)
    return toTaskAnswer(plans && shown && !ctx.db.isTransaction ? await waitForTask(ctx, answer, shown) : answer)
  }
}

async function waitForTask(ctx: Context, answer: Answer, shown: Route): Promise<Answer> {
  if (!isMembers(answer.body) || typeof answer.body.uuid !== 'string') return answer
  const id = answer.body.uuid
  await waitForEnd(ctx.db, id)
  const { body } = await shown.handle(ctx, { params: { id }, query: {}, body: {} })
  return { ...answer, body }
}

/**
 * Builds the step for an operation that is completed at once but is a task for existing clients: a finished task is stored
 * in the transaction of the work, so that clients can ask for it later.
 */
export function buildFinishedTaskStep({ id }: Route, shown: Route | undefined): Step | null {
  const finished = FINISHED_TASKS[id]
  if (!finished || !shown) return null
  const { kind, action, subject } = finished
  return (inner) => (ctx, input) =>
    inTransaction(ctx, async (tx) => {
      const { body } = await inner(tx, input)
      const record = membersOf(body) // the record before the operation
      const { uuid } = await storeFinishedTask(tx, {
        kind,
        action,
        input: { [subject]: { id: idOf(record), name: String(record.name) } },
        // A task about an organization belongs to no organization.
        organization: readNumber(record, 'organization_id') ?? null,
      })
      return { ...toTaskAnswer(await shown.handle(tx, { params: { id: uuid }, query: {}, body: {} })), status: 202 }
    })
}

function toTaskAnswer(answer: Answer): Answer {
  const { body } = answer
  if (!isMembers(body)) return answer
  return { ...answer, body: 'results' in body ? { ...body, results: resultsOf(body).map(asTheirs) } : asTheirs(body) }
}

/** Converts a task: clients know it by its uuid, have another label for it, and read its duration as a text. */
function asTheirs(task: Members): Members {
  if (typeof task.uuid !== 'string') return task
  const { uuid, label, duration, ...others } = task
  const lasted = typeof duration === 'number' ? String(duration) : null
  const theirs = { ...others, id: uuid, duration: lasted, label: TASK_LABELS[String(label)] ?? label }
  return INPUT_IN_WORDS.includes(String(label)) ? { ...theirs, humanized: inWords(task.humanized) } : theirs
}

interface Humanized {
  readonly input: readonly (readonly [string, { readonly text: string }])[]
}

/** Joins the subject of a task, a list of records, to one text. */
function inWords(humanized: unknown): unknown {
  const { input, ...others } = humanized as Humanized // every task has an input
  return { ...others, input: input.map(([, { text }]) => text).join('; ') }
}
