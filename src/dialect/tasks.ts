import { storeFinishedTask } from '../areas/tasks/index.ts'
import { inTransaction } from '../context.ts'
import type { Answer, Route } from '../kernel/route.ts'
import { idOf, isMembers, type Members, membersOf, readNumber, resultsOf } from '../values.ts'
import type { Step } from './shapes.ts'
import { FINISHED_TASKS, INPUT_IN_WORDS, TASK_LABELS } from './table.ts'

/** What answers with tasks: routes about them, and those of long operations. */
export function buildTaskStep({ group, answers }: Route): Step | null {
  if (group !== 'tasks' && answers[202] === undefined) return null
  return (inner) => async (ctx, input) => taskAnswer(await inner(ctx, input))
}

/**
 * What is done at once here, and a task to existing clients: one that has ended already. It is noted in the transaction that
 * does the work, so that the task can be asked for later.
 */
export function buildFinishedTaskStep({ id }: Route, shown: Route | undefined): Step | null {
  const finished = FINISHED_TASKS[id]
  if (!finished || !shown) return null
  const { kind, action, subject } = finished
  return (inner) => (ctx, input) =>
    inTransaction(ctx, async (tx) => {
      const { body } = await inner(tx, input)
      const record = membersOf(body) // as it was
      const { uuid } = await storeFinishedTask(tx, {
        kind,
        action,
        input: { [subject]: { id: idOf(record), name: String(record.name) } },
        // What an organization was is no part of any.
        organization: readNumber(record, 'organization_id') ?? null,
      })
      return { ...taskAnswer(await shown.handle(tx, { params: { id: uuid }, query: {}, body: {} })), status: 202 }
    })
}

function taskAnswer(answer: Answer): Answer {
  const { body } = answer
  if (!isMembers(body)) return answer
  return { ...answer, body: 'results' in body ? { ...body, results: resultsOf(body).map(asTheirs) } : asTheirs(body) }
}

/** Clients know a task by its uuid, what it does by another name, and how long it took as a text. */
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

/** What a task is about as one text instead of a list of records. */
function inWords(humanized: unknown): unknown {
  const { input, ...others } = humanized as Humanized // every task has it
  return { ...others, input: input.map(([, { text }]) => text).join('; ') }
}
