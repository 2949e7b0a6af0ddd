import type { Context } from '../context.ts'
import type { Input } from '../kernel/definition.ts'
import type { Answer } from '../kernel/facts.ts'
import type { Route } from '../kernel/route.ts'
import { resultsOf } from '../values.ts'
import { openWalk } from './walk.ts'

/** The number of records that are read at a time, and held until they are sent. */
const PORTION = 1000

const TYPE = 'application/x-ndjson'

/** Tells whether a request asks for a list as lines of JSON. */
export function asksForLines({ headers = {} }: Input): boolean {
  return [headers.accept ?? '']
    .flat()
    .some((accept) => accept.split(',').some((one) => one.trim().split(';', 1)[0] === TYPE))
}

/**
 * Answers with a whole list, one record a line, however long. It is read by key in portions, each when the client has taken
 * the one before; reading ends when the client is gone. Refusals come before the first line.
 */
export async function answerLines(ctx: Context, route: Route, input: Input): Promise<Answer> {
  const portion = async (after: string) => {
    let next: string | null = null
    const walk = openWalk(ctx.encryption, after, (cursor) => {
      next = cursor
    })
    const { page: _page, ...query } = input.query
    const { body } = await route.handle(ctx, { ...input, query: { ...query, per_page: String(PORTION) }, walk })
    return {
      text: resultsOf(body)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
      next: next as string | null,
    }
  }
  const first = await portion('')
  return {
    status: 200,
    headers: { 'content-type': `${TYPE}; charset=utf-8` },
    stream: async function* (signal) {
      for (let { text, next } = first; ; { text, next } = await portion(next)) {
        if (text !== '') yield text
        if (next === null || signal.aborted) return
      }
    },
  }
}
