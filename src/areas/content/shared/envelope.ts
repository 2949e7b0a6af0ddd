import type { z } from 'zod'
import { type Paging, readSort } from '../../../kernel/paging.ts'
import type { Row } from '../../../kernel/record.ts'
import type { Answer } from '../../../kernel/route.ts'
import { pageSchema } from '../../../kernel/schemas.ts'

/** The envelope of lists below `/content/api`, for actions whose records are of no resource, or of another one. */
export function buildListSchema(record: z.ZodType, description: string): z.ZodObject {
  return pageSchema(record, 'content').meta({ description })
}

/** What a statement found for a page, beside what was asked for. */
export interface ResultPage {
  readonly total: number
  readonly subtotal: number
  readonly results: readonly Row[]
}

/** A page in that envelope; `order` is what it is sorted by where nobody says. */
export function answerPage({ total, subtotal, results }: ResultPage, asked: Paging, order: string): Answer {
  const [by, direction] = order.split(' ')
  const body = {
    total,
    subtotal,
    selectable: subtotal,
    page: asked.page,
    per_page: asked.perPage ?? total,
    error: null,
    search: asked.search,
    sort: asked.order === null ? { by, order: direction } : readSort(asked.order),
    results,
  }
  return { status: 200, body }
}

/** How many records come before a page. */
export function offsetOf({ page, perPage }: Paging): number {
  return perPage === null ? 0 : Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
}
