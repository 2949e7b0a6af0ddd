import { z } from 'zod'
import { badParameter } from '../errors.ts'
import type { Members } from '../values.ts'
import { readSingle, toBoolean } from './sent.ts'

/** Which page of a list is asked for, in which order and of which search; pages count from 1 (spec 2.1). */
export interface Paging {
  readonly page: number
  /** Null: all records on one page. */
  readonly perPage: number | null
  readonly search: string | null
  readonly order: string | null
}

/** Yields the schema of a query parameter that may be left out. */
export function textParameter(description: string, example?: string): z.ZodType<string | undefined> {
  return z
    .string()
    .optional()
    .meta({ description, ...(example && { examples: [example] }) })
}

/** The schemas of the query parameters that every list takes (spec 2.1, 4). */
export const listQuery = {
  search: textParameter('Condition in the search language.'),
  order: textParameter('A search field, then ASC or DESC.', 'name DESC'),
  page: z
    .string()
    .regex(/^[1-9]\d*$/)
    .optional()
    .meta({ description: 'Number of the page, from 1.' }),
  per_page: z
    .string()
    .regex(/^([1-9]\d*|all)$/)
    .optional()
    .meta({ description: 'Records on a page, or `all`.' }),
  after: textParameter(
    'In place of `page`, for who reads everything: empty at first, then what the `Link` with `rel="next"` says.',
  ),
  include_permissions: textParameter('Any value adds the permissions on records.'),
}

/** The schemas of further query parameters of lists below `/content/api` (spec 4.6). */
export const contentListQuery = {
  sort_by: textParameter('A search field to sort by; `order` counts more.'),
  sort_order: textParameter('Its direction, ASC or DESC.', 'ASC'),
  full_result: textParameter('True: all records on one page.'),
}

/** Reads the query parameters of lists below `/content/api`. {@throws Failure} bad_parameter, with what is allowed */
export function readContentPaging(query: Members, defaultPerPage: number): Paging {
  const paging = readPaging(query, defaultPerPage)
  const by = readSingle(query, 'sort_by')
  const direction = /^desc$/i.test(readSingle(query, 'sort_order') ?? '') ? 'DESC' : 'ASC'
  const full = toBoolean(readSingle(query, 'full_result') ?? false)
  if (typeof full !== 'boolean') throw badParameter('full_result', full, 'must be true or false')
  return {
    ...paging,
    perPage: full ? null : paging.perPage,
    order: paging.order ?? (by ? `${by} ${direction}` : null),
  }
}

/** Reads the query parameters of lists. {@throws Failure} bad_parameter, with what is allowed */
export function readPaging(query: Members, defaultPerPage: number): Paging {
  const perPage = readSingle(query, 'per_page')
  return {
    page: readWhole('page', readSingle(query, 'page')) ?? 1,
    perPage: perPage === 'all' ? null : (readWhole('per_page', perPage) ?? defaultPerPage),
    search: readSingle(query, 'search'),
    order: readSingle(query, 'order'),
  }
}

// The largest integer that JSON carries exactly. Clients that want all records send numbers such as 4294967296.
const LARGEST = Number.MAX_SAFE_INTEGER

function readWhole(name: string, sent: string | null): number | null {
  if (sent === null) return null
  const value = Number(sent)
  if (!/^[1-9]\d*$/.test(sent) || value > LARGEST) {
    throw badParameter(
      name,
      sent,
      name === 'page' ? 'must be a whole number from 1 on' : "must be a whole number from 1 on, or 'all'",
    )
  }
  return value
}

/** Yields `sort` of the envelope: the words of the `order` parameter as they were sent, by default ASC (core-api §2.3). */
export function readSort(order: string | null): { by: string | null; order: string | null } {
  const [by, direction] = (order ?? '').trim().split(/\s+/)
  return by ? { by, order: direction ?? 'ASC' } : { by: null, order: null }
}
