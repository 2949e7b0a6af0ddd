import { badParameter } from '../errors.ts'
import { isMembers } from '../lib/values.ts'
import type { Answer, Input, Route } from '../requests/route.ts'
import { isContentPath } from './paths.ts'
import type { Step } from './shapes.ts'

/**
 * Builds the step for further parameters of lists: a page without records, which only counts, and another name for the
 * records.
 */
export function buildPageStep({ id, path, method }: Route): Step | null {
  if (method !== 'GET' || !id.endsWith('.list')) return null
  return (inner) => async (ctx, input) => {
    const { per_page: perPage, root_name: root } = input.query
    if (typeof root === 'string' && root !== '' && !isContentPath(path))
      return nameRecords(root, await inner(ctx, input))
    if (typeof perPage !== 'string' || !/^0*\d*$/.test(perPage)) return inner(ctx, input)
    return answerSized(perPage.replace(/^0+/, ''), perPage, (query) => inner(ctx, { ...input, query }), input)
  }
}

/** Page sizes may have leading zeros; a size of zero or of nothing yields no records. */
async function answerSized(
  size: string,
  sent: string,
  ask: (query: Input['query']) => Promise<Answer>,
  { query }: Input,
): Promise<Answer> {
  if (size !== '') return ask({ ...query, per_page: size })
  const { per_page: _sent, ...others } = query
  const answer = await ask(others)
  if (!isMembers(answer.body)) return answer
  const shown = sent === '' ? {} : { per_page: 0 }
  return { ...answer, body: { ...answer.body, ...shown, results: [] } }
}

/** Puts the records of a page under the requested name. {@throws Failure} bad_parameter */
function nameRecords(root: string, answer: Answer): Answer {
  if (!isMembers(answer.body)) return answer
  const { results, ...envelope } = answer.body
  if (root in envelope) throw badParameter('root_name', root, 'must be a name that the page has no other key of')
  return { ...answer, body: { ...envelope, [root]: results } }
}
