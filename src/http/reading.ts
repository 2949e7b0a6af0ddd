import type { Context, CountCache } from '../context.ts'
import type { Database } from '../database/database.ts'
import { mayBeElsewhere } from '../database/failures.ts'
import type { Answer, Input, Route } from '../requests/route.ts'

interface Places {
  readonly database: Database
  readonly replicaCounts: CountCache
}

/**
 * Answers a request by the handler of its route. Lists and records come from a replica where one has every write that was
 * acknowledged; when the replica fails, or cancels a statement to replay its log, the primary answers instead.
 */
export async function answerRead(
  { database, replicaCounts }: Places,
  route: Route,
  ctx: Context,
  input: Input,
): Promise<Answer> {
  const db = route.reads ? await database.replica() : null
  if (db === null) return route.handle(ctx, input)
  try {
    return await route.handle({ ...ctx, db, counts: replicaCounts }, input)
  } catch (error) {
    if (!mayBeElsewhere(error)) throw error
    return route.handle(ctx, input)
  }
}
