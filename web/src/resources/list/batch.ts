import { sendRequest } from '../../api/client.ts'
import { errorOf } from '../../api/error.ts'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'

/** A write of one record in a batch. */
export interface BatchOperation {
  readonly method: 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/**
 * Makes independent writes and continues after refused ones; yields the reason for each refused one, null for the others.
 */
export async function attemptEach(operations: readonly BatchOperation[], isAlone: boolean): Promise<(string | null)[]> {
  const [only] = operations
  try {
    if (!isAlone && operations.length > 1) return await attemptTogether(operations)
    if (only) await sendRequest(only.path, only)
    return operations.map(() => null)
  } catch (error) {
    return operations.map(() => textOfProblem(error))
  }
}

interface Answer {
  readonly status: number
  readonly body?: unknown
}

function attemptTogether(operations: readonly BatchOperation[]): Promise<(string | null)[]> {
  return sendBatch(operations, { atomic: false })
}

/** Tries writes and stores nothing; yields the reason for which each would be refused, null for the others. */
export function tryEach(operations: readonly BatchOperation[], signal: AbortSignal): Promise<(string | null)[]> {
  return sendBatch(operations, { dry_run: true }, signal)
}

async function sendBatch(operations: readonly BatchOperation[], choice: object, signal?: AbortSignal) {
  const headers = { prefer: 'return=minimal' }
  const body = { operations, ...choice }
  const answer = await sendRequest('/api/batch', { method: 'POST', body, headers, ...(signal && { signal }) })
  return operations.map((_operation, place) => refusalOf(answer.body.results[place]))
}

/** Yields the reason of a refusal; operations without an answer stand behind one that failed with a fault. */
function refusalOf(answer: Answer | undefined): string | null {
  if (!answer) return t('list.result.untried')
  return answer.status < 400 ? null : textOfProblem(errorOf(answer.status, answer.body))
}

function textOfProblem(error: unknown): string {
  const { title, text } = wordsOfProblem(error)
  return text || title
}
