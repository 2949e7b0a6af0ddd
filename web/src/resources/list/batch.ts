import { request } from '../../api/client.ts'
import { errorOf } from '../../api/error.ts'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'

/** A write of one record among many. */
export interface Operation {
  readonly method: 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** Does writes that do not depend on each other, going on past what is refused; yields why not, null for what is done. */
export async function attemptEach(operations: readonly Operation[], isAlone: boolean): Promise<(string | null)[]> {
  const [only] = operations
  try {
    if (!isAlone && operations.length > 1) return await attemptTogether(operations)
    if (only) await request(only.path, only)
    return operations.map(() => null)
  } catch (error) {
    return operations.map(() => textOfProblem(error))
  }
}

interface Answer {
  readonly status: number
  readonly body?: unknown
}

async function attemptTogether(operations: readonly Operation[]): Promise<(string | null)[]> {
  const headers = { prefer: 'return=minimal' }
  const { body } = await request('/api/batch', { method: 'POST', body: { operations, atomic: false }, headers })
  return operations.map((_operation, place) => refusalOf(body.results[place]))
}

/** Those that have no answer come behind one that the service could not do. */
function refusalOf(answer: Answer | undefined): string | null {
  if (!answer) return t('list.result.untried')
  return answer.status < 400 ? null : textOfProblem(errorOf(answer.status, answer.body))
}

function textOfProblem(error: unknown): string {
  const { title, text } = wordsOfProblem(error)
  return text || title
}
