import { isStopped } from '../../../database/failures.ts'
import { limitReads } from '../../../database/limit-time.ts'
import { Failure } from '../../../errors.ts'
import { type Handler, list } from '../../../kernel/index.ts'

/** How long a search for a page of audits may take: a rare word is looked for in all of them. */
const LONGEST_MS = 10_000

/** Answers a page of audits; a search that reads too many of them is refused with advice. {@throws Failure} bad_search */
export const listAudits: Handler = async (ctx, resource, input) => {
  if (!input.query.search) return list(ctx, resource, input)
  try {
    return await list({ ...ctx, db: limitReads(ctx.db, LONGEST_MS) }, resource, input)
  } catch (error) {
    throw isStopped(error) ? new Failure('bad_search', TOO_LONG, CLASS, { cause: error }) : error
  }
}

const CLASS = { class: 'ScopedSearch::QueryNotSupported' } as const

const TOO_LONG =
  'search reads too many audits: add a condition on the time or the user, such as time > "1 month ago" or user = admin'
