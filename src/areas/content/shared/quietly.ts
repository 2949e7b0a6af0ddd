import { prefers } from '../../../requests/prefer.ts'
import type { Answer, Input } from '../../../requests/route.ts'

/** Answers 204, or with the record when the request prefers a representation (RFC 7240). */
export async function answerQuietly(input: Input, work: (input: Input) => Promise<Answer>): Promise<Answer> {
  if (!prefers(input, 'return=representation')) {
    await work({ ...input, reading: null })
    return { status: 204 }
  }
  const answer = await work(input)
  return { ...answer, headers: { ...answer.headers, 'preference-applied': 'return=representation' } }
}
