import type { z } from 'zod'
import type { Row } from '../../../kernel/index.ts'
import { buildPageSchema, type Paging, readSort } from '../../../requests/paging.ts'
import type { Answer } from '../../../requests/route.ts'

/**
 * Builds the schema of a list below `/content/api`, for actions that list records of no resource, or of another one than
 * their own.
 */
export function buildListSchema(record: z.ZodType, description: string): z.ZodObject {
  return buildPageSchema(record, 'content').meta({ description })
}

/** The result of a statement for a page. */
export interface ResultPage {
  readonly total: number
  readonly subtotal: number
  readonly results: readonly Row[]
}

/** Answers a page in the envelope of {@link buildListSchema}; `order` is the default order. */
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
