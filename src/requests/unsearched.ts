import { z } from 'zod'
import type { Paging } from './paging.ts'
import type { Answer } from './route.ts'

/** Builds the schema of a page of records that cannot be searched and have one order; the other texts describe its keys. */
export function buildUnsearchedPageSchema(
  record: z.ZodType,
  { total, perPage, order, results }: Readonly<Record<'total' | 'perPage' | 'order' | 'results', string>>,
): z.ZodObject {
  const never = (description: string) => z.null().meta({ description })
  const number = (description: string) => z.int().meta({ description })
  return z.object({
    total: number(total),
    subtotal: number('The same: nothing is searched for here.'),
    page: number('The page that was asked for.'),
    per_page: number(perPage),
    search: never('Nothing is searched for here.'),
    sort: z.object({ by: never(order), order: never(order) }).meta({ description: 'Sort order.' }),
    results: z.array(record).meta({ description: results }),
  })
}

/** Answers a page of records that cannot be searched. */
export function answerUnsearched({ page, perPage }: Paging, total: number, results: readonly unknown[]): Answer {
  const counts = { total, subtotal: total, page, per_page: perPage ?? total, search: null }
  return { status: 200, body: { ...counts, sort: { by: null, order: null }, results } }
}
