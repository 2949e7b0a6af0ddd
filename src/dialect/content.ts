import { Failure } from '../errors.ts'
import type { Answer, Input } from '../requests/route.ts'

/** Converts a page to the form of the content API (content-api §1.2), whose page numbers are returned as they were sent. */
export function toContentPage(answer: Answer, { query }: Input): Answer {
  const { body } = answer
  if (!isPage(body) || body.page === null) return answer
  const sent = Object.fromEntries(
    NUMBERS.filter((name) => typeof query[name] === 'string').map((name) => [name, query[name]]),
  )
  return { ...answer, body: { ...body, ...sent } }
}

const NUMBERS = ['page', 'per_page'] as const

/** Builds the answer to a malformed search: an empty page that contains the error (content-api §1.3). */
export function createEmptyPage({ query }: Input): (error: unknown) => Answer {
  return (error) => {
    if (!(error instanceof Failure) || error.code !== 'bad_search') throw error
    const counts = { total: 0, subtotal: 0, selectable: 0, page: null, per_page: null }
    const sort = { by: query.sort_by ?? 'name', order: query.sort_order ?? 'asc' }
    return {
      status: 200,
      body: { ...counts, error: error.message, search: query.search ?? null, sort, results: [] },
    }
  }
}

function isPage(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && 'results' in body && 'subtotal' in body
}
